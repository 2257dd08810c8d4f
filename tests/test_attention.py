"""Compare, scale, hide, blend. Weighing is in ``test_softmax``, what happens at the edges in ``..._edges``."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import Attention, ShapeError, attention_scores, causal_mask, scaled_dot_product_attention, softmax
from attention_lab.examples import BANK
from tests.strategies import (
    EXACT,
    attention_inputs,
    close,
    plain_attention,
    seeds,
    snapshot,
)

Q, K, V = [[1.0, 3.0]], [[1.0, 1.0], [2.0, 0.0], [4.0, 2.0]], [[1.0, 0.0], [0.0, 2.0], [2.0, 2.0]]


# By hand


def test_scores_are_dot_products_divided_by_the_root_of_d_k():
    assert attention_scores(Q, K, scale=1.0).tolist() == [[4, 2, 10]]
    assert close(attention_scores(Q, K), [[4 / math.sqrt(2), 2 / math.sqrt(2), 10 / math.sqrt(2)]])
    assert attention_scores(np.ones((1, 16)), np.ones((1, 16))).tolist() == [[4]]
    assert attention_scores(Q, K, scale=0).tolist() == [[0, 0, 0]]
    assert attention_scores(Q, K, scale=np.float32(0.5)).tolist() == [[2, 1, 5]]


def test_bank_goes_from_scores_to_weights_to_output():
    attention = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v)
    assert attention.scores[1].round(2).tolist() == [2.83, 1.41, 7.07]
    assert attention.weights[1].round(3).tolist() == [0.014, 0.003, 0.982]
    assert attention.output[1].round(2).tolist() == [1.98, 1.97]
    assert attention.mask is None


def test_a_mask_hides_before_the_softmax_and_is_recorded():
    attention = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v, mask=causal_mask(3))
    assert attention.weights[0].tolist() == [1, 0, 0]
    assert attention.output[0].tolist() == [1, 0]
    assert np.isneginf(attention.scores).tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    assert (attention.mask == causal_mask(3)).all()


def test_a_bias_is_added_to_the_scaled_scores():
    attention = scaled_dot_product_attention(Q, K, V, bias=[[1.0, -np.inf, 0.25]], scale=0.5)
    assert attention.scores.tolist() == [[3, -np.inf, 5.25]]
    assert attention.weights[0, 1] == 0.0


def test_a_bias_may_have_an_axis_for_heads():
    q = np.stack([Q, Q])
    attention = scaled_dot_product_attention(q, K, V, bias=np.array([0.0, 1.0])[:, None, None])
    assert close(attention.scores[1] - attention.scores[0], np.ones((1, 3)))


def test_a_record_prints_its_shapes():
    attention = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v, mask=causal_mask(3))
    assert repr(attention) == "Attention(scores 3x3, weights 3x3, output 3x2, mask 3x3)"


# Law


@given(attention_inputs())
def test_attention_is_the_formula(inputs):
    attention = scaled_dot_product_attention(**inputs)
    weights, output = plain_attention(**inputs)
    assert close(attention.weights, weights)
    assert close(attention.output, output)


@given(attention_inputs(), seeds)
def test_permuting_keys_together_with_values_changes_nothing(inputs, seed):
    order = np.random.default_rng(seed).permutation(inputs["k"].shape[-2])
    permuted = {name: inputs[name][..., order, :] for name in ("k", "v")}
    other = scaled_dot_product_attention(inputs["q"], **permuted, mask=inputs["mask"][..., order])
    assert close(other.output, scaled_dot_product_attention(**inputs).output)


@given(attention_inputs(), st.floats(-3, 3))
def test_minus_infinity_in_the_bias_hides_as_a_mask_does(inputs, scale):
    bias = np.where(inputs["mask"], 0.0, -np.inf)
    by_bias = scaled_dot_product_attention(inputs["q"], inputs["k"], inputs["v"], bias=bias, scale=scale)
    by_mask = scaled_dot_product_attention(**inputs, scale=scale)
    assert close(by_bias.output, by_mask.output)
    assert by_bias.mask is None


@given(attention_inputs(min_keys=2), seeds)
def test_a_causal_output_ignores_the_future(inputs, seed):
    n_queries, n_keys = inputs["q"].shape[-2], inputs["k"].shape[-2]
    rng = np.random.default_rng(seed)
    for align in ("end", "start"):
        inputs["mask"] = causal_mask(n_queries, n_keys, align=align)
        before = scaled_dot_product_attention(**inputs).output
        blind = ~inputs["mask"][:, -1]
        k, v = inputs["k"].copy(), inputs["v"].copy()
        k[..., -1, :], v[..., -1, :] = 100 * rng.normal(), 100 * rng.normal()
        after = scaled_dot_product_attention(inputs["q"], k, v, mask=inputs["mask"]).output
        assert (before[..., blind, :] == after[..., blind, :]).all()


@given(attention_inputs())
def test_outputs_lie_between_the_smallest_and_the_largest_value(inputs):
    inputs["mask"] = np.ones_like(inputs["mask"])
    output = scaled_dot_product_attention(**inputs).output
    if inputs["v"].shape[-2]:
        low, high = inputs["v"].min(axis=-2, keepdims=True), inputs["v"].max(axis=-2, keepdims=True)
        assert ((low - EXACT <= output) & (output <= high + EXACT)).all()


@given(attention_inputs(dtype="float32"))
def test_float32_is_at_most_twice_as_wrong_as_the_plain_formula_in_float32(inputs):
    exact = plain_attention(*(inputs[name].astype(np.float64) for name in "qkv"), inputs["mask"])[1]
    plain = plain_attention(**inputs)[1]
    output = scaled_dot_product_attention(**inputs).output
    assert output.dtype == np.float32
    floor = np.finfo(np.float32).eps * np.abs(inputs["v"]).max(initial=1)  # where the plain formula is right by luck
    assert np.abs(output - exact).max(initial=0) <= 2 * np.abs(plain - exact).max(initial=0) + floor


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint16", "float16", "float32", "float64", ">f2", ">f4", ">f8", ">i4"]
)
def test_every_type_is_answered_in_its_own(dtype):
    q, k, v = (np.asarray(array).astype(dtype) for array in (Q, K, V))
    attention = scaled_dot_product_attention(q, k, v)
    kind = np.dtype(dtype)
    answer_in = kind.newbyteorder("=") if kind.kind == "f" else np.float64
    for array in (attention.scores, attention.weights, attention.output, attention_scores(q, k), softmax(q)):
        assert array.dtype == answer_in
    exact = plain_attention(*(array.astype(np.float64) for array in (q, k, v)))[1]
    assert close(attention.output.astype(float), exact, 4 * np.finfo(answer_in).eps)


@given(attention_inputs())
def test_inputs_are_never_written_to(inputs):
    bias = np.where(inputs["mask"], 0.5, -np.inf)
    unchanged = snapshot(*inputs.values(), bias)
    scaled_dot_product_attention(**inputs, bias=bias)
    softmax(bias, mask=inputs["mask"], temperature=2)
    assert unchanged()


def test_a_record_is_frozen_and_its_arrays_are_read_only():
    attention = scaled_dot_product_attention(Q, K, V, mask=[True, True, False])
    with pytest.raises(dataclasses.FrozenInstanceError):
        attention.weights = None
    for field in dataclasses.fields(Attention):
        with pytest.raises(ValueError, match="read-only"):
            getattr(attention, field.name)[...] = 0


# Refusal


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": np.zeros((3, 4))}, r"^k has d_k = 4, but q has d_k = 2\.\n  q: \(1, 2\) as .*\n  k: \(3, 4\) as "),
        ({"v": np.zeros((4, 2))}, r"^v has n_keys = 4, but k has n_keys = 3\.\n  k: \(3, 2\) as .*\n  v: \(4, 2\) as "),
        ({"q": [1.0, 2.0]}, r"^q has too few axes"),
        (
            {"q": np.zeros((2, 1, 2)), "v": np.zeros((3, 3, 2))},
            r"^The leading axes of v are \(3,\), but those of q are",
        ),
        ({"q": np.zeros((1, 0)), "k": np.zeros((3, 0))}, "^q and k have d_k = 0: there is nothing to compare"),
        ({"q": [[1.0], [1.0, 2.0]]}, "^q is not a rectangular array"),
        ({"mask": np.ones((2, 3), bool)}, "^mask has n_queries = 2, but the scores have n_queries = 1"),
        ({"bias": np.zeros((1, 2))}, "^bias has n_keys = 2, but the scores have n_keys = 3"),
        ({"bias": np.zeros((1, 1, 3))}, "^bias has 3 axes, but the scores have 2"),
    ],
)
def test_sizes_that_do_not_fit_are_a_shape_error_in_words(changes, message):
    with pytest.raises(ShapeError, match=message):
        scaled_dot_product_attention(**{"q": Q, "k": K, "v": V, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"mask": [[1, 0, 1]]},
            r"^mask must be boolean \(True = may look\), not int.*For 0 and 1 use mask\.astype\(bool",
        ),
        ({"bias": [[1j, 0, 0]]}, "^bias holds complex numbers"),
        ({"q": [["a", "b"]]}, "^q holds text"),
        ({"v": [[None]] * 3}, "^v holds objects"),
        ({"mask": np.ma.masked_array([[True, True, True]], mask=[[False, True, False]])}, "^mask is a masked array"),
        ({"bias": np.ma.masked_array([[0.0, 1.0, 2.0]], mask=[[False, True, False]])}, "^bias is a masked array"),
        ({"v": np.ma.masked_array(V)}, "^v is a masked array"),
    ],
)
def test_what_is_no_number_is_a_type_error_in_words(changes, message):
    with pytest.raises(TypeError, match=message):
        scaled_dot_product_attention(**{"q": Q, "k": K, "v": V, **changes})


@pytest.mark.parametrize("scale", [math.nan, math.inf, -math.inf, "1", 1j, np.complex128(1), [1.0], 10**400])
def test_a_scale_that_is_not_a_finite_number_is_refused(scale):
    with pytest.raises(ValueError, match=r"^scale must be a finite number, not"):
        scaled_dot_product_attention(Q, K, V, scale=scale)


def test_a_scale_that_the_type_of_the_computation_cannot_hold_is_refused():
    too_large = r"^scale = -?1e\+39 does not fit into float32, in which the scores are computed\.$"
    for dtype, scale in (("float32", 1e39), ("float32", -1e39), ("float16", 1e39)):
        with np.errstate(all="raise"), pytest.raises(ValueError, match=too_large):
            attention_scores(np.array(Q, dtype), np.array(K, dtype), scale=scale)
    assert np.isfinite(attention_scores(np.array(Q, np.float32), np.array(K, np.float32), scale=1e37)).all()
    assert attention_scores([[1.0]], [[2.0]], scale=1e39).tolist() == [[2e39]]
