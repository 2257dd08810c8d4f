"""Lines over a common axis, each named at its end."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogFormatter
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence
from attention_lab.shapes import FloatArray, ShapeError

_HEIGHT, _LINE_OF_TEXT = 165, 11  # points: of the axes, about; and what a name takes


def curves(
    x: ArrayLike,
    lines: Mapping[str, ArrayLike],
    *,
    x_label: str,
    y_label: str,
    x_scale: str = "linear",
    y_scale: str = "linear",
    y_range: tuple[float, float] | None = None,
    floor: tuple[float, str] | None = None,
    title: str = "",
) -> Picture:
    """Draw lines that share an x axis; each has its own colour, its own dash and its name at its end.

    Parameters
    ----------
    x : ``(n_points,)``
        In rising order.
    lines : mapping from a name to ``(n_points,)``
        At most six lines.
    x_label, y_label : str
        What is measured, with its unit.
    x_scale, y_scale : {"linear", "log"}
        On a log scale equal steps are equal factors: doublings along x, powers of ten along y. It has no 0.
    y_range : (lowest, highest), optional
        The ends of the y axis, where they mean something, such as 0 for a share.
    floor : (value, name), optional
        A level to compare with, such as guessing, drawn as a thin grey line.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If a line is not as long as x.
    ValueError
        For no lines, or more than six; for another scale, or a number that is not above 0 on a log scale.

    Examples
    --------
    >>> curves([1, 2, 3], {"summary": [0.9, 0.7, 0.5]}, x_label="words ago", y_label="share told right")
    Curves of share told right against words ago, from 1 to 3: summary falls from 0.90 to 0.50.
    """
    x = numbers_for("x", x, 1, "n_points")
    if not 1 <= len(lines) <= len(style.LINE_COLOURS):
        raise ValueError(f"lines holds {len(lines)} lines; a picture takes 1 to {len(style.LINE_COLOURS)}.")
    ys = heights_over(x, lines)
    check_scale("x_scale", x_scale, {"x": x})
    check_scale("y_scale", y_scale, {**ys, "y_range": y_range or 1, "floor": floor[0] if floor else 1})
    with style.house_style():
        figure = style.new_figure(6.4, 3.2)
        axes = figure.add_subplot()
        for y, colour, dash in zip(ys.values(), style.LINE_COLOURS, style.LINE_DASHES, strict=False):
            axes.plot(x, y, color=colour, linestyle=dash, linewidth=2, marker="o", markersize=3.5)
        set_scales(axes, x_scale, y_scale)
        axes.set_ylim(y_range)
        _name_lines(axes, x[-1], {name: float(y[-1]) for name, y in ys.items()})
        if floor is not None:
            _draw_floor(axes, x[0], *floor)
        style.name_axes(axes, x_label, y_label)
        trends = [trend(name, y, power if y_scale == "log" else number) for name, y in ys.items()]
        style.title_of(figure, title or ", ".join(trends))
    against = f"{y_label} against {x_label}, from {number(x[0])} to {number(x[-1])}"
    on_log = ", on a log scale" if y_scale == "log" else ""
    return Picture(figure, sentence(f"Curves of {against}{on_log}", f": {'; '.join(trends)}."))


def heights_over(x: FloatArray, named: Mapping[str, ArrayLike]) -> dict[str, FloatArray]:
    """Take the numbers over that are drawn over the same x, or say which of them do not fit it."""
    ys = {name: numbers_for(name, y, 1, "n_points") for name, y in named.items()}
    for name, y in ys.items():
        if len(y) != len(x):
            raise ShapeError(f"{name} has n_points = {len(y)}, but x has n_points = {len(x)}.")
    return ys


def check_scale(name: str, scale: str, drawn: Mapping[str, ArrayLike]) -> None:
    """Refuse another scale than the two that are drawn, and what a log scale cannot show."""
    if scale not in ("linear", "log"):
        raise ValueError(f"{name} must be linear or log, not {scale!r}.")
    for what, values in drawn.items():
        if scale == "log" and (np.asarray(values) <= 0).any():
            raise ValueError(f"{what} holds {number(np.min(values))}; a log scale shows only what is above 0.")


def set_scales(axes: Axes, x_scale: str, y_scale: str) -> None:
    """Draw on scales that ``check_scale`` let pass: powers of 2 along x, of 10 along y."""
    if x_scale == "log":
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(LogFormatter(base=2))
    if y_scale == "log":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(LogFormatter())
    axes.minorticks_off()


def _name_lines(axes: Axes, x: float, ends: Mapping[str, float]) -> None:
    heights, limits = np.array(list(ends.values())), np.array(axes.get_ylim())
    if axes.get_yscale() == "log":
        heights, limits = np.log(heights), np.log(limits)
    shifts = apart(heights.tolist(), (limits[0], limits[1]))
    for (name, y), shift, colour in zip(ends.items(), shifts, style.LINE_COLOURS, strict=False):
        axes.annotate(name, (x, y), xytext=(6, shift), textcoords="offset points", va="center", color=colour)


def _draw_floor(axes: Axes, x: float, floor: float, name: str) -> None:
    axes.axhline(floor, color=style.HIDDEN_LINE, linewidth=1)
    axes.annotate(name, (x, floor), xytext=(0, -4), textcoords="offset points", va="top", fontsize=8, color=style.QUIET)


def apart(ends: Sequence[float], limits: tuple[float, float], axes_height: float = _HEIGHT) -> list[float]:
    """Find how far each name is moved up, in points, so that names of lines that end close together can be read.

    >>> apart([0.0, 1.0], (0.0, 1.0)), apart([0.5, 0.5], (0.0, 1.0))
    ([0.0, 0.0], [0.0, 11.0])
    """
    low, high = limits
    shifts, last = [0.0] * len(ends), -np.inf
    for i in sorted(range(len(ends)), key=lambda i: ends[i]):
        place = (ends[i] - low) / (high - low) * axes_height
        shifts[i] = float(max(0.0, last + _LINE_OF_TEXT - place))
        last = place + shifts[i]
    return shifts


def trend(name: str, y: FloatArray, say: Callable[[float], str] = number) -> str:
    """Say where a line goes from its first point to its last.

    >>> import numpy as np
    >>> trend("summary", np.array([0.9, 0.4, 0.5])), trend("look back", np.array([1.0, 1.0]))
    ('summary falls from 0.90 to 0.50', 'look back stays at 1')
    """
    start, end = (say(value) for value in (y[0], y[-1]))
    if start == end:
        return f"{name} stays at {start}"
    return f"{name} {'rises' if y[-1] > y[0] else 'falls'} from {start} to {end}"


def power(value: float) -> str:
    """Write a number whose size is what matters: as elsewhere, but nothing small becomes 0.00.

    >>> power(7.4e-8), power(0.25), power(10.0)
    ('7e-08', '0.25', '10')
    """
    return f"{value:.0e}" if 0 < abs(value) < 0.01 else number(value)
