"""How broadly a word looks. The leak test is in ``test_leaks``."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, attention_entropy, causal_mask, softmax
from tests.strategies import EXACT, close, scores_and_masks, snapshot

# By hand


@pytest.mark.parametrize(
    ("weights", "bits", "share"),
    [
        ([1.0, 0.0, 0.0, 0.0], 0.0, 0.0),
        ([0.5, 0.5, 0.0, 0.0], 1.0, 0.5),
        ([0.25, 0.25, 0.25, 0.25], 2.0, 1.0),
        ([0.5, 0.25, 0.125, 0.125], 1.75, 0.875),
        ([0.0, 0.0, 0.0, 0.0], 0.0, 0.0),
    ],
)
def test_the_bits_of_four_weights_are_known(weights, bits, share):
    assert attention_entropy([weights]).tolist() == [bits]
    assert attention_entropy([weights], normalised=True).tolist() == [share]


def test_a_mask_divides_by_the_keys_that_may_be_seen():
    weights = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]
    mask = [[True, False, False], [True, True, False], [True, True, True]]
    assert attention_entropy(weights, mask=mask).tolist() == [0, 1, 1]
    shares = attention_entropy(weights, mask=mask, normalised=True)
    assert np.isnan(shares[0])  # one key alone: there is nothing to choose
    assert close(shares[1:], [1, 1 / math.log2(3)])


def test_fewer_than_two_visible_keys_have_no_share():
    assert np.isnan(attention_entropy([[1.0]], normalised=True)).all()
    assert np.isnan(attention_entropy([[0.0, 0.0]], mask=[[False, False]], normalised=True)).all()
    assert attention_entropy([[0.0, 0.0]], mask=[[False, False]]).tolist() == [0]
    assert attention_entropy(np.zeros((2, 0))).tolist() == [0, 0]


def test_even_causal_weights_have_less_than_all_bits_but_all_of_their_share():
    weights = softmax(np.zeros((8, 8)), mask=causal_mask(8))
    assert (attention_entropy(weights).mean() / 3).round(2) == 0.64
    assert np.nanmean(attention_entropy(weights, mask=causal_mask(8), normalised=True)) == pytest.approx(1, abs=EXACT)


def test_zero_bits_are_never_minus_zero():
    for normalised in (False, True):
        bits = attention_entropy([[1.0, 0.0], [0.0, 0.0], [1.0, -0.0]], normalised=normalised)
        assert not np.signbit(bits).any()


@pytest.mark.parametrize("normalised", [False, True])
def test_rounding_makes_bits_neither_negative_nor_nan(normalised):
    bits = attention_entropy([[1 + 1e-7, 0.0], [1.0009, -0.0009], [1.0, -1e-9], [1.0, -0.0]], normalised=normalised)
    assert bits.tolist() == [0, 0, 0, 0]
    assert not np.signbit(bits).any()


def test_a_row_may_miss_one_by_a_hundredth():
    for off in (-0.009, 0.009):
        assert attention_entropy([[0.5, 0.5 + off]])[0] == pytest.approx(1, abs=0.01)
    float16 = softmax(np.random.default_rng(0).normal(size=(2, 3000)).astype(np.float16))
    assert np.isfinite(attention_entropy(float16)).all()


def test_a_hidden_nan_does_not_count():
    weights = [[math.nan, 0.5, 0.5], [math.nan, 1.0, 0.0], [math.nan, 0.0, 0.0]]
    mask = [[False, True, True]] * 3
    assert attention_entropy(weights, mask=mask).tolist() == [1, 0, 0]
    assert attention_entropy(weights, mask=mask, normalised=True).tolist() == [1, 0, 0]
    assert np.isnan(attention_entropy(weights)).all()


def test_a_row_with_nan_is_nan_and_no_other():
    bits = attention_entropy([[math.nan, 0.5], [0.5, 0.5]], mask=[[True, True], [True, True]])
    assert np.isnan(bits[0])
    assert bits[1] == 1


# Law


@given(scores_and_masks(), st.booleans())
def test_bits_lie_between_none_and_those_of_an_even_look(inputs, normalised):
    scores, mask = inputs
    weights = softmax(scores, mask=mask)
    unchanged = snapshot(weights, mask)
    bits = attention_entropy(weights, mask=mask, normalised=normalised)
    n_visible = mask.sum(axis=-1)
    assert bits.shape == scores.shape[:-1]
    assert unchanged()
    if normalised:
        assert (np.isnan(bits) == (n_visible < 2)).all()
        most = np.ones_like(bits)
    else:
        most = np.log2(np.maximum(n_visible, 1))
    seen = ~np.isnan(bits)
    assert ((bits >= 0) & (bits <= most + EXACT))[seen].all()


@given(scores_and_masks(min_keys=1))
def test_bits_follow_the_formula(inputs):
    scores, mask = inputs
    weights = softmax(scores, mask=mask)
    expected = [-sum(w * math.log2(w) for w in row if w > 0) for row in weights.reshape(-1, weights.shape[-1])]
    assert close(attention_entropy(weights).ravel(), expected)


@given(scores_and_masks())
def test_the_order_of_keys_makes_no_difference(inputs):
    weights = softmax(inputs[0])
    assert close(attention_entropy(weights[..., ::-1]), attention_entropy(weights))


@pytest.mark.parametrize(("dtype", "answer"), [("float32", "float32"), ("float16", "float16"), ("int64", "float64")])
def test_bits_are_answered_in_the_type_of_the_weights(dtype, answer):
    bits = attention_entropy(np.eye(2, dtype=dtype))
    assert bits.dtype == answer
    assert bits.tolist() == [0, 0]


def test_tiny_weights_do_not_disturb_a_caller_who_lets_underflow_raise():
    with np.errstate(all="raise"):
        assert attention_entropy([[3.3e-310, 1.0]]) < 1e-300
        assert attention_entropy(np.array([[6e-8, 1.0]], np.float16)).dtype == np.float16
        assert attention_entropy(np.array([[3.3e-42, 1.0]], np.float32)).dtype == np.float32


# Refusal


def test_scores_are_refused_as_weights():
    for scores, first in (([[-1.0, 2.0]], "-1"), ([[4.0, 2.0, 10.0]], "4")):
        with pytest.raises(ValueError, match=rf"^weights holds {first}; a weight lies between 0 and 1\. Are these sc"):
            attention_entropy(scores)


@pytest.mark.parametrize(
    ("row", "sums_to"), [([0.5, 0.48], r"0\.98"), ([0.5, 0.52], r"1\.02"), ([1.0, 1.0], "2"), ([0.001, 0.0], r"0\.001")]
)
def test_rows_that_sum_to_neither_one_nor_nothing_are_refused(row, sums_to):
    for weights in ([row], [[1.0, 0.0], [0.0, 0.0], [math.nan, 1.0], row]):
        with pytest.raises(ValueError, match=rf"^A row of weights sums to {sums_to}; each must sum to 1, or to 0 if"):
            attention_entropy(weights)


def test_weights_of_the_keys_axis_in_the_wrong_place_are_noticed():
    with pytest.raises(ValueError, match=r"^A row of weights sums to"):
        attention_entropy(softmax(np.arange(6.0).reshape(3, 2), axis=0))


def test_a_weight_on_a_hidden_key_is_refused():
    with pytest.raises(ValueError, match=r"^weights is above 0 where the mask hides the key\. Is this the mask"):
        attention_entropy([[0.5, 0.5]], mask=[[True, False]])


def test_a_mask_or_weights_of_another_kind_are_refused():
    with pytest.raises(TypeError, match=r"^mask must be boolean"):
        attention_entropy([[1.0, 0.0]], mask=[[1, 0]])
    with pytest.raises(ShapeError, match=r"^mask has n_keys = 3, but the scores have n_keys = 2"):
        attention_entropy([[1.0, 0.0]], mask=[[True, True, True]])
    with pytest.raises(ShapeError, match=r"^weights has too few axes"):
        attention_entropy([1.0, 0.0])
    with pytest.raises(TypeError, match=r"^weights holds text"):
        attention_entropy([["a", "b"]])
