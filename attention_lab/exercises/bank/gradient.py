"""The way back through attention: what is done in place of a slope, or the right tables the wrong way round."""

import numpy as np

from attention_lab.exercises.mistake import Mistake, yours
from attention_lab.exercises.steps import State, swap

_SOFTMAX = "Weigh, backwards: from each d_weights take off its row's sum of d_weights * weights, then times the weight."
_SOFTMAX_LINE = "`d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))`"
_SCALE = "Scale, backwards: what divides the scores on the way there divides d_scores on the way back."
_SCALE_LINE = "`d_scores = d_scores / np.sqrt(k.shape[-1])`, before d_q and d_k"


def _row_sum(s: State) -> np.ndarray:
    """Add up, along each row, what softmax takes off: d_weights * weights."""
    return np.asarray((s.d_weights * s.weights).sum(-1, keepdims=True))


def _slope(s: State, what: str) -> str:
    """Say what the slope is, for "bank" on the three words; by itself where there are no queries."""
    return yours(s, "d_q", what) if hasattr(s, "d_q") else f"Your d_scores are {what}."


MISTAKES = (
    Mistake(
        "gradient-sum-missing",
        "softmax's row sum left out on the way back",
        lambda s: _slope(s, "made as if a weight grew with its own score, and no other weight gave way"),
        "The weights of a row sum to 1: what one of them gains, the others lose.",
        ("When one score rises, what do the other weights of its row do?", _SOFTMAX, _SOFTMAX_LINE),
        ({"weigh back": lambda s: s.weights * s.d_weights},),
    ),
    Mistake(
        "gradient-of-one-weight",
        "each score moving its own weight alone",
        lambda s: _slope(s, "made of a weight times (1 - that weight), so that a score moves its own weight alone"),
        "That is the slope of one weight by its own score; a score moves every other weight of its row, too.",
        ("How many weights of a row move when one of its scores does?", _SOFTMAX, _SOFTMAX_LINE),
        ({"weigh back": lambda s: s.d_weights * s.weights * (1 - s.weights)},),
    ),
    Mistake(
        "gradient-softmax-skipped",
        "no softmax on the way back",
        lambda s: _slope(s, "made from d_weights as they are, as if scores and weights were the same"),
        "Between the scores and the weights lies a softmax, which has a slope of its own.",
        ("Which verb lies between the scores and the weights?", _SOFTMAX, _SOFTMAX_LINE),
        ({"weigh back": lambda s: s.d_weights},),
    ),
    Mistake(
        "gradient-sum-unweighted",
        "a plain sum or mean taken off",
        lambda s: _slope(s, "what is left after a plain sum or mean, whatever the weights are"),
        "Each weight gives way in proportion to how large it is, so the sum counts each term by its weight.",
        ("Do all weights of a row give way by the same amount?", _SOFTMAX, _SOFTMAX_LINE),
        (
            {"weigh back": lambda s: s.weights * (s.d_weights - s.d_weights.sum(-1, keepdims=True))},
            {"weigh back": lambda s: s.weights * (s.d_weights - s.d_weights.mean(-1, keepdims=True))},
            {"weigh back": lambda s: s.weights * (s.d_weights - _row_sum(s) / s.weights.shape[-1])},
        ),
    ),
    Mistake(
        "gradient-sum-of-others",
        "another sum than that of the row",
        lambda s: "What you take off your d_weights is a sum over other numbers than those of its own row.",
        "Softmax shares out along a row, so only the weights of that row give way.",
        (
            "Which weights give way when one score rises: those of its row, or those of its column?",
            "The sum runs along the row, and keeps its axis: axis=-1, keepdims=True.",
            _SOFTMAX_LINE,
        ),
        (
            {"weigh back": lambda s: s.weights * (s.d_weights - (s.d_weights * s.weights).sum(-2, keepdims=True))},
            {"weigh back": lambda s: s.weights * (s.d_weights - (s.d_weights * s.weights).sum())},
            {"weigh back": lambda s: s.weights * (s.d_weights - (s.d_weights * s.weights).sum(-1))},
        ),
    ),
    Mistake(
        "gradient-unscaled",
        "no scale on the way back",
        lambda s: (
            "In your d_q, your d_k or both, nothing is divided by the root of d_k: "
            "these are the slopes of scores that were never scaled."
        ),
        "A score that was divided moves less when q or k moves, by the same divisor.",
        ("What stands between q·k and the score that softmax sees?", _SCALE, _SCALE_LINE),
        (
            {"scale back": lambda s: s.d_scores},
            {"compare back to q": lambda s: s.d_scores @ s.k * np.sqrt(s.q.shape[-1])},
            {"compare back to k": lambda s: swap(s.d_scores) @ s.q * np.sqrt(s.q.shape[-1])},
        ),
    ),
    Mistake(
        "gradient-scaled-twice",
        "scaled more than once on the way back",
        lambda s: _slope(s, "divided by all of d_k, on a way back from scores that were divided by its root"),
        "A divisor on the way there comes back once.",
        ("How often were the scores divided by the root of d_k?", _SCALE, _SCALE_LINE),
        ({"scale back": lambda s: s.d_scores / s.q.shape[-1]},),
    ),
    Mistake(
        "gradient-uncooled",
        "no temperature on the way back",
        lambda s: "On your way back from the weights to the scores, nothing is divided by the temperature.",
        "A score that was divided moves the weights less, by the same divisor.",
        (
            "What happens to a score before softmax sees it?",
            "What divides the scores on the way there divides d_scores on the way back.",
            "`d_scores = d_scores / temperature`",
        ),
        ({"cool back": lambda s: s.d_scores},),
    ),
    Mistake(
        "gradient-weights-not-transposed",
        "the weights as they are, on the way back to v",
        lambda s: "In your d_v, each value collects by its *row* of the weights: by whom it looks at.",
        "A value goes to all the words that look at it, and those stand in its column.",
        (
            "Whose outputs did one value go into: where do those weights stand?",
            "Blend, backwards: row j of d_v adds up the rows of d_output, each times the weight in column j.",
            "`d_v = weights.T @ d_output`",
        ),
        ({"blend back to v": lambda s: s.weights @ s.d_output},),
    ),
    Mistake(
        "gradient-values-not-transposed",
        "values that are not transposed on the way back",
        lambda s: "Each of your d_weights multiplies a row of d_output with one number of *every* value.",
        "A weight hands over one whole value, so its slope compares d_output with that value, number by number.",
        (
            "Which two vectors does the slope of one weight compare?",
            "Blend, backwards: row i of d_weights holds the dot products of row i of d_output with every value.",
            "`d_weights = d_output @ v.T`",
        ),
        ({"blend back to weights": lambda s: s.d_output @ s.v},),
    ),
    Mistake(
        "gradient-scores-not-transposed",
        "d_scores the wrong way round",
        lambda s: "In your d_q or your d_k, a word collects from the wrong side: by its row where its column was used.",
        "A query was used in one row of the scores, a key in one column.",
        (
            "In which scores was one key used: in those of a row, or of a column?",
            "Compare, backwards: row i of d_scores belongs to query i, column j to key j.",
            "`d_q = d_scores @ k`, and `d_k = d_scores.T @ q`",
        ),
        (
            {"compare back to k": lambda s: s.d_scores @ s.q},
            {"compare back to q": lambda s: swap(s.d_scores) @ s.k},
        ),
    ),
    Mistake(
        "gradient-of-itself",
        "q in place of k, or k in place of q",
        lambda s: "In your d_q, your d_k or both, an array stands where the one that it is compared with belongs.",
        "The slope of a product by one factor is the other factor.",
        (
            "How fast does the product of a and b grow with a?",
            "Compare, backwards: d_q is made of keys, d_k of queries.",
            "`d_q = d_scores @ k`, and `d_k = d_scores.T @ q`",
        ),
        (
            {"compare back to q": lambda s: s.d_scores @ s.q},
            {"compare back to k": lambda s: swap(s.d_scores) @ s.k},
            {"compare back to q": lambda s: s.d_scores @ s.q, "compare back to k": lambda s: swap(s.d_scores) @ s.k},
        ),
    ),
)
