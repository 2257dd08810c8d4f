"""What a task is: sentences, what is asked about them, and how small a loss can honestly be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attention_lab.shapes import IntArray
from attention_lab.training.batch import Batch

Draw = Callable[[int, np.random.Generator], Batch]


@dataclass(frozen=True, kw_only=True)
class Task:
    """Something that a small model can learn.

    Attributes
    ----------
    name : str
    symbols : tuple of str
        The tokens; a token's number is its place here.
    answers : tuple of str
        What can be answered: the symbols themselves where the next token is asked for.
    context : int
        How many tokens a sentence has.
    floor : float or None
        The smallest loss, in nats, that a model can have which does not see what it is asked; None where nobody knows.
    draw, draw_held_out : function (n_sentences, rng) -> Batch
        Sentences to learn from, and others of the same kind.
    """

    name: str
    symbols: tuple[str, ...]
    answers: tuple[str, ...]
    context: int
    floor: float | None
    draw: Draw
    draw_held_out: Draw

    def __repr__(self) -> str:
        floor = "unknown" if self.floor is None else f"{self.floor:.3f}"
        sizes = f"{len(self.symbols)} symbols, {len(self.answers)} answers, {self.context} tokens"
        return f"Task({self.name}: {sizes}, floor {floor})"

    def read(self, tokens: Sequence[int] | IntArray, between: str = " ") -> str:
        """Write tokens as text."""
        return between.join(self.symbols[token] for token in tokens)


def endless(**parts: object) -> Task:
    """Make a task whose sentences never run out: what is held out is drawn in the same way."""
    return Task(draw_held_out=parts["draw"], **parts)  # type: ignore[arg-type]


def next_tokens(sentences: IntArray) -> Batch:
    """Ask for the next token after each one of ``(n_sentences, n_tokens + 1)``."""
    targets = sentences[:, 1:]
    return Batch(sentences[:, :-1], targets, np.ones(targets.shape))


def asked_at(tokens: IntArray, places: IntArray, answers: IntArray) -> Batch:
    """Ask one question about each sentence: what is right at one of its places."""
    rows = np.arange(len(tokens))
    targets, counted = np.zeros_like(tokens), np.zeros(tokens.shape)
    targets[rows, places], counted[rows, places] = answers, 1
    return Batch(tokens, targets, counted)
