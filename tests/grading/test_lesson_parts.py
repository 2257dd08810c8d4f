"""What a lesson says around an exercise."""

import json

import pytest

from attention_lab.exercises.catalogue import EXERCISES, LESSONS
from attention_lab.grading.lesson_parts import around


def lesson(folder, *cells):
    made = [
        {"cell_type": kind, "source": source, "metadata": metadata, "id": str(i)}
        for i, (kind, source, metadata) in enumerate(cells)
    ]
    (folder / "02_x.ipynb").write_text(json.dumps({"cells": made, "metadata": {}}), encoding="utf-8")


def stub(name, source="def f(x):\n    ..."):
    return ("code", source, {"exercise": name, "tags": ["exercise"]})


def told(folder, name):
    return [part.source for part in around(name, folder)[0]]


def test_the_last_paragraph_above_a_stub_comes_with_it(tmp_path):
    lesson(tmp_path, ("markdown", "## Why?\n\nOf the cell before.\n\nWrite it.", {}), stub("one"))
    assert told(tmp_path, "one") == ["Write it."]


def test_a_heading_or_an_optional_offer_does_not(tmp_path):
    lesson(tmp_path, ("markdown", "## Why?", {}), stub("one"), ("markdown", "If you like, this.", {}), stub("two"))
    assert told(tmp_path, "one") == [""]
    assert told(tmp_path, "two") == [""]


def test_a_cell_that_prepares_an_exercise_comes_with_it_and_another_exercise_does_not(tmp_path):
    lesson(
        tmp_path,
        stub("zero"),
        ("code", 'check(f, "zero")', {"tags": ["exercise"]}),
        ("markdown", "Your name.", {}),
        ("code", "mine = make(...)", {"tags": ["exercise"]}),
        ("markdown", "Box by box.", {}),
        stub("one", "by_hand = {'numbers': mine}"),
    )
    assert told(tmp_path, "one") == ["Your name.", "mine = make(...)", "Box by box."]


def test_cells_that_make_what_it_uses_come_with_it_and_what_they_use(tmp_path):
    lesson(
        tmp_path,
        ("code", "import numpy as np", {}),
        ("code", "a = np.ones(2)", {}),
        ("code", "nobody = 3", {}),
        ("code", "b = a + 1", {}),
        ("markdown", "Use b.", {}),
        stub("one", "mine = b, ..."),
    )
    assert told(tmp_path, "one") == ["a = np.ones(2)", "b = a + 1", "Use b."]
    assert [part.source for part in around("one", tmp_path)[1]] == ["import numpy as np"]


def test_a_cell_that_names_an_exercise_is_given_with_it_also_with_a_sibling(tmp_path):
    lesson(tmp_path, ("code", "colours", {"given": ["one", "one-again"]}), ("markdown", "Mix.", {}), stub("one"))
    assert told(tmp_path, "one") == ["colours", "Mix."]
    assert told(tmp_path, "one-again") == ["colours"]


def test_an_exercise_of_no_lesson_has_nothing_around_it(tmp_path):
    lesson(tmp_path, stub("one"))
    assert around("two", tmp_path) == ([], [])
    assert around("one", tmp_path / "missing") == ([], [])


@pytest.mark.parametrize("name", [one.name for one in EXERCISES.values() if one.home and one.lesson in LESSONS])
def test_every_exercise_of_the_course_is_found_in_its_lesson(name):
    parts, imports = around(name)
    assert parts
    assert imports


def test_what_a_lesson_gives_with_exercises_names_exercises():
    from attention_lab.grading.lesson_parts import FOLDER, parts_of
    from attention_lab.lessons import lessons

    given = [name for path in lessons(FOLDER) for part in parts_of(path) for name in part.metadata.get("given", [])]
    assert given
    assert set(given) <= set(EXERCISES)
