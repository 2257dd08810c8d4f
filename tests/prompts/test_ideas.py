"""Every misconception stands once in the catalogue, and each lesson asks about those that are due there."""

import re

import pytest

from attention_lab.exercises.bank import MISTAKES
from attention_lab.exercises.catalogue import LESSONS
from attention_lab.prompts import ideas
from attention_lab.prompts.ideas import IDEAS
from tests.prompts.page import everything, missing


@pytest.mark.parametrize("idea", IDEAS.values(), ids=IDEAS)
def test_an_idea_has_a_code_a_belief_in_one_sentence_and_lessons(idea):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", idea.code)
    assert re.fullmatch(r"[A-Z][^.?]*\.", idea.belief)
    assert len(idea.belief) <= 80
    assert idea.lessons == tuple(sorted(set(idea.lessons)))
    assert idea.lessons
    assert all(re.fullmatch(r"0\d", lesson) for lesson in idea.lessons)


def test_no_code_stands_twice_or_is_one_of_a_mistake_in_code():
    assert len(IDEAS) == len(ideas._ALL)
    assert not set(IDEAS) & {mistake.code for mistake in MISTAKES}


def test_no_belief_stands_twice():
    assert len({idea.belief for idea in IDEAS.values()}) == len(IDEAS)


def test_whatever_is_asked_has_ideas_of_the_catalogue_behind_it():
    asked = everything()
    assert {one.kind for one in asked} == {"warm-up", "prediction", "sketch", "end", "test"}
    for one in asked:
        assert one.codes
        assert set(one.codes) <= set(IDEAS), one.name


def test_each_lesson_that_is_there_asks_about_the_ideas_that_are_due_in_it():
    assert {(lesson, code) for code in IDEAS for lesson in missing(code) if lesson in LESSONS} == set()
