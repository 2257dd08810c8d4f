"""Linear attention: three ways to compute the same."""

import numpy as np
import pytest
from hypothesis import given

from attention_lab import ShapeError, causal_mask, scaled_dot_product_attention
from attention_lab.approximations import elu_plus_one, linear_attention, linear_recurrent, linear_weights
from tests.strategies import attention_inputs, close, snapshot

# By hand


def test_the_features_are_x_plus_one_above_zero_and_an_exponential_below():
    assert close(elu_plus_one([-1.0, 0.0, 1.5]), [np.exp(-1), 1, 2.5])


def test_a_feature_is_above_zero_until_its_exponential_is_no_number_any_more():
    assert (elu_plus_one([-745.0, -746.0]) > 0).tolist() == [True, False]
    assert (elu_plus_one(np.array([-103.0, -104.0], "float32")) > 0).tolist() == [True, False]


def test_two_equal_keys_share_alike_and_a_larger_one_takes_more():
    weights = linear_weights([[1.0]], [[0.0], [0.0], [1.0]])  # features: 2, and 1, 1, 2
    assert close(weights, [[0.25, 0.25, 0.5]])
    assert close(linear_attention([[1.0]], [[0.0], [0.0], [1.0]], [[4.0], [0.0], [2.0]]), [[2.0]])


def test_the_state_is_a_sum_over_words_and_its_last_column_counts_the_features():
    _, state = linear_recurrent([[0.0]] * 2, [[0.0], [1.0]], [[5.0], [7.0]])
    assert close(state, [[1 * 5 + 2 * 7, 1 + 2]])


# Law


@given(attention_inputs())
def test_each_row_of_weights_sums_to_one_or_sees_nothing(inputs):
    weights = linear_weights(inputs["q"], inputs["k"], mask=inputs["mask"])
    assert (weights >= 0).all()
    assert close(weights.sum(axis=-1), np.broadcast_to(inputs["mask"].any(axis=-1), weights.shape[:-1]).astype(float))


def test_the_table_has_a_rank_of_at_most_as_many_as_there_are_features():
    q, k = np.random.default_rng(0).normal(size=(2, 50, 6))
    assert np.linalg.matrix_rank(linear_weights(q, k)) == 6
    assert np.linalg.matrix_rank(scaled_dot_product_attention(q, k, k).weights) > 6


def test_the_state_has_one_size_however_long_the_text():
    for n_tokens in (0, 1, 40):
        assert linear_recurrent(*np.ones((3, 2, n_tokens, 5)))[1].shape == (2, 5, 6)


def test_the_future_does_not_touch_a_recurrent_output():
    q, k, v = np.random.default_rng(1).normal(size=(3, 8, 4))
    output, _ = linear_recurrent(q, k, v)
    k[5:], v[5:] = 100, -100
    assert (linear_recurrent(q, k, v)[0][:5] == output[:5]).all()


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_answer_has_the_type_of_the_question(dtype):
    q, k, v = np.random.default_rng(2).normal(size=(3, 4, 3)).astype(dtype)
    assert elu_plus_one(q).dtype == dtype
    assert linear_weights(q, k).dtype == dtype
    assert linear_attention(q, k, v).dtype == dtype
    assert {array.dtype.name for array in linear_recurrent(q, k, v)} == {dtype}


# Agreement


@given(attention_inputs())
def test_moving_the_bracket_changes_nothing(inputs):
    q, k, v = inputs["q"], inputs["k"], inputs["v"]
    unchanged = snapshot(q, k, v)
    assert close(linear_attention(q, k, v), linear_weights(q, k) @ v)
    assert unchanged()


@pytest.mark.parametrize("leading", [(), (2, 3)])
def test_word_by_word_is_the_same_as_all_at_once_with_a_causal_mask(leading):
    q, k, v = np.random.default_rng(3).normal(size=(3, *leading, 64, 8))
    output, state = linear_recurrent(q, k, v)
    assert close(output, linear_weights(q, k, mask=causal_mask(64)) @ v)
    assert close(output[..., -1, :], linear_attention(q, k, v)[..., -1, :])
    assert close(state[..., :-1], np.einsum("...nf,...nd->...fd", elu_plus_one(k), v), 1e-11)


def test_features_that_are_exponentials_of_one_number_give_the_softmax_itself():
    """exp(q) exp(k) is exp(q + k), whose softmax over the keys does not depend on q: neither do these weights."""
    q, k, v = np.random.default_rng(4).normal(size=(3, 5, 1))
    weights = np.exp(k[:, 0]) / np.exp(k).sum()
    assert close(linear_weights(q, k, features=np.exp), np.tile(weights, (5, 1)))
    assert close(linear_attention(q, k, v, features=np.exp), np.tile(weights @ v, (5, 1)))


# Refusal


def test_bad_input_is_refused_in_words():
    q, k, v = np.ones((3, 4, 2))
    with pytest.raises(ShapeError, match="v has n_keys = 3, but k has n_keys = 4"):
        linear_attention(q, k, v[1:])
    with pytest.raises(ShapeError, match="k has d_k = 1, but q has d_k = 2"):
        linear_weights(q, k[:, 1:])
    with pytest.raises(ShapeError, match="k has n_tokens = 3, but q has n_tokens = 4"):
        linear_recurrent(q, k[1:], v[1:])
    with pytest.raises(TypeError, match="mask must be boolean"):
        linear_weights(q, k, mask=np.ones((4, 4)))
    with pytest.raises(TypeError, match="x holds text"):
        elu_plus_one(["a"])
