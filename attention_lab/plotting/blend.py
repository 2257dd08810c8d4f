"""A blend shown as what it is: a mix of colours, and the same mix as bars and numbers."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence, share, words_for
from attention_lab.shapes import FloatArray, ShapeError


def colour_blend(weights: ArrayLike, colours: ArrayLike, *, words: Sequence[str], title: str = "") -> Picture:
    """Draw colours mixed by weights: the shares above, the mix below, its red, green and blue as bars beside them.

    Formula: ``mix = weights @ colours``.

    Parameters
    ----------
    weights : ``(n_keys,)``
        Shares from 0 to 1 that sum to 1.
    colours : ``(n_keys, 3)``
        Red, green and blue of each word, from 0 to 1.
    words : list of str
        One a colour.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError, TypeError
        If weights, colours and words do not fit.
    ValueError
        If a colour is not between 0 and 1, or the weights do not sum to 1.

    Examples
    --------
    >>> colour_blend([0.75, 0.25], [[0, 0, 1], [1, 0, 0]], words=["river", "The"])
    A mix of 75.0% river, 25.0% The: red 0.25, green 0, blue 0.75.
    """
    row = numbers_for("weights", weights, 1, "n_keys")
    table = numbers_for("colours", colours, 2, "n_keys, 3")
    words = words_for("words", words, "n_keys", len(row))
    if table.shape != (len(row), 3):
        raise ShapeError(
            f"colours has shape {table.shape}, but {len(row)} weights need ({len(row)}, 3): red, green, blue."
        )
    if not ((table >= 0) & (table <= 1)).all():
        raise ValueError("colours must lie between 0 and 1.")
    if not ((row >= 0).all() and np.isclose(row.sum(), 1)):
        raise ValueError(
            f"weights must be shares that sum to 1; these sum to {row.sum():.3g}, the smallest is {row.min():.3g}."
        )
    mix = (row @ table).clip(0, 1)
    with style.house_style():
        figure = style.new_figure(6.6, 2.5)
        shares, bars = figure.subplots(1, 2, width_ratios=[3, 2])
        _draw_shares(shares, row, table, mix, words)
        _draw_channels(bars, mix)
        style.title_of(
            figure, title or (f"Mostly {words[row.argmax()]}" if row.max() > 0.5 else "No word has more than half")
        )
    parts = ", ".join(f"{share(weight)} {word}" for weight, word in zip(row, words, strict=True))
    channels = ", ".join(f"{name} {number(value)}" for name, value in zip(("red", "green", "blue"), mix, strict=True))
    return Picture(figure, sentence(f"A mix of {parts}", f": {channels}."))


def _draw_shares(axes: Axes, row: FloatArray, table: FloatArray, mix: FloatArray, words: list[str]) -> None:
    """Above, a strip whose parts are as wide as the shares; below it, the one colour that they make."""
    left = 0.0
    for weight, colour in zip(row, table, strict=True):
        axes.barh(1, weight, left=left, height=0.8, color=colour, edgecolor=style.PAPER, linewidth=1.5)
        left += weight
    recipe = " + ".join(f"{share(weight, 0)} {word}" for weight, word in zip(row, words, strict=True))
    axes.text(0, 1.52, recipe, ha="left", va="bottom", fontsize=9)
    axes.barh(0, 1, height=0.8, color=mix)
    axes.text(0.5, 0, "the mix", ha="center", va="center", fontsize=10, color=style.ink_on(mix))
    axes.set_xlim(0, 1)
    axes.set_axis_off()


def _draw_channels(axes: Axes, mix: FloatArray) -> None:
    places = np.arange(3)
    axes.barh(places, mix, height=0.6, color=style.QUIET)
    for place, value in zip(places, mix, strict=True):
        axes.text(value + 0.02, float(place), f"{value:.2f}", va="center", fontsize=9)
    style.name_bars(axes, ["red", "green", "blue"], end=1.2, label="the mix, in numbers")
