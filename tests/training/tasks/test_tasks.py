"""Every task: its sentences, its answers, and its floor."""

import numpy as np
import pytest

from attention_lab.training.tasks import TASKS

EVERY = pytest.mark.parametrize("make", TASKS.values(), ids=TASKS)


@EVERY
def test_a_batch_has_sentences_answers_and_what_counts(make):
    task = make()
    for draw in (task.draw, task.draw_held_out):
        tokens, targets, counted = draw(50, np.random.default_rng(0))
        assert tokens.shape == targets.shape == counted.shape == (50, task.context)
        assert tokens.min() >= 0
        assert tokens.max() < len(task.symbols)
        assert targets.min() >= 0
        assert targets.max() < len(task.answers)
        assert set(np.unique(counted)) <= {0, 1}
        assert counted.any(axis=1).all()


@EVERY
def test_the_same_seed_draws_the_same_sentences(make):
    one, same, other = (make().draw(20, np.random.default_rng(seed)) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.tokens, same.tokens)
    np.testing.assert_array_equal(one.targets, same.targets)
    assert (one.tokens != other.tokens).any()


@EVERY
def test_symbols_are_all_different_and_every_answer_is_asked_for(make):
    task = make()
    assert len(set(task.symbols)) == len(task.symbols)
    _, targets, counted = task.draw(2000, np.random.default_rng(0))
    assert set(np.unique(targets[counted > 0])) == set(range(len(task.answers)))
