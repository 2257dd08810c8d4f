"""What a model is trained on: sentences, what comes after each token, and what counts."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention_lab.shapes import FloatArray, IntArray, bind


class Batch(NamedTuple):
    """Some sentences of the same length.

    Parameters
    ----------
    tokens : ``(n_sentences, n_tokens)``
        Whole numbers: which symbol each is.
    targets : ``(n_sentences, n_tokens)``
        Which answer is right after each token.
    counted : ``(n_sentences, n_tokens)``
        1 where the answer counts, 0 where nothing is asked.
    """

    tokens: IntArray
    targets: IntArray
    counted: FloatArray


def check_batch(batch: object) -> None:
    """Refuse what is no batch, or whose arrays have different sizes."""
    if not isinstance(batch, Batch):
        kind = type(batch).__name__
        raise TypeError(f"this model learns from a Batch, such as tasks.text().draw gives, not from {kind}.")
    if not np.shape(batch.tokens) == np.shape(batch.targets) == np.shape(batch.counted):
        bind(**{name: (array, "n_sentences n_tokens") for name, array in batch._asdict().items()})


def check_symbols(named: str, tokens: NDArray[Any], n_symbols: int) -> None:
    """Refuse what names no symbol.

    >>> check_symbols("tokens are", np.array([[0, 5]]), 5)
    Traceback (most recent call last):
    ValueError: tokens are whole numbers from 0 to 4.
    """
    if not tokens.size:
        raise ValueError(f"{named} one sentence or more, not {tokens.shape}.")
    if tokens.dtype.kind not in "iu" or tokens.min() < 0 or tokens.max() >= n_symbols:
        raise ValueError(f"{named} whole numbers from 0 to {n_symbols - 1}.")
