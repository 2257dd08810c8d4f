"""Ten ideas, each asked twice with other numbers: the key is computed, and every wrong option can be told from it."""

import re

import numpy as np
import pytest

from attention_lab.exercises.catalogue import LESSONS
from attention_lab.prompts.items import ITEMS, TESTS, TWICE

ALL_LESSONS = {f"{number:02}" for number in range(9)}
every_idea = pytest.mark.parametrize("idea", TWICE, ids=lambda idea: idea.name)
FAIR = {"own": 0.1, "hidden": 0.8, "blind": 0.7}

# What would have to be measured for each wrong option of the start test to be the right one.
OTHERWISE = {
    "gaps": [([[0.1, 0.9], [0.1, 0.9], [0.2, 0.8]], 0), ([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]], 1)],
    "blend": [([4, 0], 0), ([4, 0, 0, 2], 1)],
    "back": [([[0, 6], [6, 0]], 0), ([[0, 6], [-6, 0]], 1)],
    "handed": [({"weights": 0.1, "output": 0.1}, 0), ({"weights": 0.1, "output": 0}, 1)],
    "growth": [(1.02, 0), (4.1, 1)],
    "leak": [({**FAIR, "hidden": 0.5}, 0), ({**FAIR, "own": 0.8}, 1)],
    "order": [([0, 0.1, 0, 0.1, 0], 0), ([0.2, 0.1, 0.2, 0.1, 0.3], 1)],
    "shared-out": [(np.full((3, 5), 1 / 3), 0), (np.zeros((0, 5)), 1)],
    "cost": [((100, 200), 0), ((100, 800), 1)],
    "effect": [([1, 0], 0), ([0.9, 0.1], 1)],
}


def numbers_of(text):
    return re.findall(r"\d+(?:\.\d+)?", text)


def test_there_are_ten_and_they_go_through_the_course():
    assert len({idea.name for idea in TWICE}) == len({idea.about for idea in TWICE}) == len(TWICE) == 10
    assert [idea.lesson for idea in TWICE] == sorted(idea.lesson for idea in TWICE)
    assert {idea.lesson for idea in TWICE} == ALL_LESSONS >= set(LESSONS)
    assert set(TESTS) == {"start", "end"}


@every_idea
@pytest.mark.parametrize("when", ["start", "end"])
def test_one_of_three_options_holds_and_both_others_are_refuted_misconceptions(idea, when):
    item = idea.item(when)
    measured = item.measure()
    holding = [option for option in item.options if option.holds(measured)]
    wrong = [option for option in item.options if option not in holding]
    assert len(holding) == 1
    assert len(wrong) == 2
    assert len({option.code for option in wrong}) == 2
    assert all(option.code and option.because for option in wrong)


@every_idea
def test_the_second_time_the_numbers_are_others_and_the_idea_is_the_same(idea):
    start, end = idea.item("start"), idea.item("end")
    assert set(numbers_of(start.text)) != set(numbers_of(end.text))
    assert [option.code for option in start.options] == [option.code for option in end.options]
    assert start.name != end.name


def test_letters_learned_by_heart_do_not_help():
    keys = {when: [item.key for item in items] for when, items in TESTS.items()}
    assert sum(start == end for start, end in zip(keys["start"], keys["end"], strict=True)) <= 4
    for letters in keys.values():
        assert {letters.count(letter) for letter in "ABC"} <= {2, 3, 4, 5}


@every_idea
def test_every_wrong_option_would_be_right_if_something_else_were_measured(idea):
    item = idea.item("start")
    for measured, number in OTHERWISE[idea.name]:
        measured = np.asarray(measured) if isinstance(measured, list) else measured
        assert item.right(measured)[1] is item.options[number]
    assert {number for _, number in OTHERWISE[idea.name]} == {0, 1}
    assert item.right(item.measure())[1] is item.options[2]


def test_no_question_of_the_tests_is_shown_before_by_name():
    assert not {item.name for items in TESTS.values() for item in items} & set(ITEMS)


def test_a_fair_coin_and_a_fair_die_are_guessed_blindly_at_the_logarithm_of_their_sides():
    for when, sides in (("start", 2), ("end", 6)):
        idea = next(idea for idea in TWICE if idea.name == "leak")
        losses = idea.item(when).measure()
        assert losses["blind"] == pytest.approx(np.log(sides))
        assert f"is {losses['own']:.2f}; blind guessing has {losses['blind']:.2f}." in idea.item(when).text
