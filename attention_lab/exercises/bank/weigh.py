"""Weigh: what is done in place of a softmax along each row."""

import numpy as np

from attention_lab.exercises.mistake import Mistake, in_all, row, yours
from attention_lab.exercises.steps import State, weigh

_RULE = "Weigh: exponentials, divided by their sum along the row, so that each row sums to 1."
_LINE = "`weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)`, after taking off each row's maximum"
HUGE = 1e8  # no score is, but one that hides


def _minus_infinity(s: State) -> np.ndarray:
    return np.where(s.mask != 0, s.scores, -np.inf)


def _of_heads(s: State) -> np.ndarray:
    """Give back the scores of several heads; a stack of sentences has none."""
    if not hasattr(s, "W_O"):
        raise ValueError("there is one head only")
    return np.asarray(s.scores)


def _as_scores(s: State) -> np.ndarray:
    """Leave the scores as they are; once blended, a row with an infinite one tells nothing of the others."""
    if hasattr(s, "v") and np.isinf(s.scores).any(-1).all():
        raise ValueError("nothing but infinities would be left")
    return np.asarray(s.scores)


def _not_huge(scores: np.ndarray) -> np.ndarray:
    """Give back scores of which none swallows the others when they are added up."""
    if np.abs(scores).max() > HUGE:
        raise ValueError("nothing but the numbers that hide would be left")
    return scores


def _zero(s: State) -> np.ndarray:
    """Hide with 0: without exponentials, that is no mistake."""
    return np.where(s.mask != 0, s.scores, 0)


MISTAKES = (
    Mistake(
        "softmax-over-queries",
        "softmax over the queries",
        lambda s: _by_column(s),
        "Each word shares out its own attention, so each row adds up to 1.",
        ("Who shares something out here: the word that looks, or the word that is looked at?", _RULE, _LINE),
        (
            {"weigh": lambda s: weigh(s.scores, -2)},
            {"weigh": lambda s: _plain(s.scores, -2)},
            {"hide": _minus_infinity, "weigh": lambda s: np.nan_to_num(weigh(s.scores, -2))},  # a key that nobody sees
        ),
        ("PyTorch-NLP #2", "nerminnuraydogan/vision-transformer #1", "labmlai #146"),
    ),
    Mistake(
        "softmax-over-heads",
        "softmax over the heads",
        lambda s: (
            "For each pair of words, your heads share out 1 between them; along a row, weights do not add up to 1."
        ),
        "Each head shares out its own attention over the words; heads do not compete with each other.",
        ("Between whom is a word's attention shared out: the words it looks at, or the heads?", _RULE, _LINE),
        ({"weigh": lambda s: weigh(_of_heads(s), -3)},),
        ("jadore801120/attention-is-all-you-need-pytorch #52",),
    ),
    Mistake(
        "softmax-over-everything",
        "one softmax over the whole table",
        lambda s: yours(s, "weights", "shares of all rows together, not of their own"),
        "Each word shares out its own attention, so each row adds up to 1 by itself.",
        ("What should one row of the weights add up to?", _RULE, _LINE),
        (
            {"weigh": lambda s: weigh(s.scores, (-2, -1))},
            {"weigh": lambda s: _plain(s.scores, (-3, -2, -1))},
            {"weigh": lambda s: _plain(s.scores, None)},
        ),
    ),
    Mistake(
        "softmax-missing",
        "no softmax",
        lambda s: yours(s, "weights", "still scores"),
        "Scores can be any numbers; weights are positive and sum to 1.",
        ("Can a share be larger than the whole?", _RULE, _LINE),
        ({"weigh": _as_scores}, {"hide": _zero, "weigh": lambda s: s.scores}),
    ),
    Mistake(
        "sum-missing",
        "exponentials that are not divided by their sum",
        lambda s: yours(s, "weights", f"exponentials, and {in_all(s, 'not 1')} in all"),
        "An exponential is positive; only dividing by the row's sum makes it a share.",
        ("What does one row of your weights add up to?", _RULE, _LINE),
        (
            {"weigh": lambda s: np.exp(s.scores)},
            {"weigh": lambda s: np.exp(s.scores - s.scores.max(-1, keepdims=True))},
            {  # the largest of the hidden scores, too, which a sum would have taken out again
                "hide": lambda s: s.scores,
                "weigh": lambda s: np.exp(s.scores - s.scores.max(-1, keepdims=True)),
                "settle": lambda s: np.where(s.mask != 0, s.weights, 0),
            },
        ),
    ),
    Mistake(
        "exp-missing",
        "scores divided by their sum",
        lambda s: yours(s, "weights", "each score, divided by the sum of the row's scores"),
        "Scores can be negative or sum to zero; exponentials are always positive, and turn gaps into ratios.",
        ("What would the weight of a score of -2 be?", _RULE, _LINE),
        (
            {"weigh": lambda s: _not_huge(s.scores) / s.scores.sum(-1, keepdims=True)},
            {"hide": _zero, "weigh": lambda s: s.scores / s.scores.sum(-1, keepdims=True)},
        ),
    ),
    Mistake(
        "softmax-overflow",
        "a softmax that large scores break",
        lambda s: "Scores of a few units come out right; in a table with scores of 1,000, rows come out as NaN.",
        "`np.exp` of 1,000 is infinite and of -1,000 is 0: infinity by infinity, or 0 by 0, is no number.",
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


def _by_column(s: State) -> str:
    if not hasattr(s, "weights"):
        return "In your table of weights, each *column* adds up to 1."
    adds = "adds up to 1" if np.allclose(s.weights.sum(-2), 1) else "was made to add up to 1"
    return f'On the three words, your weights for "bank" are {row(s.weights)}, and each *column* {adds}.'


def _plain(scores: np.ndarray, axis: int | tuple[int, ...] | None) -> np.ndarray:
    """Exponentials of the scores as they are: large ones overflow."""
    return np.asarray(np.exp(scores) / np.exp(scores).sum(axis, keepdims=True))


def _with_one_maximum(scores: np.ndarray) -> np.ndarray:
    """Take the largest score of all off, not that of each row: a row far below it becomes 0 / 0."""
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum(-1, keepdims=True))
