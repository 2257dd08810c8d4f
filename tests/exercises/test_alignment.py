"""Two maps of half-learned translators, scored by hand."""

import numpy as np
import pytest

from attention_lab.examples import EARLY, EARLY_TOO
from attention_lab.exercises import check, hint
from attention_lab.exercises.catalogue import EXERCISES


@pytest.mark.parametrize("score", [0.8, 4 / 5, np.float64(0.8), np.mean([1, 0, 1, 1, 1])])
def test_four_of_five_words_look_most_at_their_partner(score):
    report = check(score, "alignment")
    assert report.verdict == "right"
    assert report.message == "4 of 5 words look most at their partner."


def test_each_map_gives_another_number_by_its_columns_and_by_its_mean():
    for name, right, columns, weight in (("alignment", 0.8, 0.4, 0.554), ("alignment-again", 0.6, 0.8, 0.572)):
        assert check(right, name)
        assert check(columns, name).mistakes == ("pairs-by-column",)
        assert check(weight, name).message.startswith("That is the mean weight on the partners: how sure the map is.")


def test_the_hints_of_a_column_reader_ask_who_shares_out():
    check(0.4, "alignment")
    assert "Who shares out 100%: a row or a column?" in str(hint("alignment"))


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (4, "A share of the 5 words is asked for: a number from 0 to 1."),
        (-0.2, "A share of the 5 words is asked for"),
        ("four", "my_score: a number is expected, such as 2; yours is 'four'."),
        ([0.8], "my_score: a number is expected"),
        (0.2, "0.2 would be 1 of 5 words."),
        (1, "1 would be 5 of 5 words."),
    ],
)
def test_another_number_is_answered_by_what_it_would_mean(score, said):
    report = check(score, "alignment")
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.message.startswith(said)


def test_the_exercise_reads_the_maps_that_the_lesson_shows():
    for name, example in (("alignment", EARLY), ("alignment-again", EARLY_TOO)):
        rows = example.weights.argmax(axis=-1)
        assert check((rows == example.partners).mean(), name)
        assert EXERCISES[name].optional
