"""Words that mean two things, in sentences that tell which: to see whether context moves a word the right way."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from attention_lab.pretrained.encoder import Encoder
from attention_lab.shapes import FloatArray, read_only

Senses: TypeAlias = MappingProxyType[str, tuple[str, ...]]  # sentences by sense
_FILE = Path(__file__).with_name("senses.txt")


@cache
def load_senses() -> MappingProxyType[str, Senses]:
    """Give seven words of two senses each, with eight sentences for each sense.

    The sentences were written by hand for this course, before anything was measured on them, and all were kept. They
    are no sample of English. The word stands once in each, and sentences of one sense share no words but it and small
    ones such as "the": what makes them alike is what they are about.

    Returns
    -------
    mapping from a word to a mapping from each of its senses to its sentences

    Examples
    --------
    >>> senses = load_senses()
    >>> list(senses)
    ['bank', 'bat', 'match', 'mouse', 'palm', 'plant', 'spring']
    >>> for sense, sentences in senses["bank"].items():
    ...     print(f"{sense}: {len(sentences)}, such as {sentences[0]}")
    beside a river: 8, such as The bank by the river was steep.
    for money: 8, such as The bank raised its interest rate.
    """
    words: dict[str, dict[str, tuple[str, ...]]] = {}
    for block in _FILE.read_text(encoding="utf-8").strip().split("\n\n"):
        title, *sentences = block.split("\n")
        word, sense = title.split(": ")
        words.setdefault(word, {})[sense] = tuple(sentences)
    return MappingProxyType({word: MappingProxyType(senses) for word, senses in words.items()})


def word_vectors(encoder: Encoder, texts: Iterable[str], word: str) -> FloatArray:
    """Read texts, and collect the vector of one word in each.

    Parameters
    ----------
    encoder : Encoder
        The one that reads.
    texts : iterable of str
        In each of which the word stands once.
    word : str
        As for ``Reading.at``: a word that is one piece, or a piece.

    Returns
    -------
    ``(n_layers + 1, n_sentences, d_model)``
        Before the first layer, and after each one: what `diagnostics.leaning` compares.

    Raises
    ------
    TypeError
        If texts is one str.
    ValueError
        If the word does not stand once in a text; if there is no text.

    Examples
    --------
    >>> from attention_lab.pretrained import load_encoder
    >>> word_vectors(load_encoder(), load_senses()["bank"]["for money"], "bank").shape
    (7, 8, 384)
    """
    if isinstance(texts, str):  # else each of its letters would be a text
        raise TypeError("texts must be several texts, such as a list, not one str.")
    readings = [encoder.read(text) for text in texts]
    if not readings:
        raise ValueError("texts holds no text.")
    return read_only(np.stack([reading.hidden[:, reading.at(word)] for reading in readings], axis=1))
