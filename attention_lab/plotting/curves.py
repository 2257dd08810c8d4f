"""Lines over a common axis, each named at its end."""

from collections.abc import Mapping, Sequence

import numpy as np
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
        For no lines, or more than six.

    Examples
    --------
    >>> curves([1, 2, 3], {"summary": [0.9, 0.7, 0.5]}, x_label="words ago", y_label="share told right")
    Curves of share told right against words ago, from 1 to 3: summary falls from 0.90 to 0.50.
    """
    x = numbers_for("x", x, 1, "n_points")
    if not 1 <= len(lines) <= len(style.LINE_COLOURS):
        raise ValueError(f"lines holds {len(lines)} lines; a picture takes 1 to {len(style.LINE_COLOURS)}.")
    ys = {name: numbers_for(name, y, 1, "n_points") for name, y in lines.items()}
    for name, y in ys.items():
        if len(y) != len(x):
            raise ShapeError(f"{name} has n_points = {len(y)}, but x has n_points = {len(x)}.")
    with style.house_style():
        figure = style.new_figure(6.4, 3.2)
        axes = figure.add_subplot()
        for y, colour, dash in zip(ys.values(), style.LINE_COLOURS, style.LINE_DASHES, strict=False):
            axes.plot(x, y, color=colour, linestyle=dash, linewidth=2, marker="o", markersize=3.5)
        axes.set_ylim(y_range)
        shifts = _apart([y[-1] for y in ys.values()], axes.get_ylim())
        for (name, y), colour, shift in zip(ys.items(), style.LINE_COLOURS, shifts, strict=False):
            axes.annotate(
                name, (x[-1], y[-1]), xytext=(6, shift), textcoords="offset points", va="center", color=colour
            )
        if floor is not None:
            axes.axhline(floor[0], color=style.HIDDEN_LINE, linewidth=1)
            axes.annotate(
                floor[1],
                (x[0], floor[0]),
                xytext=(0, -4),
                textcoords="offset points",
                va="top",
                fontsize=8,
                color=style.QUIET,
            )
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.spines[["top", "right"]].set_visible(False)
        trends = [trend(name, y) for name, y in ys.items()]
        style.title_of(figure, title or ", ".join(trends))
    span = f"from {number(x[0])} to {number(x[-1])}"
    return Picture(figure, sentence(f"Curves of {y_label} against {x_label}, {span}", f": {'; '.join(trends)}."))


def _apart(ends: Sequence[float], limits: tuple[float, float]) -> list[float]:
    """Find how far each name is moved up, in points, so that names of lines that end close together can be read.

    >>> _apart([0.0, 1.0], (0.0, 1.0)), _apart([0.5, 0.5], (0.0, 1.0))
    ([0.0, 0.0], [0.0, 11.0])
    """
    low, high = limits
    shifts, last = [0.0] * len(ends), -np.inf
    for i in sorted(range(len(ends)), key=lambda i: ends[i]):
        place = (ends[i] - low) / (high - low) * _HEIGHT
        shifts[i] = float(max(0.0, last + _LINE_OF_TEXT - place))
        last = place + shifts[i]
    return shifts


def trend(name: str, y: FloatArray) -> str:
    """Say where a line goes from its first point to its last.

    >>> import numpy as np
    >>> trend("summary", np.array([0.9, 0.4, 0.5])), trend("look back", np.array([1.0, 1.0]))
    ('summary falls from 0.90 to 0.50', 'look back stays at 1')
    """
    start, end = (number(value) for value in (y[0], y[-1]))
    if start == end:
        return f"{name} stays at {start}"
    return f"{name} {'rises' if y[-1] > y[0] else 'falls'} from {start} to {end}"
