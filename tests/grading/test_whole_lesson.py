"""A whole lesson as an assignment."""

import json

import nbformat
import pytest

from attention_lab.exercises.catalogue import EXERCISES, LESSONS
from attention_lab.grading.assignment import Assignment, choose
from attention_lab.grading.lesson_parts import FOLDER
from attention_lab.grading.tasks import tasks
from attention_lab.grading.whole_lesson import lesson_notebook
from attention_lab.lessons import LessonError, find_lesson
from attention_lab.notebook_files import cleared, read_notebook
from attention_lab.prompts.items import PREDICTIONS
from tests.grading.running import earned, sources


def graded(number):
    exercises = [one.name for one in EXERCISES.values() if one.lesson == number and one.home]
    return [*exercises, *(item.name for item in PREDICTIONS if item.name[:2] == number)]


def made(number, *more, solved):
    names = [*graded(number), *more]
    assignment = Assignment(title="Homework", tasks=choose(names, {}), secret="tulip")
    return lesson_notebook(find_lesson(number, FOLDER), assignment, solved=solved)


@pytest.mark.parametrize("number", LESSONS)
def test_a_solved_lesson_earns_all_points_and_an_untouched_one_none(number):
    solved, untouched = earned(made(number, solved=True)), earned(made(number, solved=False))
    assert set(solved) == set(untouched) == {f"points-{name}" for name in graded(number)}
    assert all(solved.values())
    assert not any(untouched.values())


@pytest.mark.parametrize("number", LESSONS)
def test_both_copies_are_valid_and_hold_the_whole_lesson(number):
    lesson = cleared(read_notebook(find_lesson(number, FOLDER)))
    for solved in (True, False):
        notebook = made(number, solved=solved)
        nbformat.validate(nbformat.from_dict(notebook))
        kept = [cell["id"] for cell in notebook["cells"]]
        assert [name for name in kept if name.startswith("cell-")] == [cell["id"] for cell in lesson["cells"]]
        assert not any(cell.get("outputs") for cell in notebook["cells"])


def test_points_stand_below_the_check_of_their_exercise():
    cells = made("02", solved=False)["cells"]
    at = next(i for i, cell in enumerate(cells) if cell["id"] == "points-attention")
    assert 'check(my_attention, "attention")' in "".join(cells[at - 1]["source"])
    assert cells[at - 2]["metadata"]["nbgrader"]["grade_id"] == "answer-attention"


MORE = ["start-test", "softmax", "wrong-line-05-merge", "order-attention", "by-hand", "who-looks-at-whom"]


@pytest.mark.parametrize("number", LESSONS)
def test_what_has_no_place_in_the_lesson_comes_at_its_end_with_all_that_it_needs(number):
    more = [name for name in MORE if name not in graded(number)]
    solved, untouched = (made(number, *more, solved=solved) for solved in (True, False))
    ids = [cell["id"] for cell in untouched["cells"]]
    assert ids[-1] == "words-who-looks-at-whom"
    first = next(name for name in more if name in MORE[1:])
    assert ids.index("more-imports") < ids.index(f"text-{first}") < ids.index(f"points-{first}")
    assert ("text-start-test" in ids) == (number != "00")  # lesson 00 has it itself
    points = earned(solved)
    assert {f"points-{name}" for name in more if name != "who-looks-at-whom"} <= set(points)
    assert all(points.values())
    assert not any(earned(untouched).values())


def test_the_assignment_says_its_points_below_the_title():
    cells = made("02", solved=False)["cells"]
    assert cells[1]["source"].startswith("**Homework**")
    assert "| by-hand | trace | 8 | 4 |" in cells[1]["source"]


def test_a_release_has_no_solution_and_no_model_answer():
    assert "SOLUTION" in sources(made("01", *MORE, solved=True))
    release = sources(made("01", *MORE, solved=False))
    assert "SOLUTION" not in release
    assert tasks()["who-looks-at-whom"].model not in release


def test_a_lesson_that_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "02_x.ipynb").write_text("not a notebook")
    with pytest.raises(LessonError, match=r"02_x.ipynb cannot be read"):
        lesson_notebook(tmp_path / "02_x.ipynb", Assignment(title="x", tasks=()), solved=False)


def test_a_cell_without_a_source_is_an_empty_one(tmp_path):
    (tmp_path / "02_x.ipynb").write_text(json.dumps({"cells": [{"cell_type": "markdown", "id": "a"}], "metadata": {}}))
    made = lesson_notebook(tmp_path / "02_x.ipynb", Assignment(title="x", tasks=()), solved=False)
    assert made["cells"][0]["source"] == ""
