"""``order``: lines of code to pick and to put in order, judged as if they had been written."""

import ast
import html
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.attention import softmax
from attention_lab.exercises.catalogue import EXERCISES, closest
from attention_lab.exercises.exercise import OrderExercise
from attention_lab.exercises.report import Note, Report, box, rich


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
        shown = f'<pre style="margin: 0.3em 0; font-family: monospace">{html.escape(text)}</pre>'
        return box(self.report.verdict, f"{self.report.verdict.capitalize()}.", rich(self.report.message) + shown)


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
    from attention_lab.exercises.checking import check  # it looks at orders, too

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


def source(exercise: OrderExercise, answer: Any) -> str:
    """Write the program that letters stand for.

    Raises
    ------
    ValueError
        With a sentence for the learner.
    """
    if not isinstance(answer, str):
        raise ValueError('The letters are expected in quotes, such as "C A F B".')
    letters = answer.upper().replace(",", " ").split()
    letters = list(letters[0]) if len(letters) == 1 else letters  # "CAFB" is as good
    for letter in letters:
        if letter not in exercise.shown:
            raise ValueError(f"There is no line {letter:.10}; the lines are {', '.join(exercise.shown)}.")
    if not letters:
        raise ValueError('Type the letters of the lines, in order, such as "C A F B".')
    _check_names(exercise, letters)
    body = [f"    {exercise.shown[letter]}" for letter in letters]
    return "\n".join([f"def my_{exercise.of}({', '.join(exercise.takes)}):", *body, f"    return {exercise.gives}"])


def _check_names(exercise: OrderExercise, letters: list[str]) -> None:
    """Say which line needs what no line before it makes."""
    made = {*exercise.takes, "np", "softmax"}
    for letter in letters:
        names = [part for part in ast.walk(ast.parse(exercise.shown[letter])) if isinstance(part, ast.Name)]
        for part in names:
            if isinstance(part.ctx, ast.Load) and part.id not in made:
                raise ValueError(f"Line {letter} needs `{part.id}`, which no line before it makes.")
        made |= {part.id for part in names if isinstance(part.ctx, ast.Store)}
    if exercise.gives not in made:
        raise ValueError(f"No line makes `{exercise.gives}`, which the function returns.")


def program(exercise: OrderExercise, answer: Any) -> Callable[..., Any]:
    """Make the function that letters stand for; `source` says what it raises."""
    code, file = source(exercise, answer), f"<{exercise.name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)  # to show the line that stops
    names: dict[str, Any] = {"np": np, "softmax": softmax}
    exec(compile(code, file, "exec"), names)  # nothing but lines of the catalogue
    function: Callable[..., Any] = names[f"my_{exercise.of}"]
    return function
