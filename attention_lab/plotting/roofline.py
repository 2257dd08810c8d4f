"""The roof that memory and arithmetic put over a machine, and what stands below it."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator

from attention_lab.costs import Machine
from attention_lab.plotting import style
from attention_lab.plotting.curves import apart
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import sentence

_BILLION = 1e9
_AXES_WIDTH, _AXES_HEIGHT, _LETTER = 380, 190, 6  # points, about
_MOST_DECADES = 4  # that have room for 1, 2 and 5 on the axis of rates


def roofline(
    machine: Machine,
    points: Mapping[str, tuple[float, float]],
    *,
    ceiling: tuple[float, str] | None = None,
    title: str = "",
) -> Picture:
    """Draw the most that a machine can do against operations for each byte, and some work below it.

    Formula: the roof is ``min(operations, bandwidth * intensity)``: on logarithmic scales a slope and a flat part.

    Parameters
    ----------
    machine : Machine
        Its rates, measured or from a data sheet.
    points : mapping from a name to (intensity, rate)
        Operations for each byte moved, and operations a second; at most six.
    ceiling : (rate, name), optional
        A lower roof, such as that with the exponentials, drawn as a dashed line.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        For no points, or more than six; for a number that is not above 0: a logarithmic scale has none.

    Source: Williams, Waterman and Patterson 2009, "Roofline", Communications of the ACM 52(4).

    Examples
    --------
    >>> roofline(Machine("a machine", 1e11, 2e9, 1e10), {"plain": (8, 4e10), "streaming": (100, 6e10)})
    Roofline of a machine, at most 100 billion operations and 10 billion bytes a second, which meet at 10 operations a
    byte: plain at 8 does 40% of those operations, streaming at 100 does 60%.
    """
    if not 1 <= len(points) <= len(style.POINT_MARKS):
        raise ValueError(f"points holds {len(points)} points; a picture takes 1 to {len(style.POINT_MARKS)}.")
    for name, values in [*points.items(), ("ceiling", ceiling[:1] if ceiling else ())]:
        if not all(np.isfinite(value) and value > 0 for value in values):
            raise ValueError(f"{name} holds {values}; a log scale shows only finite numbers above 0.")
    reached = {name: f"{_figure(100 * rate / machine.operations)}%" for name, (_, rate) in points.items()}
    with style.house_style():
        figure = style.new_figure(6.4, 3.6)
        axes = figure.add_subplot()
        intensities = [machine.ridge, *(intensity for intensity, _ in points.values())]
        span = min(intensities) / 8, max(intensities) * 8
        _draw_roof(axes, machine, span, ceiling)
        marks = zip(points.values(), style.LINE_COLOURS, style.POINT_MARKS, strict=False)
        for (intensity, rate), colour, mark in marks:
            axes.plot(intensity, rate / _BILLION, color=colour, marker=mark, markersize=8, linestyle="none")
        low, high = axes.get_ylim()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 10**_MOST_DECADES else (1,)))
        _name_roof(axes, machine, span, ceiling)
        _name_points(axes, points, {name: f"{name}: {part}" for name, part in reached.items()})
        style.title_of(figure, title or _finding(machine, points))
    return Picture(figure, _sentence(machine, points, reached))


def _draw_roof(axes: Axes, machine: Machine, span: tuple[float, float], ceiling: tuple[float, str] | None) -> None:
    low, high = span
    corners = np.array([low, machine.ridge, high])
    axes.loglog(corners, [machine.roof(x) / _BILLION for x in corners], color=style.INK, linewidth=2)
    if ceiling is not None:
        ends, rate = [ceiling[0] / machine.bandwidth, high], ceiling[0] / _BILLION
        axes.plot(ends, [rate] * 2, color=style.QUIET, linestyle=style.LINE_DASHES[1], linewidth=1)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.minorticks_off()
    style.name_axes(axes, "operations for each byte moved", "billion operations a second")


def _name_roof(axes: Axes, machine: Machine, span: tuple[float, float], ceiling: tuple[float, str] | None) -> None:
    """Write what limits each part, and the ceiling's name, apart where the ceiling is close to the roof."""
    low, high = span
    names = [("arithmetic", machine.operations / _BILLION, 5, style.INK)]
    if ceiling is not None:
        names.insert(0, (ceiling[1], ceiling[0] / _BILLION, 3, style.QUIET))
    for (name, rate, above, colour), shift in zip(names, _apart(axes, [rate for _, rate, *_ in names]), strict=True):
        _write(axes, name, (high, rate), (0, above + shift), colour, ha="right")
    _write(axes, "memory", (low, machine.roof(low) / _BILLION), (12, 0), style.INK)


def _name_points(axes: Axes, points: Mapping[str, tuple[float, float]], names: Mapping[str, str]) -> None:
    """Write each name right of its point; those that would run into each other are moved apart."""
    low, high = np.log(axes.get_xlim())
    columns: list[list[str]] = []
    free_from = -np.inf  # how far right the column's names reach, in points
    for point in sorted(points, key=lambda point: points[point][0]):
        place = (np.log(points[point][0]) - low) / (high - low) * _AXES_WIDTH
        if place >= free_from:
            columns.append([])
        columns[-1].append(point)
        free_from = max(free_from, place + _LETTER * len(names[point]))
    colours = dict(zip(points, style.LINE_COLOURS, strict=False))
    for column in columns:
        rates = [points[point][1] / _BILLION for point in column]
        for point, rate, shift in zip(column, rates, _apart(axes, rates), strict=True):
            _write(axes, names[point], (points[point][0], rate), (8, shift - 11), colours[point])


def _apart(axes: Axes, rates: list[float]) -> list[float]:
    low, high = np.log(axes.get_ylim())
    return apart(np.log(rates).tolist(), (low, high), _AXES_HEIGHT)


def _write(
    axes: Axes, text: str, place: tuple[float, float], shift: tuple[float, float], colour: str, ha: str = "left"
) -> None:
    axes.annotate(text, place, xytext=shift, textcoords="offset points", color=colour, ha=ha, fontsize=9)


def _finding(machine: Machine, points: Mapping[str, tuple[float, float]]) -> str:
    sides: dict[str, list[str]] = {}
    for name, (intensity, _) in points.items():
        sides.setdefault("memory" if intensity < machine.ridge else "arithmetic", []).append(name)
    return ", ".join(f"{side} limits {' and '.join(names)}" for side, names in sides.items())


def _sentence(machine: Machine, points: Mapping[str, tuple[float, float]], reached: Mapping[str, str]) -> str:
    rates = [f"{_figure(rate / _BILLION)} billion" for rate in (machine.operations, machine.bandwidth)]
    parts = [f"{name} at {_figure(points[name][0])} does {part}" for name, part in reached.items()]
    parts[0] += " of those operations"
    return sentence(
        f"Roofline of {machine.name}, at most {rates[0]} operations and {rates[1]} bytes a second, "
        f"which meet at {_figure(machine.ridge)} operations a byte: {', '.join(parts)}."
    )


def _figure(value: float) -> str:
    """Write a number in full, and a small one with two digits that count.

    >>> _figure(2048.0), _figure(2.0), _figure(0.0213)
    ('2,048', '2', '0.021')
    """
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"
