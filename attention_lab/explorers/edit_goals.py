"""What to reach in ``bank_matrices`` with one edit; in how many ways it can be, is found by trying.

How a goal is judged is data, which the page's script (``edit_goals.js``) reads as this does. Four rules are known:

``gives``
    In each of ``pairs``, the first word gives the second more than half of its attention.
``alike``
    The weights of all ``pairs`` are the same.
``favourites``
    Each word looks most at one word, and no two at the same.
``output``
    Every weight is as at the start, and some number of the output is not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lab.examples import BANK, Example
from attention_lab.explorers.goal import Goal
from attention_lab.explorers.matrices import TAUGHT, attention_of
from attention_lab.plotting.words import looks, number

VALUES = range(-4, 7)  # what is tried in every place
Edit = tuple[str, int, int, float]  # matrix, row, column, and the new number

_SLACK = 1e-9  # rounding decides nothing


@dataclass(frozen=True, kw_only=True)
class EditGoal(Goal):
    """Something to reach with one edit: exactly one number other than at the start.

    Attributes
    ----------
    rule : {"gives", "alike", "favourites", "output"}
        How it is judged.
    pairs : tuple of (str, str)
        For the rules "gives" and "alike": who gives, and to whom.
    edits : tuple of str
        The matrices that may be edited.
    example : Example
        The start that the texts are about.
    """

    explorer = "bank_matrices"
    script = "edit_goals.js"
    task = "Reach each with one edit from the start, or say that it cannot be done."

    rule: str
    pairs: tuple[tuple[str, str], ...] = ()
    edits: tuple[str, ...] = ("x", "W_Q", "W_K")
    example: Example = BANK

    @property
    def possible(self) -> bool:
        """Whether any single edit reaches it."""
        return bool(ways(self))

    @property
    def counted(self) -> str:
        """How many single edits reach it, of how many.

        >>> next(goal for goal in EDIT_GOALS if goal.name == "bank-looks-evenly").counted
        'one of 140 single edits reaches it (x, W_Q or W_K, whole numbers from -4 to 6)'
        """
        found, tried = len(ways(self)), len(list(_single_edits(self)))
        how_many = {0: "none", 1: "one"}.get(found, str(found))
        where = f"{', '.join(self.edits[:-1])} or {self.edits[-1]}" if len(self.edits) > 1 else self.edits[0]
        verb = "reach" if found > 1 else "reaches"
        return f"{how_many} of {tried} single edits {verb} it ({where}, whole numbers from {VALUES[0]} to {VALUES[-1]})"

    @property
    def begins(self) -> str:
        """The words, and that their numbers count."""
        return f"{', '.join(self.example.words)} and their numbers"

    def begins_in(self, explorer: Any) -> bool:
        """Tell whether the explorer starts with the words and the numbers that the texts are about."""
        about = {name: getattr(self.example, name).tolist() for name in TAUGHT}
        return bool(explorer.start == about and explorer.example.words == self.example.words)

    def met_in(self, explorer: Any) -> str:
        """Say how one edit met it, in one sentence; nothing where it did not."""
        return met(self, explorer.example, self.example)

    def answer(self) -> str:
        """Say whether it can be reached, how, and what to learn from it."""
        found = ways(self)
        if not found:
            return f"It cannot be done: {self.counted}. {self.because}"
        how = met(self, _edited(self.example, found[0]), self.example)
        return f"It can be done: {self.counted}. {how} {self.because}"

    def as_data(self) -> dict[str, Any]:
        """Write it for the page's script."""
        return {**super().as_data(), **{name: getattr(self, name) for name in ("rule", "pairs", "edits")}}


EDIT_GOALS = (
    EditGoal(
        name="bank-looks-at-The",
        text="bank gives The more than 50%",
        because="A score is a question times a label. One number was enough to make The's score the largest in bank's "
        "row.",
        rule="gives",
        pairs=(("bank", "The"),),
    ),
    EditGoal(
        name="bank-looks-at-itself",
        text="bank gives itself more than 50%",
        because="Self-attention does not mean that a word looks at itself. bank does so only when no label answers its "
        "question better than its own.",
        rule="gives",
        pairs=(("bank", "bank"),),
    ),
    EditGoal(
        name="bank-looks-evenly",
        text="bank looks at all three words evenly",
        because="With x = [0, 0] bank asks nothing: its question is [0, 0], each of its scores is 0, and softmax "
        "shares out evenly.",
        rule="alike",
        pairs=(("bank", "The"), ("bank", "bank"), ("bank", "river")),
    ),
    EditGoal(
        name="three-favourites",
        text="Three words look most at three different words",
        because="river's label was long and won in every row. Turned round, it loses in the rows of The and bank. "
        "river's question turned with it, so river still looks at itself.",
        rule="favourites",
    ),
    EditGoal(
        name="each-word-at-itself",
        text="Each word gives itself more than 50%",
        because="At first The and bank both look elsewhere, and one number never cures both. In x it leaves a larger "
        "score between the other words as it was. In W_Q it changes the question of The or of bank, not of both. In "
        "W_K what helps The gives more to river, or takes from bank. Two edits can do it.",
        rule="gives",
        pairs=(("The", "The"), ("bank", "bank"), ("river", "river")),
    ),
    EditGoal(
        name="same-weights-other-output",
        text="Another output, with every weight as it was",
        because="Weights come from x, W_Q and W_K. W_V only makes what is handed over: who looks at whom does not "
        "depend on it.",
        rule="output",
        edits=TAUGHT,
    ),
)


