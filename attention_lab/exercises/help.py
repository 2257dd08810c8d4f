"""``hint``, ``solution`` and ``progress``: what a learner asks for."""

import html
import os
from pathlib import Path

from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import APPENDICES, EXERCISES, LESSONS, closest, named
from attention_lab.exercises.exercise import Exercise
from attention_lab.exercises.report import Note, box, rich
from attention_lab.exercises.wording import as_seen, hints_of

STANDS = {"right": "✓ right", "seen": "◐ seen", "not yet": "… not yet", "": "○ not tried yet"}


def hint(name: str = "") -> Note:
    """Ask for the next hint: a question, then the rule, then the line.

    It follows the mistake that the last `check` found; another mistake begins again with a question.

    Parameters
    ----------
    name : str
        The exercise's name.

    Returns
    -------
    Note
        The hint, which a notebook shows.
    """
    exercise = _meant(name)
    if exercise is None:
        return Note("hint", "Hint.", closest(name))
    name = exercise.name
    entry = diary.read(name)
    hints = hints_of(exercise, entry.last)
    text = hints[min(entry.hints, len(hints) - 1)]
    if entry.hints >= len(hints):
        text += f' If that does not help, `solution("{name}")` shows one way to do it.'
    entry.hints += 1
    diary.write(name, entry)
    return Note("hint", "Hint.", text)


def solution(name: str = "") -> Note:
    """Show one right answer. From then on the exercise counts as *seen*, until its sibling is right.

    Parameters
    ----------
    name : str
        The exercise's name.

    Returns
    -------
    Note
        The solution, which a notebook shows.
    """
    exercise = _meant(name)
    if exercise is None:
        return Note("solution", "Solution.", closest(name))
    name = exercise.name
    entry = diary.read(name)
    text = "One way to do it. It was right already."
    if entry.state != "right":
        entry.state = "seen"
        diary.write(name, entry)
        text = f"One way to do it. {as_seen(exercise)}"
    return Note("solution", "Solution.", text, exercise.solution)


def _meant(name: object) -> Exercise | None:
    """Return the exercise of a name, also of one that stands in a cell: `wrong_line("05-merge")`."""
    names = (name, f"wrong-line-{name}", f"order-{name}")
    return next((found for one in names if (found := named(one, EXERCISES))), None)


def kept_where() -> str:
    """Say where the diary is, the same for everybody at the usual place."""
    path, home = diary.place(), Path(os.path.expanduser("~"))
    if path is None:
        return "Kept until this kernel ends."
    shown = f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
    if not diary.is_in_file():
        return f"Kept until this kernel ends: {shown} cannot be written."
    return f"Kept in {shown}; delete it to begin again."


def table_row(tag: str, cells: tuple[str, ...]) -> str:
    """Write a row of a table in HTML, of cells "td" or heads "th"."""
    inner = "".join(f'<{tag} style="text-align: left">{html.escape(cell)}</{tag}>' for cell in cells)
    return f"<tr>{inner}</tr>"


class Progress:
    """How every exercise of the course stands, and which one is next."""

    def __init__(self) -> None:
        kept = diary.read_all()
        self.states = {name: kept.get(name, diary.Entry()).state for name, exercise in EXERCISES.items()}
        there = (*LESSONS, *APPENDICES)
        shown = [exercise for exercise in EXERCISES.values() if exercise.lesson in there and exercise.home]
        self.shown = sorted(shown, key=lambda one: one.lesson)
        self.siblings = [one for one in EXERCISES.values() if not one.home and self.states[one.name]]
        still_open = [one for one in self.shown if self.states[one.name] in ("", "not yet")]
        self.next = next((one for one in sorted(still_open, key=lambda one: one.optional)), None)

    def _words(self) -> tuple[str, str]:
        done = sum(self.states[exercise.name] == "right" for exercise in self.shown)
        seen = next((one for one in self.shown if self.states[one.name] == "seen"), None)
        if self.next:
            where = "appendix" if self.next.lesson in APPENDICES else "lesson"
            after = f'Next: "{self.next.name}", {where} {self.next.lesson}.'
        elif seen:
            after = f'Next: `solution("{seen.name}")` says how what was seen becomes right.'
        else:
            after = "All done."
        return f"{done} of {len(self.shown)} right. {after}", kept_where()

    def _rows(self) -> list[tuple[str, str, str, str]]:
        """Write each exercise: its lesson, name, minutes, and how it stands."""
        notes = {True: " (if you like)", False: ""}
        rows = [(one, one.name + notes[one.optional]) for one in self.shown]
        rows += [(one, f"{one.name} (a sibling)") for one in self.siblings]
        return [(one.lesson, name, f"{one.minutes} min", STANDS[self.states[one.name]]) for one, name in rows]

    def __repr__(self) -> str:
        words, kept = self._words()
        rows = self._rows()
        wide = max(len(lesson) for lesson, *_ in rows)
        lines = [f"{lesson:{wide}}  {name:34} {stands}" for lesson, name, _, stands in rows]
        return "\n".join([words.replace("`", ""), *lines, kept])

    def _repr_html_(self) -> str:
        words, kept = self._words()
        head = table_row("th", ("lesson", "exercise", "takes", "stands"))
        rows = "".join(table_row("td", cells) for cells in self._rows())
        table = f'<table style="margin: 0.6em 0"><thead>{head}</thead><tbody>{rows}</tbody></table>'
        return box("progress", "Progress.", f"{rich(words)}{table}{html.escape(kept)}")


def progress() -> Progress:
    """Show which exercises are right, which were only seen, and which is next, over all lessons.

    Returns
    -------
    Progress
        A table, which a notebook shows. It comes from a small file on this machine that only you have.
    """
    return Progress()
