"""Many heads, each by itself, and what they make together."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import (
    MultiHead,
    MultiHeadAttention,
    ShapeError,
    causal_mask,
    padding_mask,
    scaled_dot_product_attention,
)
from attention_lab.examples import BANK
from tests.strategies import close, counts, heads_of, leading_axes, seeds, snapshot

# By hand


def test_the_lessons_matrices_as_a_single_head_give_the_lessons_numbers():
    result = MultiHeadAttention([BANK.W_Q], [BANK.W_K], [BANK.W_V], [np.eye(2)])(BANK.x)
    assert (result.q == BANK.q).all()
    assert (result.k == BANK.k).all()
    assert (result.v == BANK.v).all()
    assert result.weights[0, 1].round(3).tolist() == [0.014, 0.003, 0.982]
    assert result.head_outputs[0, 1].round(2).tolist() == [1.98, 1.97]
    assert result.output[1].round(2).tolist() == [1.98, 1.97]


def test_w_o_adds_up_what_each_head_hands_over():
    W_O = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 10.0], [0.0, 0.0]]])
    result = MultiHeadAttention([BANK.W_Q] * 2, [BANK.W_K] * 2, [BANK.W_V] * 2, W_O)(BANK.x)
    first, second = result.head_outputs
    assert close(result.output, first + np.stack([np.zeros(3), 10 * second[:, 0]], axis=-1))


def test_records_and_heads_print_shapes():
    attend = MultiHeadAttention(*heads_of(np.random.default_rng(0), n_heads=4, n_kv_heads=2))
    assert repr(attend) == "MultiHeadAttention(4 heads, 2 of keys and values)"
    assert repr(attend(np.ones((3, 4)))) == (
        "MultiHead(q 4x3x3, k 2x3x3, v 2x3x2, scores 4x3x3, weights 4x3x3, head_outputs 4x3x2, output 3x4)"
    )


# Law


def one_by_one(matrices, x, context, mask):
    """The same, head by head and sequence by sequence, with plain loops."""
    W_Q, W_K, W_V, W_O = matrices
    shared_by = len(W_Q) // len(W_K)
    outputs = np.zeros((*np.broadcast_shapes(x.shape[:-2], context.shape[:-2]), x.shape[-2], W_O.shape[-1]))
    full_mask = np.broadcast_to(mask, (*outputs.shape[:-1], context.shape[-2]))
    for at in np.ndindex(outputs.shape[:-2]):
        one_x, one_context = (np.broadcast_to(a, (*outputs.shape[:-2], *a.shape[-2:]))[at] for a in (x, context))
        for h in range(len(W_Q)):
            q, k, v = one_x @ W_Q[h], one_context @ W_K[h // shared_by], one_context @ W_V[h // shared_by]
            outputs[at] += scaled_dot_product_attention(q, k, v, mask=full_mask[at]).output @ W_O[h]
    return outputs


@given(leading_axes, counts, counts, st.sampled_from([(1, 1), (2, 2), (4, 2), (6, 2), (3, 1)]), seeds)
def test_many_heads_are_a_loop_over_heads(leading, n_queries, n_keys, numbers_of_heads, seed):
    rng = np.random.default_rng(seed)
    n_heads, n_kv_heads = numbers_of_heads
    matrices = heads_of(rng, n_heads=n_heads, n_kv_heads=n_kv_heads, d_context=5)
    x, context = rng.normal(size=(*leading, n_queries, 4)), rng.normal(size=(n_keys, 5))
    mask = rng.random((*leading[-1:], n_queries, n_keys)) < 0.7
    result = MultiHeadAttention(*matrices)(x, context=context, mask=mask)
    assert result.weights.shape == result.mask.shape == (*leading, n_heads, n_queries, n_keys)
    assert close(result.output, one_by_one(matrices, x, context, mask))


@given(st.sampled_from([1, 2, 3]), seeds)
def test_grouped_heads_are_repeated_keys_and_values(shared_by, seed):
    W_Q, W_K, W_V, W_O = heads_of(np.random.default_rng(seed), n_heads=2 * shared_by, n_kv_heads=2)
    repeated = [np.stack([W[h // shared_by] for h in range(2 * shared_by)]) for W in (W_K, W_V)]
    x = np.random.default_rng(seed + 1).normal(size=(3, 4))
    grouped = MultiHeadAttention(W_Q, W_K, W_V, W_O)(x)
    assert close(grouped.output, MultiHeadAttention(W_Q, *repeated, W_O)(x).output)
    assert grouped.k.shape == (2, 3, 3)
    assert grouped.v.shape == (2, 3, 2)


@given(seeds)
def test_without_a_context_the_words_look_at_themselves(seed):
    rng = np.random.default_rng(seed)
    attend, x = MultiHeadAttention(*heads_of(rng)), rng.normal(size=(2, 3, 4))
    assert (attend(x).output == attend(x, context=x).output).all()


@given(seeds)
def test_a_mask_for_each_sequence_is_not_taken_for_one_for_each_head(seed):
    rng = np.random.default_rng(seed)
    attend, x = MultiHeadAttention(*heads_of(rng, n_heads=2)), rng.normal(size=(2, 3, 4))  # batch = n_heads
    for mask in (padding_mask([1, 3], 3), np.stack([causal_mask(3), np.ones((3, 3), bool)])):
        result = attend(x, mask=mask)
        for i in range(2):
            alone = attend(x[i], mask=mask[i])
            assert close(result.weights[i], alone.weights)
            assert close(result.output[i], alone.output)
            assert (result.mask[i] == mask[i]).all()


@given(st.integers(2, 5), seeds)
def test_a_causal_output_ignores_the_future(n_tokens, seed):
    rng = np.random.default_rng(seed)
    attend, x = MultiHeadAttention(*heads_of(rng)), rng.normal(size=(n_tokens, 4))
    changed = x.copy()
    changed[-1] = 50
    before, after = (attend(words, mask=causal_mask(n_tokens)).output for words in (x, changed))
    assert (before[:-1] == after[:-1]).all()
    assert not close(before[-1], after[-1])


def test_padding_contributes_nothing_even_if_it_is_nan():
    rng = np.random.default_rng(0)
    attend, context = MultiHeadAttention(*heads_of(rng)), rng.normal(size=(3, 4))
    context[2] = np.nan
    result = attend(rng.normal(size=(2, 4)), context=context, mask=padding_mask(2, 3))
    assert np.isfinite(result.output).all()


@pytest.mark.parametrize(
    ("of_x", "of_matrices", "answer"),
    [
        ("float32", "float32", "float32"),
        ("float64", "float32", "float64"),
        ("float16", "float16", "float16"),
        ("float16", "float32", "float32"),
        ("int64", "float32", "float64"),
    ],
)
def test_numbers_and_matrices_meet_in_the_widest_type(of_x, of_matrices, answer):
    attend = MultiHeadAttention(*heads_of(np.random.default_rng(0), dtype=of_matrices))
    result = attend(np.ones((3, 4), of_x))
    names = [field.name for field in dataclasses.fields(MultiHead) if field.name != "mask"]
    assert {getattr(result, name).dtype.name for name in names} == {answer}


def test_float16_that_overflows_is_infinite_without_a_warning():
    attend = MultiHeadAttention(*[np.full((2, 2, 2), 300, np.float16)] * 4)
    assert np.isinf(attend(np.full((3, 2), 300, np.float16)).output).all()


def test_neither_inputs_nor_matrices_are_written_to_and_the_record_is_read_only():
    matrices = heads_of(np.random.default_rng(0))
    x, mask = np.ones((3, 4)), causal_mask(3)
    unchanged = snapshot(*matrices, x, mask)
    attend = MultiHeadAttention(*matrices)
    with np.errstate(all="raise"):
        result = attend(x, mask=mask)
    assert unchanged()
    for field in dataclasses.fields(MultiHead):
        with pytest.raises(ValueError, match="read-only"):
            getattr(result, field.name)[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.output = None


def test_widths_and_sequences_may_be_empty():
    attend = MultiHeadAttention(*heads_of(np.random.default_rng(0)))
    assert attend(np.ones((0, 4))).output.shape == (0, 4)
    assert attend(np.ones((3, 4)), context=np.ones((0, 4))).output.tolist() == np.zeros((3, 4)).tolist()
    no_numbers = [np.ones((2, 0, 3)), np.ones((2, 0, 3)), np.ones((2, 0, 1)), np.ones((2, 1, 0))]
    assert MultiHeadAttention(*no_numbers)(np.ones((3, 0))).output.shape == (3, 0)


# Refusal


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({0: np.ones((2, 4))}, r"^W_Q has too few axes\.\n  W_Q: \(2, 4\) as \(n_heads, d_model, d_k\)"),
        ({1: np.ones((2, 4, 5))}, "^W_K has d_k = 5, but W_Q has d_k = 3"),
        ({2: np.ones((1, 4, 2))}, "^W_V has n_kv_heads = 1, but W_K has n_kv_heads = 2"),
        ({2: np.ones((2, 5, 2))}, "^W_V has d_context = 5, but W_K has d_context = 4"),
        ({3: np.ones((2, 2, 5))}, "^W_O has d_model = 5, but W_Q has d_model = 4"),
        ({3: np.ones((4, 2, 4))}, "^W_O has n_heads = 4, but W_Q has n_heads = 2"),
        (
            {0: np.ones((3, 4, 3)), 3: np.ones((3, 2, 4))},
            "^W_Q has n_heads = 3, which n_kv_heads = 2 of W_K does not div",
        ),
    ],
)
def test_matrices_that_do_not_fit_are_named(changes, message):
    matrices = heads_of(np.random.default_rng(0))
    for at, matrix in changes.items():
        matrices[at] = matrix
    with pytest.raises(ShapeError, match=message):
        MultiHeadAttention(*matrices)


def test_no_heads_of_keys_at_all_are_refused():
    with pytest.raises(ShapeError, match=r"^W_Q has n_heads = 2, which n_kv_heads = 0 of W_K does not divide"):
        MultiHeadAttention(np.ones((2, 4, 3)), np.ones((0, 4, 3)), np.ones((0, 4, 2)), np.ones((2, 2, 4)))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"x": np.ones((3, 5))}, "^W_Q has d_model = 4, but x has d_model = 5"),
        ({"x": np.ones(4)}, "^x has too few axes"),
        ({"context": np.ones((3, 5))}, "^W_K has d_context = 4, but context has d_context = 5"),
        (
            {"x": np.ones((2, 3, 4)), "context": np.ones((3, 3, 4))},
            r"^The leading axes of context are \(3,\), but those of x are \(2,\)",
        ),
        ({"mask": causal_mask(4, 3)}, "^mask has n_queries = 4, but the scores have n_queries = 3"),
        (
            {"mask": np.ones((2, 3, 3), bool)},
            r"^mask has shape \(2, 3, 3\): leave its head axis out, every head gets the same\. "
            r"It is \(n_queries, n_keys\), or \(batch, 1 or n_queries, n_keys\) for a batch\.$",
        ),
        ({"mask": [[True], [True, False]]}, "^mask is not a rectangular array: its rows have different lengths"),
        ({"x": np.ones((2, 3, 4)), "mask": np.ones((2, 2, 3, 3), bool)}, r"^mask has shape \(2, 2, 3, 3\): leave its"),
        (
            {"x": np.ones((2, 3, 4)), "mask": np.ones((5, 1, 3), bool)},
            r"^mask has axis -3 = 5, but the scores have axis -3 = 2\.\n  mask: \(5, 1, 3\)\n  scores: \(2, 3, 3\)",
        ),
    ],
)
def test_inputs_that_do_not_fit_are_named_as_the_caller_knows_them(inputs, message):
    attend = MultiHeadAttention(*heads_of(np.random.default_rng(0)))
    with pytest.raises(ShapeError, match=message):
        attend(**{"x": np.ones((3, 4)), **inputs})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"mask": np.ones((3, 3), int)}, r"^mask must be boolean \(True = may look\), not int64.*astype\(bool\)"),
        ({"x": np.ones((3, 4), complex)}, "^x holds complex numbers"),
        ({"context": [["a"]]}, "^context holds text"),
    ],
)
def test_inputs_that_are_no_numbers_are_named(inputs, message):
    attend = MultiHeadAttention(*heads_of(np.random.default_rng(0)))
    with pytest.raises(TypeError, match=message):
        attend(**{"x": np.ones((3, 4)), **inputs})
