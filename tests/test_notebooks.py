"""Every committed lesson keeps every rule; what a rule says stands in the modules `lesson_*` of this folder."""

from functools import cache
from pathlib import Path

import pytest

from tests.lesson import Lesson
from tests.lesson_budgets import BUDGET_RULES, explained_minutes
from tests.lesson_exercises import EXERCISE_RULES
from tests.lesson_numbers import NUMBER_RULES
from tests.lesson_rules import CELL_RULES, Rule
from tests.run_notebooks import lessons

RULES = [*CELL_RULES, *BUDGET_RULES, *NUMBER_RULES, *EXERCISE_RULES]
open_lesson = cache(Lesson.open)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_lesson_keeps_the_rule(path: Path, rule: Rule) -> None:
    faults = list(rule(open_lesson(path)))
    assert not faults, "\n".join([path.name, *faults])


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_the_minutes_of_a_lesson_are_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{path.stem}: {explained_minutes(open_lesson(path))}")
