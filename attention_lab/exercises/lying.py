"""``wrong_line``: a few lines of code, one of which lies: which one, and why."""

from typing import Any

from attention_lab.exercises.assembling import as_function
from attention_lab.exercises.catalogue import EXERCISES, closest
from attention_lab.exercises.checking import check
from attention_lab.exercises.exercise import WrongLineExercise
from attention_lab.exercises.report import Note, Report, block, box, choices, rich

PREFIX = "wrong-line-"


class Accused:
    """Lines with their numbers, reasons with their letters, and what `check` says; once right, the lines alone."""

    def __init__(self, exercise: WrongLineExercise, report: Report) -> None:
        self.exercise, self.report = exercise, report

    def __bool__(self) -> bool:
        return bool(self.report)

    def _code(self) -> str:
        """Write the function, with numbers at the lines that may lie."""
        code = as_function(
            self.exercise.of.replace("-", "_"), self.exercise.takes, self.exercise.shown.values(), "output"
        )
        first, *lines, last = code.splitlines()
        return "\n".join([f"   {first}", *(f"{i}  {line}" for i, line in enumerate(lines, start=1)), f"   {last}"])

    def _why(self) -> dict[str, str]:
        return {letter: reason.text for letter, reason in self.exercise.why.items()}

    def __repr__(self) -> str:
        if self:
            return f"{self.report!r}\n\n{self._code()}"
        why = [f"  {letter}  {text}" for letter, text in self._why().items()]
        return "\n".join([repr(self.report), "", self.exercise.task, "", self._code(), "", "Why?", *why])

    def _repr_html_(self) -> str:
        shown = block(self._code())
        if not self:
            task = f'<p style="margin: 0.5em 0">{rich(self.exercise.task)}</p>'
            shown = f"{task}{shown}Why?{choices(self._why())}"
        return box(self.report.verdict, f"{self.report.verdict.capitalize()}.", rich(self.report.message) + shown)


def wrong_line(name: str, line: Any = ..., because: Any = ...) -> Accused | Note:
    """Find the line that lies, and say why it does.

    Parameters
    ----------
    name : str
        What is shown, such as "05-merge"; the exercise itself is called "wrong-line-05-merge".
    line : int
        Its number; `...` shows the lines.
    because : str
        The letter of the reason; `...` shows the reasons.

    Returns
    -------
    Accused
        True only when line and reason are right. Its `report` is that of `check`.

    Examples
    --------
    >>> wrong_line("05-merge", 2, because="A").report
    Not yet. Line 2 compares and scales, in each head, and that is right...
    """
    wanted = PREFIX + name.removeprefix(PREFIX) if isinstance(name, str) else ""
    exercise = EXERCISES.get(wanted)
    if not isinstance(exercise, WrongLineExercise):
        known = [one.name.removeprefix(PREFIX) for one in EXERCISES.values() if isinstance(one, WrongLineExercise)]
        return Note("not tried yet", "Wrong line.", closest(name, known, "wrong line"))
    return Accused(exercise, check((line, because), wanted))
