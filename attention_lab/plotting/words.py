"""Words on axes and in sentences."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import BoolArray, FloatArray, ShapeError, as_floats

LONGEST_SENTENCE = 250  # characters; a screen reader reads it aloud
_LONGEST_TICK = 14
_MOST_IN_A_TITLE = 3  # rows whose favourites fit


def numbers_for(name: str, array: ArrayLike, ndim: int, axes: str, hint: str = "") -> FloatArray:
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

    >>> share(0.9825), share(0.9825, 0), share(-1e-9), share(float("nan"))
    ('98.2%', '98%', '0.0%', 'NaN')
    """
    text = "NaN" if np.isnan(weight) else f"{weight:.{digits}%}"
    return text.removeprefix("-") if not text.strip("-0.%") else text


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


def looks(
    weights: FloatArray,
    rows: Sequence[str],
    columns: Sequence[str],
    visible: BoolArray | None = None,
    *,
    shares: bool = True,
) -> str:
    """Say for each row at what it looks most; the verb stands once. Ties are named as ties: rounding decides nothing.

    >>> looks(np.array([[0.1, 0.9, 0.0], [0.5, 0.5, 0.0]]), ["a", "b"], ["a", "b", "c"])
    'a looks most at b (90.0%), b at a and b (50.0% each)'
    >>> looks(np.full((1, 3), 1 / 3), ["its"], ["a", "b", "c"])
    'its looks at all 3 evenly (33.3% each)'
    """
    visible = np.ones(weights.shape, bool) if visible is None else visible
    parts: list[str] = []
    for i, row in enumerate(rows):
        names, top = _favourites(weights[i], columns, visible[i])
        evenly = len(names) > 1 and len(names) == visible[i].sum()
        verb = "at" if parts else "looks at" if evenly or not names else "looks most at"
        each = " each" if len(names) > 1 else ""
        how_much = f" ({share(top)}{each})" if shares and names else ""
        parts.append(f"{row} {verb} {_listed(names, evenly)}{how_much}")
    return ", ".join(parts)


def _favourites(weights: FloatArray, columns: Sequence[str], visible: BoolArray) -> tuple[list[str], float]:
    """Find the words with the largest weight, and that weight; none, if a row looks nowhere."""
    seen = np.flatnonzero(visible & ~np.isnan(weights))
    top = float(weights[seen].max(initial=0))
    return [columns[int(j)] for j in seen if top > 0 and weights[j] >= top - 1e-9], top


def _listed(names: list[str], evenly: bool) -> str:
    if evenly:
        return f"all {len(names)} evenly"
    if len(names) > 3:
        return f"{len(names)} words"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names) or "nothing"


def finding(weights: FloatArray, rows: Sequence[str], columns: Sequence[str], visible: BoolArray) -> str:
    """Find a title in the weights, so that the code of a lesson need not give the answer away.

    >>> everybody = np.ones((2, 2), bool)
    >>> finding(np.array([[0.1, 0.9], [0.2, 0.8]]), ["bank", "river"], ["bank", "river"], everybody)
    'Every word looks most at river'
    >>> finding(np.eye(2), ["bank", "river"], ["bank", "river"], everybody)
    'bank looks most at bank, river at river'
    """
    favourites = {tuple(_favourites(weights[i], columns, visible[i])[0]) for i in range(len(rows))}
    if len(rows) > 1 and len(favourites) == 1:
        return looks(weights[:1], ["Every word"], columns, visible[:1], shares=False)
    return looks(weights, rows, columns, visible, shares=False) if len(rows) <= _MOST_IN_A_TITLE else ""


def sentence(*parts: str, end: str = "") -> str:
    """Join parts and the end to at most 250 characters: later parts are left out where they do not fit."""
    text = parts[0]
    for part in parts[1:]:
        if len(text) + len(part) + len(end) > LONGEST_SENTENCE:
            break
        text += part
    text += end
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def tick_words(words: Sequence[str], most: int) -> tuple[list[int], list[str]]:
    """Choose which words are written on an axis: all of them, or every second, third, ... if there are many."""
    every = -(-len(words) // most)
    places = list(range(0, len(words), every))
    short = [word if len(word) <= _LONGEST_TICK else word[: _LONGEST_TICK - 1] + "…" for word in words]
    return places, [short[place] for place in places]
