"""Attention at its edges: nothing to look at, numbers too large, NaN and infinities, a caller who wants warnings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import attention_scores, scaled_dot_product_attention, softmax
from tests.strategies import attention_inputs

INF, NAN = np.inf, np.nan


@pytest.fixture(autouse=True)
def _every_floating_point_flag_raises():
    with np.errstate(all="raise"):
        yield


# By hand: nothing to look at


def test_a_row_that_may_look_nowhere_has_weights_and_output_zero():
    attention = scaled_dot_product_attention([[1.0], [1.0]], [[1.0]], [[5.0]], mask=[[False], [True]])
    assert attention.weights.tolist() == [[0], [1]]
    assert attention.output.tolist() == [[0], [5]]
    assert attention.scores.tolist() == [[-INF], [1]]


def test_a_row_hidden_by_the_bias_alone_is_empty_too():
    attention = scaled_dot_product_attention([[1.0]], [[1.0], [2.0]], [[5.0], [6.0]], bias=[[-INF, -INF]])
    assert attention.weights.tolist() == [[0, 0]]
    assert attention.output.tolist() == [[0]]


def test_softmax_of_nothing_but_minus_infinity_is_zero():
    assert softmax([-INF, -INF]).tolist() == [0, 0]
    assert softmax([-INF, 3.0]).tolist() == [0, 1]


@pytest.mark.parametrize(("n_queries", "n_keys"), [(0, 3), (3, 0), (0, 0)])
def test_no_queries_or_no_keys_are_answered_with_empty_arrays_or_zeros(n_queries, n_keys):
    q, k, v = np.ones((2, n_queries, 4)), np.ones((2, n_keys, 4)), np.ones((n_keys, 5))
    attention = scaled_dot_product_attention(q, k, v, mask=np.ones((n_queries, n_keys), bool))
    assert attention.scores.shape == attention.weights.shape == attention.mask.shape == (2, n_queries, n_keys)
    assert attention.output.shape == (2, n_queries, 5)
    assert not attention.output.any()


def test_values_may_have_no_width_and_a_batch_no_members():
    assert scaled_dot_product_attention(np.ones((3, 2)), np.ones((4, 2)), np.ones((4, 0))).output.shape == (3, 0)
    assert scaled_dot_product_attention(np.ones((0, 3, 2)), np.ones((4, 2)), np.ones((4, 5))).output.shape == (0, 3, 5)


def test_values_may_have_more_leading_axes_than_queries_and_keys():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 2)), rng.normal(size=(4, 2)), rng.normal(size=(5, 4, 2))
    v[1, 0, 0] = NAN
    attention = scaled_dot_product_attention(q, k, v, mask=[True, True, True, False])
    assert attention.weights.shape == (3, 4)
    assert attention.output.shape == (5, 3, 2)
    for i in range(5):
        alone = scaled_dot_product_attention(q, k, v[i], mask=[True, True, True, False]).output
        assert np.allclose(attention.output[i], alone, rtol=1e-12, atol=0, equal_nan=True)
    assert np.isnan(attention.output).sum() == 3


# By hand: what is visible is decided by the mask and by -inf in the bias, by nothing else


def test_a_score_that_became_minus_infinity_by_arithmetic_is_small_but_not_hidden():
    q, k = [[1e200]], [[-1e200], [1.0]]
    attention = scaled_dot_product_attention(q, k, [[NAN], [1.0]])
    assert attention.scores.tolist() == [[-INF, 1e200]]
    assert attention.weights.tolist() == [[0, 1]]
    assert np.isnan(attention.output).all()  # as in PyTorch
    assert scaled_dot_product_attention(q, k, [[NAN], [1.0]], mask=[[False, True]]).output.tolist() == [[1]]
    assert scaled_dot_product_attention(q, k, [[NAN], [1.0]], bias=[[-INF, 0.0]]).output.tolist() == [[1]]
    both = scaled_dot_product_attention(q, k, [[NAN], [1.0]], mask=[[True, True]], bias=[[-INF, 0.0]])
    assert both.output.tolist() == [[1]]


@pytest.mark.parametrize("mask", [None, [[True, True]]])
def test_a_bias_of_the_smallest_float64_on_every_float32_score_is_an_even_blend(mask):
    q, k, v = np.ones((1, 1), np.float32), np.ones((2, 1), np.float32), np.array([[2], [4]], np.float32)
    for smallest in (np.finfo(np.float64).min, np.finfo(np.float32).min):
        attention = scaled_dot_product_attention(q, k, v, bias=np.full((1, 2), smallest, np.float64), mask=mask)
        assert attention.weights.tolist() == [[0.5, 0.5]]
        assert attention.output.tolist() == [[3]]
        assert {array.dtype.name for array in (attention.scores, attention.weights, attention.output)} == {"float32"}
    on_one = scaled_dot_product_attention(q, k, v, bias=[[0.0, np.finfo(np.float64).min]])
    assert on_one.weights.tolist() == [[1, 0]]
    half = scaled_dot_product_attention(*(array.astype(np.float16) for array in (q, k, v)), bias=np.full((1, 2), -1e38))
    assert (half.output.dtype, half.output.tolist()) == (np.float16, [[3]])


def test_a_bias_wider_than_the_scores_counts_in_its_own_precision():
    q, k = np.zeros((1, 1), np.float32), np.zeros((2, 1), np.float32)
    large = 2.0**40  # float32 cannot tell it from 2**40 + 1
    attention = scaled_dot_product_attention(q, k, k, bias=[[large, large + 1]])
    assert np.allclose(attention.weights, softmax([0.0, 1.0]), rtol=1e-6)


# By hand: numbers too large


@pytest.mark.parametrize("huge", [1e308, -1e308, 1e-308, 5e-324, 0.0])
def test_scores_that_are_alike_share_alike_however_large(huge):
    assert softmax([huge, huge]).tolist() == [0.5, 0.5]


def test_the_largest_and_the_smallest_score_do_not_overflow():
    assert softmax([1e308, -1e308]).tolist() == [1, 0]
    largest = np.finfo(np.float16).max
    weights = softmax(np.array([largest, -largest, largest], np.float16))
    assert weights.dtype == np.float16
    assert weights.tolist() == [0.5, 0, 0.5]


def test_float16_is_computed_in_float32():
    q = np.full((1, 64), 60, np.float16)  # a dot product of 230,400, where float16 ends at 65,504
    attention = scaled_dot_product_attention(q, np.stack([q[0], -q[0]]), np.array([[1], [2]], np.float16))
    assert attention.scores.dtype == attention.output.dtype == np.float16
    assert attention.scores.tolist() == [[28800, -28800]]
    assert attention.output.tolist() == [[1]]


def test_a_float16_answer_that_does_not_fit_is_infinite_without_a_warning():
    q = np.full((1, 64), 200, np.float16)
    assert attention_scores(q, q).tolist() == [[INF]]
    assert scaled_dot_product_attention(q, q, [[np.float16(1)]]).weights.tolist() == [[1]]


@pytest.mark.parametrize(("temperature", "weights"), [(1e-50, [0, 1, 0]), (1e300, [0.5, 0.5, 0]), (5e-324, [0, 1, 0])])
def test_a_temperature_that_float32_cannot_hold_still_counts(temperature, weights):
    scores = np.array([1, 2, 3], np.float32)
    shared = softmax(scores, mask=[True, True, False], temperature=temperature)
    assert shared.dtype == np.float32
    assert shared.tolist() == weights


def test_scores_that_overflow_are_not_turned_into_plausible_numbers():
    attention = scaled_dot_product_attention([[1e200]], [[1e200], [1.0]], [[1.0], [2.0]])
    assert np.isinf(attention.scores[0, 0])
    assert np.isnan(attention.weights).all()
    assert np.isnan(attention.output).all()


# Law: NaN and infinities


@given(attention_inputs(min_keys=1), st.sampled_from([NAN, INF, -INF]), st.booleans(), st.data())
def test_a_hidden_key_contributes_nothing_whatever_it_holds(inputs, poison, by_bias, data):
    j = data.draw(st.integers(0, inputs["k"].shape[-2] - 1))
    mask = inputs.pop("mask")
    mask[:, j] = False
    hide = {"bias": np.where(mask, 0.0, -INF)} if by_bias else {"mask": mask}
    before = scaled_dot_product_attention(**inputs, **hide)
    inputs["k"][..., j, :], inputs["v"][..., j, 0] = poison, poison
    after = scaled_dot_product_attention(**inputs, **hide)
    assert np.allclose(after.output, before.output, rtol=1e-12, atol=1e-12)
    assert (after.weights == before.weights).all()
    assert (after.scores[..., j] == -INF).all()


@given(attention_inputs(min_keys=1), st.data())
def test_a_visible_nan_in_a_value_reaches_exactly_those_who_may_look(inputs, data):
    j = data.draw(st.integers(0, inputs["v"].shape[-2] - 1))
    inputs["v"][..., j, -1] = NAN
    output = scaled_dot_product_attention(**inputs).output
    assert (np.isnan(output[..., -1]) == inputs["mask"][:, j]).all()
    assert np.isfinite(output[..., :-1]).all()


@given(attention_inputs(min_keys=1), st.data())
def test_a_visible_nan_in_a_key_makes_its_rows_nan(inputs, data):
    j = data.draw(st.integers(0, inputs["k"].shape[-2] - 1))
    inputs["k"][..., j, 0] = NAN
    output = scaled_dot_product_attention(**inputs).output
    assert (np.isnan(output) == inputs["mask"][:, j, None]).all()


def test_a_nan_in_a_query_stays_in_its_row_and_an_empty_row_stays_empty():
    output = scaled_dot_product_attention(
        [[NAN], [1.0], [NAN]], [[1.0]], [[2.0]], mask=[[True], [True], [False]]
    ).output
    assert np.array_equal(output, [[NAN], [2], [0]], equal_nan=True)


@pytest.mark.parametrize(
    ("values", "output"), [([INF, 1], INF), ([-INF, 1], -INF), ([INF, -INF], NAN), ([INF, NAN], NAN)]
)
def test_visible_infinities_add_up_as_numbers_do(values, output):
    blended = scaled_dot_product_attention([[0.0]], [[1.0], [1.0]], np.array(values)[:, None]).output
    assert np.array_equal(blended, [[output]], equal_nan=True)


def test_an_infinite_value_with_a_weight_of_zero_is_not_hidden_for_that():
    attention = scaled_dot_product_attention([[1.0]], [[0.0], [-1e6]], [[1.0], [INF]])
    assert attention.weights.tolist() == [[1, 0]]
    assert np.isnan(attention.output).all()


@pytest.mark.parametrize("score", [NAN, INF])
def test_softmax_makes_a_row_with_a_visible_nan_or_infinity_nan_and_no_other(score):
    weights = softmax([[1.0, score], [1.0, 1.0]])
    assert np.isnan(weights[0]).all()
    assert weights[1].tolist() == [0.5, 0.5]
    assert softmax([1.0, score], mask=[True, False]).tolist() == [1, 0]


def test_a_nan_in_the_bias_propagates_unless_it_is_hidden():
    attention = scaled_dot_product_attention(
        [[1.0], [1.0]],
        [[1.0], [1.0]],
        [[2.0], [2.0]],
        bias=[[NAN, 0.0], [0.0, 0.0]],
        mask=[[False, True], [True, True]],
    )
    assert attention.output.tolist() == [[2], [2]]
    assert np.isnan(scaled_dot_product_attention([[1.0]], [[1.0]], [[2.0]], bias=[[NAN]]).output).all()


# Law: a caller who wants every warning


@given(attention_inputs(dtype="float32"), st.sampled_from([1e-45, 1e-30, 1e30, 3e38]), st.sampled_from(["q", "k", "v"]))
def test_neither_overflow_nor_underflow_disturbs_a_caller_who_lets_them_raise(inputs, factor, name):
    with np.errstate(all="ignore"):
        inputs[name] = inputs[name] * np.float32(factor)
    with np.errstate(all="raise"):
        output = scaled_dot_product_attention(**inputs, bias=np.float64(1e-300)).output
    assert output.dtype == np.float32
