"""Agreement of a verb with its subject."""

import numpy as np
import pytest

from attention_lab.training.tasks import agreement
from attention_lab.training.tasks.grammar import NOUNS, PLURAL


def test_the_verb_agrees_with_the_first_noun_and_is_asked_for_at_the_last():
    task = agreement()
    tokens, targets, counted = task.draw(300, np.random.default_rng(0))
    for sentence, target, asked in zip(tokens, targets, counted, strict=True):
        words = [task.symbols[token] for token in sentence]
        nouns = [i for i, word in enumerate(words) if word in NOUNS]
        assert np.nonzero(asked)[0].tolist() == [nouns[-1]]
        assert task.answers[target[nouns[-1]]] == ("are" if words[nouns[0]] in PLURAL else "is")
        assert words[nouns[-1] + 1 :] == ["."] * (len(words) - nouns[-1] - 1)


def test_the_last_noun_says_nothing_of_a_subject_that_stands_elsewhere():
    task = agreement()
    tokens, targets, counted = task.draw(6000, np.random.default_rng(0))
    is_noun = np.isin(tokens, [task.symbols.index(noun) for noun in NOUNS])
    far = is_noun.sum(axis=1) > 1
    at = counted.argmax(axis=1)
    rows = np.arange(len(tokens))
    last_plural = np.isin(tokens[rows, at], [task.symbols.index(noun) for noun in PLURAL])
    agrees = last_plural[far] == targets[rows, at][far].astype(bool)
    assert agrees.mean() == pytest.approx(0.5, abs=0.03)
