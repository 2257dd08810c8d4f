"""A real text, character by character: "Alice's Adventures in Wonderland" (see ALICE_LICENCE.txt)."""

import re
from functools import cache
from pathlib import Path

import numpy as np

from attention_lab.shapes import IntArray
from attention_lab.training.batch import Batch
from attention_lab.training.tasks.task import Draw, Task, next_tokens

HELD_OUT = 0.1  # the end of the book


@cache
def letters() -> str:
    """Read the book in small letters, with blanks and the commonest signs; nothing else is kept."""
    book = (Path(__file__).parent / "alice.txt").read_text(encoding="utf-8").lower()
    return " ".join(re.sub(r"[^a-z ,.!?'-]+", " ", book.replace("`", "'")).split())


def text(context: int = 64) -> Task:
    """Guess each next letter of a book. Its own entropy is unknown; guessing by how frequent each letter is costs 2.95.

    >>> text()
    Task(text: 33 symbols, 33 answers, 64 tokens, floor unknown)
    """
    book = letters()
    symbols = tuple(sorted(set(book)))
    number_of = {symbol: i for i, symbol in enumerate(symbols)}
    tokens = np.array([number_of[letter] for letter in book])
    end = int(len(tokens) * (1 - HELD_OUT))
    return Task(
        name="text",
        symbols=symbols,
        answers=symbols,
        context=context,
        floor=None,
        draw=_windows(tokens[:end], context),
        draw_held_out=_windows(tokens[end:], context),
    )


def _windows(tokens: IntArray, context: int) -> Draw:
    """Cut pieces of the text at random places."""

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        starts = rng.integers(0, len(tokens) - context, n_sentences)
        return next_tokens(tokens[starts[:, None] + np.arange(context + 1)])

    return draw
