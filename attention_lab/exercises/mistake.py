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
    """Add up a row of weights, that of "bank"; of a stack, the first table's."""
    return float(weights.reshape(-1, *weights.shape[-2:])[0, 1].sum())


def row(array: object, i: int = 1) -> str:
    """Write a row of a matrix, that of "bank" by default, as "0.06, 0.00 and 0.00"; of a stack, the first matrix's.

    >>> import numpy as np
    >>> row(np.array([[1.0, 0.0], [0.061, 0.5]]))
    '0.06 and 0.50'
    """
    numbers = np.asarray(array, float)
    while numbers.ndim > 2:
        numbers = numbers[0]
    first, last = [f"{number:.2f}" for number in numbers[i][:-1]], f"{numbers[i][-1]:.2f}"
    return f"{', '.join(first)} and {last}" if first else last
