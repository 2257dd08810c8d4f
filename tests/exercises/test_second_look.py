"""A right answer is looked at once more."""

import re
import sys
import time

import numpy as np
import pytest

import attention_lab
from attention_lab.exercises import check, limits
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.streaming import streaming_attention
from attention_lab.training import attention_gradient

BORROWED = {
    "split-heads": attention_lab.split_heads,
    "padding-mask": lambda lengths, n_keys: attention_lab.padding_mask(lengths, n_keys),
    "attention": lambda q, k, v: attention_lab.scaled_dot_product_attention(q, k, v).output,
    "causal-mask": lambda n: attention_lab.causal_mask(n),
    "softmax": attention_lab.softmax,
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


def test_who_compares_with_the_package_is_not_accused_of_handing_it_on():
    def mine(scores):
        grown = np.exp(scores - scores.max(-1, keepdims=True))
        weights = grown / grown.sum(-1, keepdims=True)
        assert np.allclose(weights, attention_lab.softmax(scores))
        return weights

    def my_mask(n):
        mask = np.tril(np.ones((n, n), bool))
        assert (mask == attention_lab.causal_mask(n)).all()
        return mask

    assert check(mine, "softmax")
    assert check(my_mask, "causal-mask")


def test_who_makes_the_packages_arguments_has_done_something():
    assert check(lambda scores, temperature: attention_lab.softmax(scores / temperature), "softmax-temperature")

    def mine(x, context, W_Q, W_K, W_V):
        return attention_lab.scaled_dot_product_attention(x @ W_Q, context @ W_K, context @ W_V).output

    assert check(mine, "cross-attention")


def test_a_file_beside_the_package_is_a_learners(tmp_path):
    package = attention_lab.__path__[0]
    code = "def mine(n):\n    return np.tril(np.ones((n, n), bool))"
    names = {"np": np}
    exec(compile(code, f"{package}_homework.py", "exec"), names)
    assert check(names["mine"], "causal-mask")


def test_a_loop_over_queries_and_tiles_is_not_too_slow():
    def mine(q, k, v, tile):
        output = np.zeros((len(q), v.shape[1]))
        for i in range(len(q)):
            maximum, total, blend = -np.inf, 0.0, np.zeros(v.shape[1])
            for j in range(0, len(k), tile):
                scores = k[j : j + tile] @ q[i] / np.sqrt(k.shape[-1])
                new = max(maximum, scores.max())
                weights, fade = np.exp(scores - new), np.exp(maximum - new)
                total, blend = total * fade + weights.sum(), blend * fade + weights @ v[j : j + tile]
                maximum = new
            output[i] = blend / total
        return output

    assert check(mine, "streaming-attention")


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
    if len(k) > 100:
        raise ValueError("far too many")
    return plain(q, k, v, tile)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (plain, "For 64 queries and 8,192 keys it holds 1. MB at once"),
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


def test_a_right_function_that_is_slow_with_many_keys_is_right(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.2)

    def slow(q, k, v, tile):
        if len(k) > 100:
            time.sleep(0.5)
        return plain(q, k, v, tile)

    assert check(slow, "streaming-attention")
