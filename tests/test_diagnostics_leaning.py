"""Two groups of vectors: which group each is more like."""

import numpy as np
import pytest

from attention_lab import ShapeError
from attention_lab.diagnostics import auc, leaning
from tests.strategies import close, snapshot

# By hand


def test_the_leaning_of_a_vector_leaves_itself_out():
    first, second = leaning([[1, 0], [0, 2]], [[3, 0], [1, 1]])
    half = np.sqrt(0.5)
    close(first, [0 - (1 + half) / 2, 0 - (0 + half) / 2])
    close(second, [(1 + 0) / 2 - half, (half + half) / 2 - half])


# Laws


def test_groups_far_apart_are_told_by_every_vector():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 8, 20)) + 3 * rng.normal(size=(2, 1, 20))
    assert auc(*leaning(first, second)) == 1


def test_two_groups_of_one_kind_are_not_told_apart_and_the_bias_is_against_telling():
    vectors = np.random.default_rng(0).normal(size=(500, 2, 8, 20)) + 1
    found = auc(*leaning(vectors[:, 0], vectors[:, 1])).mean()
    assert 0.3 < found < 0.5


def test_length_does_not_count_and_the_groups_may_change_places():
    first, second = np.random.default_rng(0).normal(size=(2, 5, 6))
    found = leaning(first, second)
    for mine, again in zip(found, leaning(first * [[3], [1], [2], [9], [1]], 7 * second), strict=True):
        close(mine, again)
    swapped = leaning(second, first)
    close(found[0], -swapped[1])
    close(found[1], -swapped[0])


@pytest.mark.parametrize("size", [1e200, 1e-200, 5e-324, 1e308])
def test_no_length_is_too_large_or_too_small(size):
    first, second = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[0.0, 1.0], [-1.0, 1.0]])
    for mine, again in zip(leaning(first, second), leaning(first * size, second), strict=True):
        assert close(mine, again)


def test_leading_axes_are_computed_one_by_one_and_the_vectors_stay_the_callers():
    first, second = np.random.default_rng(0).normal(size=(2, 3, 5, 6))
    unchanged = snapshot(first, second)
    found = leaning(first, second)
    assert found[0].shape == found[1].shape == (3, 5)
    close(found[0][1], leaning(first[1], second[1])[0])
    assert unchanged()


# Refusal


@pytest.mark.parametrize(
    ("first", "second", "error", "said"),
    [
        (np.ones((2, 3)), np.ones((3, 3)), ShapeError, "second has n_sentences = 3, but first has n_sentences = 2"),
        (np.ones((2, 3)), np.ones((2, 4)), ShapeError, "second has d_model = 4, but first has d_model = 3"),
        (np.ones((1, 3)), np.ones((1, 3)), ShapeError, "n_sentences = 1: each vector needs another one"),
        ([[1, 0], [0, 0]], [[1, 0], [1, 1]], ValueError, "first holds a vector that is 0"),
        ([[1, 0], [1, 1]], [[1, 0], [1, np.inf]], ValueError, "second holds a vector that is 0, NaN or infinite"),
        (np.ones((2, 0)), np.ones((2, 0)), ValueError, "first holds a vector that is 0"),
        ([[1, 0], [1, 1]], [[1, 0], [np.nan, 1]], ValueError, "second holds a vector that is 0, NaN"),
    ],
)
def test_vectors_that_cannot_lean_are_refused(first, second, error, said):
    with pytest.raises(error, match=said):
        leaning(first, second)
