"""How far an output is from the exact one."""

import numpy as np
import pytest

from attention_lab import ShapeError
from attention_lab.approximations import relative_error

# By hand


def test_an_output_that_is_off_by_three_beside_five_is_wrong_by_three_fifths():
    assert relative_error([[3.0, 1.0]], [[3.0, 4.0]]) == pytest.approx(0.6)


def test_silence_is_wrong_by_one_and_twice_the_answer_too():
    exact = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert relative_error(0 * exact, exact) == 1
    assert relative_error(2 * exact, exact) == 1


def test_beside_an_exact_output_of_zeros_everything_else_is_infinitely_wrong():
    assert relative_error([[1.0]], [[0.0]]) == np.inf
    assert np.isnan(relative_error([[0.0]], [[0.0]]))


# Law


def test_each_head_has_an_error_of_its_own_whatever_the_unit():
    output, exact = np.random.default_rng(0).normal(size=(2, 2, 3, 4, 5))
    errors = relative_error(output, exact)
    assert errors.shape == (2, 3)
    assert errors[1, 2] == pytest.approx(relative_error(output[1, 2], exact[1, 2]))
    assert relative_error(7 * output, 7 * exact) == pytest.approx(errors)


@pytest.mark.parametrize(
    ("dtype", "unit"), [(float, 1e200), (float, 1e-200), (float, 5e-324), ("float32", 1e25), ("float32", 1e-25)]
)
def test_the_unit_may_be_so_large_or_small_that_its_square_is_no_number(dtype, unit):
    exact = np.full((2, 3), unit, dtype)
    error = relative_error(2 * exact, exact)
    assert error == pytest.approx(1)
    assert error.dtype == dtype


# Refusal


def test_outputs_of_different_sizes_are_refused():
    with pytest.raises(ShapeError, match="exact has d_v = 3, but output has d_v = 2"):
        relative_error(np.zeros((4, 2)), np.zeros((4, 3)))
