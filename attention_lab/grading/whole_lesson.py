"""A whole lesson as an assignment: its own cells, in its order, with points behind the exercises."""

import copy
from pathlib import Path
from typing import Any

from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.grading import cells
from attention_lab.grading.assignment import PERSONAL, Assignment
from attention_lab.grading.cells import Cell
from attention_lab.grading.tasks import Task
from attention_lab.notebook_files import cleared, read_notebook


def lesson_notebook(path: Path, assignment: Assignment, *, solved: bool) -> dict[str, Any]:
    """Write a lesson with the tasks of an assignment graded; what has no cell in the lesson comes at its end."""
    lesson = cleared(read_notebook(path) or {"cells": []})
    out = [copy.deepcopy(cell) for cell in lesson["cells"]]
    for cell in out:
        if PERSONAL in _source(cell):
            _answer(cell, assignment.personal(_source(cell), solved=solved), f"answer-{cell['id']}")
    left = []
    for task in assignment.tasks:
        at = next((i for i, cell in enumerate(out) if _asks(cell, task)), None)
        if at is None:
            left.append(task)
            continue
        text = _source(out[at]).replace(_asked(task), cells.filled(task, solved=solved))
        _answer(out[at], text, f"answer-{task.name}")
        checked = [i for i in range(at, len(out)) if task.look and task.look in _source(out[i])]
        out.insert(1 + next(iter(checked), at), assignment.proof(task))
    out.insert(1, cells.prose("assignment", f"**{assignment.title}**\n\n{assignment.told()}"))
    for number, task in enumerate(left, start=1):
        out += assignment.task(number, task, solved=solved)
    return {**cells.notebook(out), "metadata": cells.KERNEL}


def _asked(task: Task) -> str:
    """Return the text in a lesson that is filled in."""
    return EXERCISES[task.name].stub if task.name in EXERCISES else f'predict("{task.name}", ...)'


def _asks(cell: Cell, task: Task) -> bool:
    return cell["cell_type"] == "code" and bool(task.proof) and _asked(task) in _source(cell)


def _source(cell: Cell) -> str:
    return "".join(cell["source"])


def _answer(cell: Cell, source: str, name: str) -> None:
    """Turn a cell of a lesson into one that learners fill in."""
    cell["source"] = source
    cell["metadata"] = {**cell["metadata"], **cells.answer(name.removeprefix("answer-"), "")["metadata"]}
