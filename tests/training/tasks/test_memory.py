"""Associative recall."""

import numpy as np

from attention_lab.training.tasks import associative_recall


def test_the_answer_is_the_value_that_followed_the_key_that_is_asked_for():
    task = associative_recall()
    tokens, targets, counted = task.draw(200, np.random.default_rng(0))
    assert (counted.sum(axis=1) == 1).all()
    assert (counted[:, -1] == 1).all()
    for sentence, answer in zip(tokens, targets[:, -1], strict=True):
        pairs = dict(zip(sentence[:-1:2], sentence[1:-1:2], strict=True))
        assert len(pairs) == 5  # no key twice
        assert task.symbols[pairs[sentence[-1]]] == task.answers[answer]
