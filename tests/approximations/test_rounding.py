"""Fewer bits."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, scaled_dot_product_attention, softmax
from attention_lab.approximations import relative_error, rounded, rounded_attention
from tests.strategies import close, seeds

# By hand


def test_four_bits_are_the_whole_numbers_from_minus_seven_to_seven():
    assert close(rounded([-7.0, 2.4, 2.6, 7.0], 4), [-7, 2, 3, 7])
    assert close(rounded([-14.0, 4.8, 5.2, 14.0], 4), [-14, 4, 6, 14])


def test_two_bits_keep_the_sign_of_what_is_large():
    assert close(rounded([-1.0, 0.4, 0.6], 2), [-1, 0, 1])


def test_each_vector_has_its_own_scale_along_the_axis_that_is_named():
    x = [[1.0, 0.0], [100.0, 1.0]]
    assert close(rounded(x, 4), [[1, 0], [100, 0]])  # beside 100, 1 is nothing
    assert close(rounded(x, 4, axis=0), [[0, 0], [100, 1]])


# Law


@given(seeds, st.integers(2, 16))
def test_no_number_moves_by_more_than_half_a_step(seed, bits):
    x = np.random.default_rng(seed).normal(size=(3, 8))
    step = np.abs(x).max(axis=-1, keepdims=True) / (2 ** (bits - 1) - 1)
    assert (np.abs(rounded(x, bits) - x) <= step / 2 * (1 + 1e-9)).all()
    assert close(rounded(rounded(x, bits), bits), rounded(x, bits))


@pytest.mark.parametrize("bits", [8, 16, 24, 32])
def test_in_float32_no_number_moves_by_more_than_half_a_step_and_what_float32_rounds_itself(bits):
    x = np.random.default_rng(0).normal(size=(1000, 8)).astype("float32")
    step = np.abs(x.astype(float)).max(axis=-1, keepdims=True) / (2 ** (bits - 1) - 1)
    assert (np.abs(rounded(x, bits).astype(float) - x) <= step * (0.5 + 2.0 ** (bits - 23))).all()


def test_zeros_stay_and_so_does_the_type():
    assert (rounded(np.zeros((2, 3)), 8) == 0).all()
    assert rounded(np.ones((2, 3), "float32"), 8).dtype == "float32"
    assert rounded_attention(*np.ones((3, 2, 2), "float32"), bits=8).dtype == "float32"


@pytest.mark.parametrize("seed", range(5))
def test_four_bits_more_divide_the_error_by_about_sixteen_down_to_exact(seed):
    q, k, v = np.random.default_rng(seed).normal(size=(3, 64, 16))
    exact = scaled_dot_product_attention(q, k, v).output
    errors = [float(relative_error(rounded_attention(q, k, v, bits=bits), exact)) for bits in (8, 12, 16, 20)]
    assert all(12 < more / less < 21 for more, less in pairwise(errors))
    assert relative_error(rounded_attention(q, k, v, bits=32), exact) < 1e-8


# Agreement


def test_it_is_the_product_of_whole_numbers_times_their_scales():
    q, k, v = np.random.default_rng(0).normal(size=(3, 6, 4))

    def whole(x, axis=-1):
        scale = np.abs(x).max(axis=axis, keepdims=True) / 127
        return np.rint(x / scale).astype(np.int8).astype(np.int32), scale

    (q_whole, q_scale), (k_whole, k_scale), (v_whole, v_scale) = whole(q), whole(k), whole(v, axis=0)
    weights, w_scale = whole(softmax(q_whole @ k_whole.T * (q_scale * k_scale.T) / 2))
    expected = weights @ v_whole * (w_scale * v_scale)
    assert close(rounded_attention(q, k, v, bits=8), expected)


# Refusal


@pytest.mark.parametrize("bits", [0, 1, 33])
def test_other_bits_are_refused(bits):
    with pytest.raises(ValueError, match=f"bits must lie between 2 and 32, but is {bits}"):
        rounded([1.0], bits)


def test_bad_input_is_refused_in_words():
    q, k, v = np.ones((3, 4, 2))
    with pytest.raises(TypeError, match="bits must be a whole number"):
        rounded([1.0], 7.5)
    with pytest.raises(ShapeError, match="v has n_keys = 3, but k has n_keys = 4"):
        rounded_attention(q, k, v[1:], bits=8)
