"""The parts of a model besides attention, against finite differences."""

import numpy as np
import pytest

from attention_lab.training.layers import cross_entropy, layer_norm, layer_norm_back, perceptron, perceptron_back
from tests.training.slopes import slope

RNG = np.random.default_rng(0)


def drawn(*shapes):
    rng = np.random.default_rng(1)
    return [rng.standard_normal(shape) for shape in shapes]


def test_a_layer_norm_gives_each_row_mean_0_and_spread_1():
    (x,) = drawn((5, 64))
    y, _ = layer_norm(7 * x + 3, np.ones(64), np.zeros(64))
    np.testing.assert_allclose(y.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(y.std(axis=-1), 1, rtol=1e-5)


def test_a_row_of_equal_numbers_stays_finite():
    y, _ = layer_norm(np.full((1, 4), 3.0), np.ones(4), np.full(4, 2.0))
    assert y.tolist() == [[2, 2, 2, 2]]


def test_the_gradients_of_a_layer_norm_agree_with_finite_differences():
    x, gain, shift, d_y = drawn((4, 6), 6, 6, (4, 6))

    def loss():
        return float((layer_norm(x, gain, shift)[0] * d_y).sum())

    _, kept = layer_norm(x, gain, shift)
    d_gain, d_shift = np.empty(6), np.empty(6)
    d_x = layer_norm_back(d_y, kept, gain, d_gain, d_shift)
    for array, found in ((x, d_x), (gain, d_gain), (shift, d_shift)):
        np.testing.assert_allclose(found.reshape(-1), slope(loss, array, range(array.size)), atol=1e-8)


def test_the_gradients_of_a_perceptron_agree_with_finite_differences():
    x, W_1, b_1, W_2, b_2, d_y = drawn((4, 3), (3, 8), 8, (8, 3), 3, (4, 3))

    def loss():
        return float((perceptron(x, W_1, b_1, W_2, b_2)[0] * d_y).sum())

    _, kept = perceptron(x, W_1, b_1, W_2, b_2)
    into = tuple(np.empty_like(array) for array in (W_1, b_1, W_2, b_2))
    d_x = perceptron_back(d_y, kept, W_1, W_2, into)
    for array, found in zip((x, W_1, b_1, W_2, b_2), (d_x, *into), strict=True):
        np.testing.assert_allclose(found.reshape(-1), slope(loss, array, range(array.size)), atol=1e-8)


def test_a_cross_entropy_by_hand():
    loss, d_logits = cross_entropy(np.log([[0.25, 0.75], [0.5, 0.5]]), np.array([1, 0]), np.ones(2))
    assert loss == pytest.approx(-(np.log(0.75) + np.log(0.5)) / 2)
    np.testing.assert_allclose(d_logits, [[0.125, -0.125], [-0.25, 0.25]], atol=1e-12)


def test_what_does_not_count_has_no_loss_and_no_gradient():
    logits = np.array([[1.0, 2.0], [1000.0, -1000.0]])
    loss, d_logits = cross_entropy(logits.copy(), np.array([0, 1]), np.array([1.0, 0.0]))
    alone, _ = cross_entropy(logits[:1].copy(), np.array([0]), np.ones(1))
    assert loss == alone
    assert not d_logits[1].any()


def test_large_logits_neither_overflow_nor_lose_the_loss():
    loss, _ = cross_entropy(np.array([[1000.0, 0.0]]), np.array([1]), np.ones(1))
    assert loss == 1000
