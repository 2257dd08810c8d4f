"""The command line: what it makes, and what it says instead of making half of it."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from attention_lab.grading import choosing
from attention_lab.grading.command import main
from attention_lab.grading.tasks import tasks

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(arguments)
        said = capsys.readouterr()
        return code, (said.err if code else said.out).strip()

    return run


def points_of(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    return {mark["grade_id"]: mark["points"] for mark in marks if mark.get("grade")}


def test_the_list_has_every_task_by_kind_and_the_sets(run):
    code, text = run("exercises")
    assert code == 0
    for name in tasks():
        assert f"  {name} " in text
    assert text.index("trace: ") < text.index("  by-hand ") < text.index("write: ") < text.index("  attention ")
    assert "set hw1 (Homework 1: the mechanism): by-hand, order-attention, attention, who-looks-at-whom" in text


def test_the_list_knows_appendices_by_their_names(run):
    assert "empty-rows" in run("exercises", "--lesson", "mask_museum")[1]


@pytest.mark.parametrize("lesson", ["2", "02", "02_ask_label_hand_over"])
def test_the_list_can_be_that_of_one_lesson_or_kind(run, lesson):
    _, text = run("exercises", "--lesson", lesson, "--kind", "trace")
    assert "by-hand" in text
    assert "  attention " not in text
    assert "  mix " not in text


def test_the_line_of_an_exercise_says_lesson_minutes_difficulty_points_and_what_it_trains(run):
    _, text = run("exercises")
    (line,) = [line for line in text.splitlines() if line.startswith("  by-hand ")]
    assert line.split(maxsplit=5) == ["by-hand", "02", "8", "2", "4", tasks()["by-hand"].trains]


def test_the_command_of_the_course_makes_what_it_says(run, tmp_path):
    code, text = run(
        "assign",
        "by-hand",
        "order-attention",
        "attention",
        "--points",
        "4,2,4",
        "--out",
        "hw1",
        "--title",
        "Homework 1",
    )
    assert code == 0
    assert "by-hand (4), order-attention (2), attention (4); 10 points, about 17 minutes." in text
    points = {"points-by-hand": 4, "points-order-attention": 2, "points-attention": 4}
    assert points_of(tmp_path / "hw1" / "homework-1.ipynb") == points
    assert points_of(tmp_path / "hw1" / "source" / "homework-1" / "homework-1.ipynb") == points


def test_a_set_brings_its_title_and_its_points(run, tmp_path):
    assert run("assign", "hw1")[0] == 0
    made = tmp_path / "homework-1-the-mechanism" / "homework-1-the-mechanism.ipynb"
    assert points_of(made) == {
        "points-by-hand": 4,
        "points-order-attention": 2,
        "points-attention": 4,
        "words-who-looks-at-whom": 3,
    }


def test_a_whole_lesson_has_points_for_what_it_cannot_be_finished_without(run, tmp_path):
    assert run("assign", "--lesson", "02_ask_label_hand_over", "--out", "x")[0] == 0
    made = points_of(tmp_path / "x" / "02-ask-label-hand-over.ipynb")
    assert set(made) == {f"points-{name}" for name in ("second-example", "by-hand", "order-attention", "attention")}


def test_predictions_and_the_start_test_come_when_asked_for(run, tmp_path):
    run("assign", "attention", "--title", "x", "--predictions", "--start-test")
    assert list(points_of(tmp_path / "x" / "x.ipynb")) == [
        "points-start-test",
        "points-02-the",
        "points-02-handed",
        "points-02-mutual",
        "points-attention",
    ]


def test_who_assigns_a_hand_trace_without_a_secret_is_told_of_it(run):
    assert "--secret" in run("assign", "by-hand", "--title", "x")[1]
    assert "--secret" not in run("assign", "by-hand", "--title", "y", "--secret", "tulip")[1]
    assert "--secret" not in run("assign", "attention", "--title", "z")[1]


def test_what_is_named_beside_a_lesson_comes_on_top(run, tmp_path):
    run("assign", "--lesson", "02", "who-looks-at-whom", "scores", "--points", "1,2,3,4,5,6", "--out", "x")
    assert points_of(tmp_path / "x" / "02-ask-label-hand-over.ipynb") == {
        "points-second-example": 1,
        "points-by-hand": 2,
        "points-order-attention": 3,
        "points-attention": 4,
        "words-who-looks-at-whom": 5,
        "points-scores": 6,
    }


def test_the_start_test_can_be_all_that_is_assigned(run, tmp_path):
    assert run("assign", "--start-test", "--title", "Before we begin")[0] == 0
    assert points_of(tmp_path / "before-we-begin" / "before-we-begin.ipynb") == {"points-start-test": 1}


def test_predictions_bring_no_test_with_them(run, tmp_path):
    run("assign", "first-check", "--predictions", "--title", "x")
    assert set(points_of(tmp_path / "x" / "x.ipynb")) == {"points-00-gap", "points-00-shift", "points-first-check"}


def test_a_variant_that_changes_nothing_says_so(run):
    said = [run("assign", "attention", "--title", "x", "--variant", seed, "--out", seed)[1] for seed in "abcdefgh"]
    for text in said:
        assert ("attention (4)" in text) == ("This variant is the exercises as you named them" in text)
    assert {"attention (4)" in text for text in said} == {True, False}


def test_titles_in_any_script_are_kept_and_shown_on_any_console(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "attention_lab.grading", "assign", "attention", "--title", "作业"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    made = json.loads((tmp_path / "assignment" / "assignment.ipynb").read_text(encoding="utf-8"))
    assert made["cells"][0]["source"].startswith("# 作业")


def test_without_the_lessons_nothing_is_made(run, tmp_path, monkeypatch):
    monkeypatch.setattr(choosing, "FOLDER", tmp_path / "nowhere")
    code, text = run("assign", "hw1")
    assert code == 2
    assert text.startswith("The lessons are not here")
    assert list(tmp_path.iterdir()) == []


def test_an_exercise_that_is_missing_from_its_lesson_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr(choosing, "around", lambda name: ([], []))
    code, text = run("assign", "by-hand", "--title", "x")
    assert code == 2
    assert text == '"by-hand" does not stand in its lesson, 02: is its notebook damaged?'


REFUSED = {
    "assign atention --title x": 'did you mean "attention"?',
    "assign attention softmax --title x --points 4": "--points 4 does not fit: attention, softmax need 2 numbers.",
    "assign attention --title x --points four": "Points are whole numbers from 1 to 1000, such as 4,2,4, not four.",
    "assign attention --title x --points 0": "Points are whole numbers from 1",
    "assign attention --title x --points " + "9" * 5000: "Points are whole numbers from 1",
    "assign attention --title x --points ٣": "Points are whole numbers from 1",
    "assign attention attention --title x": '"attention" is named twice.',
    "assign hw1 attention": '"attention" is named twice.',
    "assign project": "project cannot be made yet: report",
    "assign attention": "Give it a --title",
    "assign": "Name the exercises, a set such as hw1, or a --lesson",
    "assign --lesson 77": 'There is no lesson "77"',
    "assign --lesson 02 --variant a": "--variant and --lesson do not go together",
    "exercises --lesson 77": 'Lesson "77" has nothing to assign',
}


@pytest.mark.parametrize("line", REFUSED, ids=lambda line: line[:50])
def test_what_cannot_be_made_is_refused_in_a_sentence_and_nothing_is_written(run, tmp_path, line):
    code, text = run(*line.split())
    assert code == 2
    assert REFUSED[line] in text
    assert "\n" not in text
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_empty_is_left_as_it_is(run, tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "mine.txt").write_text("mine")
    code, text = run("assign", "attention", "--title", "x")
    assert code == 2
    assert text == "x is there already and not empty: nothing was written. Choose another --out."
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(run, tmp_path):
    (tmp_path / "file").touch()
    code, text = run("assign", "attention", "--title", "x", "--out", "file/x")
    assert code == 2
    assert text.startswith("file/x cannot be written: ")


def test_the_console_script_and_the_module_are_the_same_command():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"attention-lab": "attention_lab.grading.command:main"}
    done = subprocess.run(
        [sys.executable, "-m", "attention_lab.grading", "assign"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("Name the exercises")
