"""From a sentence to vectors: words, a vocabulary, embeddings."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.shapes import ShapeError, read_only, rectangular


def split_words(sentence: str) -> list[str]:
    """Split a sentence into its words; punctuation is dropped.

    Parameters
    ----------
    sentence : str
        Any text; an empty one has no words.

    Returns
    -------
    list of str
        The words as they stand, in order.

    Examples
    --------
    >>> split_words("The bank by the river was steep.")
    ['The', 'bank', 'by', 'the', 'river', 'was', 'steep']
    """
    return re.findall(r"\w+(?:['’-]\w+)*", sentence)


class Vocabulary:
    """The words that a model knows, each with its embedding; capitals make no difference.

    Parameters
    ----------
    embeddings : mapping from a word to ``d_model`` numbers
        Every word has as many numbers as the others.

    Raises
    ------
    ShapeError
        If the embeddings have different lengths.
    ValueError
        If two words differ only in capitals.

    Examples
    --------
    >>> vocabulary = Vocabulary({"the": [1, 0], "bank": [0, 1]})
    >>> vocabulary.ids(["The", "bank"])
    array([0, 1])
    >>> vocabulary.embed("The bank")
    array([[1, 0],
           [0, 1]])
    >>> vocabulary.embed("The cat")
    Traceback (most recent call last):
    ValueError: The vocabulary has no "cat". It knows: the, bank.
    """

    def __init__(self, embeddings: Mapping[str, ArrayLike]) -> None:
        self.words = tuple(word.casefold() for word in embeddings)
        twice = {word for word in self.words if self.words.count(word) > 1}
        if twice:
            raise ValueError(f'The vocabulary has "{min(twice)}" twice: capitals make no difference.')
        vectors: Any = list(embeddings.values())
        table = rectangular("embeddings", vectors)
        if table.ndim != 2:
            raise ShapeError(f"embeddings has shape {table.shape}; it must be (n_words, d_model).")
        self.embeddings = read_only(table)
        self._id_of = {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word.casefold() in self._id_of

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} words, d_model = {self.embeddings.shape[1]})"

    def ids(self, words: Iterable[str]) -> NDArray[np.int_]:
        """Look up the number of each word, ``(n_tokens,)``; an unknown one is a ValueError that lists the known."""
        words = list(words)
        for word in words:
            if word not in self:
                known = ", ".join(self.words[:20]) + (", ..." if len(self) > 20 else "")
                raise ValueError(f'The vocabulary has no "{word}". It knows: {known}.')
        return np.array([self._id_of[word.casefold()] for word in words], dtype=int)

    def embed(self, sentence: str | Iterable[str]) -> NDArray[np.generic]:
        """Turn a sentence, or a list of words, into x, ``(n_tokens, d_model)``; an empty one gives ``(0, d_model)``."""
        words = split_words(sentence) if isinstance(sentence, str) else sentence
        return self.embeddings[self.ids(words)]
