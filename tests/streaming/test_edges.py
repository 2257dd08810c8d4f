"""Streaming at its edges: hidden and visible NaN, infinities, numbers near the ends of their type, as in the core."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import scaled_dot_product_attention
from attention_lab.streaming import stream_steps, streaming_attention, streaming_gradient
from attention_lab.training import attention_gradient
from tests.strategies import close
from tests.streaming.questions import as_mask, core, cut_into, cuts, questions

INF, NAN = np.inf, np.nan


@pytest.fixture(autouse=True)
def _every_floating_point_flag_raises():
    with np.errstate(all="raise"):
        yield


def same(left, right):
    return left.shape == right.shape and np.allclose(left, right, rtol=1e-12, atol=1e-12, equal_nan=True)


@given(questions(min_keys=1), st.sampled_from([NAN, INF, -INF]), st.sampled_from("qkv"), st.data())
def test_a_poisoned_number_reaches_what_it_reaches_in_the_core(asked, poison, name, data):
    j = data.draw(st.integers(0, max(asked[name].shape[-2] - 1, 0)))
    asked[name][..., j : j + 1, 0] = poison
    cut = data.draw(cuts)
    with cut_into(*cut):
        assert same(streaming_attention(**asked), core(asked).output)


@given(questions(min_keys=1), st.sampled_from([NAN, INF, -INF]), cuts, st.data())
def test_a_hidden_key_contributes_nothing_and_learns_nothing_whatever_it_holds(asked, poison, cut, data):
    j = data.draw(st.integers(0, asked["k"].shape[-2] - 1))
    asked["mask"] = np.array(np.broadcast_to(asked.get("mask", True), (asked["q"].shape[-2], asked["k"].shape[-2])))
    asked["mask"][:, j] = False
    with cut_into(*cut):
        before = streaming_attention(**asked)
        slopes_before = streaming_gradient(**asked, d_output=np.ones_like(before))
        asked["k"][..., j, :], asked["v"][..., j, 0] = poison, poison
        assert same(streaming_attention(**asked), before)
        slopes = streaming_gradient(**asked, d_output=np.ones_like(before))
    for slope, slope_before in zip(slopes, slopes_before, strict=True):
        assert same(slope, slope_before)
    assert not slopes[1][..., j, :].any()
    assert not slopes[2][..., j, :].any()


@given(questions(bias=False, min_keys=1), cuts)
def test_a_nan_in_a_query_reaches_its_own_slope_and_those_of_the_keys_that_it_sees(asked, cut):
    asked["q"][..., :1, 0] = NAN
    with cut_into(*cut):
        d_q, d_k, d_v = streaming_gradient(**asked, d_output=np.ones_like(streaming_attention(**asked)))
    sees = as_mask(asked)[..., :1, :]
    assert (np.isnan(d_q)[..., :1, :] == sees.any(axis=-1, keepdims=True)).all()
    assert not np.isnan(d_q[..., 1:, :]).any()
    for slope in (d_k, d_v):
        nan = np.isnan(slope).all(axis=-1)
        assert (nan == sees.any(axis=(*range(sees.ndim - slope.ndim), -2)).reshape(nan.shape)).all()


@pytest.mark.parametrize("poison", [NAN, INF])
def test_a_poisoned_slope_of_the_output_teaches_only_what_its_query_sees(poison):
    q, k, v, d_output = np.random.default_rng(0).normal(size=(4, 5, 3))
    d_output[1] = poison
    mask = np.ones((5, 5), bool)
    mask[1, 2:] = False
    with cut_into(2, 2, 1):
        d_q, d_k, d_v = streaming_gradient(q, k, v, d_output, mask=mask)
    assert np.isnan(d_q).any(axis=1).tolist() == [False, True, False, False, False]
    for slope in (d_k, d_v):
        assert np.isfinite(slope).all(axis=1).tolist() == [False, False, True, True, True]


@pytest.mark.parametrize("name", ["q", "k", "v", "d_output"])
def test_nan_reaches_the_slopes_that_it_reaches_in_the_backward_pass_that_is_read(name):
    arrays = dict(zip(["q", "k", "v", "d_output"], np.random.default_rng(0).normal(size=(4, 5, 3)), strict=True))
    arrays[name][1] = NAN
    mask = np.tri(5, dtype=bool)
    mask[:, 3] = False
    with cut_into(2, 2, 1):
        slopes = streaming_gradient(**arrays, mask=mask)
    for ours, read in zip(slopes, attention_gradient(**arrays, mask=mask), strict=True):
        assert same(ours, read)


@pytest.mark.parametrize("poison", [NAN, INF])
def test_a_bias_that_is_no_number_teaches_what_a_query_that_is_none_does(poison):
    q, k, v, d_output = np.random.default_rng(0).normal(size=(4, 5, 3))
    mask, bias = np.ones((5, 5), bool), np.zeros((5, 5))
    mask[:, 2], bias[:, 3], bias[1, 0] = False, -INF, poison
    slopes = [streaming_gradient(q, k, v, d_output, mask=mask, bias=bias)]
    with cut_into(2, 2, 1):
        slopes.append(streaming_gradient(q, k, v, d_output, mask=mask, bias=bias))
    q[1] = NAN
    read = attention_gradient(q, k, v, d_output, mask=mask & ~np.isneginf(bias))
    for ours in slopes:
        assert all(same(slope, slope_read) for slope, slope_read in zip(ours, read, strict=True))


def test_what_is_hidden_is_decided_by_the_mask_and_the_bias_not_by_arithmetic():
    q, k, v = [[1e200]], [[-1e200], [1.0]], [[NAN], [1.0]]
    assert np.isnan(streaming_attention(q, k, v)).all()
    assert streaming_attention(q, k, v, mask=[[False, True]]).tolist() == [[1]]
    assert streaming_attention(q, k, v, bias=[[-INF, 0.0]]).tolist() == [[1]]
    assert np.isnan(streaming_attention(q, k[:1], v[:1])).all()


def test_a_row_whose_scores_are_all_minus_infinity_is_zero():
    assert streaming_attention([[1e200]], [[-1e200], [-1e200]], [[1.0], [2.0]]).tolist() == [[0]]
    assert streaming_attention([[1.0]], [[1.0]], [[5.0]], bias=[[-INF]]).tolist() == [[0]]


def test_a_bias_of_the_smallest_float_on_every_score_is_an_even_blend():
    q, k, v = np.ones((1, 1), np.float32), np.ones((2, 1), np.float32), np.array([[2], [4]], np.float32)
    for smallest in (np.finfo(np.float64).min, np.finfo(np.float32).min):
        assert streaming_attention(q, k, v, bias=np.full((1, 2), smallest)).tolist() == [[3]]
    with cut_into(1, 1, 1):
        largest = np.finfo(np.float32).max
        assert streaming_attention(q, k, v, bias=np.array([[-largest, largest]], np.float32)).tolist() == [[4]]


@pytest.mark.parametrize("huge", [1e20, 1e37, 3e38, -3e38])
def test_huge_values_do_not_overflow_before_they_are_divided(huge):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 40, 4)).astype(np.float32)
    v = np.full((40, 2), huge, np.float32)
    with cut_into(8, 8, 4):
        assert np.allclose(streaming_attention(q, k, v) / np.float32(huge), 1, rtol=1e-5)
        climbing = np.linspace(0, 200, 40, dtype=np.float32)[:, None]
        assert np.allclose(streaming_attention(np.ones_like(climbing), climbing, v) / np.float32(huge), 1, rtol=1e-5)


@pytest.mark.parametrize(("large", "small"), [(1e30, 1e-30), (1e-30, 1e30), (1e-38, 1e38)])
def test_a_huge_number_times_a_tiny_one_is_an_ordinary_score(large, small):
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 6, 4)).astype(np.float32)
    with np.errstate(all="ignore"):
        q, k = q * np.float32(large), k * np.float32(small)
    assert close(streaming_attention(q, k, v), scaled_dot_product_attention(q, k, v).output, 1e-5)
    scaled = streaming_attention(q, k, v, scale=1e-30), scaled_dot_product_attention(q, k, v, scale=1e-30).output
    assert close(*scaled, 1e-5)


def test_a_huge_scale_of_tiny_scores_is_no_overflow():
    q, k, v = (np.array(array, np.float32) for array in ([[100]], [[1e-38], [2e-38]], [[0], [1]]))
    assert close(streaming_attention(q, k, v, scale=1e37), np.array([[1 / (1 + np.exp(-10.0))]]), 1e-5)


def test_an_answer_too_small_for_float16_is_zero_without_a_warning():
    smallest = np.array([[6e-8], [0], [0], [0]], np.float16)
    assert streaming_attention(np.zeros((1, 1), np.float16), np.zeros_like(smallest), smallest).tolist() == [[0]]


@pytest.mark.parametrize(("dtype", "huge"), [(np.float64, 5e307), (np.float32, 1e38)])
def test_huge_slopes_of_the_output_do_not_overflow_on_the_way(dtype, huge):
    q, k, v, d_output = (a.astype(dtype) for a in (np.ones((2, 2)), np.eye(3, 2), np.eye(3, 1), np.full((2, 1), huge)))
    slopes = streaming_gradient(q, k, v, d_output)
    for ours, read in zip(slopes, attention_gradient(q, k, v, d_output), strict=True):
        assert np.isfinite(read).all()
        assert np.allclose(ours / dtype(huge), read / dtype(huge), rtol=1e-6)


def test_an_infinite_value_behind_the_smallest_weight_is_infinite():
    q, k, v = (np.array(array, np.float32) for array in ([[1]], [[0], [-102]], [[1], [INF]]))
    for cut in ((1, 2, 1), (1, 1, 1)):
        with cut_into(*cut):
            assert streaming_attention(q, k, v, scale=1.0).tolist() == [[INF]]
    assert core({"q": q, "k": k, "v": v, "scale": 1.0}).output.tolist() == [[INF]]


def test_plus_infinity_in_the_bias_does_not_hide():
    assert np.isnan(streaming_attention([[1.0]], [[1.0], [1.0]], [[1.0], [2.0]], bias=[[INF, 0.0]])).all()


def test_scores_that_overflow_are_not_turned_into_plausible_numbers():
    assert np.isnan(streaming_attention([[1e200]], [[1e200], [1.0]], [[1.0], [2.0]])).all()
    with cut_into(1, 1, 1):
        assert np.isnan(streaming_attention([[1e200]], [[1.0], [1e200], [1.0]], [[1.0], [2.0], [3.0]])).all()


def test_huge_scores_that_are_alike_share_alike_in_the_backward_pass_too():
    q, k = np.full((1, 1), 3e4, np.float32), np.full((40, 1), 3e4, np.float32)
    _, _, d_v = streaming_gradient(q, k, np.ones((40, 1), np.float32), np.ones((1, 1), np.float32))
    assert np.allclose(d_v, 1 / 40)


def test_float16_is_computed_in_float32_and_an_answer_too_large_is_infinite():
    q = np.full((1, 64), 60, np.float16)  # a dot product of 230,400, where float16 ends at 65,504
    values = np.array([[1], [-1]], np.float16)
    assert streaming_attention(q, np.stack([q[0], -q[0]]), values).tolist() == [[1]]
    _, d_k, d_v = streaming_gradient(q, np.stack([q[0], q[0]]), values, np.array([[60000]], np.float16))
    assert np.isinf(d_k).all()
    assert d_v.dtype == np.float16
    assert d_v.tolist() == [[30000], [30000]]


@given(questions(), st.sampled_from([1e-45, 1e-30, 1e30, 3e38]), st.sampled_from("qkv"))
def test_neither_overflow_nor_underflow_disturbs_a_caller_who_lets_them_raise(asked, factor, name):
    with np.errstate(all="ignore"):
        asked |= {key: asked[key].astype(np.float32) for key in "qkv"}
        asked[name] = asked[name] * np.float32(factor)
    output = streaming_attention(**asked)
    streaming_gradient(**asked, d_output=np.ones_like(output))
    for step in stream_steps(**asked, tile=5):
        assert step.output.shape == output.shape
