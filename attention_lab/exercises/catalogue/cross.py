"""Exercises of lesson 06 (its padding mask stands with the other masks)."""

import numpy as np

from attention_lab.exercises import probes
from attention_lab.exercises.exercise import Arguments, Exercise, FunctionExercise

HINTS = (
    "Who asks here, and who is looked at?",
    "Queries come from `x`; keys and values come from `context`.",
    "`q, k, v = x @ W_Q, context @ W_K, context @ W_V`",
)
PADDED_HINTS = (
    "What must the score of a missing word become, and in whose rows?",
    "True where a key is there; one axis for the queries; hide before you weigh.",
    "`(np.arange(n_keys) < lengths[:, None])[:, None, :]` is True where a word is there.",
)
ABOUT = "one row for each word of `x`, d_v numbers each"

_PROJECT = "    q, k, v = x @ W_Q, context @ W_K, context @ W_V\n"
_SCORES = "    scores = q @ k.T / np.sqrt(k.shape[-1])\n"


def _without_river() -> Arguments:
    """Give the three words to a head for which the last one is missing."""
    return {**probes.three_words("x", "context", "W_Q", "W_K", "W_V")(), "mask": np.array([[True, True, False]])}


def _one_sentence_without_river() -> Arguments:
    """Give one sentence of three words, of which the last one is missing."""
    given = probes.three_words("q", "k", "v")()
    return {**{name: array[None] for name, array in given.items()}, "lengths": np.array([2])}


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="cross-attention",
        lesson="06",
        task="One head: the words of `x` look at the words of another sequence, `context`.",
        trains="who supplies queries, keys and values",
        minutes=6,
        difficulty=2,
        stub="def my_cross(x, context, W_Q, W_K, W_V):\n    # one head\n    ...",
        solution="def my_cross(x, context, W_Q, W_K, W_V):\n" + _PROJECT + _SCORES + "    return softmax(scores) @ v",
        hints=HINTS,
        sibling="cross-attention-padded",
        program=("ask", "label", "hand over", "compare", "scale", "weigh", "settle", "blend"),
        inputs=probes.projections,
        example=probes.three_words("x", "context", "W_Q", "W_K", "W_V"),
        about=ABOUT,
    ),
    FunctionExercise(
        name="cross-attention-padded",
        lesson="06",
        task="Write cross(x, context, W_Q, W_K, W_V, mask): `mask` (1, n_keys) is True for the words that are there.",
        trains="the same, with missing words hidden",
        minutes=6,
        difficulty=2,
        stub="def my_cross(x, context, W_Q, W_K, W_V, mask):\n    # one head, some words hidden\n    ...",
        solution=(
            "def my_cross(x, context, W_Q, W_K, W_V, mask):\n"
            + _PROJECT
            + _SCORES
            + "    return softmax(np.where(mask, scores, -np.inf)) @ v"
        ),
        hints=HINTS,
        home=False,
        program=("ask", "label", "hand over", "compare", "scale", "hide", "weigh", "settle", "blend"),
        inputs=probes.projections_with_lengths,
        example=_without_river,
        about=ABOUT,
    ),
    FunctionExercise(
        name="padded-attention",
        lesson="06",
        task=(
            "Write attention(q, k, v, lengths) for a batch: q, k and v are (n_sentences, n_tokens, d), "
            "and of each sentence only the first `lengths` words are there."
        ),
        trains="a mask from the lengths, on the right axis",
        minutes=6,
        difficulty=3,
        stub="def my_attention(q, k, v, lengths):\n    # missing words are not looked at\n    ...",
        solution=(
            "def my_attention(q, k, v, lengths):\n"
            "    mask = (np.arange(k.shape[1]) < lengths[:, None])[:, None, :]\n"
            "    scores = q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1])\n"
            "    return softmax(np.where(mask, scores, -np.inf)) @ v"
        ),
        hints=PADDED_HINTS,
        home=False,
        program=("see what is there", "compare", "scale", "hide", "weigh", "settle", "blend"),
        inputs=probes.sentences_with_lengths,
        example=_one_sentence_without_river,
        about="(n_sentences, n_tokens, d_v)",
    ),
)
