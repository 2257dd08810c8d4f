"""The lesson's sentences and numbers, each written once.

Every example has two numbers a word and a head small enough to compute by hand.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.shapes import read_only, rectangular
from attention_lab.tokens import Vocabulary, split_words

Integers = NDArray[np.integer[Any]]

# A word as a colour: shares of red, green and blue. Chosen so that orange and blue are told apart by colour-blind eyes.
COLOURS = {
    "the": (0.80, 0.80, 0.80),
    "bank": (0.45, 0.35, 0.55),
    "river": (0.00, 0.45, 0.70),
    "interest": (0.90, 0.60, 0.00),
}

# Two numbers a word. "its" is [0, 0]: a word that asks nothing and is labelled with nothing.
VOCABULARY = Vocabulary(
    {
        "the": [1, 0],
        "bank": [0, 1],
        "river": [2, 1],
        "by": [0, -1],
        "was": [-1, 0],
        "steep": [1, 1],
        "raised": [-1, 1],
        "its": [0, 0],
        "interest": [2, 0],
        "rate": [1, 2],
    }
)


@dataclass(frozen=True, eq=False, repr=False)
class Example:
    """A sentence and three learned matrices, all in small integers.

    Attributes
    ----------
    words : tuple of str
        The words, in order.
    x : ``(n_tokens, d_model)``
        Their embeddings.
    W_Q, W_K, W_V : ``(d_model, d_k)``, ``(d_model, d_k)``, ``(d_model, d_v)``
        The learned matrices.
    q, k, v : ``(n_tokens, d_k)``, ``(n_tokens, d_k)``, ``(n_tokens, d_v)``
        What each word asks, is labelled with, and hands over.

    Examples
    --------
    >>> BANK
    Example('The bank river')
    >>> BANK.q[1], BANK.k[1], BANK.v[1]
    (array([1, 3]), array([2, 0]), array([0, 2]))
    """

    words: tuple[str, ...]
    x: Integers
    W_Q: Integers
    W_K: Integers
    W_V: Integers

    def __post_init__(self) -> None:
        for name in ("x", "W_Q", "W_K", "W_V"):  # its own, not the caller's
            matrix = rectangular(name, getattr(self, name)).copy()
            object.__setattr__(self, name, read_only(matrix))

    @property
    def q(self) -> Integers:
        """What each word asks: ``x @ W_Q``."""
        return read_only(self.x @ self.W_Q)

    @property
    def k(self) -> Integers:
        """What each word is labelled with: ``x @ W_K``."""
        return read_only(self.x @ self.W_K)

    @property
    def v(self) -> Integers:
        """What each word hands over: ``x @ W_V``."""
        return read_only(self.x @ self.W_V)

    def __repr__(self) -> str:
        return f"Example({' '.join(self.words)!r})"


def _example(sentence: str, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike) -> Example:
    words = split_words(sentence)
    matrices = (np.array(matrix) for matrix in (VOCABULARY.embed(words), W_Q, W_K, W_V))
    return Example(tuple(words), *matrices)


_LESSON = ([[2, 0], [1, 3]], [[1, 1], [2, 0]], [[1, 0], [0, 2]])  # W_Q, W_K, W_V of the worked example

BANK = _example("The bank river", *_LESSON)  # three words, by hand
RIVER = _example("The bank by the river was steep.", *_LESSON)
INTEREST = _example("The bank raised its interest rate.", *_LESSON)

# The same words and values, but W_Q and W_K whose scores are not symmetric: looking need not be mutual.
ONE_WAY = _example("The bank river", [[-1, 0], [1, 1]], [[1, 0], [2, 2]], _LESSON[2])

# Two words of another language, which ask the three: they have a W_Q of their own. "Ufer" is German for the bank of a
# river, "Fluss" for a river.
GERMAN = Example(("Ufer", "Fluss"), *(np.array(m) for m in ([[1, -1], [0, 1]], [[3, -3], [1, 1]], *_LESSON[1:])))


@dataclass(frozen=True, eq=False, repr=False)
class Alignment:
    """Who looks at whom across two sentences, and who should.

    Attributes
    ----------
    words, context : tuple of str
        The words that ask, and those that are asked.
    weights : ``(n_queries, n_keys)``
        Each row sums to 1.
    partners : tuple of int
        From which word of the context each of the words came.

    Examples
    --------
    >>> EARLY
    Alignment('dogo olda kato ke findas' asks 'the old dog finds the cat .')
    """

    words: tuple[str, ...]
    context: tuple[str, ...]
    weights: NDArray[np.float64]
    partners: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", read_only(rectangular("weights", self.weights).astype(float)))

    def __repr__(self) -> str:
        return f"Alignment({' '.join(self.words)!r} asks {' '.join(self.context)!r})"


# Maps of translators that had learned for 75 steps, rounded to two digits: some of their rows are right.
EARLY = Alignment(
    words=("dogo", "olda", "kato", "ke", "findas"),
    context=("the", "old", "dog", "finds", "the", "cat", "."),
    weights=np.array(
        [
            [0.00, 0.05, 0.72, 0.01, 0.00, 0.21, 0.01],
            [0.00, 0.01, 0.12, 0.08, 0.00, 0.75, 0.04],
            [0.00, 0.02, 0.18, 0.23, 0.01, 0.51, 0.05],
            [0.02, 0.01, 0.02, 0.72, 0.07, 0.08, 0.08],
            [0.04, 0.01, 0.01, 0.81, 0.09, 0.00, 0.04],
        ]
    ),
    partners=(2, 1, 5, 3, 3),
)
EARLY_TOO = Alignment(
    words=("kweno", "horso", "mo", "metas", "todaj"),
    context=("today", "the", "queen", "meets", "the", "horse", "."),
    weights=np.array(
        [
            [0.00, 0.00, 0.98, 0.00, 0.00, 0.02, 0.00],
            [0.01, 0.01, 0.22, 0.12, 0.01, 0.53, 0.10],
            [0.01, 0.00, 0.03, 0.09, 0.01, 0.49, 0.37],
            [0.01, 0.05, 0.13, 0.28, 0.05, 0.14, 0.34],
            [0.98, 0.00, 0.00, 0.00, 0.01, 0.00, 0.01],
        ]
    ),
    partners=(2, 5, 3, 3, 0),
)
