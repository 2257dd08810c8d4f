"""Sentences about rivers or money: what "bank" means, and what a whole sentence is about."""

import numpy as np

from attention_lab.shapes import IntArray
from attention_lab.training.batch import Batch
from attention_lab.training.tasks.task import Task, asked_at, endless

RIVER = ("river", "shore", "water", "lake", "stream", "fish")
MONEY = ("loan", "money", "interest", "cash", "account", "credit")
FILLERS = (
    "the",
    "a",
    "old",
    "tall",
    "small",
    "quiet",
    "green",
    "near",
    "by",
    "behind",
    "with",
    "to",
    "of",
    "was",
    "very",
    "then",
    "and",
    "today",
    "often",
    "saw",
)
SENSES = ("river", "money")
READ = "[read]"  # a token that stands for the sentence


def bank_senses(n_tokens: int = 9) -> Task:
    """Say of "bank" which one it is: exactly one other word gives it away, before it or after it.

    >>> bank_senses()
    Task(bank senses: 33 symbols, 2 answers, 9 tokens, floor 0.000)
    """
    symbols = ("bank", *RIVER, *MONEY, *FILLERS)

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        tokens, sense, places = _sentences(n_sentences, n_tokens, rng)
        tokens[np.arange(n_sentences), places] = 0
        return asked_at(tokens, places, sense)

    return endless(name="bank senses", symbols=symbols, answers=SENSES, context=n_tokens, floor=0.0, draw=draw)


def sentence_topics(n_tokens: int = 9, *, asked: str = "first") -> Task:
    """Say what a sentence is about, at a token that stands for it: the "first", or the "last".

    >>> sentence_topics()
    Task(sentence topics: 33 symbols, 2 answers, 9 tokens, floor 0.000)
    """
    symbols = (READ, *RIVER, *MONEY, *FILLERS)
    at = {"first": 0, "last": n_tokens - 1}[asked]

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        words, sense, _ = _sentences(n_sentences, n_tokens - 1, rng)
        tokens = np.insert(words, at, 0, axis=1)
        return asked_at(tokens, np.full(n_sentences, at), sense)

    return endless(name="sentence topics", symbols=symbols, answers=SENSES, context=n_tokens, floor=0.0, draw=draw)


def _sentences(n_sentences: int, n_tokens: int, rng: np.random.Generator) -> tuple[IntArray, IntArray, IntArray]:
    """Draw fillers with one cue among them; return tokens, senses, and for each sentence a place that has no cue.

    Symbol 0 is left to the task; then come the cues of both senses, and the fillers.
    """
    rows, n_cues = np.arange(n_sentences), len(RIVER)
    first_filler = 1 + len(RIVER) + len(MONEY)
    tokens = rng.integers(first_filler, first_filler + len(FILLERS), (n_sentences, n_tokens))
    free, cue = np.argsort(rng.random((n_sentences, n_tokens)), axis=1)[:, :2].T
    sense = rng.integers(0, 2, n_sentences)
    tokens[rows, cue] = 1 + rng.integers(0, n_cues, n_sentences) + n_cues * sense
    return tokens, sense, free
