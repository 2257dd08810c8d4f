"""Sets of exercises that go together."""

from attention_lab.grading.sets import PLANNED, missing, ready
from attention_lab.grading.tasks import tasks
from tests.run_notebooks import ROOT


def test_a_set_is_offered_when_its_exercises_are_all_there():
    assert "hw1" in ready(tasks())
    assert ready({}) == {}
    for name in PLANNED:
        assert (name in ready(tasks())) == (missing(name, tasks()) == [])


def test_what_is_missing_is_named():
    known = dict.fromkeys(PLANNED["hw1"].points)
    del known["attention"]
    assert missing("hw1", known) == ["attention"]


def test_no_set_is_called_like_an_exercise():
    assert not set(PLANNED) & set(tasks())


def test_the_page_for_instructors_has_the_same_sets_points_and_minutes():
    page = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    for name, one in PLANNED.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}`")]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert ("*to come*" in cells[0]) == (name not in ready(tasks()))
        assert [part.partition(" (")[0] for part in cells[1].split(", ")] == list(one.points)
        assert cells[3] == " ".join(map(str, one.points.values()))
        if name in ready(tasks()) and name != "project":  # whose hours go into finding out, not into writing down
            assert cells[2] == str(sum(tasks()[exercise].minutes for exercise in one.points))
