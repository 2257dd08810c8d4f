"""Counts, numbers and weights are checked at the first door, too."""

import numpy as np
import pytest

from attention_lab.shapes import check_row_sums, check_weights, finite_number, whole_number

# By hand


def test_whole_numbers_come_back_as_ints():
    assert [whole_number("n", value) for value in (3, np.int8(3), np.uint64(3))] == [3, 3, 3]
    assert whole_number("n", 0) == 0


def test_finite_numbers_come_back_as_floats():
    for value in (2, 2.0, np.float32(2), np.float16(2), np.int8(2), np.uint64(2)):
        number = finite_number("scale", value)
        assert type(number) is float
        assert number == 2
    assert finite_number("scale", -1e308) == -1e308
    assert finite_number("scale", 0) == 0


def test_weights_may_miss_0_and_1_by_rounding():
    assert check_weights(np.array([0.0, 1.0, -9e-4, 1 + 9e-4, np.nan])) is None
    assert check_weights(np.array([1 + np.finfo(np.float16).eps, -6e-8], np.float16)) is None
    assert check_weights(np.zeros((2, 0))) is None


def test_rows_that_sum_to_about_1_to_0_or_to_nan_pass():
    assert check_row_sums(np.array([[0.5, 0.5], [0.5, 0.508], [0.5, 0.492], [0, 0], [np.nan, 1]])) is None
    assert check_row_sums(np.zeros((2, 0))) is None


@pytest.mark.parametrize(("row", "said"), [([0.5, 0.45], "0.95"), ([0.5, 0.55], "1.05"), ([0.5, 0.4], "0.9")])
def test_a_row_that_sums_to_anything_else_is_refused_with_its_sum(row, said):
    with pytest.raises(ValueError, match=rf"^A row of weights sums to {said}; each must sum to 1, or to 0 if"):
        check_row_sums(np.array([[1.0, 0.0], row]))


# Refusal


@pytest.mark.parametrize("value", [3.0, "3", None, [3]])
def test_a_count_that_is_not_whole_is_a_type_error(value):
    with pytest.raises(TypeError, match=r"^n_heads must be a whole number, not"):
        whole_number("n_heads", value)


def test_a_negative_count_is_a_value_error():
    with pytest.raises(ValueError, match=r"^n_heads must not be negative, but is -1\."):
        whole_number("n_heads", -1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.nan, "nan"),
        (-np.inf, "-inf"),
        (np.float32(np.inf), r"np\.float32\(inf\)"),
        (10**400, "1000000000000000000000000000000000000000"),
        (None, "None"),
        ("1", "'1'"),
        (1j, "1j"),
        (np.complex128(1), r"np\.complex128\(1\+0j\)"),
        ([1.0], r"\[1\.0\]"),
        (np.array([1.0, 2.0]), r"array\(\[1\., 2\.\]\)"),
    ],
)
def test_what_is_not_a_finite_number_is_a_value_error_in_one_short_line(value, shown):
    with pytest.raises(ValueError, match=rf"^scale must be a finite number, not {shown}\.$"):
        finite_number("scale", value)


@pytest.mark.parametrize(
    ("weights", "first"), [([4.0, 2.0, 10.0], "4"), ([0.5, -1.0], "-1"), ([1.002], r"1\.002"), ([-np.inf], "-inf")]
)
def test_what_cannot_be_a_weight_is_named(weights, first):
    with pytest.raises(
        ValueError, match=rf"^weights holds {first}; a weight lies between 0 and 1\. Are these scores\?$"
    ):
        check_weights(np.array(weights))
