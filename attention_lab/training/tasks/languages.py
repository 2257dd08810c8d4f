"""Texts whose floor is known: a language of twelve letters with few rules, and one without any."""

import string

import numpy as np

from attention_lab.shapes import FloatArray, IntArray
from attention_lab.training.batch import Batch
from attention_lab.training.tasks.task import Task, endless, next_tokens

SHARES = (0.6, 0.3, 0.1)  # of the letters that may follow a letter


def random_tokens(n_symbols: int = 12, context: int = 32) -> Task:
    """Tokens without any rule: nothing can be learned, so no honest loss is below ln n_symbols.

    >>> random_tokens()
    Task(random tokens: 12 symbols, 12 answers, 32 tokens, floor 2.485)
    """
    symbols = letters(n_symbols, fewest=2)

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        return next_tokens(rng.integers(0, n_symbols, (n_sentences, context + 1)))

    return endless(
        name="random tokens",
        symbols=symbols,
        answers=symbols,
        context=context,
        floor=float(np.log(n_symbols)),
        draw=draw,
    )


def markov_text(n_symbols: int = 12, context: int = 32, seed: int = 0) -> Task:
    """Text in which each letter allows three to follow, one of them often: its entropy rate is the floor.

    >>> markov_text()
    Task(Markov text: 12 symbols, 12 answers, 32 tokens, floor 0.898)
    """
    symbols = letters(n_symbols, fewest=len(SHARES) + 1)
    chances = chances_of_next(n_symbols, seed)

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        return next_tokens(walk(chances, n_sentences, context + 1, rng))

    return endless(
        name="Markov text",
        symbols=symbols,
        answers=symbols,
        context=context,
        floor=-float(np.dot(SHARES, np.log(SHARES))),  # every letter has the same shares, so all rows agree
        draw=draw,
    )


def letters(n_symbols: int, fewest: int) -> tuple[str, ...]:
    """Return the first letters of the alphabet, as symbols."""
    if not fewest <= n_symbols <= len(string.ascii_lowercase):
        raise ValueError(f"n_symbols is from {fewest} to {len(string.ascii_lowercase)}, not {n_symbols}.")
    return tuple(string.ascii_lowercase[:n_symbols])


def chances_of_next(n_symbols: int, seed: int) -> FloatArray:
    """Return how often each symbol follows each: ``(n_symbols, n_symbols)``, rows sum to 1.

    Every symbol may follow three others with the same shares, so that all are equally frequent.
    """
    order = np.random.default_rng(seed).permutation(n_symbols)
    chances = np.zeros((n_symbols, n_symbols))
    for step, share in enumerate(SHARES, start=1):
        chances[order, np.roll(order, step)] = share
    return chances


def walk(chances: FloatArray, n_sentences: int, n_tokens: int, rng: np.random.Generator) -> IntArray:
    """Draw sentences, each token by the chances that the one before it gives."""
    bounds = chances.cumsum(axis=1)
    bounds[:, -1] = 1
    sentences = np.empty((n_sentences, n_tokens), int)
    sentences[:, 0] = rng.integers(0, len(chances), n_sentences)
    for at, dice in enumerate(rng.random((n_tokens - 1, n_sentences)), start=1):
        sentences[:, at] = (bounds[sentences[:, at - 1]] <= dice[:, None]).sum(axis=1)
    return sentences
