"""Whose an array is: the caller's is never written to, locked or shared, and the package's own cannot be unlocked."""

import dataclasses

import numpy as np
import pytest

from attention_lab import (
    MultiHeadAttention,
    Vocabulary,
    attention_entropy,
    attention_scores,
    causal_mask,
    future_influence,
    merge_heads,
    padding_mask,
    running_summary,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from attention_lab.examples import BANK, VOCABULARY, Example
from tests.strategies import heads_of, snapshot

TYPES = ("float16", "float32", "float64", "int64", ">f8")


def arrays_of(record):
    """Every array of a record."""
    if dataclasses.is_dataclass(record):
        record = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    return [array for array in record.values() if isinstance(array, np.ndarray)]


def check_nobody_is_disturbed(unchanged, given, answers):
    """The caller's arrays hold what they held, may be written to, and no answer looks into them."""
    assert unchanged()
    for array in given:
        assert array.flags.writeable
        assert not any(np.shares_memory(array, answer) for answer in answers)


def check_locked(arrays):
    """The arrays can neither be written to nor unlocked."""
    assert arrays
    for array in arrays:
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
            array.setflags(write=True)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "mask_of", [lambda: causal_mask(3), lambda: np.ones((2, 3, 3), bool), lambda: padding_mask(2, 3)]
)
def test_attention(dtype, mask_of):
    q, k, v = (np.eye(3).astype(dtype)[None].repeat(2, axis=0) for _ in range(3))
    bias, mask = np.zeros((3, 3), dtype), mask_of()
    given = (q, k, v, bias, mask)
    unchanged = snapshot(*given)
    record = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
    check_nobody_is_disturbed(unchanged, given, arrays_of(record))
    check_locked(arrays_of(record))
    before = record.mask.copy()
    mask[...] = ~mask
    assert (record.mask == before).all()


@pytest.mark.parametrize("dtype", TYPES)
def test_multi_head_attention(dtype):
    matrices = [matrix.astype(dtype) for matrix in heads_of(np.random.default_rng(0), n_heads=4, n_kv_heads=2)]
    x, context, mask = np.ones((2, 3, 4), dtype), np.ones((2, 3, 4), dtype), causal_mask(3)
    given = (*matrices, x, context, mask)
    unchanged = snapshot(*given)
    attend = MultiHeadAttention(*matrices)
    record = attend(x, context=context, mask=mask)
    own = [attend.W_Q, attend.W_K, attend.W_V, attend.W_O]
    check_nobody_is_disturbed(unchanged, given, [*own, *arrays_of(record)])
    check_locked([*own, *arrays_of(record)])
    mask[...] = False
    assert (record.mask == causal_mask(3)).all()


@pytest.mark.parametrize("dtype", TYPES)
def test_functions_answer_with_arrays_that_are_the_callers_to_change(dtype):
    x, mask = np.eye(4).astype(dtype), causal_mask(4)
    heads = x.reshape(2, 2, 4)
    given = (x, heads, mask)
    unchanged = snapshot(*given)
    answers = [
        softmax(x),
        softmax(x, mask=mask, temperature=2),
        attention_scores(x, x, scale=1.0),
        split_heads(x, 1),
        split_heads(x, 2),
        merge_heads(heads),
        merge_heads(heads[:1]),
        running_summary(x, keep=0),
        attention_entropy(x),
        future_influence(lambda words: words, x),
        causal_mask(4),
        padding_mask(2, 4),
    ]
    check_nobody_is_disturbed(unchanged, given, answers)
    for answer in answers:
        answer[...] = 0
    assert unchanged()


@pytest.mark.parametrize("dtype", TYPES)
def test_a_vocabulary(dtype):
    table = np.eye(2).astype(dtype)
    for rows in (table, table[:1]):
        unchanged = snapshot(table)
        vocabulary = Vocabulary({f"word{i}": row for i, row in enumerate(rows)})
        check_nobody_is_disturbed(unchanged, [table], [vocabulary.embeddings, vocabulary.embed(["word0"])])
        check_locked([vocabulary.embeddings])
    check_locked([VOCABULARY.embeddings])


@pytest.mark.parametrize("dtype", TYPES)
def test_an_example(dtype):
    given = [np.eye(2).astype(dtype) for _ in range(4)]
    unchanged = snapshot(*given)
    example = Example(("river", "bank"), *given)
    own = [*arrays_of(example), example.q, example.k, example.v]
    check_nobody_is_disturbed(unchanged, given, own)
    check_locked(own)
    given[0][...] = 9
    assert (example.x == np.eye(2)).all()
    check_locked([*arrays_of(BANK), BANK.q, BANK.k, BANK.v])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("factor", [1, 0.5])
def test_an_explorers_matrices(dtype, factor):
    from attention_lab.explorers import bank_matrices

    explorer, names = bank_matrices(), ("x", "W_Q", "W_K", "W_V")
    given = {name: (np.ones(getattr(BANK, name).shape) * factor).astype(dtype) for name in names}
    unchanged = snapshot(*given.values())
    for name, matrix in given.items():
        setattr(explorer, name, matrix)
    own = [getattr(explorer, name) for name in names]
    check_nobody_is_disturbed(unchanged, given.values(), [*own, *arrays_of(explorer.example)])
    check_locked([*own, *arrays_of(explorer.attention)])
    given["x"][...] = 7
    assert (explorer.x != 7).all()
