"""Agreement: a verb follows its subject in number, whatever nouns stand between them."""

import numpy as np

from attention_lab.training.batch import Batch
from attention_lab.training.tasks.task import Task, asked_at, endless

SINGULAR = ("key", "cat", "dog", "boy", "girl", "car", "tree", "book")
PLURAL = tuple(f"{noun}s" for noun in SINGULAR)
LINKS = ("to", "of", "near", "behind", "under", "with")
ADJECTIVES = ("old", "new", "red", "big", "small")
END = "."
NOUNS = (*SINGULAR, *PLURAL)
N_TOKENS = 12


def agreement() -> Task:
    """Say at the last noun whether the verb to come is singular or plural: the keys to the cabinet ... are.

    >>> agreement()
    Task(agreement: 29 symbols, 2 answers, 12 tokens, floor 0.000)
    """
    symbols = ("the", END, *NOUNS, *LINKS, *ADJECTIVES)
    number_of = {word: i for i, word in enumerate(symbols)}

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        tokens = np.full((n_sentences, N_TOKENS), number_of[END])
        ends, answers = np.empty(n_sentences, int), rng.integers(0, 2, n_sentences)
        for row, plural in enumerate(answers):
            words = _phrase(rng, bool(plural), 0.5)
            for _ in range(rng.integers(0, 3)):  # nouns between the subject and its verb, of either number
                words += [_one_of(LINKS, rng), *_phrase(rng, bool(rng.integers(2)), 0.3)]
            tokens[row, : len(words)] = [number_of[word] for word in words]
            ends[row] = len(words) - 1
        return asked_at(tokens, ends, answers)

    return endless(name="agreement", symbols=symbols, answers=("is", "are"), context=N_TOKENS, floor=0.0, draw=draw)


def _phrase(rng: np.random.Generator, plural: bool, adjectives: float) -> list[str]:
    adjective = [_one_of(ADJECTIVES, rng)] if rng.random() < adjectives else []
    return ["the", *adjective, _one_of(PLURAL if plural else SINGULAR, rng)]


def _one_of(words: tuple[str, ...], rng: np.random.Generator) -> str:
    return words[int(rng.integers(len(words)))]
