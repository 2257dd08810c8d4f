"""A point for each thing, such as a head, by two of its numbers: whether one tells the other."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.curves import check_scale, heights_over, power, set_scales, trend
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence

_MOST_GROUPS = 3  # whose marks can still be told apart where they lie on each other


def points(
    x: ArrayLike,
    groups: Mapping[str, ArrayLike],
    *,
    x_label: str,
    y_label: str,
    y_scale: str = "linear",
    title: str = "",
) -> Picture:
    """Draw points that share an x axis; each group has its own colour, its own mark and its name in a corner.

    Parameters
    ----------
    x : ``(n_points,)``
        Of each thing.
    groups : mapping from a name to ``(n_points,)``
        Other numbers of the same things; at most three groups.
    x_label, y_label : str
        What is measured, with its unit.
    y_scale : {"linear", "log"}
        On a log scale equal steps are powers of ten. It has no 0.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If a group has another count of points than x.
    ValueError
        For no groups, or more than three; for another scale, or a number that is not above 0 on a log scale; if x
        holds NaN or an infinity, or nothing above its median.

    Examples
    --------
    >>> points([1, 2, 3], {"cut": [1.0, 2.5, 2.0]}, x_label="entropy", y_label="loss")
    loss against entropy, as 3 points of each group. Median, from the lower half of x to the upper: cut rises from 1.75
    to 2.
    """
    x = numbers_for("x", x, 1, "n_points")
    if not 1 <= len(groups) <= _MOST_GROUPS:
        raise ValueError(f"groups holds {len(groups)} groups; a picture takes 1 to {_MOST_GROUPS}.")
    ys = heights_over(x, groups)
    check_scale("y_scale", y_scale, ys)
    if not np.isfinite(x).all():
        raise ValueError(f"x holds {number(x[~np.isfinite(x)][0])}: such a point has no place.")
    upper = x > np.median(x)
    if not upper.any():
        raise ValueError("x has no upper half: nothing can be said about what rises with it.")
    say = power if y_scale == "log" else number
    trends = [trend(name, np.array([np.median(y[~upper]), np.median(y[upper])]), say) for name, y in ys.items()]
    with style.house_style():
        figure = style.new_figure(6.4, 3.4)
        axes = figure.add_subplot()
        for (name, y), colour, mark in zip(ys.items(), style.LINE_COLOURS, style.POINT_MARKS, strict=False):
            axes.plot(x, y, color=colour, linestyle="none", marker=mark, markersize=5, alpha=0.75, label=name)
        set_scales(axes, "linear", y_scale)
        style.name_axes(axes, x_label, y_label)
        figure.legend(loc="outside right upper", frameon=False)
        style.title_of(figure, title or "; ".join(trends))
    start = f"{y_label} against {x_label}, as {len(x)} points of each group"
    return Picture(figure, sentence(start, f". Median, from the lower half of x to the upper: {'; '.join(trends)}."))
