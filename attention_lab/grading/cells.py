"""Cells of an assignment, with what nbgrader wants to know of each (its metadata, schema 3)."""

from typing import Any

from attention_lab.grading.tasks import Task

Cell = dict[str, Any]

KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def notebook(cells: list[Cell]) -> dict[str, Any]:
    """Make a notebook of cells."""
    return {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}


def prose(name: str, text: str) -> Cell:
    """Make a cell of text that learners do not change."""
    return _cell("markdown", name, text, _nbgrader(name, locked=True))


def code(name: str, source: str) -> Cell:
    """Make a cell that learners run and do not change."""
    return _cell("code", name, source, _nbgrader(name, locked=True))


def loose(name: str, source: str) -> Cell:
    """Make a cell that nobody grades: learners may change and repeat it."""
    return _cell("code", name, source, None)


def answer(name: str, source: str) -> Cell:
    """Make the cell that learners fill in."""
    return _cell("code", f"answer-{name}", source, _nbgrader(f"answer-{name}", solution=True))


def proof(name: str, expression: str, points: int, also: str = "") -> Cell:
    """Make the locked cell that earns the points.

    It asserts: nbgrader gives full marks to a cell that merely ends in something false.
    """
    lines = [f"# {_points(points)}: leave this cell as it is", also, f"assert {expression}, {expression}"]
    mark = _nbgrader(f"points-{name}", locked=True, grade=True, points=points)
    return _cell("code", f"points-{name}", "\n".join(filter(None, lines)), mark)


def words(name: str, source: str, points: int) -> Cell:
    """Make the cell of an answer in words, which a person grades."""
    mark = _nbgrader(f"words-{name}", grade=True, solution=True, points=points)
    return _cell("markdown", f"words-{name}", source, mark)


def filled(task: Task, *, solved: bool) -> str:
    """Write a task's stub, with the solution below it for an instructor."""
    lines = [task.stub]
    if solved and task.solved:
        indent = " " * (len(task.solved) - len(task.solved.lstrip()))
        lines += [indent + BEGIN, task.solved, indent + END]
    return "\n".join([*lines, *filter(None, [task.shown])])


def _points(points: int) -> str:
    return f"{points} point" + "s" * (points != 1)


def _cell(kind: str, name: str, source: str, mark: dict[str, Any] | None) -> Cell:
    cell: Cell = {"cell_type": kind, "id": name[:64], "metadata": {"nbgrader": mark} if mark else {}, "source": source}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def _nbgrader(name: str, **true: Any) -> dict[str, Any]:
    plain = {"grade": False, "grade_id": name, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return {**plain, **true}
