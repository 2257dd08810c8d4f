"""Reading a role off a map: which cells, and what is made of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import Array, Step, Steps, beside

_LINE = "`np.diagonal(weights, offset=-1, axis1=-2, axis2=-1)` holds each row's column one to the left"


def _taken(take: Callable[[Array, int], Any]) -> tuple[Steps, ...]:
    """Make the two steps that take something of the weights on one side: before each word, -1, or after it, 1."""

    def step(side: int) -> Step:
        return lambda s: take(s.weights, side)

    return {"look back": step(-1)}, {"look ahead": step(1)}


def _hits(weights: Array, side: int) -> Array:
    """Count the words whose largest weight lies there."""
    n = weights.shape[-1]
    rows = np.arange(n)[max(0, -side) : n - max(0, side)]
    return np.asarray((weights.argmax(-1)[..., rows] == rows + side).mean(-1))


MISTAKES = (
    Mistake(
        "role-other-side",
        "the other neighbour",
        lambda s: "Your cells lie on the other side of the diagonal: each word's other neighbour.",
        "Row looks at column, so the word before stands one column to the left, and the word after one to the right.",
        (
            "In row 3 of a map, which column is the word before, and which is the word after?",
            "Row i, column i - 1 is the word before; row i, column i + 1 is the word after.",
            _LINE,
        ),
        _taken(lambda weights, side: beside(weights, -side).mean(-1)),
    ),
    Mistake(
        "role-itself",
        "the diagonal",
        lambda s: "Your score says how much each word looks at itself.",
        "On the diagonal, row and column are the same word.",
        (
            "Which word looks, and which is looked at, in row 3, column 3?",
            "A neighbour stands one column beside the diagonal.",
            _LINE,
        ),
        _taken(lambda weights, side: beside(weights, 0).mean(-1)),
    ),
    Mistake(
        "role-word-without-neighbour",
        "a word counted that has no such neighbour",
        lambda s: "Your mean counts one word more than there are with such a neighbour.",
        "At the end of a sentence there is nobody beside a word, so nothing is asked of it.",
        (
            "Of n words, how many have such a neighbour?",
            "One word has none: the mean runs over n - 1 of them.",
            "`weights.shape[-1] - 1` words have one",
        ),
        _taken(lambda weights, side: beside(weights, side).sum(-1) / weights.shape[-1]),
    ),
    Mistake(
        "role-summed",
        "a sum in place of a mean",
        lambda s: "Your score is a sum over the words: it grows with the sentence.",
        "A mean lies between 0 and 1, so heads can be compared over sentences of any length.",
        (
            "What does your score become for a sentence twice as long?",
            "Divide by how many words have such a neighbour.",
            "`np.diagonal(weights, -1, -2, -1).mean(axis=-1)`: a mean, not a sum",
        ),
        _taken(lambda weights, side: beside(weights, side).sum(-1)),
    ),
    Mistake(
        "role-heads-pooled",
        "one score for all heads",
        lambda s: "Your heads share one score: their weights went into one mean.",
        "The question is which head has the role, so each needs its own number.",
        (
            "How many numbers should come out for three heads?",
            "Take the mean over the words alone: the axis of the heads stays.",
            "`np.diagonal(weights, -1, -2, -1).mean(axis=-1)` keeps the heads",
        ),
        (
            *_taken(lambda weights, side: beside(weights, side).mean()),
            *_taken(lambda weights, side: np.full(len(weights), beside(weights, side).mean())),
        ),
    ),
    Mistake(
        "role-hits-counted",
        "largest weights counted",
        lambda s: "You count the words whose *largest* weight lies there.",
        "A count does not tell 51% from 99%; the weight itself does.",
        (
            "Does your score tell a weight of 0.51 from one of 0.99?",
            "Take the mean of the weights, not of which one is largest.",
            _LINE,
        ),
        _taken(_hits),
    ),
)
