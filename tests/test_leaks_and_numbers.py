"""The leak test and the sizes of numbers: what is a leak, what is rounding, and what cannot be tested at all."""

import numpy as np
import pytest

from attention_lab import (
    CausalityError,
    ShapeError,
    assert_causal,
    attention_scores,
    causal_mask,
    future_influence,
    scaled_dot_product_attention,
    softmax,
)

X = np.random.default_rng(0).normal(size=(5, 4))


def sequences(dtype="float64", n=50):
    """Sequences of many lengths and sizes."""
    for seed in range(n):
        rng = np.random.default_rng(seed)
        yield rng.normal(scale=rng.choice([1e-3, 1, 30]), size=(rng.integers(2, 9), 4)).astype(dtype)


def never_called(x):
    raise AssertionError("attend was called")


# By hand: a large number elsewhere covers up no leak


def beside_a_large_constant(x):
    return np.c_[x + x.sum(axis=0), np.full(len(x), -1e9, x.dtype)]


def scores_hidden_by_a_large_number(x):
    return np.where(causal_mask(len(x)), x @ x.T, -1e9) + 1e-5 * x.sum()


def in_one_small_row(x):
    return np.vstack([x[:1] * 1e-3 + 1e-9 * x[-1:], x[1:]])


def in_one_number_of_many(x):
    return np.c_[np.cumsum(x, axis=0) * 100, x[:, :1] + 1e-6 * x[-1, 0]]


@pytest.mark.parametrize(
    ("attend", "dtype"),
    [
        (beside_a_large_constant, "float32"),
        (beside_a_large_constant, "float64"),
        (scores_hidden_by_a_large_number, "float64"),
        (in_one_small_row, "float64"),
        (in_one_number_of_many, "float64"),
    ],
)
def test_a_leak_is_found_beside_numbers_that_are_much_larger(attend, dtype):
    for x in sequences(dtype):
        with pytest.raises(CausalityError, match=r"^Output \d depends on word \d, which comes later"):
            assert_causal(attend, x)


def test_a_leak_that_a_nudge_makes_large_is_found_where_there_was_nothing():
    def opens_above_half(x):
        return np.where(x[-1:] > 0.4, 1e-12, 0.0) + np.zeros_like(x)

    with pytest.raises(CausalityError, match=r"^Output 0 depends on word 2"):
        assert_causal(opens_above_half, np.zeros((3, 1)))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_nine_hundred_steps_of_rounding_are_none_and_eleven_hundred_are_a_leak(dtype):
    def moved_by(steps):
        return lambda x: 1 + np.full(x.shape, steps * np.finfo(dtype).eps, dtype) * (x[-1:] > 0)

    x = np.zeros((2, 1), dtype)
    assert assert_causal(moved_by(900), x) is None
    with pytest.raises(CausalityError):
        assert_causal(moved_by(1100), x)


# Law: rounding is no leak


def minus_the_largest_of_all(x, *, work_in="float32", answer_in="float32"):
    """Causal attention whose softmax subtracts the largest score of all, also of those that it hides then."""
    x = x.astype(work_in)
    scores = attention_scores(x, x)
    scores -= scores.max()
    grown = np.exp(scores) * causal_mask(len(x))
    return (grown / grown.sum(axis=-1, keepdims=True) @ x).astype(answer_in)


def there_and_back(x):
    """Every word is added to the largest number of all, and taken away again: only rounding is left of it."""
    largest = np.abs(x).max()
    return (x + largest) - largest


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_global_maximum_that_cancels_is_no_leak(dtype):
    for x in sequences(dtype):
        x = x / max(np.abs(x).max(), 1)
        assert assert_causal(lambda x: minus_the_largest_of_all(x, work_in=x.dtype, answer_in=x.dtype), x) is None


def test_work_in_float32_on_words_in_float64_is_no_leak():
    for x in sequences():
        x = x / max(np.abs(x).max(), 1)
        assert assert_causal(minus_the_largest_of_all, x) is None
        assert assert_causal(lambda x: there_and_back(x.astype(np.float32)), x) is None


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_small_number_may_carry_the_rounding_of_its_columns_largest(dtype):
    for x in sequences(dtype):
        x[:-1] *= 1e-9 if dtype == "float64" else 1e-5
        assert assert_causal(there_and_back, x) is None


def test_what_is_large_only_after_the_nudge_counts_too():
    assert assert_causal(there_and_back, np.full((3, 1), 1e-9)) is None


def test_what_is_large_only_before_the_nudge_counts_too():
    def large_until_the_last_word_is_nudged(x):
        large = 1e6 if x[-1, 0] < 0.25 else 0.0
        return np.vstack([(x[:-1] + large) - large, [[large]]])

    assert assert_causal(large_until_the_last_word_is_nudged, np.full((3, 1), 1e-9)) is None


def test_words_in_float32_have_its_rounding_whatever_the_answer_is_in():
    for x in sequences("float32"):
        assert assert_causal(lambda x: there_and_back(x).astype(np.float64), x) is None


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_packages_causal_attention_with_a_bias_and_scores_is_no_leak(dtype):
    def attend(x):
        bias = np.where(causal_mask(len(x)), 0, -np.inf)
        return scaled_dot_product_attention(x, x, x, bias=bias).output

    for x in sequences(dtype, n=200):
        assert assert_causal(attend, x) is None
        assert assert_causal(lambda x: softmax(x @ x.T, mask=causal_mask(len(x))), x) is None


def test_numbers_near_the_end_of_their_type_are_compared_without_a_warning():
    with np.errstate(all="raise"):
        assert assert_causal(lambda x: np.full(x.shape, 1e307), X) is None
        with pytest.raises(CausalityError):
            assert_causal(lambda x: np.where(x[-1:] > 0.4, 1e307, 1e300) + 0 * x, np.zeros((3, 1)))


# Refusal: what cannot be tested is said before attend is blamed


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_nan_and_infinities_in_x_are_named_as_those_of_x(wrong):
    x = X.copy()
    x[2, 1] = wrong
    for ask in (assert_causal, future_influence):
        with pytest.raises(ValueError, match=r"^x holds NaN or an infinity: nudging it would say nothing\."):
            ask(never_called, x)


def test_words_of_no_width_cannot_be_nudged():
    for shape in ((3, 0), (0, 0)):
        with pytest.raises(ShapeError, match=r"^x has d = 0: there is nothing to nudge\."):
            assert_causal(never_called, np.ones(shape))


@pytest.mark.parametrize("nudge", [np.nan, np.inf, -np.inf, None, "1", 1j, 10**400])
def test_a_nudge_that_is_not_a_finite_number_is_refused(nudge):
    with pytest.raises(ValueError, match=r"^nudge must be a finite number, not"):
        future_influence(never_called, X, nudge=nudge)


@pytest.mark.parametrize(("x", "nudge"), [(X.astype(np.float32), 1e39), (X * 1e200, 1.0), (X * 1e307, 1.0)])
def test_a_nudge_that_makes_x_infinite_is_refused_without_a_warning(x, nudge):
    with (
        np.errstate(all="raise"),
        pytest.raises(ValueError, match=r"^A nudge of .* makes x infinite: use a smaller nudge or smaller numbers\."),
    ):
        future_influence(lambda x: x, x, nudge=nudge)
