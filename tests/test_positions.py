"""Positions: where a word stands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab.attention import attention_scores, scaled_dot_product_attention
from attention_lab.masks import causal_mask
from attention_lab.positions import distance_bias, rotate_by_position, sinusoidal_positions
from attention_lab.shapes import ShapeError

RNG = np.random.default_rng


# By hand


def test_position_0_is_sine_and_cosine_of_0():
    assert sinusoidal_positions(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_the_first_pair_turns_by_1_a_word_and_the_second_by_the_root_of_the_base():
    p = sinusoidal_positions(8, 4, base=100.0)
    assert np.allclose(p[5], [np.sin(5), np.cos(5), np.sin(0.5), np.cos(0.5)], atol=1e-15)


def test_unless_another_base_is_given_the_second_of_two_pairs_turns_by_a_hundredth_a_word():
    slow = [np.sin(0.01), np.cos(0.01)]
    assert np.allclose(sinusoidal_positions(2, 4)[1, 2:], slow, rtol=0, atol=1e-15)
    assert np.allclose(rotate_by_position([[0.0] * 4, [0.0, 0.0, 0.0, 1.0]])[1, 2:], [-slow[0], slow[1]], atol=1e-15)


def test_a_turned_pair_keeps_its_length_and_gains_its_position_as_an_angle():
    turned = rotate_by_position([[3.0, 0.0], [3.0, 0.0]])
    assert np.allclose(turned, [[3, 0], [3 * np.cos(1), 3 * np.sin(1)]], atol=1e-15)


def test_a_pair_is_made_of_neighbours():
    turned = rotate_by_position([[0.0] * 4, [0.0, 0.0, 1.0, 0.0]], base=100.0)
    assert np.allclose(turned[1], [0, 0, np.cos(0.1), np.sin(0.1)], atol=1e-15)


def test_with_eight_heads_the_slopes_halve_from_head_to_head():
    assert (-distance_bias(8, 1, 2)[:, 0, 0]).tolist() == [2.0**-i for i in range(1, 9)]


def test_the_bias_grows_with_the_distance_on_both_sides():
    assert distance_bias(1, 3, 3)[0].tolist() == [
        [0, -1 / 256, -2 / 256],
        [-1 / 256, 0, -1 / 256],
        [-2 / 256, -1 / 256, 0],
    ]


def test_the_last_query_stands_at_the_last_key():
    assert distance_bias(1, 1, 3)[0].tolist() == [[-2 / 256, -1 / 256, 0]]


# Law


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 1000))
def test_the_dot_product_of_two_positions_depends_on_how_far_apart_they_stand(i, j, shift):
    p = sinusoidal_positions(1051, 16)
    assert abs(p[i] @ p[j] - p[i + shift] @ p[j + shift]) < 1e-11


@given(st.integers(0, 1000), st.integers(0, 2**32 - 1))
def test_scores_of_turned_words_stay_when_all_move_on_together(start, seed):
    q, k = RNG(seed).standard_normal((2, 6, 8))
    here = attention_scores(rotate_by_position(q), rotate_by_position(k))
    there = attention_scores(rotate_by_position(q, start=start), rotate_by_position(k, start=start))
    assert np.allclose(here, there, rtol=0, atol=1e-11)


def test_moving_queries_alone_changes_the_scores():
    q, k = RNG(0).standard_normal((2, 6, 8))
    moved = attention_scores(rotate_by_position(q, start=1), rotate_by_position(k))
    assert not np.allclose(moved, attention_scores(rotate_by_position(q), rotate_by_position(k)), atol=0.01)


def test_leading_axes_are_turned_alike():
    x = RNG(0).standard_normal((2, 3, 5, 4))
    assert (rotate_by_position(x)[1, 2] == rotate_by_position(x[1, 2])).all()


def test_a_cache_starts_where_the_words_before_it_end():
    x = RNG(0).standard_normal((5, 4))
    assert np.allclose(rotate_by_position(x)[3:], rotate_by_position(x[3:], start=3), atol=1e-15)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_the_number_type_stays_and_the_input_is_left_alone(kind):
    x = RNG(0).standard_normal((5, 4)).astype(kind)
    before = x.copy()
    turned = rotate_by_position(x)
    assert turned.dtype == kind
    assert (x == before).all()
    assert np.allclose(turned, rotate_by_position(x.astype(float)), atol=np.finfo(kind).eps * 10)


def test_a_long_text_keeps_float32_close():
    x = RNG(0).standard_normal((4, 64))
    far = rotate_by_position(x.astype(np.float32), start=100_000)
    assert np.allclose(far, rotate_by_position(x, start=100_000), atol=1e-6)


def test_a_bias_and_a_mask_go_together():
    q, k, v = RNG(0).standard_normal((3, 2, 4, 8))
    seen = scaled_dot_product_attention(q, k, v, bias=distance_bias(2, 4), mask=causal_mask(4))
    assert (np.triu(seen.weights, k=1) == 0).all()
    assert np.allclose(seen.weights.sum(-1), 1)


def test_what_is_too_large_for_its_type_when_turned_is_infinite_and_an_infinite_pair_may_be_nan():
    assert np.isinf(rotate_by_position(np.full((2, 2), 60_000, np.float16))[1, 1])
    assert np.isnan(rotate_by_position([[np.inf, 1.0]])[0, 1])


def test_sizes_of_numpy_count_as_those_of_python():
    assert (distance_bias(np.int8(127), np.int8(2)) == distance_bias(127, 2)).all()
    assert (
        rotate_by_position(np.ones((2, 2)), start=np.int8(127)) == rotate_by_position(np.ones((2, 2)), start=127)
    ).all()
    assert (sinusoidal_positions(np.uint8(3), np.uint8(4)) == sinusoidal_positions(3, 4)).all()


@pytest.mark.parametrize("shape", [(0, 4), (3, 0)])
def test_nothing_has_no_positions(shape):
    assert sinusoidal_positions(*shape).shape == shape
    assert rotate_by_position(np.zeros(shape)).shape == shape


# Refusal


def test_an_odd_width_is_refused_by_its_name():
    with pytest.raises(ShapeError, match="d_model = 3 is odd"):
        sinusoidal_positions(2, 3)
    with pytest.raises(ShapeError, match="d_k = 5 is odd"):
        rotate_by_position(np.zeros((2, 5)))


def test_a_vector_alone_is_refused():
    with pytest.raises(ShapeError, match="x has too few axes"):
        rotate_by_position(np.zeros(4))


@pytest.mark.parametrize("base", [1, 0, -3])
def test_a_base_of_1_or_less_is_refused(base):
    with pytest.raises(ValueError, match="base must be above 1"):
        sinusoidal_positions(2, 4, base=base)


@pytest.mark.parametrize("start", [2**53 - 1, 10**20, 10**400])
def test_a_start_beyond_which_floats_cannot_count_is_refused(start):
    with pytest.raises(ValueError, match=r"^start must be below 2\*\*53"):
        rotate_by_position(np.zeros((2, 4)), start=start)


def test_no_heads_and_negative_sizes_are_refused():
    with pytest.raises(ValueError, match="n_heads must be at least 1, not 0"):
        distance_bias(0, 3)
    with pytest.raises(ValueError, match="n_tokens"):
        sinusoidal_positions(-1, 4)
    with pytest.raises(ValueError, match="start"):
        rotate_by_position(np.zeros((2, 4)), start=-1)
