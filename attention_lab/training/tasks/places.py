"""Questions that only a word's place can answer."""

import numpy as np

from attention_lab.training.batch import Batch
from attention_lab.training.tasks.languages import letters
from attention_lab.training.tasks.task import Task, endless


def word_before(n_symbols: int = 12, n_tokens: int = 12) -> Task:
    """Say of each token which one stands right before it, in a text without any rule.

    >>> word_before()
    Task(word before: 12 symbols, 12 answers, 12 tokens, floor 0.000)
    """
    symbols = letters(n_symbols, fewest=2)

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        tokens = rng.integers(0, n_symbols, (n_sentences, n_tokens))
        counted = np.ones(tokens.shape)
        counted[:, 0] = 0  # nothing stands before it
        return Batch(tokens, np.roll(tokens, 1, axis=1), counted)

    return endless(name="word before", symbols=symbols, answers=symbols, context=n_tokens, floor=0.0, draw=draw)
