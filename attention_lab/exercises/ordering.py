"""``order``: lines of code to pick and to put in order, judged as if they had been written."""

from typing import Any

from attention_lab.exercises.assembling import source
from attention_lab.exercises.catalogue import EXERCISES, closest
from attention_lab.exercises.checking import check
from attention_lab.exercises.exercise import OrderExercise
from attention_lab.exercises.report import Note, Report, block, box, rich


class Ordered:
    """The lines to choose from, or the program that was made of them and what `check` says of it."""

    def __init__(self, exercise: OrderExercise, report: Report, code: str) -> None:
        self.exercise, self.report, self.code = exercise, report, code

    def __bool__(self) -> bool:
        return bool(self.report)

    def __repr__(self) -> str:
        if self.code:
            return f"{self.report!r}\n\n{self.code}"
        lines = [f"  {letter}  {line}" for letter, line in self.exercise.shown.items()]
        return "\n".join([f"{self.report!r}", *lines])

    def _repr_html_(self) -> str:
        text = self.code or "\n".join(f"{letter}  {line}" for letter, line in self.exercise.shown.items())
        return box(self.report.verdict, f"{self.report.verdict.capitalize()}.", rich(self.report.message) + block(text))


def order(name: str, answer: Any = ...) -> Ordered | Note:
    """Pick lines and put them in order: they are run, and looked at as `check` looks at a function.

    Parameters
    ----------
    name : str
        What the lines make, such as "attention"; the exercise itself is called "order-attention".
    answer : str
        The letters, in order, such as "C A F B"; `...` shows the lines.

    Returns
    -------
    Ordered
        True only when the program is right. Its `report` is that of `check`.

    Examples
    --------
    >>> bool(order("attention", "A B C"))
    False
    """
    wanted = f"order-{name}"
    exercise = EXERCISES.get(wanted)
    if not isinstance(exercise, OrderExercise):
        orders = [one.name.removeprefix("order-") for one in EXERCISES.values() if isinstance(one, OrderExercise)]
        return Note("not tried yet", "Order.", closest(name, orders, "order"))
    report = check(answer, wanted)
    try:
        code = "" if report.verdict == "not tried yet" else source(exercise, answer)
    except ValueError:
        code = ""
    return Ordered(exercise, report, code)
