"""What the rule for numbers in prose finds, and what it lets stand; the good lesson is that of test_lesson_rules.py.

There a cell shows 4.0, 0.5, -0.05 and a picture's 0.98; a live cell shows 4,321 more, which count for nothing.
"""

from pathlib import Path

import pytest

from tests.test_lesson_rules import broken_rules, code, more, saved, shown, text

UNTRUE = [
    *("It gets 99%.", "It gets 98.1%.", "It is 0.97.", "It is -4.", "It is 4321.", "It is 77.", "It has 4,321 rows."),
    *("The pair [4, 1].", "The pair [0.5, 4].", "The row 4, 0.5, 0.05.", "So d_k = 7.", "It is 1.98.", "It is -0.98."),
]
TRUE = [
    *("It gets 98%, or 98.0 %.", "It is 0.98, or 0.980.", "It is 50%.", "A half, 0.5.", "[4, 0.5, -0.05]"),
    *("4, 0.5 and −0.05", "2 · 2 = 4", "0.5·4.0 + 0.5·4.0", "√4·2 = 4", "8/2 ≈ 4", "Two rows of 3, (2, 3)."),
    *("In 2017, and (Vaswani 2017), it", "1. `0.77` is code.", "Lesson 07, lessons 05 and 06.", "Take 25 minutes."),
    *("[here](https://example.org/1.77)", "```\n7.77\n```", "| lesson | minutes |\n| --- | --- |\n| 09 | 35 |\n"),
]
WRONG = [
    *("1·1 + 3·1 = 4.0, 1·1 + 2·1 = 4", "√4 = 4 and √4·1 = 4", "(1 + 2) · 2 = 4", "So x = 1 + 1 = 4", "1·1 - 3·1 = 4"),
    *("0.98·0.98 + 0.5·0.98", "x = 0.5·0.98 + 0.5·0.98 = 4"),
]


@pytest.mark.parametrize("sentence", UNTRUE)
def test_a_number_that_no_cell_shows_is_found(sentence: str, tmp_path: Path) -> None:
    lesson = saved(more(text(sentence)), tmp_path / "99_scale.ipynb")
    assert broken_rules(lesson) == {"every_number_in_prose_is_shown"}


@pytest.mark.parametrize("sentence", TRUE)
def test_a_number_that_a_cell_shows_may_stand_in_prose(sentence: str, tmp_path: Path) -> None:
    assert broken_rules(saved(more(text(sentence)), tmp_path / "99_scale.ipynb")) == set()


@pytest.mark.parametrize("sentence", WRONG)
def test_arithmetic_that_is_wrong_is_found(sentence: str, tmp_path: Path) -> None:
    lesson = saved(more(text(sentence)), tmp_path / "99_scale.ipynb")
    assert broken_rules(lesson) == {"arithmetic_in_prose_is_right"}


def test_what_no_cell_can_print_is_allowed_in_the_cells_metadata(tmp_path: Path) -> None:
    cell = text("80%? −6? [7, 7]? Or 1, 4, 7?", numbers=["80%", "-6", "[7, 7]", "1, 4, 7"])
    assert broken_rules(saved(more(cell), tmp_path / "99_scale.ipynb")) == set()


@pytest.mark.parametrize("allowed", ["0.98", "80%"])
def test_an_allowance_that_is_not_needed_is_found(allowed: str, tmp_path: Path) -> None:
    lesson = saved(more(text("0.98, or 0.50?", numbers=[allowed])), tmp_path / "99_scale.ipynb")
    assert broken_rules(lesson) == {"every_number_in_prose_is_shown"}


TABLE = shown({"text/html": "<td style='top: 7.25px'>2, 0</td><td>93.2%</td>", "text/plain": "an explorer"})


@pytest.mark.parametrize(
    ("sentence", "found"),
    [("[2, 0] with 93.2%", False), ("7.25", True), ("77", True), ("8.88", True), ("[6, 6]", True), ("[3, 5]", True)],
)
def test_tables_count_but_no_style_format_comment_index_or_shape(sentence: str, found: bool, tmp_path: Path) -> None:
    cell = code("f'{x:77}'  # 8.88\nx[6, 6].reshape((3, 5))", TABLE)
    lesson = saved(more(cell, text(sentence)), tmp_path / "99_scale.ipynb")
    assert broken_rules(lesson) == ({"every_number_in_prose_is_shown"} if found else set())
