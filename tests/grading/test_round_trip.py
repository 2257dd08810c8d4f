"""nbgrader itself: what is assigned is generated, validated, graded with the points expected, and answered."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from attention_lab.grading.command import main

NAME = "homework-1"
MISSING = shutil.which("nbgrader", path=str(Path(sys.executable).parent)) is None
if os.environ.get("ATTENTION_LAB_NBGRADER") == "required" and MISSING:
    raise RuntimeError("nbgrader is required here and not installed: pip install '.[instructor]'")
pytestmark = pytest.mark.skipif(MISSING, reason="nbgrader is not installed: pip install '.[instructor]'")


def nbgrader(course, *arguments):
    """Run one of its commands in the folder of an assignment; it wants its own programs on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "nbgrader", *arguments],
        cwd=course,
        env={**os.environ, "PATH": path, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def read(path):
    return nbformat.read(path, as_version=4)


def hand_in(course, who, notebook):
    folder = course / "submitted" / who / NAME
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """An assignment that four learners have handed in, graded and answered."""
    course = tmp_path_factory.mktemp("course") / "hw1"
    names = ["02-the", "by-hand", "order-attention", "attention", "who-looks-at-whom"]
    asked = [*names, "--points", "1,4,2,4,3", "--secret", "tulip", "--title", "Homework 1", "--out", str(course)]
    assert main(["assign", *asked]) == 0
    nbgrader(course, "generate_assignment", NAME)
    right = read(course / "source" / NAME / f"{NAME}.ipynb")
    wrong = read(course / "source" / NAME / f"{NAME}.ipynb")
    for cell in wrong.cells:  # the root of another axis; a letter too few; everything else is right
        cell.source = cell.source.replace("np.sqrt(k.shape[-1])", "np.sqrt(k.shape[0])").replace(' G"', '"')
    hand_in(course, "right", right)
    hand_in(course, "wrong", wrong)
    short = read(course / "source" / NAME / f"{NAME}.ipynb")
    gone = ("points-attention", "words-who-looks-at-whom")
    short.cells = [cell for cell in short.cells if _mark(cell)["grade_id"] not in gone]
    hand_in(course, "short", short)
    hand_in(course, "untouched", read(course / f"{NAME}.ipynb"))  # the copy that was made without nbgrader
    nbgrader(course, "autograde", NAME)
    nbgrader(course, "generate_feedback", NAME)
    return course


def test_the_copy_to_hand_out_is_what_nbgrader_would_have_made(course):
    generated, ours = read(course / "release" / NAME / f"{NAME}.ipynb"), read(course / f"{NAME}.ipynb")
    assert [_words(cell) for cell in generated.cells] == [_words(cell) for cell in ours.cells]
    assert [_mark(cell) for cell in generated.cells] == [_mark(cell) for cell in ours.cells]


def _words(cell):
    return [line.rstrip() for line in cell.source.splitlines() if line.strip()]


def _mark(cell):
    mark = cell.metadata.get("nbgrader", {})
    return {key: mark.get(key) for key in ("grade_id", "grade", "solution", "locked", "points")}


def test_the_source_is_valid(course):
    assert "Success" in nbgrader(course, "validate", f"source/{NAME}/{NAME}.ipynb")


def test_each_submission_has_the_points_expected(course):
    nbgrader(course, "export")
    with (course / "grades.csv").open(encoding="utf-8") as file:
        points = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert points == {
        "right": 11,
        "wrong": 5,
        "short": 11,
        "untouched": 0,
    }  # the three points for words are a person's to give


def test_the_feedback_says_what_the_answer_computes(course):
    page = (course / "feedback" / "wrong" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Not yet. Your scores are divided by a number that comes from how many words there are" in page


def test_a_cell_with_points_that_was_deleted_comes_back(course):
    graded = read(course / "autograded" / "short" / NAME / f"{NAME}.ipynb")
    assert {"points-attention", "words-who-looks-at-whom"} <= {_mark(cell)["grade_id"] for cell in graded.cells}
