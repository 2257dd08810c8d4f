"""Cells with what nbgrader wants to know."""

import nbformat
import pytest

from attention_lab.grading import cells
from attention_lab.grading.tasks import tasks

TASKS = tasks()


def test_every_kind_of_cell_makes_a_valid_notebook():
    made = cells.notebook(
        [
            cells.prose("title", "# Title"),
            cells.code("imports", "import numpy as np"),
            cells.answer("one", "def one(): ..."),
            cells.proof("one", "one()", 2),
            cells.words("two", "*Your answer here.*", 3),
        ]
    )
    nbformat.validate(nbformat.from_dict(made))


def test_only_what_is_filled_in_is_open_and_only_points_are_graded():
    marks = {
        "answer": cells.answer("a", ""),
        "points": cells.proof("a", "x", 2),
        "words": cells.words("a", "", 2),
    }
    said = {
        name: tuple(cell["metadata"]["nbgrader"][key] for key in ("locked", "solution", "grade"))
        for name, cell in marks.items()
    }
    assert said == {"answer": (False, True, False), "points": (True, False, True), "words": (False, True, True)}
    for cell in (cells.prose("a", ""), cells.code("a", "")):  # nbgrader cannot put such a cell back
        assert cell["metadata"] == {}


def test_jupyterlab_deletes_no_cell_that_counts_changes_no_points_and_runs_on_below_them():
    counts = [cells.answer("a", ""), cells.proof("a", "x", 2), cells.words("a", "", 2)]
    assert [cell["metadata"]["deletable"] for cell in counts] == [False] * 3
    points = counts[1]["metadata"]
    assert points["editable"] is False
    assert points["tags"] == ["raises-exception"]


def test_points_are_earned_by_an_assertion():
    source = cells.proof("a", 'check(a, "a")', 1)["source"]
    assert source == '# 1 point: leave this cell as it is\nassert check(a, "a"), check(a, "a")'


def test_an_instructor_has_the_solution_below_the_stub_and_a_learner_has_not():
    task = TASKS["attention"]
    assert cells.filled(task, solved=False) == task.stub
    lines = cells.filled(task, solved=True).removeprefix(task.stub).split("\n")
    assert lines[1] == "    ### BEGIN SOLUTION"
    assert lines[-1] == "    ### END SOLUTION"


@pytest.mark.parametrize("name", [name for name, task in TASKS.items() if task.solved])
def test_no_learner_sees_a_line_of_the_solution(name):
    task = TASKS[name]
    asked = cells.filled(task, solved=False)
    lines = [line for line in task.solved.split("\n") if line not in task.stub]
    assert lines
    assert not [line for line in lines if line in asked]
