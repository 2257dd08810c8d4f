"""How weights move with scores: by hand, by its laws, against finite differences and PyTorch."""

import numpy as np
import pytest

from attention_lab import ShapeError, softmax
from attention_lab.training import softmax_jacobian
from tests.training.slopes import slope


def rows_of_weights(*lead, n_keys=6):
    return softmax(3 * np.random.default_rng(0).standard_normal((*lead, n_keys)))


def test_of_two_rivals_each_gains_what_the_other_loses():
    expected = [[0.25, -0.25, 0], [-0.25, 0.25, 0], [0, 0, 0]]
    np.testing.assert_allclose(softmax_jacobian([0.5, 0.5, 0]), expected, rtol=0, atol=1e-15)


def test_every_entry_is_what_the_formula_says():
    expected = [[0.2 * 0.8, -0.2 * 0.3, -0.2 * 0.5], [-0.3 * 0.2, 0.3 * 0.7, -0.3 * 0.5], [-0.1, -0.15, 0.25]]
    np.testing.assert_allclose(softmax_jacobian([0.2, 0.3, 0.5]), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("row", [[0.0, 1.0, 0.0], [0, 1, 0], [0.0, 0.0, 0.0]])
def test_a_pick_and_an_empty_row_have_no_slope_and_no_negative_zero(row):
    squares = softmax_jacobian(row)
    assert not squares.any()
    assert not np.signbit(squares).any()


@pytest.mark.parametrize("lead", [(), (4,), (2, 3)])
def test_there_is_a_symmetric_square_for_each_row_and_its_rows_sum_to_nothing(lead):
    squares = softmax_jacobian(rows_of_weights(*lead))
    assert squares.shape == (*lead, 6, 6)
    np.testing.assert_allclose(squares.sum(axis=-1), 0, atol=1e-15)
    np.testing.assert_array_equal(squares, squares.swapaxes(-1, -2))


def test_rows_do_not_mix():
    weights = rows_of_weights(2, 3)
    np.testing.assert_array_equal(softmax_jacobian(weights)[1, 2], softmax_jacobian(weights[1, 2]))


def test_no_slope_is_steeper_than_a_quarter():
    assert softmax_jacobian([0.5, 0.5]).max() == 0.25
    assert np.abs(softmax_jacobian(rows_of_weights(1000))).max() <= 0.25


def test_nan_stays_in_its_row():
    squares = softmax_jacobian([[0.5, np.nan], [0.5, 0.5]])
    assert np.isnan(squares[0]).any()
    np.testing.assert_array_equal(squares[1], [[0.25, -0.25], [-0.25, 0.25]])


@pytest.mark.parametrize(("given", "answered"), [("f2", "f2"), ("f4", "f4"), ("f8", "f8"), ("i8", "f8")])
def test_the_number_type_stays(given, answered):
    assert softmax_jacobian(np.array([0, 1], given)).dtype == answered


def test_float16_is_computed_in_float32():
    weights = np.array([0.3, 0.3, 0.4], "f2")
    np.testing.assert_array_equal(softmax_jacobian(weights), softmax_jacobian(weights.astype("f4")).astype("f2"))


def test_the_weights_are_left_as_they_are():
    weights = rows_of_weights(3)
    before = weights.copy()
    softmax_jacobian(weights)[:] = 7
    np.testing.assert_array_equal(weights, before)


def test_it_agrees_with_finite_differences():
    scores = np.array([0.5, -1.0, 2.0, 1.5])
    found = softmax_jacobian(softmax(scores))
    for i in range(4):
        np.testing.assert_allclose(found[i], slope(lambda i=i: float(softmax(scores)[i]), scores, range(4)), atol=1e-9)


def test_it_agrees_with_pytorch(torch):
    scores = 3 * np.random.default_rng(1).standard_normal(6)
    theirs = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, -1), torch.tensor(scores)).numpy()
    np.testing.assert_allclose(softmax_jacobian(softmax(scores)), theirs, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([4.0, 2.0, 10.0], ValueError, "weights holds 4; a weight lies between 0 and 1. Are these scores"),
        ([0.5, 0.4], ValueError, "A row of weights sums to 0.9; each must sum to 1, or to 0"),
        ([[0.5, 0.5], [0.5, 0.6]], ValueError, "A row of weights sums to 1.1"),
        (1.0, ShapeError, "weights has too few axes"),
        (["river"], TypeError, "weights holds text"),
    ],
)
def test_what_are_no_weights_is_refused_in_words(weights, error, message):
    with pytest.raises(error, match=message):
        softmax_jacobian(weights)
