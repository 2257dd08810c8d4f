"""Random features: right on average, and closer the more there are."""

import numpy as np
import pytest

from attention_lab import ShapeError, scaled_dot_product_attention
from attention_lab.approximations import linear_attention, positive_features, random_directions, relative_error
from attention_lab.costs import growth
from tests.strategies import close

# By hand


def test_one_direction_gives_one_feature_by_its_formula():
    u = np.array([2.0, 1.0]) / 2**0.25
    expected = np.exp(u @ [0.5, -1.0] - (u**2).sum() / 2)
    assert close(positive_features([[2.0, 1.0]], [[0.5, -1.0]]), [[expected]])


def test_more_directions_are_divided_by_the_root_of_how_many_there_are():
    one = positive_features([[2.0]], [[1.0]])
    assert close(positive_features([[2.0]], [[1.0]] * 4), np.repeat(one, 4, axis=1) / 2)


# Law


def test_on_average_a_product_is_what_the_softmax_exponentiates():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 5, 8)) / 2
    directions = random_directions(200_000, 8, rng=rng)
    products = positive_features(q, directions) @ positive_features(k, directions).T
    assert np.allclose(products, np.exp(q @ k.T / np.sqrt(8)), rtol=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_the_error_falls_as_one_over_the_root_of_how_many_there_are(seed):
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 64, 16)) / 3
    exact, sizes, errors = scaled_dot_product_attention(q, k, v).output, [64, 256, 1024, 4096], []
    for size in sizes:
        draws = [random_directions(size, 16, rng=rng) for _ in range(10)]
        guesses = [linear_attention(q, k, v, features=lambda x, w=w: positive_features(x, w)) for w in draws]
        errors.append(np.mean([relative_error(guess, exact) for guess in guesses]))
    assert growth(sizes, errors).power == pytest.approx(-0.5, abs=0.06)


def test_nothing_overflows_and_very_long_vectors_become_zero():
    features = positive_features([[1e4, 1e4], [1e200, 0.0]], random_directions(50, 2, rng=np.random.default_rng(0)))
    assert (features == 0).all()


def test_the_answer_has_the_type_of_the_question():
    directions = np.ones((3, 2), "float32")
    assert positive_features(np.ones((4, 2), "float32"), directions).dtype == "float32"


# Refusal


def test_bad_input_is_refused_in_words():
    with pytest.raises(ShapeError, match="directions has d_k = 3, but x has d_k = 2"):
        positive_features([[1.0, 2.0]], np.ones((4, 3)))
    with pytest.raises(ShapeError, match="x has d_k = 0: a vector of no numbers has no features"):
        positive_features(np.ones((3, 0)), np.ones((2, 0)))
    with pytest.raises(ValueError, match="n_features must be at least 1, but is 0"):
        random_directions(0, 2, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="d_k must be at least 1, but is 0"):
        random_directions(2, 0, rng=np.random.default_rng(0))
