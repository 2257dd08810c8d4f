"""The first door: sizes are bound to words, numbers to a type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, bind
from attention_lab.shapes import as_floats, read_only, rectangular, show_shapes
from tests.strategies import counts, leading_axes

Q_WORDS, K_WORDS = "... n_queries d_k", "... n_keys d_k"


# By hand


def test_three_queries_and_five_keys_of_two_numbers_are_bound_to_their_words():
    sizes = bind(q=(np.zeros((3, 2)), Q_WORDS), k=(np.zeros((7, 5, 2)), K_WORDS))
    assert sizes == {"n_queries": 3, "d_k": 2, "n_keys": 5}


def test_nested_lists_are_measured_too():
    assert bind(x=([[1, 2, 3]], "n_tokens d")) == {"n_tokens": 1, "d": 3}


@pytest.mark.parametrize(
    ("given_type", "computed_in", "answered_in"),
    [
        ("float64", "float64", "float64"),
        ("float32", "float32", "float32"),
        ("float16", "float32", "float16"),
        ("int8", "float64", "float64"),
        ("uint64", "float64", "float64"),
        ("bool", "float64", "float64"),
        (">f8", "float64", "float64"),
        (">f4", "float32", "float32"),
        (">f2", "float32", "float16"),
        (">i4", "float64", "float64"),
    ],
)
def test_each_type_is_computed_and_answered_in_its_own(given_type, computed_in, answered_in):
    (x,), answer_in = as_floats(x=np.ones((2, 3)).astype(given_type))
    assert (x.dtype.str, answer_in.str) == (np.dtype(computed_in).str, np.dtype(answered_in).str)
    assert (x == 1).all()


def test_several_arrays_meet_in_the_widest_type():
    arrays, answer_in = as_floats(q=np.ones(2, "float16"), k=np.ones(2, "float32"))
    assert answer_in == np.float32
    arrays, answer_in = as_floats(q=np.ones(2, "float32"), k=[1, 2])
    assert answer_in == np.float64
    assert all(array.dtype == np.float64 for array in arrays)


def test_a_float_array_is_taken_as_it_is_without_a_copy():
    x = np.ones(3)
    (same,), _ = as_floats(x=x)
    assert same is x


def test_a_matrix_object_becomes_a_plain_array():
    assert type(rectangular("x", np.ones((2, 2)).view(np.matrix))) is np.ndarray


def test_an_array_of_ours_is_locked_without_a_copy_and_its_flag_cannot_be_switched_back():
    ours = np.ones(3)
    view = read_only(ours)
    assert np.shares_memory(view, ours)
    for array in (view, ours):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 2
    for array in (view, view[1:], view.T):
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
            array.setflags(write=True)


def test_a_view_of_an_array_is_copied_so_that_the_array_stays_its_owners():
    theirs = np.ones((2, 2))
    for view in (theirs[:1], theirs.T, theirs.view(), np.broadcast_to(theirs, (3, 2, 2))):
        locked = read_only(view)
        assert (locked == view).all()
        assert not np.shares_memory(locked, theirs)
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
            locked.setflags(write=True)
    theirs[...] = 5


def test_a_record_shows_shapes_and_leaves_out_what_it_does_not_hold():
    class Record:
        scores = np.zeros((3, 2))
        mask = None

    assert show_shapes(Record(), ("scores", "mask")) == "Record(scores 3x2)"


# Law


@given(leading_axes, counts, counts, counts)
def test_leading_axes_are_free_where_the_words_say_so(leading, n_queries, n_keys, d_k):
    q, k = np.zeros((*leading, n_queries, d_k)), np.zeros((n_keys, d_k))
    assert bind(q=(q, Q_WORDS), k=(k, K_WORDS)) == {"n_queries": n_queries, "n_keys": n_keys, "d_k": d_k}


@given(st.sampled_from([((2, 1), (1, 3)), ((2,), ()), ((4, 1), (3,)), ((0,), (1,))]))
def test_leading_axes_that_broadcast_are_accepted(leading):
    bind(q=(np.zeros((*leading[0], 3, 2)), Q_WORDS), k=(np.zeros((*leading[1], 4, 2)), K_WORDS))


# Refusal


def test_two_sizes_for_one_word_name_both_arrays_both_sizes_and_both_shapes():
    with pytest.raises(ShapeError) as error:
        bind(q=(np.zeros((3, 2)), Q_WORDS), k=(np.zeros((5, 4)), K_WORDS))
    assert str(error.value) == (
        "k has d_k = 4, but q has d_k = 2.\n  q: (3, 2) as (..., n_queries, d_k)\n  k: (5, 4) as (..., n_keys, d_k)"
    )


def test_the_array_that_a_size_was_first_seen_in_is_the_one_named():
    arrays = {"q": (np.zeros((3, 2)), Q_WORDS), "k": (np.zeros((5, 2)), K_WORDS), "v": (np.zeros((4, 2)), "n_keys d_v")}
    with pytest.raises(ShapeError, match=r"^v has n_keys = 4, but k has n_keys = 5\."):
        bind(**arrays)


def test_of_several_arrays_with_a_size_the_first_is_named():
    with pytest.raises(ShapeError, match=r"^c has d = 3, but a has d = 2\."):
        bind(a=([1, 2], "d"), b=([1, 2], "d"), c=([1, 2, 3], "d"))


def test_leading_axes_that_do_not_broadcast_name_both():
    with pytest.raises(ShapeError, match=r"^The leading axes of k are \(3,\), but those of q are \(2,\): they do not"):
        bind(q=(np.zeros((2, 3, 2)), Q_WORDS), k=(np.zeros((3, 5, 2)), K_WORDS))


def test_leading_axes_are_compared_between_all_pairs_of_arrays():
    arrays = {name: (np.zeros((n, 1, 1)), "... a b") for name, n in [("q", 1), ("k", 2), ("v", 3)]}
    with pytest.raises(ShapeError, match=r"^The leading axes of v are \(3,\), but those of k are \(2,\)"):
        bind(**arrays)


@pytest.mark.parametrize(
    ("array", "words", "message"),
    [
        (np.zeros(3), "n_tokens d", r"^x has too few axes\.\n  x: \(3,\) as \(n_tokens, d\)"),
        (np.zeros(3), "... n_tokens d", r"^x has too few axes\.\n  x: \(3,\) as \(\.\.\., n_tokens, d\)"),
        (np.zeros((2, 3, 4)), "n_tokens d", r"^x has too many axes\.\n  x: \(2, 3, 4\) as \(n_tokens, d\)"),
        ([[1, 2], [3]], "n_tokens d", "^x is not a rectangular array: its rows have different lengths"),
    ],
)
def test_a_wrong_number_of_axes_is_named(array, words, message):
    with pytest.raises(ShapeError, match=message):
        bind(x=(array, words))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([1j], r"complex numbers \(complex128\)"),
        (["river"], r"text \(<U5\)"),
        ([b"river"], r"text \(\|S5\)"),
        ([None], r"objects \(object\)"),
        (np.ones(2, np.longdouble), r"another type \("),
        (np.zeros(2, "M8[s]"), r"another type \(datetime64\[s\]\)"),
    ],
)
def test_what_is_no_number_is_a_type_error_that_names_the_array_and_its_type(value, what):
    with pytest.raises(TypeError, match=rf"^x holds {what}.*It must hold float16, float32, float64, integers or boo"):
        as_floats(x=value)


def test_rows_of_different_lengths_are_a_shape_error_in_words():
    with pytest.raises(ShapeError, match=r"^q is not a rectangular array: its rows have different lengths"):
        as_floats(q=[[1, 0], [1]])


def test_a_masked_array_is_refused_since_its_mask_would_be_lost():
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    for ask in (lambda: rectangular("x", masked), lambda: as_floats(x=masked), lambda: bind(x=(masked, "d"))):
        with pytest.raises(
            TypeError, match=r"^x is a masked array, whose mask would be lost: .*plain array, and mask="
        ):
            ask()


def test_a_shape_error_is_a_value_error():
    assert issubclass(ShapeError, ValueError)
