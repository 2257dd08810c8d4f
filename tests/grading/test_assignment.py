"""An assignment as a notebook: complete, solvable, and worth nothing untouched."""

import nbformat
import pytest

from attention_lab.grading.assignment import Assignment, choose
from attention_lab.grading.tasks import tasks
from tests.grading.running import earned, sources

TASKS = tasks()
GRADED = [name for name, task in TASKS.items() if task.proof]


def assignment(*names, points=None, variant=None, secret=None):
    return Assignment(title="Homework", tasks=choose(names, points or {}, variant), secret=secret)


@pytest.mark.parametrize("name", GRADED)
def test_a_solved_task_earns_its_points_with_what_its_notebook_imports(name):
    made = assignment(name).notebook(solved=True)
    assert earned(made) == {f"points-{name}": TASKS[name].points}


@pytest.mark.parametrize("name", GRADED)
def test_an_untouched_task_earns_nothing_and_only_its_points_complain(name):
    made = assignment(name).notebook(solved=False)
    assert earned(made) == {f"points-{name}": 0}


def test_everything_at_once_makes_two_valid_notebooks_of_the_same_cells():
    whole = assignment(*TASKS)
    source, release = whole.notebook(solved=True), whole.notebook(solved=False)
    for made in (source, release):
        nbformat.validate(nbformat.from_dict(made))
    assert [(cell["id"], cell["metadata"]) for cell in source["cells"]] == [
        (cell["id"], cell["metadata"]) for cell in release["cells"]
    ]
    marked = [cell["metadata"]["nbgrader"]["grade_id"] for cell in source["cells"] if "nbgrader" in cell["metadata"]]
    assert len(set(marked)) == len(marked)


def test_a_release_has_no_solution_and_no_model_answer():
    text = sources(assignment(*TASKS).notebook(solved=False))
    assert "SOLUTION" not in text
    assert not [task.name for task in TASKS.values() if task.model and task.model in text]
    assert "*Your answer here.*" in text


def test_a_source_has_the_model_answer_and_how_to_grade_it():
    text = sources(assignment("who-looks-at-whom", points={"who-looks-at-whom": 3}).notebook(solved=True))
    assert TASKS["who-looks-at-whom"].model in text
    assert "| **mechanism** |" in text
    assert "3 points in all" in text


def test_the_text_that_a_learner_reads_first_says_tasks_minutes_and_points():
    text = assignment("by-hand", "attention", points={"by-hand": 7}).notebook(solved=False)["cells"][0]["source"]
    assert text.startswith("# Homework\n")
    assert "| by-hand | trace | 8 | 7 |" in text
    assert "About 13 minutes, 11 points." in text


def test_the_prose_of_the_lesson_comes_with_an_exercise():
    assert "Keep three digits on the way" in sources(assignment("by-hand").notebook(solved=False))


def test_what_is_imported_is_what_is_needed():
    cells = assignment("causal-mask").notebook(solved=False)["cells"]
    assert cells[1]["source"] == ("import numpy as np\n\nfrom attention_lab import check, hint, progress, solution")


@pytest.mark.parametrize("secret", ["tulip", 'a "quoted" word', "ein Löwe\\", "dots ... in it"])
def test_a_hand_trace_must_use_the_secret_of_the_class(secret):
    made = assignment("by-hand", secret=secret).notebook(solved=True)
    assert earned(made) == {"points-by-hand": 4}
    for cell in made["cells"]:  # somebody whose numbers are not those of the class
        if cell["id"].startswith("answer-by-hand-"):
            cell["source"] = 'mine = personal_numbers("Ada")'
    assert earned(made) == {"points-by-hand": 0}


def test_without_a_secret_any_personal_numbers_do():
    assert "secret" not in sources(assignment("by-hand").notebook(solved=True))


def test_a_variant_is_the_same_for_the_same_seed_and_takes_siblings_for_others():
    names = ["attention", "softmax", "blend", "causal-mask", "by-hand"]
    chosen = {seed: tuple(task.name for task in choose(names, {}, seed)) for seed in map(str, range(40))}
    assert chosen == {seed: tuple(task.name for task in choose(names, {}, seed)) for seed in chosen}
    for i, pair in enumerate([{"attention", "attention-temperature"}, {"softmax", "softmax-temperature"}]):
        assert {one[i] for one in chosen.values()} == pair
    assert {one[4] for one in chosen.values()} == {"by-hand"}


def test_a_variant_keeps_the_points_and_never_asks_for_the_same_twice():
    for seed in map(str, range(20)):
        both = choose(["attention", "attention-temperature"], {"attention": 9}, seed)
        assert [(task.name, task.points) for task in both] == [("attention", 9), ("attention-temperature", 4)]
        (one,) = choose(["attention"], {"attention": 9}, seed)
        assert one.points == 9
