"""What the tests of the mathematics share: hypothesis' settings, random arrays, and attention written the plain way."""

import os

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

# The same examples on every machine and in every run; nothing is kept between runs. A mutation run wants to know only
# whether a test fails, so it does not look for the smallest failing example.
_PHASES = [Phase.explicit, Phase.generate] + ([] if os.environ.get("ATTENTION_LAB_MUTANT") else [Phase.shrink])
settings.register_profile(
    "lab",
    derandomize=True,
    database=None,
    max_examples=50,
    deadline=None,
    phases=_PHASES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lab")

EXACT = 1e-12  # float64 identities, for numbers around 1
FLOATS = ("float32", "float64")

seeds = st.integers(0, 2**32 - 1)
leading_axes = st.sampled_from([(), (2,), (1,), (2, 3), (0,)])
counts = st.integers(0, 5)
widths = st.integers(1, 5)


@st.composite
def scores_and_masks(draw, min_keys=0):
    """Scores, and a mask that leaves some rows empty, hides little, or hides nothing."""
    shape = (*draw(leading_axes), draw(counts), draw(st.integers(min_keys, 5)))
    rng = np.random.default_rng(draw(seeds))
    scores = rng.normal(scale=draw(st.sampled_from([0.1, 3.0, 100.0])), size=shape)
    mask = rng.random(shape) < draw(st.sampled_from([0.2, 0.7, 1.0]))
    return scores, mask


@st.composite
def attention_inputs(draw, min_keys=0, dtype="float64"):
    """A dict of q, k, v and mask; leading axes broadcast, and any count may be 0."""
    leading = draw(leading_axes)
    n_queries, n_keys, d_k, d_v = draw(counts), draw(st.integers(min_keys, 5)), draw(widths), draw(widths)
    rng = np.random.default_rng(draw(seeds))
    with_leading = [leading if draw(st.booleans()) else () for _ in range(2)]
    q = rng.normal(size=(*leading, n_queries, d_k)).astype(dtype)
    k = rng.normal(size=(*with_leading[0], n_keys, d_k)).astype(dtype)
    v = rng.normal(size=(*with_leading[1], n_keys, d_v)).astype(dtype)
    mask = rng.random((n_queries, n_keys)) < draw(st.sampled_from([0.3, 0.7, 1.0]))
    return {"q": q, "k": k, "v": v, "mask": mask}


def close(left, right, tolerance=EXACT):
    """The same shape, and the same numbers up to rounding."""
    return np.shape(left) == np.shape(right) and np.allclose(left, right, rtol=tolerance, atol=tolerance)


def plain_softmax(scores, mask=None):
    """Row by row, key by key, with nothing but ``exp``; an empty row is 0."""
    scores = np.asarray(scores)
    mask = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape, scores.dtype)
    for row in np.ndindex(scores.shape[:-1]):
        seen = scores[row][mask[row]]
        if seen.size:
            grown = np.exp(seen - seen.max())
            weights[row][mask[row]] = grown / grown.sum()
    return weights


def plain_attention(q, k, v, mask=None, bias=0.0, scale=None):
    """Attention by the formula; gives back weights and output."""
    q, k, v = (np.asarray(array) for array in (q, k, v))
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = np.einsum("...id,...jd->...ij", q, k) * q.dtype.type(scale) + np.asarray(bias, q.dtype)
    weights = plain_softmax(scores, mask)
    return weights, np.einsum("...ij,...jd->...id", weights, v)


def heads_of(rng, *, n_heads=2, n_kv_heads=None, d_model=4, d_context=None, d_k=3, d_v=2, dtype="float64"):
    """Random W_Q, W_K, W_V and W_O."""
    n_kv_heads, d_context = n_kv_heads or n_heads, d_context or d_model
    shapes = [(n_heads, d_model, d_k), (n_kv_heads, d_context, d_k), (n_kv_heads, d_context, d_v)]
    return [rng.normal(size=shape).astype(dtype) for shape in [*shapes, (n_heads, d_v, d_model)]]


def snapshot(*arrays):
    """Remember arrays, and give back a function that tells whether they still hold the same bytes."""
    before = [(array, array.tobytes()) for array in arrays]
    return lambda: all(array.tobytes() == content for array, content in before)
