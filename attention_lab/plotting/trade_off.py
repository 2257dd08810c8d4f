"""Tricks by what they cost and what they get wrong."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.curves import apart
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence, share
from attention_lab.shapes import FloatArray, ShapeError

BUDGET = 0.25  # where the tricks are compared in words: a quarter of the cost
_AXES_HEIGHT = 215  # points, about
_CHEAPEST = 1 / 32  # where the axis of costs begins, unless a trick costs as little
_ABOVE_EXACT = 8  # points, from exact attention's mark to its name
_BEHIND_A_NAME = {"facecolor": style.PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
_Points = tuple[FloatArray, FloatArray]


def trade_off(
    tricks: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    average: float,
    title: str = "",
) -> Picture:
    """Draw the error of tricks against their cost; exact attention stands at the lower right.

    Parameters
    ----------
    tricks : mapping from a name to (costs, errors), ``(n_points,)`` each
        At most six. Costs are shares of what exact attention costs, in rising order, above 0 and at most 1; errors
        are relative ones: finite, from 0.
    average : float
        The error of the plain average of all values, which costs nearly nothing: a level to beat.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If a trick does not have as many errors as costs, or average is not one number.
    ValueError
        For no tricks, or more than six; for costs that fall, or lie outside; for an error, or an average, that is
        negative, infinite or NaN.

    Examples
    --------
    >>> trade_off({"window": ([0.1, 0.25], [1.4, 0.7]), "8 bits": ([0.25], [0.02])}, average=0.9)
    Error against cost of 2 tricks. At 25% of the exact cost or less: 8 bits 0.02, window 0.7; the plain average 0.9.
    """
    if not 1 <= len(tricks) <= len(style.LINE_COLOURS):
        raise ValueError(f"tricks holds {len(tricks)} tricks; a picture takes 1 to {len(style.LINE_COLOURS)}.")
    points = {name: _checked(name, *both) for name, both in tricks.items()}
    average = float(_errors("average", average, 0, "one number"))
    with style.house_style():
        figure = style.new_figure(6.8, 3.8)
        axes = figure.add_subplot()
        axes.set_xscale("log", base=2)
        axes.set_xlim(min(_CHEAPEST, *(costs[0] / 1.1 for costs, _ in points.values())), 1.1)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda cost, _: "1" if cost == 1 else f"1/{1 / cost:g}"))
        axes.minorticks_off()
        marks = zip(points.values(), style.LINE_COLOURS, style.LINE_DASHES, style.POINT_MARKS, strict=False)
        for (costs, errors), colour, dash, mark in marks:
            axes.plot(costs, errors, color=colour, linestyle=dash, linewidth=1.6, marker=mark, markersize=6)
        axes.set_ylim(0, 1.1 * (max(average, *(errors.max() for _, errors in points.values())) or 1))
        _draw_levels(axes, average)
        _name_ends(axes, points)
        style.name_axes(axes, "cost, as a share of exact attention's", "relative error")
        found = _within_budget(points) or ["no trick costs so little"]
        style.title_of(figure, title or f"At {share(BUDGET, 0)} of the cost: {', '.join(found[:2])}")
    tricks_said = f"{len(points)} {'trick' if len(points) == 1 else 'tricks'}"
    start = f"Error against cost of {tricks_said}. At {share(BUDGET, 0)} of the exact cost or less: "
    return Picture(figure, sentence(start + ", ".join(found), f"; the plain average {_short(average)}."))


def _checked(name: str, costs: ArrayLike, errors: ArrayLike) -> _Points:
    x = numbers_for(f"costs of {name}", costs, 1, "n_points")
    y = _errors(f"errors of {name}", errors, 1, "n_points")
    if len(x) != len(y):
        raise ShapeError(f"errors of {name} has n_points = {len(y)}, but costs of {name} has n_points = {len(x)}.")
    if not ((x > 0) & (x <= 1)).all():
        raise ValueError(f"costs of {name} goes from {x.min():.3g} to {x.max():.3g}; a share is above 0, at most 1.")
    falls = np.flatnonzero(np.diff(x) < 0)
    if falls.size:
        before, after = x[falls[0] : falls[0] + 2]
        raise ValueError(f"costs of {name} falls from {number(before)} to {number(after)}; it must rise.")
    return x, y


def _errors(name: str, errors: ArrayLike, ndim: int, axes: str) -> FloatArray:
    y = numbers_for(name, errors, ndim, axes)
    wrong = y[~(np.isfinite(y) & (y >= 0))]
    if wrong.size:
        raise ValueError(f"{name} holds {number(wrong[0])}; a relative error is 0 or more, and finite.")
    return y


def _draw_levels(axes: Axes, average: float) -> None:
    """Draw the plain average as a level, and exact attention as a point: the whole cost, no error."""
    left = axes.get_xlim()[0]
    axes.axhline(average, color=style.HIDDEN_LINE, linewidth=1)
    axes.plot([1], [0], color=style.INK, marker="o", markersize=7, clip_on=False, zorder=5)
    for name, place, colour in (("plain average", (left, average), style.QUIET), ("exact", (1, 0), style.INK)):
        shift = (3, _ABOVE_EXACT)
        axes.annotate(name, place, xytext=shift, textcoords="offset points", va="center", fontsize=9, color=colour)


def _name_ends(axes: Axes, points: Mapping[str, _Points]) -> None:
    """Write each name right of its last point, apart from others that end about there; a lone point's stands above."""
    ends = {name: (float(costs[-1]), float(errors[-1])) for name, (costs, errors) in points.items()}
    columns: dict[tuple[bool, int], list[str]] = {}
    for name, (costs, _) in points.items():
        column = round(np.log2(ends[name][0]))
        columns.setdefault((column, len(costs) == 1 and column < 0), []).append(name)
    for (column, alone), names in columns.items():
        above = 12 if alone else _ABOVE_EXACT if column == 0 else 3
        taken = [0.0] if column == 0 else []  # exact attention's name stands there
        heights = [*taken, *(ends[name][1] for name in names)]
        shifts = apart(heights, axes.get_ylim(), _AXES_HEIGHT)[len(taken) :]
        for name, shift in zip(names, shifts, strict=True):
            look: dict[str, Any] = {
                "color": style.LINE_COLOURS[list(ends).index(name)],
                "fontsize": 9,
                "bbox": _BEHIND_A_NAME,
            }
            look |= {"xytext": (0 if alone else 8, shift + above), "ha": "center" if alone else "left"}
            axes.annotate(name, ends[name], textcoords="offset points", va="center", **look)


def _within_budget(points: Mapping[str, _Points]) -> list[str]:
    """Give the smallest error of each trick that the budget pays for, the best first."""
    best = {name: errors[costs <= BUDGET].min(initial=np.inf) for name, (costs, errors) in points.items()}
    paid = sorted((error, name) for name, error in best.items() if np.isfinite(error))
    return [f"{name} {_short(error)}" for error, name in paid]


def _short(error: float) -> str:
    """Write an error with two digits that count.

    >>> _short(0.00621), _short(1.0)
    ('0.0062', '1')
    """
    return f"{error:.2g}"
