"""A right answer is looked at once more."""

import re
import sys

import numpy as np
import pytest

import attention_lab
from attention_lab.exercises import check
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.streaming import streaming_attention
from attention_lab.training import attention_gradient

BORROWED = {
    "split-heads": attention_lab.split_heads,
    "padding-mask": lambda lengths, n_keys: attention_lab.padding_mask(lengths, n_keys),
    "attention": lambda q, k, v: attention_lab.scaled_dot_product_attention(q, k, v).output.copy(),
    "multi-head-attention": lambda x, *matrices: attention_lab.MultiHeadAttention(*matrices)(x).output,
    "attention-gradient": lambda q, k, v, d_output: attention_gradient(q, k, v, d_output),
    "streaming-attention": lambda q, k, v, tile: streaming_attention(q, k, v),
}


@pytest.mark.parametrize("name", BORROWED)
def test_what_the_package_computes_is_no_answer_of_a_learner(name):
    report = check(BORROWED[name], name)
    assert report.verdict == "not yet"
    assert "the package's own `" in report.message
    assert report.mistakes == ()


def test_the_package_may_do_a_part():
    def mine(x, W_Q, W_K, W_V, W_O):
        heads = zip(W_Q, W_K, W_V, W_O, strict=True)
        return sum(attention_lab.scaled_dot_product_attention(x @ q, x @ k, x @ v).output @ o for q, k, v, o in heads)

    assert check(mine, "multi-head-attention")


@pytest.mark.parametrize("exercise", [e for e in EXERCISES.values() if isinstance(e, FunctionExercise)], ids=str)
def test_every_solution_is_a_learners_own(exercise):
    names = {"np": np, "softmax": attention_lab.softmax}
    exec(exercise.solution, names)
    assert check(names[exercise.solution.split("(")[0].removeprefix("def ")], exercise.name)


def test_a_profiler_that_runs_goes_on():
    def watch(frame, event, value):
        return None

    sys.setprofile(watch)
    try:
        check(lambda n: np.tril(np.ones((n, n), bool)), "causal-mask")
        assert sys.getprofile() is watch
    finally:
        sys.setprofile(None)


def plain(q, k, v, tile):
    scores = q @ k.T / np.sqrt(k.shape[-1])
    grown = np.exp(scores - scores.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True) @ v


def without_maximum(q, k, v, tile):
    total = blend = 0
    for j in range(0, len(k), tile):
        weights = np.exp(q @ k[j : j + tile].T / np.sqrt(k.shape[-1]))
        total, blend = total + weights.sum(-1, keepdims=True), blend + weights @ v[j : j + tile]
    return blend / total


def stops_later(q, k, v, tile):
    if len(q) > 100:
        raise ValueError("far too many")
    return plain(q, k, v, tile)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (plain, "it holds 2. MB at once"),
        (without_maximum, "With scores of 2,000 and values of 3 it answers nan"),
        (stops_later, "far too many"),
    ],
)
def test_streaming_keeps_to_its_tiles_and_to_the_maximum(function, said):
    report = check(function, "streaming-attention")
    assert report.verdict == "not yet"
    assert re.search(said, report.message)


def test_streaming_with_a_mask_is_held_to_the_same():
    def all_at_once(q, k, v, mask, tile):
        scores = np.where(mask, q @ k.T / np.sqrt(k.shape[-1]), -np.inf)
        grown = np.exp(scores - scores.max(-1, keepdims=True))
        return grown / grown.sum(-1, keepdims=True) @ v

    assert "MB at once" in check(all_at_once, "streaming-masked").message


@pytest.mark.parametrize(
    "function",
    [
        lambda m, t, b, s, v: (b * np.exp(m) + np.exp(s) @ v) / (t * np.exp(m) + np.exp(s).sum(1, keepdims=True)),
        lambda m, t, b, s, v: (b + np.exp(s - m) @ v) / (t + np.exp(s - m).sum(1, keepdims=True)),
    ],
)
def test_a_last_tile_stands_a_maximum_that_rises_by_thousands(function):
    assert "After a maximum of 0, scores of 2,000 and values of 3 give nan" in check(function, "last-tile").message
