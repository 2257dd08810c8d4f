"""Small steps: rows that sum to 1, entropy, and weights that are typed in."""

import numpy as np

from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import State, bits

_ROWS = "`table / table.sum(axis=-1, keepdims=True)`"
_ENTROPY = "Entropy: minus the sum, along the row, of each weight times its logarithm to base 2."
_ENTROPY_LINE = "`-np.sum(np.where(weights > 0, weights * np.log2(np.where(weights > 0, weights, 1)), 0), axis=-1)`"
_SHARES = "Weights are shares: none below 0, and 1 in all."


def _surprise(s: State) -> np.ndarray:
    """-log2 of each weight, 0 where there is none."""
    return -np.log2(np.where(s.weights > 0, s.weights, 1))


MISTAKES = (
    Mistake(
        "columns-summed",
        "columns in place of rows",
        lambda s: "Your sums run down the *columns* of the table.",
        "A row belongs to the word that looks; it shares out along its row.",
        ("In which direction do you read a row?", "The last axis runs along the rows: axis=-1.", _ROWS),
        (
            {"even out": lambda s: s.table / s.table.sum(-2, keepdims=True)},
            {"count bits": lambda s: (s.weights * _surprise(s)).sum(-2)},
        ),
    ),
    Mistake(
        "everything-summed",
        "one sum for the whole table",
        lambda s: "One sum is taken over the whole table, all rows together.",
        "Each row is its own whole.",
        ("How many sums should there be: one, or one for each row?", "Give the sum an axis: axis=-1.", _ROWS),
        (
            {"even out": lambda s: s.table / s.table.sum()},
            {"even out the columns": lambda s: s.table / s.table.sum()},
            {"count bits": lambda s: bits(s.weights).sum()},
        ),
    ),
    Mistake(
        "sum-not-kept",
        "a sum that lost its axis",
        lambda s: "Each of your columns is divided by the sum of a *row*.",
        "Without keepdims the sums lie flat, and NumPy lays them along the columns.",
        (
            "What shape do your sums have, and along which axis does NumPy lay them?",
            "keepdims=True keeps the axis, so that each row meets its own sum.",
            _ROWS,
        ),
        ({"even out": lambda s: s.table / s.table.sum(-1)},),
    ),
    Mistake(
        "rows-summed",
        "rows in place of columns",
        lambda s: "In your table each *row* sums to 1.",
        "Here each column is a whole of its own.",
        (
            "Along which axis do the numbers of one column lie?",
            "The first axis runs down the columns: axis=0.",
            "`table / table.sum(axis=0, keepdims=True)`",
        ),
        ({"even out the columns": lambda s: s.table / s.table.sum(-1, keepdims=True)},),
    ),
    Mistake(
        "shares-missing",
        "weights that were not made to sum to 1",
        lambda s: "Your mix takes the weights as they came, and they do not sum to 1.",
        "An average divides by the sum of its weights.",
        (
            "What does a row of the weights sum to?",
            "Divide each row of the weights by its sum first.",
            "`weights / weights.sum(axis=-1, keepdims=True)`",
        ),
        ({"share out": lambda s: s.weights},),
    ),
    Mistake(
        "entropy-in-nats",
        "entropy in nats",
        lambda s: "For two equal weights, your entropy comes to 0.69.",
        "Bits count halvings: two equal weights have 1 bit. The natural logarithm counts in nats.",
        ("What should the entropy of two equal weights be, in bits?", _ENTROPY, "`np.log2`, not `np.log`"),
        ({"count bits": lambda s: bits(s.weights) * np.log(2)},),
    ),
    Mistake(
        "entropy-sign",
        "entropy with the wrong sign",
        lambda s: "For two equal weights, your entropy comes to -1.",
        "The logarithm of a share is negative or 0; entropy is not.",
        ("Is the logarithm of a half positive or negative?", _ENTROPY, _ENTROPY_LINE),
        ({"count bits": lambda s: -bits(s.weights)},),
    ),
    Mistake(
        "log-of-zero",
        "the logarithm of 0",
        lambda s: "A row with a weight of exactly 0 comes out as NaN.",
        "0 times minus infinity is no number; a weight of 0 adds nothing.",
        (
            "What does `0 * np.log2(0)` give?",
            "Let a weight of 0 add 0, without taking its logarithm.",
            _ENTROPY_LINE,
        ),
        (
            {"count bits": lambda s: np.where((s.weights > 0).all(-1), bits(s.weights), np.nan)},
            {"count bits": lambda s: np.where((s.weights > 0).all(-1), bits(s.weights) * np.log(2), np.nan)},
        ),
    ),
    Mistake(
        "entropy-averaged",
        "a mean in place of a sum",
        lambda s: "Your entropy is a *mean* along the row.",
        "Each term already counts by its weight; dividing by how many there are counts it twice.",
        ("What do the weights already do in this sum?", _ENTROPY, _ENTROPY_LINE),
        (
            {"count bits": lambda s: bits(s.weights) / s.weights.shape[-1]},
            {"count bits": lambda s: _surprise(s).mean(-1)},
        ),
    ),
    Mistake(
        "weights-do-not-sum",
        "weights that do not sum to 1",
        lambda s: f"Your weights sum to {s.total:.4g}.",
        "Shares of one whole sum to 1.",
        ("What do your weights add up to?", _SHARES, "take off one weight what you add to another"),
    ),
    Mistake(
        "weight-negative",
        "a negative weight",
        lambda s: "One of your weights is below 0.",
        "Softmax never makes one; with negative weights a blend could leave the space between its ingredients.",
        ("Can you hand out less than nothing?", _SHARES, "0 is the smallest weight"),
    ),
    Mistake(
        "column-for-row",
        "a column read in place of a row",
        lambda s: "Your numbers stand in the *column* of the word, not in its row.",
        "Row looks at column: a word's own scores stand in its row.",
        (
            "Who asks in a row, and who is asked?",
            "The row of a word holds its query with every key.",
            "`scores = k @ q`, with the word's one query",
        ),
    ),
    Mistake(
        "inputs-changed",
        "inputs that were written into",
        lambda s: "After your function ran, the arrays that it was given held other numbers.",
        "Whoever calls a function goes on using what was handed in.",
        (
            "Which line of yours writes into an array that came in? Look for `+=`, `/=` and `[...] =`.",
            "Make a new array, or work on a copy.",
            "`q = q / np.sqrt(d_k)` in place of `q /= np.sqrt(d_k)`",
        ),
    ),
)
