"""Hide: who may look where."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, causal_mask, padding_mask, window_mask
from attention_lab.masks import fit, fit_mask
from tests.strategies import counts

NO, YES = False, True


# By hand


def test_the_causal_mask_of_three_words_is_a_lower_triangle():
    mask = causal_mask(3)
    assert mask.dtype == np.bool_
    assert mask.tolist() == [[YES, NO, NO], [YES, YES, NO], [YES, YES, YES]]


def test_aligned_at_the_end_the_last_query_sees_the_last_key():
    assert causal_mask(2, 4).tolist() == [[YES, YES, YES, NO], [YES, YES, YES, YES]]
    assert (causal_mask(2, 4, align="end") == causal_mask(2, 4)).all()


def test_aligned_at_the_start_row_i_sees_the_keys_up_to_i():
    assert causal_mask(2, 4, align="start").tolist() == [[YES, NO, NO, NO], [YES, YES, NO, NO]]


def test_with_more_queries_than_keys_the_first_rows_are_empty():
    assert causal_mask(3, 1).tolist() == [[NO], [NO], [YES]]


def test_a_window_of_two_sees_one_word_on_each_side():
    assert window_mask(3, width=2).tolist() == [[YES, YES, NO], [YES, YES, YES], [NO, YES, YES]]


def test_a_window_of_one_sees_itself_only():
    assert (window_mask(4, width=1) == np.eye(4, dtype=bool)).all()


def test_the_window_of_the_last_query_ends_at_the_last_key():
    assert window_mask(1, 4, width=2).tolist() == [[NO, NO, YES, YES]]


def test_padding_hides_the_keys_behind_each_length():
    mask = padding_mask([3, 1, 0], 3)
    assert mask.dtype == np.bool_
    assert mask.tolist() == [[[YES, YES, YES]], [[YES, NO, NO]], [[NO, NO, NO]]]


@pytest.mark.parametrize(
    ("lengths", "shape"),
    [(2, (1, 3)), ([1, 2], (2, 1, 3)), ([[1], [2]], (2, 1, 1, 3)), ([], (0, 1, 3)), (np.uint64(3), (1, 3))],
)
def test_padding_has_an_axis_of_one_for_every_query(lengths, shape):
    assert padding_mask(lengths, 3).shape == shape


def test_masks_combine_with_and():
    both = causal_mask(3) & padding_mask([2, 3], 3)
    assert both.shape == (2, 3, 3)
    assert both[0].tolist() == [[YES, NO, NO], [YES, YES, NO], [YES, YES, NO]]


# Law


@given(counts, counts)
def test_causal_follows_its_formula_for_both_alignments(n_queries, n_keys):
    for align, shift in (("end", n_keys - n_queries), ("start", 0)):
        expected = [[j <= i + shift for j in range(n_keys)] for i in range(n_queries)]
        assert causal_mask(n_queries, n_keys, align=align).tolist() == expected


@given(counts, counts, st.integers(1, 6))
def test_the_window_follows_its_formula(n_queries, n_keys, width):
    expected = [[abs(i + n_keys - n_queries - j) < width for j in range(n_keys)] for i in range(n_queries)]
    assert window_mask(n_queries, n_keys, width=width).tolist() == expected


@given(counts)
def test_with_as_many_queries_as_keys_the_alignments_agree(n):
    assert (causal_mask(n, align="end") == causal_mask(n, align="start")).all()
    assert causal_mask(n).shape == (n, n)


@given(counts, counts)
def test_every_mask_is_boolean_and_of_the_size_asked_for(n_queries, n_keys):
    for mask in (causal_mask(n_queries, n_keys), window_mask(n_queries, n_keys, width=2)):
        assert (mask.dtype, mask.shape) == (np.bool_, (n_queries, n_keys))


@given(st.lists(st.integers(0, 5), max_size=4))
def test_padding_leaves_as_many_keys_as_the_length_says(lengths):
    assert padding_mask(lengths, 5).sum(axis=-1).ravel().tolist() == lengths


def test_a_fitted_mask_has_the_shape_of_the_scores_and_the_same_rows():
    fitted = fit_mask([[True], [False]], (4, 2, 3))
    assert fitted.shape == (4, 2, 3)
    assert fitted[:, 0].all()
    assert not fitted[:, 1].any()


# Refusal


def test_another_alignment_is_refused():
    with pytest.raises(ValueError, match=r'^align must be "end" or "start", not \'middle\''):
        causal_mask(3, align="middle")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: causal_mask(-1), "n_queries must not be negative, but is -1"),
        (lambda: causal_mask(1, -2), "n_keys must not be negative, but is -2"),
        (lambda: window_mask(1, width=0), r"width must be at least 1 \(a word sees itself\), not 0"),
        (lambda: window_mask(1, width=-1), "width must not be negative, but is -1"),
        (lambda: padding_mask([1, 4], 3), "lengths holds 4, but a length lies between 0 and n_keys = 3"),
        (lambda: padding_mask([-1], 3), "lengths holds -1, but a length lies between 0 and n_keys = 3"),
        (lambda: padding_mask([1], -3), "n_keys must not be negative, but is -3"),
    ],
)
def test_impossible_sizes_are_refused_in_words(ask, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ask()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: causal_mask(3.0), "n_queries must be a whole number, not 3.0"),
        (lambda: causal_mask(3, "4"), "n_keys must be a whole number, not '4'"),
        (lambda: window_mask(3, width=1.5), "width must be a whole number, not 1.5"),
        (lambda: padding_mask([1.0], 3), "lengths must hold integers, not float64"),
        (lambda: padding_mask([True], 3), "lengths must hold integers, not bool"),
    ],
)
def test_sizes_that_are_not_whole_are_refused_in_words(ask, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        ask()


def test_lengths_that_are_not_rectangular_are_refused():
    with pytest.raises(ShapeError, match=r"^lengths is not a rectangular array"):
        padding_mask([[1], [1, 2]], 3)


@pytest.mark.parametrize("mask", [[[1, 0, 1]], [[1.0, 0.0, 1.0]], [["yes", "no", "no"]], [[None, True, True]]])
def test_a_mask_that_is_not_boolean_is_refused_with_a_remedy(mask):
    with pytest.raises(TypeError, match=r"^mask must be boolean \(True = may look\), not .*mask\.astype\(bool\).*bias"):
        fit_mask(mask, (1, 3))


@pytest.mark.parametrize(
    ("shape", "scores", "message"),
    [
        ((4, 4), (3, 4), "mask has n_queries = 4, but the scores have n_queries = 3"),
        ((3, 5), (3, 4), "mask has n_keys = 5, but the scores have n_keys = 4"),
        ((3,), (3, 0), "mask has n_keys = 3, but the scores have n_keys = 0"),
        ((5, 3, 4), (2, 3, 4), "mask has axis -3 = 5, but the scores have axis -3 = 2"),
        ((1, 3, 4), (3, 4), "mask has 3 axes, but the scores have 2"),
    ],
)
def test_a_mask_that_does_not_fit_names_the_axis_and_both_sizes(shape, scores, message):
    with pytest.raises(ShapeError) as error:
        fit_mask(np.ones(shape, bool), scores)
    assert str(error.value) == (f"{message}.\n  mask: {shape}\n  scores: {scores} as (..., n_queries, n_keys)")


def test_a_bias_that_does_not_fit_is_called_a_bias():
    with pytest.raises(ShapeError, match=r"^bias has n_keys = 2, but the scores have n_keys = 3"):
        fit("bias", np.zeros((1, 2)), (1, 3))
