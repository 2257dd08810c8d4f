"""Streaming attention: by hand, that tiles change nothing, and that it answers as the core does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import MultiHeadAttention, ShapeError, causal_mask, scaled_dot_product_attention
from attention_lab.examples import BANK
from attention_lab.streaming import short_attention, streaming_attention
from tests.strategies import close, heads_of, seeds, snapshot, widths
from tests.streaming.questions import core, cut_into, cuts, questions

# By hand


def test_bank_gets_the_lessons_output_through_tiles_of_one_key():
    with cut_into(1, 1, 1):
        assert streaming_attention(BANK.q, BANK.k, BANK.v)[1].round(2).tolist() == [1.98, 1.97]
        assert short_attention(BANK.q, BANK.k, BANK.v)[1].round(2).tolist() == [1.98, 1.97]


def test_the_first_word_sees_itself_and_the_last_query_stands_at_the_last_key():
    assert streaming_attention(BANK.q, BANK.k, BANK.v, causal=True)[0].tolist() == BANK.v[0].tolist()
    v = np.arange(5.0)[:, None]
    for attend in (streaming_attention, short_attention):
        assert attend(np.zeros((2, 1)), np.ones((5, 1)), v, causal=True).tolist() == [[1.5], [2]]
        assert attend(np.zeros((3, 1)), np.ones((1, 1)), v[1:2], causal=True).tolist() == [[0], [0], [1]]


def test_a_window_reaches_to_both_sides_and_with_causal_to_one():
    q, k, v = np.zeros((4, 1)), np.ones((4, 1)), np.array([[0.0], [2], [4], [60]])
    assert streaming_attention(q, k, v, window=2).tolist() == [[1], [2], [22], [32]]
    assert streaming_attention(q, k, v, window=2, causal=True).tolist() == [[0], [1], [3], [32]]


def test_lengths_hide_the_padding_of_each_sentence():
    q, k, v = np.zeros((3, 1, 1)), np.ones((2, 1)), np.array([[2.0], [4]])
    assert streaming_attention(q, k, v, lengths=[0, 1, 2])[:, 0, 0].tolist() == [0, 2, 3]
    assert streaming_attention(q, k, v, lengths=1)[:, 0, 0].tolist() == [2, 2, 2]


@pytest.mark.parametrize(("n_queries", "n_keys"), [(0, 3), (3, 0), (0, 0)])
def test_no_queries_or_no_keys_are_answered_with_nothing_or_zeros(n_queries, n_keys):
    output = streaming_attention(np.ones((2, n_queries, 4)), np.ones((2, n_keys, 4)), np.ones((n_keys, 5)), causal=True)
    assert output.shape == (2, n_queries, 5)
    assert not output.any()


# Law


@given(questions(), cuts, cuts)
def test_how_the_tiles_are_cut_changes_nothing(asked, cut, other_cut):
    with cut_into(*cut):
        output = streaming_attention(**asked)
    with cut_into(*other_cut):
        assert close(streaming_attention(**asked), output)


@given(questions(bias=False), seeds, cuts)
def test_the_order_of_the_keys_changes_nothing(asked, seed, cut):
    asked = {name: asked[name] for name in "qkv"}
    order = np.random.default_rng(seed).permutation(asked["k"].shape[-2])
    shuffled = {"q": asked["q"], "k": asked["k"][..., order, :], "v": asked["v"][..., order, :]}
    with cut_into(*cut):
        assert close(streaming_attention(**shuffled), streaming_attention(**asked))


@given(questions(), st.integers(0, 4), cuts)
def test_padding_keys_change_nothing_whatever_they_hold(asked, n_more, cut):
    if "lengths" in asked or "mask" in asked or "bias" in asked or asked["causal"] or asked["window"]:
        asked = {name: asked[name] for name in "qkv"}
    n_keys = asked["k"].shape[-2]
    padded = {**asked, "lengths": n_keys}
    for name in "kv":
        more = np.full((*asked[name].shape[:-2], n_more, asked[name].shape[-1]), np.nan)
        padded[name] = np.concatenate([asked[name], more], axis=-2)
    with cut_into(*cut):
        assert close(streaming_attention(**padded), streaming_attention(**asked))


@pytest.mark.parametrize("direction", [1, -1])
def test_scores_may_rise_or_fall_from_tile_to_tile_as_far_as_they_like(direction):
    """The level follows lazily: little by little below its limit, and far above it."""
    for step in (10, 19, 21, 1000):  # the limit is 20
        q, k = np.ones((3, 1)), direction * step * np.arange(9.0)[:, None]
        v = np.random.default_rng(0).normal(size=(9, 2))
        for cut in ((2, 1, 1), (2, 2, 1), (9, 4, 1)):
            with cut_into(*cut):
                output = streaming_attention(q, k, v, scale=1.0)
            assert close(output, scaled_dot_product_attention(q, k, v, scale=1.0).output)


def test_a_query_whose_first_keys_are_hidden_takes_its_level_from_the_first_it_sees():
    q, k, v = np.ones((2, 1)), np.array([[0.0], [-2000], [-2000]]), np.array([[1.0], [2], [4]])
    with cut_into(2, 1, 1):
        assert streaming_attention(q, k, v, mask=[[True, True, True], [False, True, True]]).tolist() == [[1], [3]]


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_digit(threads):
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 2, 50, 4))
    with cut_into(8, 8, 4):
        one = streaming_attention(q, k, v, causal=True)
        assert (streaming_attention(q, k, v, causal=True, threads=threads) == one).all()


# Agreement with the core


@given(questions(), cuts)
def test_it_answers_as_the_core_does(asked, cut):
    with cut_into(*cut):
        assert close(streaming_attention(**asked), core(asked).output)


@given(st.integers(0, 12), st.integers(0, 12), widths, widths, st.booleans(), seeds, cuts)
def test_the_version_that_is_read_answers_as_the_core_does(n_queries, n_keys, d_k, d_v, causal, seed, cut):
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=shape) for shape in ((n_queries, d_k), (n_keys, d_k), (n_keys, d_v)))
    asked = {"q": 10 * q, "k": k, "v": v, "causal": causal}
    with cut_into(*cut):
        assert close(short_attention(**asked), core(asked).output)


@pytest.mark.parametrize("options", [{}, {"causal": True}, {"window": 100}, {"causal": True, "window": 300}])
@pytest.mark.parametrize(("n_queries", "n_keys"), [(700, 1200), (1200, 700), (256, 512), (257, 513)])
def test_real_tiles_answer_as_the_core_does(n_queries, n_keys, options):
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(n_queries, 8)), rng.normal(size=(n_keys, 8)), rng.normal(size=(n_keys, 3))
    asked = {"q": q, "k": k, "v": v, **options}
    assert close(streaming_attention(**asked), core(asked).output)
    assert close(streaming_attention(**asked, bias=np.zeros(1)), core(asked).output)
    if "window" not in options:
        assert close(short_attention(**asked), core(asked).output)


@pytest.mark.parametrize("causal", [False, True])
def test_its_float32_error_is_that_of_the_core(causal):
    q, k, v = np.random.default_rng(0).normal(size=(3, 1500, 64)).astype(np.float32)
    mask = causal_mask(1500) if causal else None
    exact = scaled_dot_product_attention(*(array.astype(np.float64) for array in (q, k, v)), mask=mask).output
    plain = np.abs(scaled_dot_product_attention(q, k, v, mask=mask).output - exact).max()
    assert np.abs(streaming_attention(q, k, v, causal=causal) - exact).max() <= 1.5 * plain


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "bool"])
def test_number_types_are_those_of_the_core(dtype):
    arrays = (3 * np.random.default_rng(0).normal(size=(3, 6, 4))).astype(dtype)
    for bias in (None, np.zeros((6, 6), np.float16), np.full((6, 6), -1e300), np.eye(6, dtype=int)):
        expected = scaled_dot_product_attention(*arrays, bias=bias).output
        output = streaming_attention(*arrays, bias=bias)
        assert output.dtype == expected.dtype
        assert np.allclose(output, expected, rtol=1e-3 if dtype == "float16" else 1e-5)
    assert short_attention(*arrays).dtype == streaming_attention(*arrays).dtype


def test_a_bias_wider_than_the_scores_counts_in_its_own_precision():
    q, k = np.zeros((1, 1), np.float32), np.zeros((2, 1), np.float32)
    large = 2.0**40  # float32 cannot tell it from 2**40 + 1
    output = streaming_attention(q, k, np.array([[0], [1]], np.float32), bias=[[large, large + 1]])
    assert np.allclose(output, np.e / (1 + np.e), rtol=1e-6)


def test_heads_may_share_keys_and_values_as_in_multi_head_attention():
    rng = np.random.default_rng(0)
    matrices = heads_of(rng, n_heads=6, n_kv_heads=2)
    mask = rng.random((5, 5)) < 0.7
    result = MultiHeadAttention(*matrices)(rng.normal(size=(3, 5, 4)), mask=mask)
    assert close(streaming_attention(result.q, result.k, result.v, mask=mask), result.head_outputs)
    bias = rng.normal(size=(6, 5, 5))
    expected = scaled_dot_product_attention(result.q, *(a.repeat(3, axis=-3) for a in (result.k, result.v)), bias=bias)
    assert close(streaming_attention(result.q, result.k, result.v, bias=bias), expected.output)
    one_v = streaming_attention(result.q, result.k, result.v[0, 0])
    assert close(one_v[:, 2], streaming_attention(result.q[:, 2], result.k[:, 0], result.v[0, 0]))
    lengths = np.array([[5], [2], [0]])
    assert not streaming_attention(result.q, result.k, result.v, lengths=lengths)[2].any()


def test_values_may_have_more_leading_axes_than_queries_and_keys():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 2)), rng.normal(size=(4, 2)), rng.normal(size=(5, 4, 2))
    assert close(streaming_attention(q, k, v), scaled_dot_product_attention(q, k, v).output)


@given(questions())
def test_arrays_are_left_as_they_were(asked):
    untouched = snapshot(*(value for value in asked.values() if isinstance(value, np.ndarray)))
    output = streaming_attention(**asked)
    assert untouched()
    assert output.flags.writeable


@pytest.mark.parametrize("options", [{"window": np.uint8(2)}, {"window": np.uint8(2), "causal": np.True_}])
def test_numbers_of_numpy_count_as_those_of_python(options):
    q = np.random.default_rng(0).normal(size=(300, 2))
    plain = {name: value.item() for name, value in options.items()}
    assert (streaming_attention(q, q, q, **options) == streaming_attention(q, q, q, **plain)).all()


# Refusal

Q, K, V = np.ones((3, 2)), np.ones((4, 2)), np.ones((4, 5))


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"k": np.ones((4, 3))}, ShapeError, "k has d_k = 3, but q has d_k = 2"),
        ({"v": np.ones((5, 2))}, ShapeError, "v has n_keys = 5, but k has n_keys = 4"),
        ({"q": np.ones((3, 0)), "k": np.ones((4, 0))}, ShapeError, "nothing to compare"),
        ({"mask": np.ones((3, 5), bool)}, ShapeError, "mask has n_keys = 5, but the scores have n_keys = 4"),
        ({"mask": np.ones((3, 4))}, TypeError, "mask must be boolean"),
        ({"bias": np.ones((2, 4))}, ShapeError, "bias has n_queries = 2, but the scores have n_queries = 3"),
        ({"bias": np.full((3, 4), "x")}, TypeError, "bias holds text"),
        ({"lengths": [1, 2]}, ShapeError, "lengths has 3 axes, but the scores have 2"),
        ({"lengths": 5}, ValueError, "lengths holds 5"),
        ({"window": 0}, ValueError, "^window must be at least 1 "),
        ({"window": 1.5}, TypeError, "^window must be a whole number, not 1.5"),
        ({"causal": [1]}, TypeError, r"^causal must be True or False, not \[1\]"),
        ({"causal": np.array([True, False])}, TypeError, "^causal must be True or False, not array"),
        ({"causal": "no"}, TypeError, "^causal must be True or False, not 'no'"),
        ({"scale": np.nan}, ValueError, "scale must be a finite number"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
        ({"threads": 1.5}, TypeError, "threads must be a whole number"),
        ({"q": np.ones((4, 3, 2)), "k": np.ones((3, 4, 2))}, ShapeError, "q has n_heads = 4, which n_kv_heads = 3"),
        ({"q": np.ones((2, 3, 2)), "k": np.ones((4, 4, 2))}, ShapeError, "do not broadcast"),
        (
            {"q": np.ones((4, 3, 2)), "k": np.ones((2, 4, 2)), "v": np.ones((4, 4, 2))},
            ShapeError,
            "v has n_kv_heads = 4, but k has n_kv_heads = 2",
        ),
    ],
)
def test_what_does_not_fit_is_named(changed, error, message):
    with pytest.raises(error, match=message):
        streaming_attention(**{"q": Q, "k": K, "v": V, **changed})
