"""Texts whose floor is known."""

import numpy as np
import pytest

from attention_lab.training.tasks import markov_text, random_tokens
from attention_lab.training.tasks.languages import SHARES, chances_of_next


def counts(task, n=4000):
    batch = task.draw(n, np.random.default_rng(0))
    found = np.zeros((len(task.symbols),) * 2)
    np.add.at(found, (batch.tokens, batch.targets), 1)
    return found


def test_the_floor_of_random_tokens_is_that_of_a_blind_guess():
    assert random_tokens(5).floor == pytest.approx(np.log(5))
    found = counts(random_tokens())
    np.testing.assert_allclose(found / found.sum(axis=1, keepdims=True), 1 / 12, atol=0.01)


def test_each_letter_of_the_markov_text_allows_three_in_the_shares_that_are_said():
    found = counts(markov_text())
    shares = -np.sort(-found / found.sum(axis=1, keepdims=True), axis=1)
    np.testing.assert_allclose(shares[:, :3], np.tile(SHARES, (12, 1)), atol=0.01)
    assert not shares[:, 3:].any()


def test_its_floor_is_its_entropy_rate():
    task, chances = markov_text(), chances_of_next(12, 0)
    rate = -(chances * np.log(np.where(chances > 0, chances, 1))).sum(axis=1)
    np.testing.assert_allclose(rate, task.floor, rtol=1e-12)
    assert task.floor == pytest.approx(0.898, abs=5e-4)
    batch = task.draw(5000, np.random.default_rng(1))
    measured = -np.log(chances[batch.tokens, batch.targets]).mean()
    assert measured == pytest.approx(task.floor, abs=0.01)


def test_all_its_letters_are_equally_frequent_so_that_counting_them_helps_nobody():
    tokens = markov_text().draw(4000, np.random.default_rng(0)).tokens
    np.testing.assert_allclose(np.bincount(tokens.reshape(-1)) / tokens.size, 1 / 12, atol=0.01)


def test_another_seed_is_another_language():
    assert (chances_of_next(12, 0) != chances_of_next(12, 1)).any()


@pytest.mark.parametrize(("make", "n"), [(random_tokens, 1), (random_tokens, 27), (markov_text, 3), (markov_text, 27)])
def test_more_letters_than_there_are_or_too_few_are_refused(make, n):
    with pytest.raises(ValueError, match=f"n_symbols is from . to 26, not {n}"):
        make(n)
