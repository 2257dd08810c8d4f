"""Layer norm, the error function and GELU."""

import math

import numpy as np
import pytest

from attention_lab.pretrained.layers import erf, gelu, layer_norm

WIDE = np.linspace(-7, 7, 100_001)


def test_a_row_is_normed_by_hand():
    normed = layer_norm(np.array([[2.0, 4.0], [5.0, 5.0]]), np.array([1.0, 10.0]), np.array([0.0, 1.0]), 0.0 + 1e-12)
    np.testing.assert_allclose(normed, [[-1, 11], [0, 1]], atol=1e-10)


def test_epsilon_stands_beside_the_variance():
    normed = layer_norm(np.array([[-1.0, 1.0]]), np.ones(2), np.zeros(2), 3.0)
    np.testing.assert_allclose(normed, [[-0.5, 0.5]])


def test_the_error_function_is_exact_in_float64():
    assert erf(WIDE).tolist() == [math.erf(x) for x in WIDE]


def test_the_error_function_is_good_to_1e_7_in_float32():
    narrow = WIDE.astype(np.float32)
    answer = erf(narrow)
    assert answer.dtype == np.float32
    assert np.abs(answer - erf(narrow.astype(np.float64))).max() < 1e-7


def test_no_number_is_further_from_the_table_than_1_512():
    near_zero = np.linspace(-1 / 32, 1 / 32, 20_001, dtype=np.float32)  # float32 itself is finer than the table here
    assert np.abs(erf(near_zero) - erf(near_zero.astype(np.float64))).max() < 1e-8  # steps of 1/128 miss by 2.4e-8


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_error_function_keeps_nan_and_ends_at_one(dtype):
    np.testing.assert_array_equal(erf(np.array([np.nan, np.inf, -np.inf, 0], dtype=dtype)), [np.nan, 1, -1, 0])


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-6), ("float64", 1e-15)])
def test_gelu_is_a_number_times_the_chance_of_a_smaller_one(dtype, tolerance):
    x = WIDE.astype(dtype)
    expected = [value * 0.5 * math.erfc(-value / math.sqrt(2)) for value in x.tolist()]
    answer = gelu(x)
    assert answer.dtype == dtype
    np.testing.assert_allclose(answer, expected, atol=tolerance, rtol=1e-14)
