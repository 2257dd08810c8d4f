"""Exercises of the appendix on the cache of keys and values."""

import numpy as np

from attention_lab.examples import BANK
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Arguments, Exercise, FunctionExercise
from attention_lab.exercises.probes import Rng

_KEEP = ("keep the key", "keep the value", "look up the keys", "look up the values", "compare", "scale")
_GIVES = ("output", "keys", "values")


def _drawn(rng: Rng, n_new: int, square: bool) -> Arguments:
    """Draw new words and what was kept; with `square`, all words together are as many as a key has numbers.

    Else many are kept: one word looks, and which one it likes best must not be a matter of chance.
    """
    d_k, d_v = (int(size) for size in rng.permutation(np.arange(4, 10))[:2])
    n_kept = d_k - n_new if square else int(rng.integers(20, 33))
    shapes = {"q": (n_new, d_k), "k": (n_new, d_k), "v": (n_new, d_v), "keys": (n_kept, d_k), "values": (n_kept, d_v)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def _one_word(rng: Rng, square: bool) -> Arguments:
    return _drawn(rng, 1, square)


def _several_words(rng: Rng, square: bool) -> Arguments:
    return _drawn(rng, int(rng.integers(2, 4)), square)


def _bank_comes_last() -> Arguments:
    """Keep The and river, and let bank be new."""
    new, kept = [1], [0, 2]
    return {name: getattr(BANK, name)[new] for name in "qkv"} | {"keys": BANK.k[kept], "values": BANK.v[kept]}


def _nothing_is_kept() -> Arguments:
    """Keep nothing: all three words are new."""
    return {name: getattr(BANK, name) for name in "qkv"} | {"keys": BANK.k[:0], "values": BANK.v[:0]}


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="cache-step",
        optional=True,
        lesson="cache",
        task="Write one step with a cache: a new word looks at the words that were kept, and at itself, and is kept.",
        trains="keep keys and values, compare one query",
        minutes=6,
        difficulty=2,
        stub=(
            "def my_step(q, k, v, keys, values):\n"
            "    # a row each of the new word; a row for each word before it\n"
            "    # return its output, and keys and values for the next word\n"
            "    ..."
        ),
        solution=(
            "def my_step(q, k, v, keys, values):\n"
            "    keys, values = np.concatenate([keys, k]), np.concatenate([values, v])\n"
            "    scores = q @ keys.T / np.sqrt(k.shape[-1])\n"
            "    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
            "    weights = weights / weights.sum(axis=-1, keepdims=True)\n"
            "    return weights @ values, keys, values"
        ),
        hints=BY_CODE["new-word-unseen"].hints,
        sibling="cache-chunk",
        program=(*_KEEP, "weigh", "settle", "blend", "hand in a step"),
        inputs=_one_word,
        example=_bank_comes_last,
        about="output has one row, keys and values have a row for each word, the new one last",
        gives=_GIVES,
    ),
    FunctionExercise(
        name="cache-chunk",
        lesson="cache",
        task="Write a step for several new words at once: each sees all that was kept, and new words up to itself.",
        trains="where a causal mask stands when there are more keys than queries",
        minutes=6,
        difficulty=3,
        stub=(
            "def my_chunk(q, k, v, keys, values):\n"
            "    # rows of the new words; rows of the words before them\n"
            "    # return their outputs, and keys and values for the next step\n"
            "    ..."
        ),
        solution=(
            "def my_chunk(q, k, v, keys, values):\n"
            "    n_kept, n_new = len(keys), len(q)\n"
            "    keys, values = np.concatenate([keys, k]), np.concatenate([values, v])\n"
            "    mask = np.arange(n_kept + n_new) <= np.arange(n_new)[:, None] + n_kept\n"
            "    scores = np.where(mask, q @ keys.T / np.sqrt(k.shape[-1]), -np.inf)\n"
            "    return softmax(scores) @ values, keys, values"
        ),
        hints=BY_CODE["mask-aligned-at-start"].hints,
        home=False,
        program=(*_KEEP, "see back", "hide", "weigh", "settle", "blend", "hand in a step"),
        inputs=_several_words,
        example=_nothing_is_kept,
        about="output has a row for each new word, keys and values have one for each word, new ones last",
        gives=_GIVES,
    ),
)
