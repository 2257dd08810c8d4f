"""The leak test: it finds every leak that a learner may build, and raises no false alarm."""

import itertools

import numpy as np
import pytest

from attention_lab import (
    CausalityError,
    MultiHeadAttention,
    ShapeError,
    assert_causal,
    attention_scores,
    causal_mask,
    future_influence,
    scaled_dot_product_attention,
    softmax,
)
from tests.strategies import close, heads_of, snapshot

X = np.random.default_rng(0).normal(size=(5, 4))


def causal(x):
    return scaled_dot_product_attention(x, x, x, mask=causal_mask(len(x))).output


def unmasked(x):
    return scaled_dot_product_attention(x, x, x).output


def masked_after_the_softmax(x):
    return softmax(attention_scores(x, x)) * causal_mask(len(x)) @ x


def normalised_over_the_words(x):
    return causal((x - x.mean(axis=0)) / x.std(axis=0))


def only_the_last_word_leaks(x):
    return causal(x) + 0.001 * x[-1]


def the_next_word_leaks(x):
    mask = causal_mask(len(x)) | np.eye(len(x), k=1, dtype=bool)
    return scaled_dot_product_attention(x, x, x, mask=mask).output


def the_sum_of_a_words_numbers_leaks(x):
    return x + x.sum()


def the_difference_of_a_words_numbers_leaks(x):
    return x + (x[:, 0] - x[:, 1] - x[:, 2] + x[:, 3]).sum()


def leaks_into_the_first_word_only(x):
    return np.vstack([x[:1] + x[-1:], x[1:]])


def leaks_and_writes_to_its_input(x):
    x += x.sum(axis=0)
    return x


_BUFFER = np.empty_like(X)


def leaks_and_gives_back_the_same_buffer_each_time(x):
    return np.add(x, x.sum(axis=0), out=_BUFFER)


LEAKS = [
    unmasked,
    masked_after_the_softmax,
    normalised_over_the_words,
    only_the_last_word_leaks,
    the_next_word_leaks,
    the_sum_of_a_words_numbers_leaks,
    the_difference_of_a_words_numbers_leaks,
    leaks_into_the_first_word_only,
    leaks_and_writes_to_its_input,
    leaks_and_gives_back_the_same_buffer_each_time,
]


def two_layers(seed, dtype):
    """Two layers of three heads, each word normalised by itself in between."""
    rng = np.random.default_rng(seed)
    first, second = (MultiHeadAttention(*heads_of(rng, n_heads=3, dtype=dtype)) for _ in range(2))

    def attend(x):
        y = x + first(x, mask=causal_mask(len(x))).output
        y = y / np.linalg.norm(y, axis=-1, keepdims=True)
        return y + second(y, mask=causal_mask(len(x))).output

    return attend


# By hand


def test_in_a_running_sum_a_word_moves_itself_and_what_follows():
    influence = future_influence(lambda x: np.cumsum(x, axis=0), [[1.0, 0.0], [0.0, 1.0]])
    assert influence[0, 1] == 0
    assert (influence > 0)[np.tril_indices(2)].all()
    assert close(influence[1, 0], influence[0, 0])


def test_a_nudge_is_measured_in_the_spread_of_x():
    x = np.array([[1.0], [3.0]])  # a spread of 1; the first number of a word moves by half of it
    assert future_influence(lambda x: x, x).tolist() == [[0.5, 0], [0, 0.5]]
    assert future_influence(lambda x: x, 10 * x, nudge=2.0).tolist() == [[10, 0], [0, 10]]
    assert future_influence(lambda x: x, np.ones((2, 1))).tolist() == [[0.5, 0], [0, 0.5]]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_leak_that_hears_one_direction_only_is_found(sign):
    with pytest.raises(CausalityError, match="Output 0 depends on word 1"):
        assert_causal(lambda x: x + np.maximum(0, sign * (x.sum() - X.sum())), X)


def test_the_first_leak_is_named():
    with pytest.raises(CausalityError) as error:
        assert_causal(leaks_into_the_first_word_only, X)
    assert str(error.value).startswith("Output 0 depends on word 4, which comes later: it moved by ")
    assert str(error.value).endswith(" when word 4 was nudged (1 of 10 later pairs leak).")
    with pytest.raises(CausalityError, match=r"^Output 0 depends on word 1, .* \(10 of 10 later pairs leak\)"):
        assert_causal(unmasked, X)
    assert issubclass(CausalityError, ValueError)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 1)])
def test_short_and_narrow_sequences_are_tested_too(shape):
    assert assert_causal(causal, np.ones(shape)) is None
    assert future_influence(causal, np.ones(shape)).shape == (shape[0], shape[0])


