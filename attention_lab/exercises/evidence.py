"""What can be said of an answer that matches no known mistake: what is seen in it, and nothing more."""

import numpy as np

from attention_lab.exercises.diagnose import TOLERANCE, same
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.exercises.steps import Array, State

NEAR = 0.005  # of the largest number: closer than that, something was rounded
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
        return shape_seen("Your result", answer, right.shape, exercise.about)
    if np.isnan(answer).any() and not np.isnan(right).any():
        return f"Your result holds NaN (not a number), first at {_place(np.isnan(answer))}."
    if np.isinf(answer).any() and not np.isinf(right).any():
        return f"Your result holds an infinite number, first at {_place(np.isinf(answer))}."
    if makes in _SHARES and (sums := _wrong_sums(answer, right.sum(-1))):
        return sums
    if makes == "scores" and answer.size and np.allclose(answer.sum(-1), 1) and (answer > 0).all():
        return "Each row of your result sums to 1, as weights do; scores do not."
    return _nearly(answer, right) or _how_many(answer, right, "entries" if makes == "mask" else "numbers")


def evidence_of_parts(exercise: FunctionExercise, answer: Array, right: State) -> str:
    """Say which of several tables are right, and what is seen in the first other one.

    Parameters
    ----------
    exercise : FunctionExercise
        One that gives several.
    answer : array
        All of them side by side.
    right : State
        It holds the right ones, by their names.
    """
    sizes = [getattr(right, name).size for name in exercise.gives]
    fine, other = [], ""
    for name, mine in zip(exercise.gives, np.split(answer, np.cumsum(sizes)[:-1]), strict=True):
        wanted = getattr(right, name)
        mine = mine.reshape(wanted.shape)
        if same(wanted, mine):
            fine.append(name)
        elif not other:
            said = evidence(exercise, mine, wanted, name)
            other = f"{name}: {said[0].lower()}{said[1:]}"
    return f"Right so far: {', '.join(fine)}. {other}" if fine else other


def shape_seen(what: str, answer: Array, shape: tuple[int, ...], about: str) -> str:
    """Say that something has another shape than it should.

    >>> shape_seen("Your d_k", np.zeros((2, 3)), (3, 2), "a row for each key")
    'Your d_k has the shape (2, 3); with these inputs the shape is (3, 2): a row for each key.'
    """
    has = f"has the shape {answer.shape}" if answer.ndim else "is a single number"
    return f"{what} {has}; with these inputs the shape is {shape}: {about}."


def _nearly(answer: Array, right: Array) -> str:
    """Say that numbers were rounded, or computed with few digits; a mask has no numbers."""
    off = np.abs(np.asarray(answer, float) - np.asarray(right, float))
    furthest = off.max(initial=0)
    if not np.isfinite(furthest) or furthest > NEAR * np.abs(right).max(initial=0):
        return ""
    return f"All its numbers are nearly right; they are off by up to {furthest:.1g}. Is something rounded on the way?"


def _how_many(answer: Array, right: Array, what: str) -> str:
    """Count what is right, and say where the first other one stands."""
    allowed = TOLERANCE * max(float(np.abs(right[np.isfinite(right)]).max(initial=0)), 1)
    wrong = ~np.isclose(answer, right, rtol=TOLERANCE, atol=allowed, equal_nan=True)
    if not wrong.any():
        return f"All its {what} are right, or nearly."
    if wrong.all():
        return f"Its shape is right, and none of its {what} is."
    n_right = int((~wrong).sum())
    are = "is" if n_right == 1 else "are"
    return f"{n_right} of its {wrong.size} {what} {are} right; the first other one stands at {_place(wrong)}."


def _wrong_sums(answer: Array, wanted: Array) -> str:
    sums = answer.sum(-1)
    wrong = ~np.isclose(sums, wanted, atol=1e-4)
    if not wrong.any() or not np.allclose(wanted[wrong], 1):
        return f"Each row sums to 1, but {_place(answer < 0)} is negative." if (answer < 0).any() else ""
    return f"The row at {_place(wrong)} sums to {_unlike_1(float(sums[wrong][0]))}, not to 1."


def _unlike_1(number: float) -> str:
    """Write a number with four digits, or as many as it takes to see that it is not 1."""
    return f"{number:.4g}" if abs(number - 1) > 0.001 else f"{number:.6g}"


def _place(mask: Array) -> str:
    """Write the first place where a table is True, counted from 0 as NumPy does."""
    place = [int(i) for i in np.argwhere(mask)[0]]
    return str(place)
