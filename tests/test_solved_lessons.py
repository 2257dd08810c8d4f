"""A lesson filled in with the solutions is right from top to bottom; as it is committed, it holds none of them."""

import nbformat
import pytest

from attention_lab.exercises.catalogue import EXERCISES, LESSONS
from tests.lesson import Lesson
from tests.lesson_exercises import EXERCISE_RULES, cells_of, homes, no_solution_stands_in_the_lesson
from tests.run_notebooks import execute, lessons, read
from tests.solved_lessons import needed, solved, verdicts

WITH_EXERCISES = [path for path in lessons() if cells_of(Lesson.open(path))]


@pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)
def test_every_exercise_of_a_solved_lesson_is_right(path):
    notebook = needed(solved(read(path)))
    execute(notebook, path.parent)
    said = verdicts(notebook)
    assert set(said) == {exercise.name for exercise in homes(Lesson.open(path))}
    assert all(text.startswith("Right.") for text in said.values()), said


@pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)
def test_every_exercise_of_a_lesson_as_it_is_committed_was_not_tried_yet(path):
    said = verdicts(read(path))
    assert said
    assert all(text.startswith("Not tried yet.") for text in said.values()), said


def test_the_catalogue_knows_which_lessons_are_there():
    assert tuple(Lesson.open(path).number for path in lessons() if Lesson.open(path).core) == LESSONS


def test_only_what_the_exercises_need_is_run():
    source = ["import numpy as np\nimport math", "slow = 1", "x = np.ones(2)", "def f(a): return a + x", "f(1)"]
    cells = [nbformat.v4.new_code_cell(text) for text in source]
    cells[-1].metadata["tags"] = ["exercise"]
    kept = needed(nbformat.v4.new_notebook(cells=cells))
    assert [cell.source for cell in kept.cells] == [source[0], *source[2:]]


def broken(lesson, old, new):
    """The lesson with one piece of text replaced, in every cell."""
    notebook = read(lesson.path)
    for cell in notebook.cells:
        cell.source = cell.source.replace(old, new)
    return Lesson(lesson.path, lesson.text, notebook)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("# compare, then scale", "# do it", "does not hold the stub of scores"),
        ('check(my_scores, "scores")', 'check(my_scores, "attention")', 'has check(my_scores, "scores")'),
        (
            "# compare, scale, weigh, blend\n    ...",
            "return softmax(scores) @ v",
            "holds a line of the solution of attention",
        ),
    ],
)
def test_the_rules_notice_a_lesson_that_breaks_them(old, new, said):
    lesson = Lesson.open(next(path for path in lessons() if path.stem.startswith("02")))
    faults = [fault for rule in EXERCISE_RULES for fault in rule(broken(lesson, old, new))]
    assert any(said in fault for fault in faults), faults


def test_the_rules_notice_a_stub_that_is_gone_and_one_too_many():
    lesson = Lesson.open(next(path for path in lessons() if path.stem.startswith("02")))
    notebook = read(lesson.path)
    cell = next(cell for cell in notebook.cells if cell.metadata.get("exercise") == "scores")
    cell.metadata["exercise"] = "mix"
    faults = [fault for rule in EXERCISE_RULES for fault in rule(Lesson(lesson.path, lesson.text, notebook))]
    assert any("the exercise scores does not stand here once" in fault for fault in faults)
    assert any("names the exercise mix, which the catalogue does not have" in fault for fault in faults)


def test_a_solution_in_prose_counts_too():
    lesson = Lesson.open(next(path for path in lessons() if path.stem.startswith("02")))
    notebook = read(lesson.path)
    notebook.cells.append(nbformat.v4.new_markdown_cell(f"```python\n{EXERCISES['scores'].solution}\n```"))
    assert list(no_solution_stands_in_the_lesson(Lesson(lesson.path, lesson.text, notebook)))
