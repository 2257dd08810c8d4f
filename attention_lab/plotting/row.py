"""One word's row of weights, as bars or as arrows from the word that looks."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import looks, numbers_for, sentence, share, words_for
from attention_lab.shapes import FloatArray, ShapeError, check_weights, whole_number


def row_bars(weights: ArrayLike, *, words: Sequence[str], query: str, title: str = "") -> Picture:
    """Draw one row of weights as bars, one a word looked at.

    Parameters
    ----------
    weights : ``(n_keys,)``
        One row; it sums to 1.
    words : list of str
        The words looked at.
    query : str
        The word looking.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError, TypeError, ValueError
        As for ``heatmap``.

    Examples
    --------
    >>> row_bars([0.014, 0.003, 0.983], words=["The", "bank", "river"], query="bank")
    Attention weights of bank over 3 words, as bars: bank looks most at river (98.3%).
    """
    row = numbers_for("weights", weights, 1, "n_keys")
    words = words_for("words", words, "n_keys", len(row))
    check_weights(row)
    with style.house_style():
        figure = style.new_figure(5.2, 0.34 * len(row) + 0.9)
        axes = figure.add_subplot()
        places = np.arange(len(row))
        axes.barh(places, np.nan_to_num(row), color=style.LINE_COLOURS[0], height=0.62)
        for place, weight in zip(places, row, strict=True):
            axes.text(float(np.nan_to_num(weight)) + 0.01, float(place), share(weight), va="center", fontsize=9)
        style.name_bars(axes, words, end=1.12, label=f"attention weight of {query}")
        style.title_of(figure, title or looks(row[None], [query], words, shares=False))
    return Picture(figure, _describe(row, words, query, "as bars"))


def row_arrows(weights: ArrayLike, *, words: Sequence[str], query: int, title: str = "") -> Picture:
    """Draw one row of weights as arrows over the sentence: the thicker, the larger the weight.

    Parameters
    ----------
    weights : ``(n_tokens,)``
        One row; it sums to 1.
    words : list of str
        The sentence.
    query : int
        The place of the word looking, from 0.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError, TypeError, ValueError
        As for ``heatmap``; also if there is no word at ``query``.

    Examples
    --------
    >>> row_arrows([0.014, 0.003, 0.983], words=["The", "bank", "river"], query=1)
    Attention weights of bank over 3 words, as arrows: bank looks most at river (98.3%).
    """
    row = numbers_for("weights", weights, 1, "n_tokens")
    words = words_for("words", words, "n_tokens", len(row))
    if whole_number("query", query) >= len(words):
        raise ShapeError(f"query = {query}, but there are {len(words)} words, numbered from 0.")
    check_weights(row)
    with style.house_style():
        places = np.cumsum([0] + [(len(a) + len(b)) / 2 * 0.115 + 0.35 for a, b in pairwise(words)])
        reach = max(abs(places - places[query]).max(), 1.0)
        figure = style.new_figure(max(places[-1] + 1.6, 4.0), 0.38 * reach + 1.3)
        axes = figure.add_subplot()
        for j, (place, word) in enumerate(zip(places, words, strict=True)):
            looking = j == query
            axes.text(place, 0, word, ha="center", va="center", fontsize=12, fontweight="bold" if looking else "normal")
            axes.text(place, -0.3, share(row[j]), ha="center", va="center", fontsize=9, color=style.QUIET)
            if not looking and row[j] >= 0.005:
                _arrow(axes, places[query], place, float(row[j]))
        axes.set_xlim(places[0] - 0.7, places[-1] + 0.7)
        axes.set_ylim(-0.5, 0.42 * reach + 0.35)
        axes.set_axis_off()
        style.title_of(figure, title or looks(row[None], [words[query]], words, shares=False))
    return Picture(figure, _describe(row, words, words[query], "as arrows"))


def _arrow(axes: Axes, start: float, end: float, weight: float) -> None:
    bend = -0.75 if end > start else 0.75  # always over the words, never under them
    axes.add_patch(
        FancyArrowPatch(
            (start, 0.16),
            (end, 0.16),
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=8 + 8 * weight,
            linewidth=0.6 + 5 * weight,
            color=style.LINE_COLOURS[0],
            alpha=0.35 + 0.65 * weight,
            shrinkA=0,
            shrinkB=0,
        )
    )


def _describe(row: FloatArray, words: list[str], query: str, how: str) -> str:
    look = looks(row[None], [query], words)
    return sentence(
        f"Attention weights of {query} over {len(words)} {'words' if len(words) > 1 else 'word'}, {how}: {look}."
    )
