"""Controls: encoders of the same shape that learned nothing, to compare a finding with."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from attention_lab.pretrained.encoder import Encoder, Layer
from attention_lab.shapes import FloatArray, read_only

_Record = TypeVar("_Record", Encoder, Layer)
_SPREAD = 0.02  # of the random numbers that BERT's training starts from


def untrained(encoder: Encoder, rng: np.random.Generator) -> Encoder:
    """Make an encoder of the same shape as it is before training: random matrices.

    Matrices and embeddings are drawn from a normal distribution of spread 0.02, biases and shifts are 0, gains are 1.
    Source: Devlin and others 2018, "BERT", the published code (``initializer_range``).

    Parameters
    ----------
    encoder : Encoder
        Whose shapes, word pieces and number type are taken; it stays as it is.
    rng : np.random.Generator
        Where the numbers come from.

    Returns
    -------
    Encoder
        A new one.

    Examples
    --------
    >>> import numpy as np
    >>> from attention_lab.pretrained import load_encoder
    >>> reading = untrained(load_encoder(), np.random.default_rng(0)).read("The bank by the river was steep.")
    >>> bool(reading.weights.min() > 0.05), bool(reading.weights.max() < 0.2)  # 10 word pieces: nearly 0.1 everywhere
    (True, True)
    """

    def draw(name: str, array: FloatArray) -> FloatArray:
        if name.startswith(("b_", "shift")):
            return np.zeros_like(array)
        if name.startswith("gain"):
            return np.ones_like(array)
        return (_SPREAD * rng.standard_normal(array.shape, dtype=np.float32)).astype(array.dtype)

    return _everywhere(encoder, draw)


def shuffled(encoder: Encoder, rng: np.random.Generator) -> Encoder:
    """Make an encoder with the same numbers in the wrong places: the rows of every matrix in a random order.

    Embeddings are given to other pieces and positions, and every matrix reads the wrong numbers of its input. Sizes of
    numbers, biases and gains are as they were, so that what remains of a finding is owed to them.

    Parameters
    ----------
    encoder : Encoder
        Whose numbers are taken; it stays as it is.
    rng : np.random.Generator
        Where the order comes from.

    Returns
    -------
    Encoder
        A new one.

    Examples
    --------
    >>> import numpy as np
    >>> from attention_lab.pretrained import load_encoder
    >>> encoder = load_encoder()
    >>> other = shuffled(encoder, np.random.default_rng(0))
    >>> bool((np.sort(other.layers[0].W_Q, axis=1) == np.sort(encoder.layers[0].W_Q, axis=1)).all())
    True
    """

    def shuffle(name: str, array: FloatArray) -> FloatArray:
        is_vector = name.startswith(("b_", "shift", "gain", "segment"))
        return array if is_vector else rng.permutation(array, axis=-2)

    return _everywhere(encoder, shuffle)


def _everywhere(record: _Record, change: Callable[[str, FloatArray], FloatArray]) -> _Record:
    """Give the record with every one of its arrays changed."""
    changed: dict[str, Any] = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray):
            changed[field.name] = read_only(change(field.name, value))
    if isinstance(record, Encoder):
        changed["layers"] = tuple(_everywhere(layer, change) for layer in record.layers)
    return replace(record, **changed)
