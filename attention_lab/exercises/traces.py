"""Rows of attention computed on paper: boxes that are checked one after the other.

A box is right when it holds the right numbers, or what follows from the learner's own numbers in the box before it, if
those were right up to rounding: who rounds the scaled scores and the weights gets another last digit in the output.
`personal_numbers` draws no numbers on which a known mistake comes as close as that.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attention_lab.examples import Example
from attention_lab.exercises.bank import MISTAKES
from attention_lab.exercises.exercise import Finding, start
from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import RIGHT, Array, State, Steps, run
from attention_lab.exercises.typed import is_blank, numbers, written

PROGRAM = ("ask", "label", "hand over", "compare", "scale", "weigh", "settle", "blend")
# For each box: the steps up to it, and how far a number may be off. Two digits after the point are enough everywhere.
# The scaled scores may be off by 1.2 % besides, for who divides by 1.4 or 1.41. A known mistake moves the scaled scores
# by 29 %, the output of `personal_numbers` by 0.15, and their weights by more than 0.0125.
BOXES: dict[str, tuple[int, float]] = {
    "q": (1, 0.01),
    "k": (2, 0.01),
    "scores": (4, 0.01),
    "scaled": (5, 0.02),
    "weights": (6, 0.01),
    "output": (8, 0.05),
}
ROUGH_ROOT = 0.012
CLOSE = 0.06  # what one digit after the point leaves


def computed(example: Example, instead: Steps, length: int = len(PROGRAM)) -> State | None:
    """Run the first steps of the program on an example; None where these steps cannot be taken."""
    given = start({name: getattr(example, name) for name in ("x", "W_Q", "W_K", "W_V")})
    return run(PROGRAM[:length], given, instead)


def box_of(example: Example, box: str, i: int, instead: Steps, *, column: bool = False) -> Array | None:
    """Compute what a box holds, with some steps done otherwise; None where that cannot be done."""
    state = computed(example, instead, BOXES[box][0])
    if state is None:
        return None
    made = np.asarray(state.answer, float)
    if box == "k":
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
        raise ValueError(f"A dict with the boxes {', '.join(boxes)} is expected; yours is {written(answer)}.")
    for name in answer:
        if name not in (*boxes, "numbers"):
            raise ValueError(f"There is no box {written(name)}; the boxes are {', '.join(boxes)}.")
    typed = [box for box in boxes if not is_blank(answer.get(box, ...))]
    if not typed:
        return Finding("not tried yet", seen="Type your numbers in place of the dots.")
    right: dict[str, Array] = {}
    for box in typed:
        before = f"Right so far: {', '.join(right)}. " if right else ""
        try:
            mine = numbers(box, answer[box], _right(example, box, i).shape)
        except ValueError as error:
            return Finding("not yet", seen=f"{before}{error}")
        if finding := _look_at_box(example, box, mine, i, right):
            return finding._replace(seen=before + finding.seen)
        right[box] = mine
    if len(right) < len(boxes):
        still_open = ", ".join(box for box in boxes if box not in right)
        return Finding("not yet", seen=f"Right so far: {', '.join(right)}. Still open: {still_open}.")
    return Finding("right", seen="Every box is right.")


def _right(example: Example, box: str, i: int) -> Array:
    right = box_of(example, box, i, {})
    if right is None:
        raise RuntimeError(f"the box {box} cannot be computed")
    return right


def _from_own(box: str, i: int, before: Mapping[str, Array]) -> Steps:
    """Go on from the learner's own row in the box before this one: it may be rounded."""
    earlier, step = {"weights": ("scaled", "scale"), "output": ("weights", "settle")}.get(box, ("", ""))
    if earlier not in before:
        return {}

    def with_own_row(s: State) -> Array:
        table = np.array(RIGHT[step][1](s), float)
        table[i] = before[earlier]
        return table

    return {step: with_own_row}


def _look_at_box(example: Example, box: str, mine: Array, i: int, before: Mapping[str, Array]) -> Finding | None:
    """Say what is wrong with one box; None where nothing is."""
    right, own = _right(example, box, i), _from_own(box, i, before)
    if _is(right, mine, box) or _is(box_of(example, box, i, own), mine, box):
        return None
    if box == "weights" and _is(right, mine / 100, box):
        return Finding("not yet", seen="weights: as shares of 1, please, such as 0.62 in place of 62.")
    if found := _known_mistake(example, box, mine, i, list(before)):
        return found
    if np.abs(mine - right).max() <= CLOSE and np.allclose(mine, mine.round(1)):
        return Finding("not yet", seen=f"{box}: close. Two digits after the point tell whether it is right.")
    n_right = sum(_is(right[place], mine[place], box) for place in np.ndindex(right.shape))
    how_many = f"{n_right} of its {right.size} numbers {'is' if n_right == 1 else 'are'} right"
    return Finding("not yet", seen=f"{box}: not yet; {how_many if n_right else 'none of its numbers is right'}.")


def _known_mistake(example: Example, box: str, mine: Array, i: int, right: list[str]) -> Finding | None:
    """Name the mistake that gives these numbers; None where no known one does, or only in a box that is right."""
    column = box_of(example, box, i, {}, column=True) if box in ("scores", "scaled") else None
    by_column = (
        Finding("not yet", ("column-for-row",), f'"{box}" holds what comes out of this:')
        if _is(column, mine, box)
        else None
    )
    weighed = box == "output" and "weights" in right  # then nothing before the blend can be wrong
    for mistake, way in _ways(box):
        if weighed and not {"hand over", "settle", "blend"} & set(way):
            continue
        if by_column and (box == "scores" or "scale" not in way):  # a mistake of the scale itself is likelier
            return by_column
        if _is(box_of(example, box, i, way), mine, box):
            state = State(**vars(computed(example, way) or State()), box=box)
            return Finding("not yet", (mistake.code,), f'"{box}" holds what comes out of this:', state)
    return by_column


def _ways(box: str) -> list[tuple[Mistake, Steps]]:
    """List the mistakes that can be made on paper; the first ones leave the boxes before this one as they are."""
    boxes = list(BOXES)
    at = boxes.index(box)
    begins = BOXES[boxes[at - 1]][0] if at else 0
    before, own = set(PROGRAM[:begins]), set(PROGRAM[begins : BOXES[box][0]])
    ways = [
        (mistake, way)
        for mistake in MISTAKES
        for way in mistake.ways
        if set(way) <= set(PROGRAM) and not mistake.code.startswith("heads-")  # there is one head
    ]
    return sorted(ways, key=lambda pair: (not own & set(pair[1]), bool(before & set(pair[1]))))


def _is(known: Any, mine: Array, box: str) -> bool:
    """Whether typed numbers are these, up to what rounding on paper leaves."""
    if known is None or np.shape(known) != np.shape(mine):
        return False
    allowed = BOXES[box][1] + (ROUGH_ROOT * np.abs(known) if box == "scaled" else 0)
    return bool((np.abs(known - mine) <= allowed).all())
