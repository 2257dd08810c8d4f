"""Cuts: what a head may no longer do. A model is read once whole and once cut, and the difference is what it did.

A cut changes weights after the softmax. The other weights of a row stay as they are: they are not shared out anew.
Layers and heads are counted from 0: "layer 1 head 5" of the lessons is ``layer=0, head=4``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from attention_lab.shapes import FloatArray, whole_number


@dataclass(frozen=True)
class ZeroHead:
    """The head hands over nothing: all its weights are 0."""

    layer: int
    head: int


@dataclass(frozen=True)
class UniformHead:
    """The head looks everywhere alike: all its weights are 1 / n_keys."""

    layer: int
    head: int


@dataclass(frozen=True)
class CutEntry:
    """One word does not look at one other word: this weight is 0, the others of the row stay.

    ``query`` and ``key`` are positions, such as ``reading.at("bank")``.
    """

    layer: int
    head: int
    query: int
    key: int


Cut = ZeroHead | UniformHead | CutEntry


def check_cuts(cuts: Iterable[Cut] | Cut, n_layers: int, n_heads: int, n_tokens: int) -> tuple[Cut, ...]:
    """Give the cuts back, one or several, or say which of them asks for something that is not there.

    Raises
    ------
    TypeError
        If something is not a cut, or a layer, head, query or key is not a whole number.
    ValueError
        If a layer, head, query or key does not exist.

    Examples
    --------
    >>> check_cuts([ZeroHead(6, 0)], n_layers=6, n_heads=12, n_tokens=9)
    Traceback (most recent call last):
    ValueError: ZeroHead(layer=6, head=0): there is no layer 6; layers are counted from 0 to 5.
    """
    counts = {"layer": n_layers, "head": n_heads, "query": n_tokens, "key": n_tokens}
    return tuple(_checked(cut, counts) for cut in (cuts if isinstance(cuts, Iterable) else (cuts,)))


def _checked(cut: Cut, counts: dict[str, int]) -> Cut:
    """Give a cut back with places that are plain ints: as an index, True would be every head."""
    if not isinstance(cut, ZeroHead | UniformHead | CutEntry):
        raise TypeError(f"cut must hold ZeroHead, UniformHead or CutEntry, not {type(cut).__name__}.")
    words = [field.name for field in fields(cut)]
    places = {word: whole_number(f"{cut}: {word}", getattr(cut, word)) for word in words}
    for word, place in places.items():
        if place >= counts[word]:
            plural = "queries" if word == "query" else f"{word}s"
            raise ValueError(f"{cut}: there is no {word} {place}; {plural} are counted from 0 to {counts[word] - 1}.")
    return type(cut)(**places)


def cut_weights(weights: FloatArray, cuts: Iterable[Cut]) -> FloatArray:
    """Give the weights of one layer after its cuts, as a new array.

    Parameters
    ----------
    weights : ``(n_heads, n_queries, n_keys)``
        Of the layer that every one of the cuts is in.
    cuts : iterable of ZeroHead, UniformHead or CutEntry
        Made one after the other.

    Returns
    -------
    ``(n_heads, n_queries, n_keys)``
        A cut row no longer sums to 1.

    Examples
    --------
    >>> import numpy as np
    >>> cut_weights(np.array([[[0.25, 0.75], [0.5, 0.5]]]), [CutEntry(0, 0, query=0, key=1)])
    array([[[0.25, 0.  ],
            [0.5 , 0.5 ]]])
    """
    weights = weights.copy()
    for cut in cuts:
        match cut:
            case ZeroHead():
                weights[cut.head] = 0
            case UniformHead():
                weights[cut.head] = 1 / weights.shape[-1]
            case CutEntry():
                weights[cut.head, cut.query, cut.key] = 0
    return weights