def holds(goal: EditGoal, now: Example, start: Example) -> NDArray[np.bool_]:
    """Tell whether a goal's rule holds, however many edits it took; for stacked matrices one answer each."""
    then, attention = attention_of(start), attention_of(now)
    weights, words = attention.weights, list(now.words)
    with np.errstate(all="ignore"):
        if goal.pairs:
            rows, columns = ([words.index(word) for word in side] for side in zip(*goal.pairs, strict=True))
            given = weights[..., rows, columns]
            reached = given > 0.5 + _SLACK if goal.rule == "gives" else given.max(-1, keepdims=True) - given <= _SLACK
            return np.asarray(reached.all(-1))
        if goal.rule == "favourites":
            best = weights >= weights.max(-1, keepdims=True) - _SLACK
            return np.asarray((best.sum(-1) == 1).all(-1) & best.any(-2).all(-1))
        stay = abs(weights - then.weights) <= _SLACK
        return np.asarray(stay.all((-1, -2)) & _moved(attention.output, then.output).any((-1, -2)))


def edits_between(now: Example, start: Example) -> list[Edit]:
    """List the numbers that are not as at the start."""
    pairs = {name: (getattr(now, name), getattr(start, name)) for name in TAUGHT}
    return [(name, int(i), int(j), new[i, j]) for name, (new, old) in pairs.items() for i, j in np.argwhere(new != old)]


def met(goal: EditGoal, now: Example, start: Example) -> str:
    """Say how one edit met a goal, in one sentence; nothing where it did not."""
    edits = edits_between(now, start)
    if len(edits) != 1 or edits[0][0] not in goal.edits or not holds(goal, now, start):
        return ""
    return f"With {_written(edits[0], now)}: {_measured(goal, now, start)}."


def ways(goal: EditGoal) -> list[Edit]:
    """Try every single edit with a whole number from -4 to 6; return those that reach the goal, the smallest first."""
    start, tried = goal.example, list(_single_edits(goal))
    now = _edited(start, tried)
    found = [edit for edit, reached in zip(tried, holds(goal, now, start), strict=True) if reached]
    return sorted(found, key=lambda edit: abs(edit[3] - getattr(start, edit[0])[edit[1:3]]))


def _single_edits(goal: EditGoal) -> Iterator[Edit]:
    for name in goal.edits:
        matrix = getattr(goal.example, name)
        for i, j in np.ndindex(matrix.shape):
            yield from ((name, i, j, value) for value in VALUES if value != matrix[i, j])


def _edited(start: Example, edits: list[Edit] | Edit) -> Example:
    """Make one edit, or stack an example for each of several."""
    stacked = edits if isinstance(edits, list) else [edits]
    matrices = {name: np.repeat(getattr(start, name)[None], len(stacked), axis=0) for name in TAUGHT}
    for n, (name, i, j, value) in enumerate(stacked):
        matrices[name][n, i, j] = value
    return Example(start.words, *(matrix if stacked is edits else matrix[0] for matrix in matrices.values()))


def _moved(new: NDArray[Any], old: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(abs(new - old) > _SLACK)


def _written(edit: Edit, example: Example) -> str:
    name, i, j, value = edit
    row = example.words[i] if name == "x" else f"row {i + 1}"
    return f"{number(value)} in {name}, {row}, number {j + 1}"


def _measured(goal: EditGoal, now: Example, start: Example) -> str:
    """Say what makes a goal hold, in the words of the pictures."""
    attention, words = attention_of(now), list(now.words)
    if goal.rule == "output":
        moved = _moved(attention.output, attention_of(start).output)
        return f"every weight stays, and {moved.sum()} of {moved.size} numbers of the output change"
    who = list(dict.fromkeys(giver for giver, _ in goal.pairs)) or words
    return looks(attention.weights[[words.index(word) for word in who]], who, words)
