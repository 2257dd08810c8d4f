"""A word's vector is cut into heads, and put together again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, merge_heads, split_heads
from tests.strategies import counts, leading_axes, seeds, widths

# By hand


def test_two_heads_of_four_numbers_hold_two_each():
    heads = split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
    assert heads.tolist() == [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    assert merge_heads(heads).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


# Law


@given(leading_axes, counts, st.integers(1, 4), widths, st.sampled_from(["float16", "float32", "float64"]), seeds)
def test_merging_undoes_splitting_and_splitting_undoes_merging(leading, n_tokens, n_heads, width, dtype, seed):
    x = np.random.default_rng(seed).normal(size=(*leading, n_tokens, n_heads * width)).astype(dtype)
    heads = split_heads(x, n_heads)
    assert heads.dtype == dtype
    assert heads.shape == (*leading, n_heads, n_tokens, width)
    assert (merge_heads(heads) == x).all()
    assert (split_heads(merge_heads(heads), n_heads) == heads).all()
    for h in range(n_heads):
        assert (heads[..., h, :, :] == x[..., h * width : (h + 1) * width]).all()


def test_split_and_merged_arrays_share_nothing_with_their_input():
    x = np.zeros((2, 4))
    heads = split_heads(x, 2)
    merged = merge_heads(heads)
    assert not np.shares_memory(x, heads)
    assert not np.shares_memory(heads, merged)


# Refusal


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: split_heads(np.ones((2, 4)), 3), "^x has d = 4, which n_heads = 3 does not divide"),
        (lambda: split_heads(np.ones((2, 4)), 0), "^x has d = 4, which n_heads = 0 does not divide"),
        (lambda: split_heads(np.ones(4), 2), r"^x has too few axes\.\n  x: \(4,\) as \(\.\.\., n_tokens, d\)"),
        (lambda: merge_heads(np.ones((2, 4))), r"^heads has too few axes\.\n  heads: \(2, 4\) as "),
    ],
)
def test_what_cannot_be_split_or_merged_is_a_shape_error_in_words(ask, message):
    with pytest.raises(ShapeError, match=message):
        ask()


def test_a_number_of_heads_that_is_not_whole_is_refused():
    with pytest.raises(TypeError, match=r"^n_heads must be a whole number, not 2\.0"):
        split_heads(np.ones((2, 4)), 2.0)
