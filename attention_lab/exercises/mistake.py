"""What a mistake of the bank is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_lab.exercises.steps import Array, State, Steps

FITTED = "fitted"  # the divisor that `diagnose` finds in the learner's numbers, in a state of that name


@dataclass(frozen=True)
class Mistake:
    """One thing that people get wrong, with all that `check` and `hint` say about it.

    Attributes
    ----------
    code : str
        Its name in reports.
    name : str
        Its name for people, without a full stop: "softmax over the queries".
    seen : function from a State to str
        What the learner's function computes, on the three words: one or two sentences without the remedy.
    why : str
        The reason why that is a mistake, in a sentence.
    hints : three of str
        A question, the rule, the line.
    ways : steps done otherwise
        Each way makes this mistake by itself. A mistake can occur in every exercise whose program has the steps of one
        of its ways. Without a way, it is found by the exercise that looks at a value.
    threads : of str
        Where real people made it.
    """

    code: str
    name: str
    seen: Callable[[State], str]
    why: str
    hints: tuple[str, str, str]
    ways: tuple[Steps, ...] = ()
    threads: tuple[str, ...] = ()


def total(weights: Array) -> float:
    """Add up a row of weights, that of "bank" or the only one; of a stack, the first table's."""
    return float(weights.reshape(-1, *weights.shape[-2:])[0, :2][-1].sum())


def row(array: object, i: int = 1) -> str:
    """Write a row of a matrix, that of "bank" by default, as "0.06, 0.00 and 0.00"; of a stack, the first matrix's.

    Where the matrix has fewer rows, it is the last one: a new word is looked at alone.

    >>> import numpy as np
    >>> row(np.array([[1.0, 0.0], [0.061, 0.5]]))
    '0.06 and 0.50'
    """
    numbers = np.asarray(array, float)
    while numbers.ndim > 2:
        numbers = numbers[0]
    i = min(i, len(numbers) - 1)
    if 0 < np.abs(numbers[i]).max() < 0.005:
        return "all below 0.005"
    *first, last = [_written(number) for number in numbers[i]]
    return f"{', '.join(first)} and {last}" if first else last


def _written(number: float) -> str:
    """Write a number with two digits after the point; one that hides, such as -999999990, in short."""
    return (
        f"{number:.0e}".replace("e+0", "e")
        if 1e6 < abs(number) < np.inf
        else f"{number + 0:.2f}".replace("-0.00", "0.00")
    )


def yours(s: State, array: str, what: str) -> str:
    """Say what "bank" has on the three words; no numbers where these mistakes cannot be made on them.

    >>> yours(State(scores=np.eye(2)), "scores", "divided by 2")
    'On the three words, your scores for "bank" are 0.00 and 1.00: divided by 2.'
    >>> yours(State(), "scores", "divided by 2")
    'Your scores are divided by 2.'
    """
    are = "is" if array == "output" else "are"
    if not hasattr(s, array):
        return f"Your {array} {are} {what}."
    return f'On the three words, your {array} for "bank" {are} {row(getattr(s, array))}: {what}.'


def in_all(s: State, otherwise: str) -> str:
    """Write what the row of weights of "bank" adds up to, or something else where there is none."""
    if not hasattr(s, "weights"):
        return otherwise
    number = total(s.weights)
    return f"{number:.3f}" if abs(number) < 0.1 else f"{number:.2f}" if abs(number) < 10 else f"{number:.0f}"
