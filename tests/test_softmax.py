"""Weigh: scores become weights that sum to 1."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, softmax
from tests.strategies import close, plain_softmax, scores_and_masks

# By hand


def test_softmax_of_zero_and_log_three_is_a_quarter_and_three_quarters():
    assert close(softmax([0, math.log(3)]), [0.25, 0.75])


def test_a_hidden_score_gets_exactly_zero_and_the_rest_is_shared():
    weights = softmax([0, math.log(3), 50], mask=[True, True, False])
    assert close(weights, [0.25, 0.75, 0])
    assert weights[2] == 0.0


def test_temperature_divides_the_scores():
    assert close(softmax([0, 2 * math.log(3)], temperature=2), [0.25, 0.75])
    assert close(softmax([0, math.log(3) / 2], temperature=0.5), [0.25, 0.75])


def test_softmax_shares_out_along_the_axis_that_it_is_told():
    assert close(softmax([[0, 0], [0, math.log(3)]], axis=0), [[0.5, 0.25], [0.5, 0.75]])
    assert close(softmax([[0, 0], [0, math.log(3)]]), [[0.5, 0.5], [0.25, 0.75]])


# Law


@given(scores_and_masks())
def test_every_row_sums_to_one_unless_it_is_empty(inputs):
    scores, mask = inputs
    weights = softmax(scores, mask=mask)
    assert ((weights >= 0) & (weights <= 1)).all()
    assert close(weights.sum(axis=-1), mask.any(axis=-1).astype(float))
    assert (weights[~mask] == 0).all()


@given(scores_and_masks())
def test_softmax_is_the_plain_softmax_row_by_row(inputs):
    scores, mask = inputs
    assert close(softmax(scores, mask=mask), plain_softmax(scores, mask))
    assert close(softmax(scores), plain_softmax(scores))


@given(scores_and_masks(), st.floats(-50, 50))
def test_a_constant_added_to_the_scores_changes_nothing(inputs, constant):
    scores, mask = inputs
    assert close(softmax(scores + constant, mask=mask), softmax(scores, mask=mask))


@given(scores_and_masks(), st.floats(0.1, 10))
def test_temperature_is_the_same_as_dividing_the_scores(inputs, temperature):
    scores, mask = inputs
    assert close(softmax(scores, mask=mask, temperature=temperature), softmax(scores / temperature, mask=mask))


@given(scores_and_masks(), st.integers(-2, 1))
def test_the_axis_can_be_any(inputs, axis):
    scores, mask = inputs
    expected = np.moveaxis(softmax(np.moveaxis(scores, axis, -1), mask=np.moveaxis(mask, axis, -1)), -1, axis)
    assert close(softmax(scores, axis=axis, mask=mask), expected)


def test_softmax_gives_an_array_of_the_callers_own():
    scores = np.zeros(3)
    weights = softmax(scores)
    weights[0] = 9
    assert scores[0] == 0


# Refusal


@pytest.mark.parametrize("temperature", [0, 0.0, -1.0, np.float32(-2)])
def test_a_temperature_that_is_not_positive_is_refused(temperature):
    with pytest.raises(ValueError, match=r"^temperature must be a positive number, not"):
        softmax([1.0, 2.0], temperature=temperature)


@pytest.mark.parametrize("temperature", [math.nan, math.inf, -math.inf, "1", None, 1j, np.complex128(1), 10**400])
def test_a_temperature_that_is_not_a_finite_number_is_refused(temperature):
    with pytest.raises(ValueError, match=r"^temperature must be a finite number, not"):
        softmax([1.0, 2.0], temperature=temperature)


def test_an_axis_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="axis 2 is out of bounds for array of dimension 1"):
        softmax([1.0, 2.0], axis=2)


def test_softmax_refuses_a_mask_that_does_not_fit_its_scores():
    with pytest.raises(ShapeError, match=r"^mask has n_keys = 3, but the scores have n_keys = 2"):
        softmax([1.0, 2.0], mask=[True, True, False])