# Law


@pytest.mark.parametrize("d", [2, 5, 6])
def test_adding_up_and_subtracting_a_words_numbers_never_cancels_a_nudge(d):
    for signs in itertools.product((-1, 0, 1), repeat=d):
        influence = future_influence(lambda x, signs=signs: x @ np.array(signs), np.zeros((1, d)))
        assert influence > 1e-3 or not any(signs)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("attend", LEAKS, ids=lambda attend: attend.__name__)
def test_a_leak_is_found(attend, dtype):
    with pytest.raises(CausalityError, match=r"^Output \d depends on word \d, which comes later"):
        assert_causal(attend, X.astype(dtype))


@pytest.mark.parametrize("leak", [unmasked, only_the_last_word_leaks, masked_after_the_softmax])
def test_the_influence_shows_where_it_leaks(leak):
    above = np.triu(future_influence(leak, X), k=1)
    expected = np.triu(np.ones((5, 5), bool), k=1)
    if leak is only_the_last_word_leaks:
        expected[:, :-1] = False
    assert ((above > 1e-6) == expected).all()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_causal_attention_never_raises_a_false_alarm(dtype):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x = rng.normal(scale=rng.choice([1e-3, 1, 30]), size=(rng.integers(1, 7), 4)).astype(dtype)
        assert_causal(causal, x)
        assert_causal(two_layers(seed, dtype), x)
        assert not np.triu(future_influence(two_layers(seed, dtype), x), k=1).any()


def test_rounding_is_no_leak_but_a_thousand_times_that_is():
    def slightly(x, leak):
        return x / np.abs(x).max() + leak * x[-1]

    x = np.array([[1.0], [0.5], [0.25]])
    assert assert_causal(lambda x: slightly(x, 1e-15), x) is None
    with pytest.raises(CausalityError):
        assert_causal(lambda x: slightly(x, 1e-11), x)
    assert assert_causal(lambda x: slightly(x, 1e-6), x.astype(np.float32)) is None


def test_outputs_may_have_any_shape_with_one_row_a_word():
    assert future_influence(lambda x: x[:, 0], X).shape == (5, 5)
    assert future_influence(lambda x: np.ones((5, 2, 3)) * x[:, :1, None], X).shape == (5, 5)
    assert not future_influence(lambda x: np.ones((5, 0)), X).any()
    with pytest.raises(CausalityError):
        assert_causal(lambda x: np.stack([x, x[::-1]], axis=-1), X)


def test_x_is_never_written_to_and_may_be_integers():
    x = X.copy()
    unchanged = snapshot(x)
    future_influence(leaks_and_writes_to_its_input, x)
    assert unchanged()
    assert assert_causal(causal, [[1, 0], [0, 1], [2, 1]]) is None


# Refusal


def test_dropout_is_noticed():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"^attend gave two different answers for the same x\. Is dropout on\?"):
        assert_causal(lambda x: causal(x) * (rng.random(x.shape) < 0.9), X)


def test_nan_and_infinities_say_nothing_about_leaks():
    calls = []

    def nan_from_the_third_call_on(x):
        calls.append(x)
        return x if len(calls) < 3 else x * np.nan

    for attend in (lambda x: x * np.nan, lambda x: np.full(x.shape, np.inf), nan_from_the_third_call_on):
        with pytest.raises(ValueError, match=r"^attend gave NaN or an infinity, so nothing can be said about"):
            assert_causal(attend, X)


@pytest.mark.parametrize(
    ("attend", "message"),
    [
        (lambda x: x.sum(), r"^attend gave outputs of shape \(\), .*one row a word is needed"),
        (lambda x: x[1:], r"^attend gave outputs of shape \(4, 4\), .*n_tokens = 5.*one row a word is needed"),
        (
            lambda x: x if x[0, 0] == X[0, 0] else x[:, :1],
            "^attend gave 20 numbers for x .*, but 5 once a word was",
        ),
    ],
)
def test_outputs_that_are_not_one_row_a_word_are_refused(attend, message):
    with pytest.raises(ShapeError, match=message):
        future_influence(attend, X)


def test_x_must_be_one_sequence():
    with pytest.raises(ShapeError, match=r"^x has too many axes"):
        future_influence(causal, np.ones((2, 3, 4)))


@pytest.mark.parametrize(("x", "nudge"), [(np.full((3, 2), 1e9, np.float32), 1.0), (X, 0.0), (X, 0), (X, 1e-30)])
def test_a_nudge_that_changes_nothing_is_refused(x, nudge):
    with pytest.raises(ValueError, match=r"^A nudge of .* is lost in the rounding of x"):
        future_influence(unmasked, x, nudge=nudge)
