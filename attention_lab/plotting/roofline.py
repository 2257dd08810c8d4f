"""The roof that memory and arithmetic put over a machine, and what stands below it."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator

from attention_lab.costs import Machine
from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import sentence, share

_BILLION = 1e9


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
    for name, values in {**points, "ceiling": ceiling[:1] if ceiling else ()}.items():
        if not all(np.isfinite(value) and value > 0 for value in values):
            raise ValueError(f"{name} holds {values}; a log scale shows only finite numbers above 0.")
    reached = {name: share(rate / machine.operations, 0) for name, (_, rate) in points.items()}
    with style.house_style():
        figure = style.new_figure(6.4, 3.6)
        axes = figure.add_subplot()
        intensities = [machine.ridge, *(intensity for intensity, _ in points.values())]
        _draw_roof(axes, machine, min(intensities) / 8, max(intensities) * 8, ceiling)
        for (name, (intensity, rate)), colour, mark in zip(
            points.items(), style.LINE_COLOURS, style.POINT_MARKS, strict=False
        ):
            point = intensity, rate / _BILLION
            axes.plot(*point, color=colour, marker=mark, markersize=8, linestyle="none")
            _write(axes, f"{name}: {reached[name]}", point, (8, -11), colour)
        style.title_of(figure, title or _finding(machine, points))
    return Picture(figure, _sentence(machine, points, reached))


def _draw_roof(axes: Axes, machine: Machine, low: float, high: float, ceiling: tuple[float, str] | None) -> None:
    corners = np.array([low, machine.ridge, high])
    axes.loglog(corners, [machine.roof(x) / _BILLION for x in corners], color=style.INK, linewidth=2)
    _write(axes, "arithmetic", (high, machine.operations / _BILLION), (0, 5), style.INK, ha="right")
    _write(axes, "memory", (low, machine.roof(low) / _BILLION), (12, 0), style.INK)
    if ceiling is not None:
        rate, name = ceiling
        ends = [rate / machine.bandwidth, high]
        axes.plot(ends, [rate / _BILLION] * 2, color=style.QUIET, linestyle=style.LINE_DASHES[1], linewidth=1)
        _write(axes, name, (high, rate / _BILLION), (0, 3), style.QUIET, ha="right")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.minorticks_off()
    axes.set_xlabel("operations for each byte moved")
    axes.set_ylabel("billion operations a second")
    axes.spines[["top", "right"]].set_visible(False)


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
    rates = [f"{rate / _BILLION:,.0f} billion" for rate in (machine.operations, machine.bandwidth)]
    parts = [f"{name} at {points[name][0]:,.0f} does {part}" for name, part in reached.items()]
    parts[0] += " of those operations"
    return sentence(
        f"Roofline of {machine.name}, at most {rates[0]} operations and {rates[1]} bytes a second, "
        f"which meet at {machine.ridge:,.0f} operations a byte: {', '.join(parts)}."
    )
