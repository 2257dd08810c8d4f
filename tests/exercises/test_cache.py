"""A step with a cache: what is said where a table that comes back has another shape, and what is seen in the rest."""

import numpy as np
import pytest

from attention_lab.attention import softmax
from attention_lab.exercises import check
from attention_lab.exercises.catalogue.cache import EXERCISES
from attention_lab.exercises.diagnose import right_state


def grown(k, v, keys, values):
    return np.concatenate([keys, k]), np.concatenate([values, v])


def looked(q, k, v, keys, values):
    keys, values = grown(k, v, keys, values)
    return softmax(q @ keys.T / np.sqrt(k.shape[-1])) @ values


@pytest.mark.parametrize(
    ("function", "begins"),
    [
        (lambda q, k, v, keys, values: (looked(q, k, v, keys, values), keys, values), "Your keys has the shape ("),
        (lambda q, k, v, keys, values: (looked(q, k, v, keys, values), k, v), "Your keys has the shape (1, "),
        (lambda q, k, v, keys, values: (looked(q, k, v, keys, values)[0], *grown(k, v, keys, values)), "Your output"),
    ],
)
def test_a_cache_that_did_not_grow_and_a_row_that_is_none_are_told_by_their_shape(function, begins):
    report = check(function, "cache-step")
    assert report.verdict == "not yet"
    assert report.message.startswith(begins)
    assert "a row for each word, the new one last" in report.message


def test_an_output_without_its_cache_is_told_what_is_expected():
    assert "return three arrays, output, keys and values" in check(looked, "cache-step").message


def test_a_new_bank_beside_the_and_river_finds_what_it_finds_in_the_lesson():
    step, _ = EXERCISES
    state = right_state(step, step.example())
    np.testing.assert_allclose(state.weights, [[0.014, 0.983, 0.003]], atol=0.001)
    np.testing.assert_allclose(state.output, [[1.98, 1.97]], atol=0.005)


def test_all_words_at_once_are_the_words_one_by_one():
    step, chunk = EXERCISES
    given = chunk.inputs(np.random.default_rng(0), False)
    at_once, keys, values = right_state(chunk, given), given["keys"], given["values"]
    for i in range(len(given["q"])):
        new = {name: given[name][i : i + 1] for name in "qkv"}
        state = right_state(step, {**new, "keys": keys, "values": values})
        keys, values = state.keys, state.values
        np.testing.assert_allclose(state.output[0], at_once.output[i], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(keys, at_once.keys)
    np.testing.assert_array_equal(values, at_once.values)
