"""Functions written as learners write them are named as they should be, at every try."""

import re
from collections import Counter

import numpy as np
import pytest

import attention_lab
from attention_lab.exercises import check
from attention_lab.exercises.bank import MISTAKES
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.diagnose import right_answer, same, single_ways
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.exercises.probes import several
from attention_lab.exercises.steps import side_by_side
from tests.exercises.confusion import all_made, told
from tests.exercises.learners_all import KNOWN, PAIRS, RIGHT, UNKNOWN, verdict_and_codes, wanted
from tests.exercises.learners_table import softmax

TRIES = 5
HALF_OF_THE_ANSWER = ("softmax", "empty-rows", "empty-softmax")  # is the package's softmax there
FUNCTIONS = [name for name, exercise in EXERCISES.items() if isinstance(exercise, FunctionExercise)]


# Whatever is said of an unknown answer, it is one of the things that can be seen.
SEEN = r"shape|NaN|infinite|sums? to|right|negative|stops in|off by"


def rows_of(exercise, *tables):
    return [row for table in tables for row in table if row.exercise == exercise]


# What is said of each


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_check_says_the_same_and_what_it_should_at_every_try(exercise):
    for row in rows_of(exercise, KNOWN, RIGHT):
        said = {verdict_and_codes(check(row.function, exercise)) for _ in range(TRIES)}
        assert said == {wanted(row)}, row.name


def packages_own(scores, axis=-1):
    return attention_lab.softmax(scores, axis=axis)


@pytest.mark.parametrize("exercise", [name for name in FUNCTIONS if name not in HALF_OF_THE_ANSWER])
def test_it_says_the_same_where_the_softmax_is_the_packages_own(exercise, monkeypatch):
    for row in rows_of(exercise, KNOWN, RIGHT):
        if "softmax" in row.function.__code__.co_names and row.function.__globals__.get("softmax") is softmax:
            with monkeypatch.context() as patch:
                patch.setitem(row.function.__globals__, "softmax", packages_own)
                assert verdict_and_codes(check(row.function, exercise)) == wanted(row), row.name


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_nobody_is_accused_of_what_is_in_no_bank_and_no_number_is_given_away(exercise, monkeypatch):
    given_away = []

    def spy(*asked):
        given_away.append(right_answer(*asked))
        return given_away[-1]

    monkeypatch.setattr("attention_lab.exercises.checking.right_answer", spy)
    for row in rows_of(exercise, UNKNOWN):
        for _ in range(TRIES):
            given_away.clear()
            report = check(row.function, exercise)
            assert verdict_and_codes(report) == ("not yet", ()), row.name
            assert re.search(SEEN, report.message), row.name
            assert given_away
            assert not numbers_in(report.message) & {written(x) for right in given_away for x in np.ravel(right)}


def numbers_in(message):
    return set(re.findall(r"-?\d+\.\d+", message))


def written(number):
    return f"{number:.4g}"


# The table covers the bank


def test_every_code_that_can_be_made_has_a_function_that_a_learner_wrote():
    written = {code for row in KNOWN for code in row.expected}
    assert {mistake.code for mistake in MISTAKES if mistake.ways} <= written


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_every_code_has_one_in_each_exercise_where_it_can_be_made(exercise):
    made = {each.code for each in all_made(exercise) if told(each, 1) == {each.code: 1}}
    written = {code for row in KNOWN if row.exercise == exercise for code in row.expected}
    assert made <= written


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_every_exercise_has_four_right_answers_in_other_clothes(exercise):
    assert sum(row.exercise == exercise for row in RIGHT) >= 4


def test_there_are_enough_pairs_and_unknown_answers():
    assert len(PAIRS) >= 25
    assert len(UNKNOWN) >= 20


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_the_right_ones_are_right_by_the_numbers(exercise):
    for row in rows_of(exercise, RIGHT):
        for arguments in several(EXERCISES[exercise].inputs, np.random.default_rng(3), False, 3):
            with np.errstate(all="ignore"):
                answer = row.function(*arguments.values())
            if EXERCISES[exercise].gives:
                answer = side_by_side(*map(np.asarray, answer))
            assert same(right_answer(EXERCISES[exercise], arguments), answer), row.name


# The tests above can fail


def test_a_bank_without_a_code_leaves_its_functions_without_a_name(monkeypatch):
    rest = [each for each in MISTAKES if each.code != "mask-added-as-numbers"]
    monkeypatch.setattr("attention_lab.exercises.diagnose.MISTAKES", rest)
    rows = [row for row in KNOWN if row.expected == ("mask-added-as-numbers",)]
    assert rows
    said = Counter(verdict_and_codes(check(row.function, row.exercise)) for row in rows)
    assert said == {("not yet", ()): len(rows)}


def test_a_new_code_without_a_function_would_be_noticed():
    made = {mistake.code for name in FUNCTIONS for mistake, _ in single_ways(EXERCISES[name])}
    without = {code for row in KNOWN for code in row.expected if code != "mask-one-too-far"}
    assert "mask-one-too-far" in made - without
