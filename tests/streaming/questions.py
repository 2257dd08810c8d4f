"""What the tests of streaming share: small tiles, and questions that the core can be asked, too."""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import numpy as np
from hypothesis import strategies as st

from attention_lab import causal_mask, padding_mask, scaled_dot_product_attention, window_mask
from attention_lab.streaming import forward, short, tiles
from tests.strategies import leading_axes, seeds, widths


@contextmanager
def cut_into(block, tile, strip):
    """Cut small arrays into many tiles."""
    sizes = {"BLOCK": block, "TILE": tile, "STRIP": min(strip, tile)}
    with ExitStack() as stack:
        for module in (forward, short, tiles):
            found = {name: size for name, size in sizes.items() if hasattr(module, name)}
            stack.enter_context(patch.multiple(module, **found))
        yield


cuts = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 3))


@st.composite
def questions(draw, bias=True, min_keys=0):
    """Arguments of streaming_attention: all its ways to hide, any count 0, leading axes that broadcast."""
    leading, n_queries, n_keys = draw(leading_axes), draw(st.integers(0, 12)), draw(st.integers(min_keys, 12))
    d_k, d_v, rng = draw(widths), draw(widths), np.random.default_rng(draw(seeds))
    spread = draw(st.sampled_from([0.1, 2.0, 30.0]))
    of_k, of_v = (leading if draw(st.booleans()) else () for _ in range(2))
    q = spread * rng.normal(size=(*leading, n_queries, d_k))
    asked = {"q": q, "k": rng.normal(size=(*of_k, n_keys, d_k)), "v": rng.normal(size=(*of_v, n_keys, d_v))}
    if draw(st.booleans()):
        asked["mask"] = rng.random((n_queries, n_keys)) < draw(st.sampled_from([0.1, 0.7, 1.0]))
    if bias and draw(st.booleans()):
        asked["bias"] = rng.normal(size=(n_queries, n_keys))
        asked["bias"][rng.random((n_queries, n_keys)) < 0.3] = -np.inf
    if draw(st.booleans()):
        asked["lengths"] = rng.integers(0, n_keys + 1, size=of_scores(asked)[:-2])
    asked["causal"] = draw(st.booleans())
    asked["window"] = draw(st.sampled_from([None, 1, 2, 5]))
    asked["scale"] = draw(st.sampled_from([None, 1.0, -0.3, 0.0]))
    return asked


def of_scores(asked):
    """The shape of the scores."""
    leading = np.broadcast_shapes(asked["q"].shape[:-2], asked["k"].shape[:-2])
    return (*leading, asked["q"].shape[-2], asked["k"].shape[-2])


def as_mask(asked):
    """All that hides by position, and the mask, as one mask of the scores' shape."""
    shape = of_scores(asked)
    mask = np.broadcast_to(asked.get("mask", True), shape)
    if asked.get("causal"):
        mask = mask & causal_mask(*shape[-2:])
    if asked.get("window") is not None:
        mask = mask & window_mask(*shape[-2:], width=asked["window"])
    if "lengths" in asked:
        mask = mask & padding_mask(asked["lengths"], shape[-1])
    return mask


def core(asked):
    """What the core answers to the same question."""
    q, k, v = (asked[name] for name in "qkv")
    options = {name: asked.get(name) for name in ("bias", "scale")}
    return scaled_dot_product_attention(q, k, v, mask=as_mask(asked), **options)
