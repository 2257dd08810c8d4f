import numpy as np

from attention_lab.exercises.mistake import in_all, row, total, yours
from attention_lab.exercises.steps import State


def test_a_row_is_written_with_two_digits_and_what_hides_in_short():
    assert row([[0, 0], [-0.001, -1e9]]) == "0.00 and -1e9"
    assert row(np.array([[0, 0], [-np.inf, np.nan]])) == "-inf and nan"
    assert row(np.ones((2, 3, 1))) == "1.00"
    assert row([[1, 2, 3]], 0) == "1.00, 2.00 and 3.00"


def test_a_total_is_that_of_bank_in_the_first_table():
    assert total(np.arange(12).reshape(2, 3, 2)) == 2 + 3


def test_what_bank_has_is_said_with_numbers_where_there_are_some():
    state = State(output=np.eye(2), scores=np.eye(2))
    assert yours(state, "scores", "x") == 'On the three words, your scores for "bank" are 0.00 and 1.00: x.'
    assert yours(state, "output", "x") == 'On the three words, your output for "bank" is 0.00 and 1.00: x.'
    assert yours(State(), "weights", "x") == "Your weights are x."
    assert yours(State(), "output", "x") == "Your output is x."


def test_a_sum_has_as_many_digits_as_it_takes():
    assert [in_all(State(weights=np.full((2, 1), x)), "?") for x in (0.018, 0.71, 1198.4)] == ["0.018", "0.71", "1198"]
    assert in_all(State(), "less than 1") == "less than 1"
