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
    """Make a cell of text."""
    return _cell("markdown", name, text)


def code(name: str, source: str) -> Cell:
    """Make a cell that learners run; nobody grades it, and it may be changed and repeated."""
    return _cell("code", name, source)


def answer(name: str, source: str) -> Cell:
    """Make the cell that learners fill in."""
    return _cell("code", f"answer-{name}", source, answer_metadata(name))


def answer_metadata(name: str) -> dict[str, Any]:
    """Return what makes a cell one that learners fill in."""
    return {"nbgrader": _nbgrader(f"answer-{name}", solution=True), "deletable": False}


def proof(name: str, expression: str, points: int, also: str = "") -> Cell:
    """Make the locked cell that earns the points.

    It asserts: nbgrader gives full marks to a cell that merely ends in something false. The tag lets JupyterLab run the
    cells after it, too, where the points are not earned yet.
    """
    lines = [f"# {_points(points)}: leave this cell as it is", f"assert {expression}, {expression}", also]
    mark = _nbgrader(f"points-{name}", locked=True, grade=True, points=points)
    metadata = {"nbgrader": mark, "deletable": False, "editable": False, "tags": ["raises-exception"]}
    return _cell("code", f"points-{name}", "\n".join(filter(None, lines)), metadata)


def words(name: str, source: str, points: int) -> Cell:
    """Make the cell of an answer in words, which a person grades."""
    mark = _nbgrader(f"words-{name}", grade=True, solution=True, points=points)
    return _cell("markdown", f"words-{name}", source, {"nbgrader": mark, "deletable": False})


def filled(task: Task, *, solved: bool) -> str:
    """Write a task's stub, with the solution below it for an instructor."""
    lines = [task.stub]
    if solved and task.solved:
        indent = " " * (len(task.solved) - len(task.solved.lstrip()))
        lines += [indent + BEGIN, task.solved, indent + END]
    return "\n".join([*lines, *filter(None, [task.shown])])


def _points(points: int) -> str:
    return f"{points} point" + "s" * (points != 1)


def _cell(kind: str, name: str, source: str, metadata: dict[str, Any] | None = None) -> Cell:
    cell: Cell = {"cell_type": kind, "id": name[:64], "metadata": metadata or {}, "source": source}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def _nbgrader(name: str, **true: Any) -> dict[str, Any]:
    plain = {"grade": False, "grade_id": name, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return {**plain, **true}
