"""Sentences about rivers or money."""

import numpy as np
import pytest

from attention_lab.training.tasks import bank_senses, sentence_topics
from attention_lab.training.tasks.senses import MONEY, RIVER


def cues(task, sentence):
    return [task.symbols[token] for token in sentence if task.symbols[token] in RIVER + MONEY]


def test_exactly_one_word_gives_the_bank_away():
    task = bank_senses()
    tokens, targets, counted = task.draw(300, np.random.default_rng(0))
    for sentence, target, asked in zip(tokens, targets, counted, strict=True):
        (at,) = np.nonzero(asked)[0]
        assert task.symbols[sentence[at]] == "bank"
        assert (sentence == 0).sum() == 1
        (cue,) = cues(task, sentence)
        assert task.answers[target[at]] == ("river" if cue in RIVER else "money")


def test_the_word_stands_before_bank_as_often_as_after_it():
    task = bank_senses()
    tokens, _, counted = task.draw(4000, np.random.default_rng(0))
    cue = ((tokens >= 1) & (tokens <= 12)).argmax(axis=1)
    assert (cue < counted.argmax(axis=1)).mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(("asked", "at"), [("first", 0), ("last", 8)])
def test_a_topic_is_asked_at_the_token_that_stands_for_the_sentence(asked, at):
    task = sentence_topics(asked=asked)
    tokens, targets, counted = task.draw(200, np.random.default_rng(0))
    assert (tokens[:, at] == 0).all()
    assert (counted[:, at] == 1).all()
    assert (counted.sum(axis=1) == 1).all()
    for sentence, target in zip(tokens, targets[:, at], strict=True):
        (cue,) = cues(task, sentence)
        assert task.answers[target] == ("river" if cue in RIVER else "money")
