"""Groups and orders compared by rank."""

import numpy as np
import pytest

from attention_lab import ShapeError
from attention_lab.diagnostics import auc, rank_correlation
from tests.strategies import close

# By hand


def test_the_area_counts_pairs_and_half_of_the_ties():
    assert auc([2, 3, 4], [1, 1, 3]) == pytest.approx(7.5 / 9)
    assert auc([1], [1]) == 0.5


def test_a_rank_correlation_by_the_formula_of_squared_differences():
    assert rank_correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) == pytest.approx(1 - 6 * 4 / (5 * 24))


def test_equal_numbers_share_the_mean_of_their_ranks():
    assert rank_correlation([1, 2, 3], [5, 5, 9]) == pytest.approx(np.corrcoef([0, 1, 2], [0.5, 0.5, 2])[0, 1])


# Laws


def test_the_area_is_1_for_what_lies_above_0_for_what_lies_below_and_turns_with_the_groups():
    high, low = np.random.default_rng(0).normal(size=(2, 9))
    assert auc(high + 9, low) == 1
    assert auc(high - 9, low) == 0
    assert auc(high, low) == pytest.approx(1 - auc(low, high))


def test_only_the_order_counts():
    one, other = np.random.default_rng(0).normal(size=(2, 6, 12))
    found = rank_correlation(one, other)
    assert rank_correlation(np.exp(one), 5 + other**3) == pytest.approx(found)
    assert rank_correlation(one, -other) == pytest.approx(-found)
    assert auc(np.exp(one), np.exp(other)).tolist() == auc(one, other).tolist()
    assert rank_correlation(one, one) == pytest.approx(1)


def test_leading_axes_are_kept_and_groups_may_differ_in_size():
    high, low = np.random.default_rng(0).normal(size=(3, 4)), np.random.default_rng(1).normal(size=(2, 1, 7))
    found = auc(high, low)
    assert found.shape == (2, 3)
    close(found[1, 2], auc(high[2], low[1, 0]))


def test_an_area_by_chance_is_a_half():
    high, low = np.random.default_rng(0).normal(size=(2, 2000, 8))
    assert auc(high, low).mean() == pytest.approx(0.5, abs=0.01)


# Refusal


@pytest.mark.parametrize(
    ("high", "low", "error", "said"),
    [
        ([], [1], ShapeError, r"higher has shape \(0,\)"),
        ([1], 2, ShapeError, r"lower has shape \(\)"),
        (np.ones((2, 3)), np.ones((3, 3)), ShapeError, r"The leading axes of higher are \(2,\)"),
        ([1], [np.nan], ValueError, "lower holds NaN"),
        (["a"], [1], TypeError, "higher"),
    ],
)
def test_groups_that_cannot_be_compared_are_refused(high, low, error, said):
    with pytest.raises(error, match=said):
        auc(high, low)


@pytest.mark.parametrize(
    ("one", "other", "error", "said"),
    [
        ([1, 2], [1, 2, 3], ShapeError, r"one has shape \(2,\), other \(3,\)"),
        ([1], [1], ShapeError, "two things or more"),
        ([1, np.nan], [1, 2], ValueError, "one holds NaN"),
        ([1, 2], [3, 3], ValueError, "other holds the same number 2 times"),
    ],
)
def test_orders_that_cannot_be_compared_are_refused(one, other, error, said):
    with pytest.raises(error, match=said):
        rank_correlation(one, other)
