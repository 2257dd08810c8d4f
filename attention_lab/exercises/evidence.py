"""What can be said of an answer that matches no known mistake: what is seen in it, and nothing more."""

import numpy as np

from attention_lab.exercises.diagnose import TOLERANCE
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.exercises.steps import Array

_SHARES = {"weights", "shares"}  # answers whose rows should sum to 1


def evidence(exercise: FunctionExercise, answer: Array, right: Array, makes: str) -> str:
    """Say in one or two sentences what is seen in a wrong answer.

    Parameters
    ----------
    exercise : FunctionExercise
        What was asked.
    answer, right : arrays
        For the same random arguments.
    makes : str
        What the last step of the exercise's program makes, such as "weights".

    Returns
    -------
    str
        Without the right numbers.
    """
    if answer.shape != right.shape:
        return f"Your result has the shape {answer.shape}; with these inputs it has {right.shape}: {exercise.about}."
    if np.isnan(answer).any() and not np.isnan(right).any():
        return f"Your result holds NaN (not a number), first at {_place(np.isnan(answer))}."
    if np.isinf(answer).any() and not np.isinf(right).any():
        return f"Your result holds an infinite number, first at {_place(np.isinf(answer))}."
    if makes in _SHARES and (sums := _wrong_sums(answer)):
        return sums
    wrong = ~np.isclose(answer, right, rtol=TOLERANCE, atol=TOLERANCE * np.abs(right).max(initial=1))
    if wrong.all():
        return "Its shape is right, and none of its numbers is."
    return (
        f"{int((~wrong).sum())} of its {wrong.size} numbers are right; the first other one stands at {_place(wrong)}."
    )


def _wrong_sums(answer: Array) -> str:
    sums = answer.sum(-1)
    wrong = ~np.isclose(sums, 1, atol=1e-4)
    if not wrong.any():
        return f"Each row sums to 1, but {_place(answer < 0)} is negative." if (answer < 0).any() else ""
    return f"The row at {_place(wrong)} sums to {sums[wrong][0]:.4g}, not to 1."


def _place(mask: Array) -> str:
    """Write the first place where a table is True, counted from 0 as NumPy does."""
    place = [int(i) for i in np.argwhere(mask)[0]]
    return str(place)
