"""Rows of attention computed on paper: boxes that are checked one after the other."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attention_lab.examples import Example
from attention_lab.exercises.bank import MISTAKES
from attention_lab.exercises.exercise import Finding, start
from attention_lab.exercises.steps import HIDING, Array, State, Steps, run

PROGRAM = ("ask", "label", "hand over", "compare", "scale", "weigh", "settle", "blend")
# For each box: the steps up to it, what it holds of their result, and how far a number rounded on paper may be off.
BOXES: dict[str, tuple[int, str, float]] = {
    "q": (1, "row", 0.01),
    "k": (2, "all", 0.01),
    "scores": (4, "row", 0.01),
    "scaled": (5, "row", 0.02),
    "weights": (6, "row", 0.006),
    "output": (8, "row", 0.05),
}


def is_blank(value: Any) -> bool:
    """Tell whether dots still stand where something was asked for, alone or in a list."""
    return value is ... or (isinstance(value, list | tuple) and any(is_blank(part) for part in value))


def numbers(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    """Turn what was typed into numbers, or say what was expected.

    >>> numbers("q", [1, 2, 3], (2,))
    Traceback (most recent call last):
    ValueError: q: 2 numbers are expected, such as [0, 1]; yours has the shape (3,).
    """
    try:
        array = np.asarray(value, float)
    except (ValueError, TypeError):
        raise ValueError(f"{name}: numbers are expected, such as [0, 1]; yours is {value!r:.60}.") from None
    if array.shape != shape:
        what = " rows of ".join(map(str, shape)) + " numbers"
        example = "[0, 1]" if len(shape) == 1 else "[[0, 1], ...]"
        raise ValueError(f"{name}: {what} are expected, such as {example}; yours has the shape {array.shape}.")
    return array


def computed(example: Example, instead: Steps, length: int = len(PROGRAM)) -> State | None:
    """Run the first steps of the program on an example; None where these steps cannot be taken."""
    given = start({name: getattr(example, name) for name in ("x", "W_Q", "W_K", "W_V")})
    given.hidden = HIDING[0]
    return run(PROGRAM[:length], given, instead)


def box_of(example: Example, box: str, i: int, instead: Steps, *, column: bool = False) -> Array | None:
    """Compute what a box holds, with some steps done otherwise; None where that cannot be done."""
    length, part, _ = BOXES[box]
    state = computed(example, instead, length)
    if state is None:
        return None
    made = np.asarray(state.answer, float)
    if part == "all":
        return made
    return made[:, i] if column else made[i]


def look_at_boxes(example: Example, boxes: tuple[str, ...], answer: Any, i: int = 1) -> Finding:
    """Check the boxes in order, up to the first that is not right.

    Parameters
    ----------
    example : Example
        The sentence and its learned matrices.
    boxes : of str
        Which ones are asked for.
    answer : dict
        A value for each of them; dots where nothing was typed yet.
    i : int
        Whose row it is.

    Returns
    -------
    Finding
        It names the mistake where the number in a box is what a known one gives.
    """
    if not isinstance(answer, Mapping):
        raise ValueError(f"A dict with the boxes {', '.join(boxes)} is expected.")
    typed = [box for box in boxes if not is_blank(answer.get(box, ...))]
    if not typed:
        return Finding("not tried yet", seen="Type your numbers in place of the dots.")
    right: list[str] = []
    for box in typed:
        finding = _look_at_box(example, box, answer[box], i)
        if finding:
            before = f"Right so far: {', '.join(right)}. " if right else ""
            return finding._replace(seen=before + finding.seen)
        right.append(box)
    if len(right) < len(boxes):
        still_open = ", ".join(box for box in boxes if box not in right)
        return Finding("not yet", seen=f"Right so far: {', '.join(right)}. Still open: {still_open}.")
    return Finding("right", seen=f"All {len(boxes)} boxes are right.")


def _look_at_box(example: Example, box: str, value: Any, i: int) -> Finding | None:
    """Say what is wrong with one box; None where nothing is."""
    right = box_of(example, box, i, {})
    if right is None:
        raise RuntimeError(f"the box {box} cannot be computed")
    mine = numbers(box, value, right.shape)
    allowed = BOXES[box][2]
    if np.abs(mine - right).max() <= allowed:
        return None
    if box == "weights" and np.abs(mine / 100 - right).max() <= allowed:
        raise ValueError("weights: as shares of 1, please: 0.62, not 62.")
    if box in ("scores", "scaled") and _is(box_of(example, box, i, {}, column=True), mine, allowed):
        return Finding("not yet", ("column-for-row",), f"{box}: not yet.", computed(example, {}) or State())
    for mistake in MISTAKES:
        for way in mistake.ways:
            if set(way) <= set(PROGRAM) and _is(box_of(example, box, i, way), mine, allowed):
                return Finding("not yet", (mistake.code,), f"{box}: not yet.", computed(example, way) or State())
    n_right = int((np.abs(mine - right) <= allowed).sum())
    return Finding(
        "not yet",
        seen=f"{box}: not yet; {n_right} of its {right.size} numbers {'is' if n_right == 1 else 'are'} right.",
    )


def _is(wrong: Array | None, mine: Array, allowed: float) -> bool:
    return wrong is not None and wrong.shape == mine.shape and bool(np.abs(wrong - mine).max() <= allowed)
