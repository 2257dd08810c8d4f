"""Associative recall, and recall at a distance."""

import numpy as np
import pytest

from attention_lab.training.tasks import associative_recall, recall_at


def test_the_answer_is_the_value_that_followed_the_key_that_is_asked_for():
    task = associative_recall()
    tokens, targets, counted = task.draw(200, np.random.default_rng(0))
    assert (counted.sum(axis=1) == 1).all()
    assert (counted[:, -1] == 1).all()
    for sentence, answer in zip(tokens, targets[:, -1], strict=True):
        pairs = dict(zip(sentence[:-1:2], sentence[1:-1:2], strict=True))
        assert len(pairs) == 5  # no key twice
        assert task.symbols[pairs[sentence[-1]]] == task.answers[answer]


@pytest.mark.parametrize("distance", [1, 2, 20])
def test_the_answer_is_the_fact_so_many_tokens_before_the_question_and_fillers_tell_nothing(distance):
    task = recall_at(distance)
    tokens, targets, counted = task.draw(400, np.random.default_rng(0))
    assert tokens.shape == (400, distance + 1)
    assert (counted.nonzero()[1] == distance).all()
    assert {task.symbols[token] for token in tokens[:, -1]} == {"?"}
    said = [task.symbols[token] for token in tokens[:, 0]]
    assert said == [task.answers[answer] for answer in targets[:, -1]]
    assert set(said) == set(task.answers)
    fillers = {task.symbols[token] for token in tokens[:, 1:-1].reshape(-1)}
    assert fillers <= set("abcdefgh")
    assert len(fillers) == (8 if distance > 1 else 0)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"distance": 0}, "distance is 1 or more, not 0"),
        ({"n_facts": 1}, "n_facts is from 2 to 26, not 1"),
        ({"n_facts": 27}, "not 27"),
        ({"n_fillers": 0}, "n_fillers is from 1 to 26, not 0"),
    ],
)
def test_a_recall_that_makes_no_sense_is_refused(parts, said):
    with pytest.raises(ValueError, match=said):
        recall_at(**parts)


@pytest.mark.parametrize(
    ("parts", "error", "said"),
    [
        ({"n_keys": 2, "n_pairs": 5}, ValueError, "n_pairs = 5 takes as many different keys, but n_keys = 2"),
        ({"n_pairs": 0}, ValueError, "n_pairs is 1 or more, not 0"),
        ({"n_values": 0}, ValueError, "n_values is 1 or more, not 0"),
        ({"n_keys": 8.5}, TypeError, "n_keys must be a whole number, not 8.5"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(parts, error, said):
    with pytest.raises(error, match=said):
        associative_recall(**parts)


def test_as_many_pairs_as_keys_just_fit():
    assert associative_recall(n_keys=3, n_pairs=3).draw(4, np.random.default_rng(0)).tokens.shape == (4, 7)
