"""The old way: one summary, overwritten word by word."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, clue_recall, running_summary
from tests.strategies import close, counts, leading_axes, seeds, snapshot, widths

# By hand


def test_of_a_clue_a_fifth_gets_in_and_four_fifths_of_that_survive_each_word():
    assert close(running_summary([[1.0], [0.0], [0.0]]), [[0.2], [0.16], [0.128]])


def test_a_summary_that_keeps_half_is_the_mean_of_itself_and_the_word():
    assert running_summary([[2, 0], [0, 4]], keep=0.5).tolist() == [[1, 0], [0.5, 2]]


def test_one_that_keeps_nothing_is_the_word_and_one_that_keeps_all_never_learns():
    x = [[1.0], [2.0]]
    assert running_summary(x, keep=0).tolist() == x
    assert running_summary(x, keep=1).tolist() == [[0], [0]]


def test_the_look_back_finds_a_clue_that_the_summary_has_lost():
    summary, look_back = clue_recall([1, 5, 30], n_sentences=5000, rng=np.random.default_rng(0))
    assert summary.round(1).tolist() == [0.9, 0.7, 0.5]
    assert look_back.tolist() == [1, 1, 1]


def test_a_clue_in_a_summary_that_keeps_little_is_gone_sooner():
    long, short = (clue_recall([4], keep=keep, rng=np.random.default_rng(0))[0][0] for keep in (0.9, 0.2))
    assert long > 0.6
    assert short < 0.56


# Law


@given(leading_axes, counts, widths, st.floats(0, 1), seeds)
def test_the_summary_follows_its_formula(leading, n_tokens, d, keep, seed):
    x = np.random.default_rng(seed).normal(size=(*leading, n_tokens, d))
    unchanged = snapshot(x)
    summaries = running_summary(x, keep=keep)
    assert summaries.shape == x.shape
    for t in range(n_tokens):
        shares = (1 - keep) * keep ** np.arange(t, -1, -1)
        assert close(summaries[..., t, :], np.einsum("s,...sd->...d", shares, x[..., : t + 1, :]), 1e-12)
    assert unchanged()


@pytest.mark.parametrize(("dtype", "answer"), [("float32", "float32"), ("float16", "float16"), ("int8", "float64")])
def test_the_summary_is_answered_in_the_type_of_the_words(dtype, answer):
    summary = running_summary(np.ones((2, 1), dtype), keep=np.float64(0.5))
    assert summary.dtype == answer
    assert summary.tolist() == [[0.5], [0.75]]


def test_a_summary_takes_nan_infinities_and_tiny_numbers_as_they_come():
    with np.errstate(all="raise"):
        assert np.isnan(running_summary([[np.inf], [1.0]], keep=0)[1, 0])
        assert np.isnan(running_summary([[np.nan], [1.0]])).all()
        assert running_summary(np.array([[1e-37]] + [[0]] * 400, np.float32)).dtype == np.float32
        assert running_summary(np.array([[6e-5]] + [[0]] * 40, np.float16)).dtype == np.float16


def test_recall_has_one_share_for_each_distance_and_is_drawn_from_the_generator_alone():
    first, again, other = (clue_recall([1, 2, 3], rng=np.random.default_rng(seed)) for seed in (0, 0, 1))
    for a, b in zip(first, again, strict=True):
        assert a.shape == (3,)
        assert ((a >= 0) & (a <= 1)).all()
        assert (a == b).all()
    assert (first[0] != other[0]).any()


def test_the_summarys_recall_is_what_theory_says():
    # The clue arrives with 0.2 * 0.8**n; the words after it add normal noise of known spread.
    n = 6
    noise = 0.5 * 0.2 * math.sqrt(sum(0.8 ** (2 * i) for i in range(n)))
    expected = 0.5 * (1 + math.erf(0.2 * 0.8**n / noise / math.sqrt(2)))
    summary, _ = clue_recall([n], n_sentences=20_000, rng=np.random.default_rng(0))
    assert summary[0] == pytest.approx(expected, abs=0.015)  # four standard errors


def test_no_distances_and_a_single_sentence_are_allowed():
    assert [shares.shape for shares in clue_recall([], rng=np.random.default_rng(0))] == [(0,), (0,)]
    assert clue_recall([1], n_sentences=1, rng=np.random.default_rng(0))[1].tolist() == [1]


# Refusal


@pytest.mark.parametrize("keep", [-0.1, 1.1, np.float32(2)])
def test_a_share_outside_zero_to_one_is_refused(keep):
    with pytest.raises(ValueError, match=r"^keep must lie between 0 and 1, not"):
        running_summary([[1.0]], keep=keep)
    with pytest.raises(ValueError, match=r"^keep must lie between 0 and 1, not"):
        clue_recall([1], keep=keep, rng=np.random.default_rng(0))


@pytest.mark.parametrize("keep", [math.nan, math.inf, "0.8", None, 0.8j, 10**400])
def test_a_share_that_is_not_a_finite_number_is_refused(keep):
    with pytest.raises(ValueError, match=r"^keep must be a finite number, not"):
        running_summary([[1.0]], keep=keep)
    with pytest.raises(ValueError, match=r"^keep must be a finite number, not"):
        clue_recall([1], keep=keep, rng=np.random.default_rng(0))


def test_a_single_vector_is_not_a_sequence():
    with pytest.raises(ShapeError, match=r"^x has too few axes\.\n  x: \(2,\) as \(\.\.\., n_tokens, d\)"):
        running_summary([1.0, 2.0])


def test_distances_and_sentences_below_one_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"^A distance must be at least 1 word, not 0\."):
        clue_recall([1, 0], rng=rng)
    with pytest.raises(TypeError, match=r"^distance must be a whole number, not 1\.5"):
        clue_recall([1.5], rng=rng)
    with pytest.raises(ValueError, match=r"^n_sentences must be at least 1, not 0\."):
        clue_recall([1], n_sentences=0, rng=rng)
    with pytest.raises(TypeError, match=r"^n_sentences must be a whole number, not 1\.5\."):
        clue_recall([1], n_sentences=1.5, rng=rng)
