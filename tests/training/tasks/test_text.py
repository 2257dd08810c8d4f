"""The book."""

import numpy as np
import pytest

from attention_lab.training.tasks import text
from attention_lab.training.tasks.text import letters


def test_the_book_begins_as_everybody_knows_it_and_is_kept_in_small_letters():
    assert letters().startswith("alice was beginning to get very tired of sitting by her sister on the bank, and of")
    assert letters() == letters().lower()
    assert "  " not in letters()
    assert 130_000 < len(letters()) < 145_000


def test_what_follows_is_the_next_letter():
    task = text()
    batch = task.draw(4, np.random.default_rng(0))
    for tokens, targets in zip(batch.tokens, batch.targets, strict=True):
        assert task.read(tokens[1:], "") == task.read(targets[:-1], "")
        assert task.read(tokens, "") in letters()


def test_what_is_held_out_is_the_end_of_the_book_and_never_learned_from():
    task, book = text(), letters()
    end = int(0.9 * len(book))
    rng = np.random.default_rng(0)
    for tokens in task.draw_held_out(50, rng).tokens:
        assert task.read(tokens, "") in book[end:]
    for tokens in task.draw(200, rng).tokens:
        assert task.read(tokens, "") in book[:end]


def test_the_entropy_of_its_letters_alone_is_the_one_that_is_said():
    _, counts = np.unique(list(letters()), return_counts=True)
    shares = counts / counts.sum()
    assert -(shares * np.log(shares)).sum() == pytest.approx(2.95, abs=0.005)
