"""One map: a row for each word that looks, a column for each word looked at."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from attention_lab.masks import fit_mask
from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import (
    LONGEST_SENTENCE,
    finding,
    looks,
    number,
    numbers_for,
    sentence,
    share,
    tick_words,
    words_for,
)
from attention_lab.shapes import BoolArray, FloatArray, check_weights

_MOST_NUMBERS = 12  # cells a side that still have room for a number
_MOST_TICKS = 32
_BAR_SAYS = {"weights": "attention weight", "scores": "score", "differences": "difference", "slopes": "slope"}


def heatmap(
    weights: ArrayLike,
    *,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    mask: ArrayLike | None = None,
    kind: str = "weights",
    title: str = "",
) -> Picture:
    """Draw who looks at whom: row looks at column.

    Parameters
    ----------
    weights : ``(n_queries, n_keys)``
        Weights (0 to 1), scores, differences or slopes; -inf counts as hidden.
    rows : list of str
        The words looking, ``n_queries`` of them.
    columns : list of str, optional
        The words looked at; the rows' words by default.
    mask : bool array that broadcasts to the weights, optional
        True = may look; the rest is hatched and has no number.
    kind : {"weights", "scores", "differences", "slopes"}
        Weights are coloured from 0 to 1, always; the others symmetrically about 0. Slopes are a softmax's
        (``attention_lab.training.softmax_jacobian``), of the row's weight by the column's score, coloured from -0.25
        to 0.25, always.
    title : str
        A finding, such as "bank looks at river"; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If weights has not two axes, is empty, or the words or the mask do not fit it.
    TypeError
        If rows is one text, the mask is not boolean, or weights are not numbers.
    ValueError
        For another kind, or weights outside 0 to 1.

    Examples
    --------
    >>> heatmap([[0.014, 0.003, 0.983]], rows=["bank"], columns=["The", "bank", "river"])
    Attention weights, 1 query by 3 keys: bank looks most at river (98.3%).
    """
    if kind not in _BAR_SAYS:
        raise ValueError(f"kind must be one of {', '.join(_BAR_SAYS)}, not {kind!r}.")
    hint = " For one row use weights[None]; for many heads use head_grid."
    numbers = numbers_for("weights", weights, 2, "n_queries, n_keys", hint)
    rows = words_for("rows", rows, "n_queries", numbers.shape[0])
    name, columns = ("rows", rows) if columns is None else ("columns", columns)
    columns = words_for(name, columns, "n_keys", numbers.shape[1])
    visible = ~np.isneginf(numbers)
    if mask is not None:
        visible = visible & fit_mask(mask, numbers.shape)
    if kind == "weights":
        check_weights(numbers[visible])
    with style.house_style():
        cell = min(0.62, 6.5 / max(numbers.shape))
        long_words = max(map(len, columns)) > 5 or cell < 0.5
        width, height = cell * numbers.shape[1] + 2.1, cell * numbers.shape[0] + (1.6 if long_words else 1.25)
        figure = style.new_figure(max(width, 3.6), max(height, 1.9))
        axes = figure.add_subplot()
        image = draw_map(axes, numbers, visible, kind)
        _name_axes(axes, rows, columns, kind, slanted=long_words)
        if max(numbers.shape) <= _MOST_NUMBERS:
            _write_numbers(axes, image, numbers, visible, kind)
        style.title_of(figure, title or _finding(numbers, visible, rows, columns, kind))
        colour_bar(figure.colorbar(image, ax=axes, fraction=0.05, pad=0.03), kind)
        return Picture(figure, _describe(numbers, visible, rows, columns, kind))


def draw_map(axes: Axes, numbers: FloatArray, visible: BoolArray, kind: str) -> AxesImage:
    """Colour the visible cells, hatch the hidden ones, leave NaN white."""
    colours, ends = style.scale_of(kind, numbers[visible & np.isfinite(numbers)])
    image = axes.imshow(np.ma.masked_where(~visible | np.isnan(numbers), numbers), cmap=colours, norm=ends)
    hidden: dict[str, Any] = {"facecolor": style.HIDDEN_FACE, "edgecolor": style.HIDDEN_LINE, "hatch": "////"}
    for i, j in np.argwhere(~visible):
        axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, linewidth=0, **hidden))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image


def colour_bar(bar: Colorbar, kind: str) -> None:
    """Say on the colour bar what the colours mean."""
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)
    bar.set_label(_BAR_SAYS[kind])
    if kind == "weights":
        bar.set_ticks([0, 0.5, 1])
        bar.ax.yaxis.set_major_formatter(PercentFormatter(1))


def _name_axes(axes: Axes, rows: list[str], columns: list[str], kind: str, *, slanted: bool) -> None:
    places, names = tick_words(columns, _MOST_TICKS)
    axes.set_xticks(places, names, rotation=45 if slanted else 0, ha="right" if slanted else "center")
    if slanted:
        axes.tick_params(axis="x", pad=1)
        for label in axes.get_xticklabels():
            label.set_rotation_mode("anchor")
    axes.set_yticks(*tick_words(rows, _MOST_TICKS))
    if kind == "slopes":
        axes.set_xlabel("its score is nudged")
        axes.set_ylabel("its weight moves")
    else:
        axes.set_xlabel("key: the word looked at")
        axes.set_ylabel("query: the word looking" if len(rows) > 2 else "query")


def _write_numbers(axes: Axes, image: AxesImage, numbers: FloatArray, visible: BoolArray, kind: str) -> None:
    few = max(numbers.shape) <= 8
    for i, j in np.argwhere(visible):
        value = numbers[i, j]
        text = share(value, 1 if few else 0) if kind == "weights" else number(value, 2 if few else 1)
        ink = style.INK if np.isnan(value) else style.ink_on(image.to_rgba(value))
        axes.text(j, i, text, ha="center", va="center", fontsize=9 if few else 7.5, color=ink)


def _finding(numbers: FloatArray, visible: BoolArray, rows: list[str], columns: list[str], kind: str) -> str:
    if kind == "weights":
        return finding(numbers, rows, columns, visible)
    i, j = _largest(numbers, visible)
    if kind == "slopes":
        return f"Steepest: {_slope_of(rows[i], columns[j])}, {number(numbers[i, j])}"
    return f"The largest {_BAR_SAYS[kind]}: {rows[i]} with {columns[j]}, {number(numbers[i, j])}"


def _slope_of(row: str, column: str) -> str:
    return f"{row}'s weight by {'its own score' if row == column else f'the score of {column}'}"


def _largest(numbers: FloatArray, visible: BoolArray) -> tuple[int, int]:
    """Find the visible cell that is furthest from 0."""
    shown = np.where(visible & np.isfinite(numbers), np.abs(numbers), -1)
    i, j = np.unravel_index(shown.argmax(), shown.shape)
    return int(i), int(j)


def _describe(numbers: FloatArray, visible: BoolArray, rows: list[str], columns: list[str], kind: str) -> str:
    n_queries, n_keys = numbers.shape
    size = f"{n_queries} {'query' if n_queries == 1 else 'queries'} by {n_keys} {'key' if n_keys == 1 else 'keys'}"
    hidden = f", {(~visible).sum()} hidden" if not visible.all() else ""
    nan = f"; {np.isnan(numbers[visible]).sum()} are NaN" if np.isnan(numbers[visible]).any() else ""
    i, j = _largest(numbers, visible)
    if kind == "slopes":
        steepest = f"the steepest is {_slope_of(rows[i], columns[j])} ({number(numbers[i, j])})"
        return sentence(f"Slopes of a softmax, {n_queries} weights by {n_keys} scores{hidden}{nan}: {steepest}.")
    if kind == "weights":
        every_row = f"Attention weights, {size}{hidden}{nan}: {looks(numbers, rows, columns, visible)}."
        if len(every_row) <= LONGEST_SENTENCE:
            return every_row
        return sentence(
            f"Attention weights, {size}{hidden}{nan}: the largest is {rows[i]} looking at ",
            f"{columns[j]} ({share(numbers[i, j])}).",
        )
    largest = f"the largest is {rows[i]} with {columns[j]} ({number(numbers[i, j])})"
    return sentence(f"{'Scores' if kind == 'scores' else 'Differences'}, {size}{hidden}{nan}: {largest}.")
