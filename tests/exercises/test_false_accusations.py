"""Of a thousand wrong functions that are no known mistake, none is accused; and the search can say no."""

import pytest

from attention_lab.exercises import check
from tests.exercises.random_functions import BENT, RIGHT, SHARES, accused, random_function


@pytest.mark.parametrize("exercise", SHARES)
def test_no_random_function_is_accused_or_called_right(exercise):
    assert accused(exercise, SHARES[exercise]) == []


def test_there_are_a_thousand_of_them():
    assert sum(SHARES.values()) >= 1000


@pytest.mark.parametrize("exercise", SHARES)
def test_they_differ_from_each_other(exercise):
    assert len({random_function(exercise, seed)[1] for seed in range(20)}) > 5


@pytest.mark.parametrize("exercise", SHARES)
def test_most_of_them_run_and_give_numbers(exercise):
    messages = [check(random_function(exercise, seed)[0], exercise).message for seed in range(10)]
    assert sum("stops" in message or "NaN" in message for message in messages) <= 2


def test_the_same_generator_without_anything_odd_is_accused_of_what_is_left(monkeypatch):
    """Where all that bends is straight, what remains are known mistakes and right answers, and the table says so."""
    straight = dict.fromkeys([*BENT, "far"], lambda x: x)
    monkeypatch.setattr("tests.exercises.random_functions.ON_SCORES", straight)
    monkeypatch.setattr("tests.exercises.random_functions.BENT", straight)
    assert len(accused("attention", 40)) > 5


@pytest.mark.parametrize("exercise", ["blend", "scores", "softmax", "split-heads"])
def test_what_the_generator_bends_is_right_before(exercise):
    assert check(RIGHT[exercise], exercise)
