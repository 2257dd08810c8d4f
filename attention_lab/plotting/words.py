"""Words on axes and in sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.shapes import ShapeError, as_floats

_LONGEST_TICK, _LONGEST_SENTENCE = 14, 250
_MOST_IN_A_TITLE = 3  # rows whose favourites fit


def numbers_for(name: str, array: ArrayLike, ndim: int, axes: str, hint: str = "") -> NDArray[np.floating[Any]]:
    """Turn what is to be drawn into float64 numbers with the right count of axes, or say what is wrong."""
    (numbers,), _ = as_floats(**{name: array})
    if numbers.ndim != ndim:
        raise ShapeError(f"{name} has shape {numbers.shape}, but a picture needs ({axes}).{hint}")
    if numbers.size == 0:
        raise ShapeError(f"{name} has shape {numbers.shape}: there is nothing to draw.")
    return numbers.astype(np.float64)


def words_for(name: str, words: Sequence[str], axis: str, size: int, array: str = "weights") -> list[str]:
    """Check that there is one word for each row or column."""
    if isinstance(words, str):
        raise TypeError(f"{name} must be a list of words, not one text: {words!r}.")
    as_text = [str(word) for word in words]
    if len(as_text) != size:
        raise ShapeError(f"{name} has {len(as_text)} words, but {array} has {axis} = {size}.")
    return as_text


def share(weight: float, digits: int = 1) -> str:
    """Write a weight as a percentage; never ``-0.0%``.

    >>> share(0.9825), share(0.9825, 0), share(float("nan"))
    ('98.2%', '98%', 'NaN')
    """
    return "NaN" if np.isnan(weight) else f"{weight + 0.0:.{digits}%}"


def number(value: float, digits: int = 2) -> str:
    """Write a score: integers as integers, others with two decimals.

    >>> number(10.0), number(7.0711), number(-0.001)
    ('10', '7.07', '0.00')
    """
    if np.isnan(value):
        return "NaN"
    if not np.isfinite(value):
        return "inf" if value > 0 else "-inf"
    if value == round(value) and abs(value) < 1e6:
        return str(round(value))
    text = f"{value:.{digits}f}" if abs(value) < 1e4 else f"{value:.1e}"
    return text.removeprefix("-") if float(text) == 0 else text


def favourite(
    weights: NDArray[np.floating[Any]], columns: Sequence[str], visible: NDArray[np.bool_], *, shares: bool = True
) -> str:
    """Say at what a row looks most: ``river (98.2%)``; ties are named as ties, so that rounding decides nothing.

    >>> favourite(np.array([0.5, 0.5, 0.0]), ["interest", "rate", "its"], np.ones(3, bool))
    'interest and rate (50.0% each)'
    >>> favourite(np.array([0.5, 0.5]), ["interest", "rate"], np.ones(2, bool), shares=False)
    'all 2 evenly'
    """
    seen = np.flatnonzero(visible & ~np.isnan(weights))
    if not len(seen) or (weights[seen] == 0).all():
        return "nothing"
    top = weights[seen].max()
    tied = [columns[int(j)] for j in seen if weights[j] >= top - 1e-9]
    if len(tied) == 1:
        return f"{tied[0]} ({share(top)})" if shares else tied[0]
    names = f"{', '.join(tied[:-1])} and {tied[-1]}" if len(tied) <= 3 else f"{len(tied)} words"
    if len(tied) == len(seen):
        names = f"all {len(tied)} evenly"
    return f"{names} ({share(top)} each)" if shares else names


def finding(
    weights: NDArray[np.floating[Any]], rows: Sequence[str], columns: Sequence[str], visible: NDArray[np.bool_]
) -> str:
    """Find a title in the weights, so that the code of a lesson need not give the answer away.

    >>> everybody = np.ones((2, 2), bool)
    >>> finding(np.array([[0.1, 0.9], [0.2, 0.8]]), ["bank", "river"], ["bank", "river"], everybody)
    'Every word looks most at river'
    >>> finding(np.eye(2), ["bank", "river"], ["bank", "river"], everybody)
    'bank looks most at bank, river at river'
    """
    looks = [favourite(weights[i], columns, visible[i], shares=False) for i in range(len(rows))]
    if len(rows) > 1 and len(set(looks)) == 1:
        return f"Every word looks most at {looks[0]}"
    if len(rows) > _MOST_IN_A_TITLE:
        return ""
    pairs = [f"{row} at {look}" for row, look in zip(rows[1:], looks[1:], strict=True)]
    return ", ".join([f"{rows[0]} looks most at {looks[0]}", *pairs])


def sentence(*parts: str) -> str:
    """Join parts into one sentence of at most 250 characters: later parts are left out where they do not fit."""
    text = parts[0]
    for part in parts[1:]:
        if len(text) + len(part) > _LONGEST_SENTENCE:
            break
        text += part
    return text if len(text) <= _LONGEST_SENTENCE else text[: _LONGEST_SENTENCE - 1] + "…"


def tick_words(words: Sequence[str], most: int) -> tuple[list[int], list[str]]:
    """Choose which words are written on an axis: all of them, or every second, third, ... if there are many."""
    every = -(-len(words) // most)
    places = list(range(0, len(words), every))
    short = [word if len(word) <= _LONGEST_TICK else word[: _LONGEST_TICK - 1] + "…" for word in words]
    return places, [short[place] for place in places]
