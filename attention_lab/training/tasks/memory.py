"""Associative recall: pairs of a key and a value, then one of the keys again: which value was it."""

import numpy as np

from attention_lab.training.batch import Batch
from attention_lab.training.tasks.task import Task, asked_at, endless


def associative_recall(n_keys: int = 8, n_values: int = 8, n_pairs: int = 5) -> Task:
    """Remember pairs: A 3 C 1 B 7 ... C? It takes two layers, one to bind the pairs and one to look up.

    >>> associative_recall()
    Task(associative recall: 16 symbols, 8 answers, 11 tokens, floor 0.000)
    """
    keys = tuple(chr(ord("A") + i) for i in range(n_keys))
    values = tuple(map(str, range(n_values)))

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        rows = np.arange(n_sentences)
        key = np.argsort(rng.random((n_sentences, n_keys)), axis=1)[:, :n_pairs]  # no key twice
        value = rng.integers(0, n_values, (n_sentences, n_pairs))
        pairs = np.stack([key, n_keys + value], axis=2).reshape(n_sentences, -1)
        which = rng.integers(0, n_pairs, n_sentences)
        tokens = np.concatenate([pairs, key[rows, which][:, None]], axis=1)
        return asked_at(tokens, np.full(n_sentences, 2 * n_pairs), value[rows, which])

    return endless(
        name="associative recall",
        symbols=(*keys, *values),
        answers=values,
        context=2 * n_pairs + 1,
        floor=0.0,
        draw=draw,
    )
