"""Remember: which value belonged to a key, or which fact stood far back."""

import string

import numpy as np

from attention_lab.training.batch import Batch
from attention_lab.training.sizes import check_sizes
from attention_lab.training.tasks.task import Task, asked_at, endless


def associative_recall(n_keys: int = 8, n_values: int = 8, n_pairs: int = 5) -> Task:
    """Remember pairs: A 3 C 1 B 7 ... C? It takes two layers, one to bind the pairs and one to look up.

    Raises
    ------
    TypeError, ValueError
        If a number is no count, or there are more pairs than keys: no key stands in two pairs.

    Examples
    --------
    >>> associative_recall()
    Task(associative recall: 16 symbols, 8 answers, 11 tokens, floor 0.000)
    """
    check_sizes(n_keys=n_keys, n_values=n_values, n_pairs=n_pairs)
    if n_pairs > n_keys:
        raise ValueError(f"n_pairs = {n_pairs} takes as many different keys, but n_keys = {n_keys}.")
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


def recall_at(distance: int = 20, n_facts: int = 8, n_fillers: int = 8) -> Task:
    """Remember one fact, said `distance` tokens before it is asked for: C e a h ... b? Only fillers stand between.

    Raises
    ------
    ValueError
        If distance is below 1, or there are fewer than 2 facts or 1 filler, or more than 26 of either.

    Examples
    --------
    >>> recall_at(200)
    Task(recall at 200: 17 symbols, 8 answers, 201 tokens, floor 0.000)
    """
    letters = string.ascii_uppercase
    if distance < 1:
        raise ValueError(f"distance is 1 or more, not {distance}.")
    for name, number, fewest in (("n_facts", n_facts, 2), ("n_fillers", n_fillers, 1)):
        if not fewest <= number <= len(letters):
            raise ValueError(f"{name} is from {fewest} to {len(letters)}, not {number}.")
    facts, fillers, asks = tuple(letters[:n_facts]), tuple(letters[:n_fillers].lower()), "?"

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        tokens = rng.integers(n_facts, n_facts + n_fillers, (n_sentences, distance + 1))
        tokens[:, 0] = rng.integers(0, n_facts, n_sentences)
        tokens[:, -1] = n_facts + n_fillers
        return asked_at(tokens, np.full(n_sentences, distance), tokens[:, 0])

    return endless(
        name=f"recall at {distance}",
        symbols=(*facts, *fillers, asks),
        answers=facts,
        context=distance + 1,
        floor=0.0,
        draw=draw,
    )
