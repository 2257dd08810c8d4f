"""Weigh: what is done in place of a softmax along each row."""

import numpy as np

from attention_lab.exercises.mistake import Mistake, row, total
from attention_lab.exercises.steps import weigh

_RULE = "Weigh: exponentials, divided by their sum along the row, so that each row sums to 1."
_LINE = "`weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)`, after taking off each row's maximum"

MISTAKES = (
    Mistake(
        "softmax-over-queries",
        "softmax over the queries",
        lambda s: f'On the three words, your weights for "bank" are {row(s.weights)}, and each *column* adds up to 1.',
        "Each word shares out its own attention, so each row adds up to 1.",
        ("Who shares something out here: the word that looks, or the word that is looked at?", _RULE, _LINE),
        ({"weigh": lambda s: weigh(s.scores, -2)}, {"weigh": lambda s: _plain(s.scores, -2)}),
        ("PyTorch-NLP #2", "nerminnuraydogan/vision-transformer #1", "labmlai #146"),
    ),
    Mistake(
        "softmax-over-heads",
        "softmax over the heads",
        lambda s: "For each pair of words, your weights add up to 1 over the heads; along a row they do not.",
        "Each head shares out its own attention over the words; heads do not compete with each other.",
        ("Between whom is a word's attention shared out: the words it looks at, or the heads?", _RULE, _LINE),
        ({"weigh": lambda s: weigh(s.scores, -3)},),
        ("jadore801120/attention-is-all-you-need-pytorch #52",),
    ),
    Mistake(
        "softmax-over-everything",
        "one softmax over the whole table",
        lambda s: (
            f'On the three words, your weights for "bank" are {row(s.weights)}; only the whole table adds up to 1.'
        ),
        "Each word shares out its own attention, so each row adds up to 1 by itself.",
        ("What should one row of the weights add up to?", _RULE, _LINE),
        (
            {"weigh": lambda s: weigh(s.scores, None)},
            {"weigh": lambda s: _plain(s.scores, None)},
            {"weigh": lambda s: weigh(s.scores, (-2, -1))},
        ),
    ),
    Mistake(
        "softmax-missing",
        "no softmax",
        lambda s: f'On the three words, your weights for "bank" are {row(s.weights)}: still scores.',
        "Scores can be any numbers; weights are positive and sum to 1.",
        ("Can a share be larger than the whole?", _RULE, _LINE),
        ({"weigh": lambda s: s.scores},),
    ),
    Mistake(
        "sum-missing",
        "exponentials that are not divided by their sum",
        lambda s: (
            f'On the three words, your weights for "bank" are {row(s.weights)}: positive, '
            f"but they sum to {total(s.weights):.4g}."
        ),
        "An exponential is positive; only dividing by the row's sum makes it a share.",
        ("What does one row of your weights add up to?", _RULE, _LINE),
        (
            {"weigh": lambda s: np.exp(s.scores)},
            {"weigh": lambda s: np.exp(s.scores - s.scores.max(-1, keepdims=True))},
        ),
    ),
    Mistake(
        "exp-missing",
        "scores divided by their sum",
        lambda s: (
            f'On the three words, your weights for "bank" are {row(s.weights)}: '
            "each score as a share of the row's scores."
        ),
        "Scores can be negative or sum to zero; exponentials are always positive, and turn gaps into ratios.",
        ("What would the weight of a score of -2 be?", _RULE, _LINE),
        ({"weigh": lambda s: s.scores / s.scores.sum(-1, keepdims=True)},),
    ),
    Mistake(
        "softmax-overflow",
        "a softmax that large scores break",
        lambda s: "Scores of a few units come out right; scores of a thousand, or rows far apart, come out as NaN.",
        "`np.exp` of 1,000 is too large for a float, and infinity divided by infinity is no number.",
        (
            "What does a constant, taken off every score of a row, change in the weights?",
            "Take the largest score of each row off that row first: no weight changes, and nothing overflows.",
            "`grown = np.exp(scores - scores.max(axis=-1, keepdims=True))`",
        ),
        (
            {"weigh": lambda s: _plain(s.scores, -1)},
            {"weigh": lambda s: _with_one_maximum(s.scores)},
        ),
    ),
)


def _plain(scores: np.ndarray, axis: int | None) -> np.ndarray:
    """Exponentials of the scores as they are: large ones overflow."""
    return np.asarray(np.exp(scores) / np.exp(scores).sum(axis, keepdims=True))


def _with_one_maximum(scores: np.ndarray) -> np.ndarray:
    """Take the largest score of all off, not that of each row: a row far below it becomes 0 / 0."""
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum(-1, keepdims=True))
