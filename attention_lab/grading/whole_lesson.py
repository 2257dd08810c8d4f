"""A whole lesson as an assignment: its own cells, in its order, with points behind the exercises."""

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.grading import cells
from attention_lab.grading.assignment import PERSONAL, Assignment
from attention_lab.grading.cells import Cell
from attention_lab.grading.tasks import Task
from attention_lab.lessons import LessonError
from attention_lab.notebook_files import cleared, read_notebook


def lesson_notebook(path: Path, assignment: Assignment, *, solved: bool) -> dict[str, Any]:
    """Write a lesson with the tasks of an assignment graded; what has no cell in the lesson comes at its end.

    Raises
    ------
    LessonError
        If the lesson's notebook cannot be read.
    """
    lesson = read_notebook(path)
    if lesson is None:
        raise LessonError(f"{path.name} cannot be read: is it damaged?")
    out = [{"source": "", "metadata": {}, **copy.deepcopy(cell)} for cell in cleared(lesson)["cells"]]
    for cell in out:
        if PERSONAL in _source(cell):
            _answer(cell, assignment.personal(_source(cell), solved=solved), cell["id"])
    left = [task for task in assignment.tasks if not _in_place(out, task, assignment, solved=solved)]
    out.insert(1, cells.prose("assignment", f"**{assignment.title}**\n\n{assignment.told()}"))
    if left:
        out += replace(assignment, tasks=tuple(left)).body("more-imports", solved=solved)
    return cells.notebook(out)


def _in_place(out: list[Cell], task: Task, assignment: Assignment, *, solved: bool) -> bool:
    """Grade a task where its lesson asks for it; tell whether it does."""
    at = next((i for i, cell in enumerate(out) if _asks(cell, task)), None)
    if at is None:
        return False
    text = _source(out[at]).replace(_asked(task), cells.filled(task, solved=solved))
    _answer(out[at], text, task.name)
    checked = [i for i in range(at, len(out)) if task.look and task.look in _source(out[i])]
    out.insert(1 + next(iter(checked), at), assignment.proof(task))
    return True


def _asked(task: Task) -> str:
    """Return the text in a lesson that is filled in for a task that a cell grades."""
    if task.name in EXERCISES:
        return EXERCISES[task.name].stub
    return task.shown.replace(task.stub.split()[0], "...")


def _asks(cell: Cell, task: Task) -> bool:
    return cell.get("cell_type") == "code" and bool(task.proof) and _asked(task) in _source(cell)


def _source(cell: Cell) -> str:
    return "".join(cell["source"])


def _answer(cell: Cell, source: str, name: str) -> None:
    """Turn a cell of a lesson into one that learners fill in."""
    cell["source"] = source
    cell["metadata"] = {**cell["metadata"], **cells.answer_metadata(name)}
