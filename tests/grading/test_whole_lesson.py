"""A whole lesson as an assignment."""

import nbformat
import pytest

from attention_lab.exercises.catalogue import EXERCISES, LESSONS
from attention_lab.grading.assignment import Assignment, choose
from attention_lab.grading.lesson_parts import FOLDER
from attention_lab.grading.whole_lesson import lesson_notebook
from attention_lab.lessons import find_lesson
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


def test_what_has_no_place_in_the_lesson_comes_at_its_end():
    cells = made("02", "softmax", "who-looks-at-whom", solved=False)["cells"]
    last = [cell["id"] for cell in cells][-7:]
    assert last[:4] == ["text-softmax", "answer-softmax", "check-softmax", "points-softmax"]
    assert last[-1] == "words-who-looks-at-whom"


def test_the_assignment_says_its_points_below_the_title():
    cells = made("02", solved=False)["cells"]
    assert cells[1]["source"].startswith("**Homework**")
    assert "| by-hand | trace | 8 | 4 |" in cells[1]["source"]


def test_a_release_has_no_solution():
    assert "SOLUTION" in sources(made("02", solved=True))
    assert "SOLUTION" not in sources(made("02", solved=False))
