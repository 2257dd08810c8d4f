"""What attention costs, measured; and how it grows."""

import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import ShapeError, positive_number

_peaks: list[int] = []  # of the measurements that run, the outermost first


@dataclass(frozen=True)
class Growth:
    """How something grows: as size to a power.

    Attributes
    ----------
    power : float
        Over all sizes.
    lowest, highest : float
        Between two neighbouring sizes: how far measurements scatter around it.
    """

    power: float
    lowest: float
    highest: float

    def __repr__(self) -> str:
        return f"n to the {self.power:.2f} (from {self.lowest:.2f} to {self.highest:.2f} between neighbours)"


def growth(sizes: ArrayLike, values: ArrayLike) -> Growth:
    """Fit ``values = constant * sizes ** power``.

    Formula: the slope of the straight line through ``(log sizes, log values)``, by least squares.

    Parameters
    ----------
    sizes : ``(n_points,)``
        Positive, in rising order; at least two.
    values : ``(n_points,)``
        What was measured there; positive.

    Returns
    -------
    Growth

    Raises
    ------
    ShapeError
        If there are not as many values as sizes.
    ValueError
        For fewer than two points, sizes that do not rise, or a number that is not positive.

    Source: ordinary least squares; the same as ``numpy.polyfit(log(sizes), log(values), 1)[0]``.

    Examples
    --------
    >>> growth([1, 2, 4], [3, 12, 48])
    n to the 2.00 (from 2.00 to 2.00 between neighbours)
    """
    x, y = np.asarray(sizes, float), np.asarray(values, float)
    if x.ndim != 1 or x.shape != y.shape:
        raise ShapeError(f"values has the shape {y.shape}, but sizes has the shape {x.shape}; both are (n_points,).")
    for name, numbers in (("sizes", x), ("values", y)):
        if not (np.isfinite(numbers) & (numbers > 0)).all():
            raise ValueError(f"{name} must hold positive numbers; a power is a slope between logarithms.")
    log_x, log_y = np.log(x), np.log(y)
    if len(x) < 2 or (np.diff(log_x) <= 0).any():
        raise ValueError("sizes must hold at least two numbers, in rising order.")
    centred = log_x - log_x.mean()
    steps = np.diff(log_y) / np.diff(log_x)
    return Growth(float(centred @ log_y / (centred @ centred)), float(steps.min()), float(steps.max()))


def peak_memory(function: Callable[[], Any]) -> int:
    """Call a function, and measure how many bytes it held at most beyond what was there before.

    Formula: the peak of what Python and NumPy allocate, minus what was allocated at the start. Where `tracemalloc` runs
    already, its own peak is reset.

    Parameters
    ----------
    function : function ()
        What it returns counts while it runs, and is thrown away.

    Returns
    -------
    int

    Source: the Python manual, ``tracemalloc``; NumPy reports its arrays to it.

    Examples
    --------
    >>> peak_memory(lambda: np.ones(100_000)) // 100_000
    8
    """
    traced = tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    try:
        if _peaks:  # one within another: what was held so far is the outer one's, and a reset would lose it
            _peaks[-1] = max(_peaks[-1], tracemalloc.get_traced_memory()[1])
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        _peaks.append(before)
        try:
            function()
        finally:
            peak = max(_peaks.pop(), tracemalloc.get_traced_memory()[1])
        if _peaks:
            _peaks[-1] = max(_peaks[-1], peak)
        return peak - before
    finally:
        if not traced:
            tracemalloc.stop()


def seconds(jobs: Mapping[Any, Callable[[], Any]], *, rounds: int = 3) -> dict[Any, float]:
    """Measure the time that some functions compute: each once to warm up, then all in turn, and the best counts.

    Formula: the smallest of ``rounds`` differences of ``time.thread_time``. In turn, since what ran before decides
    what lies in the cache; the best, since others disturb a run and never help it. The clock counts this thread alone.

    Parameters
    ----------
    jobs : mapping from a name to a function ()
        What is measured.
    rounds : int
        How often each is called after its warm-up.

    Returns
    -------
    dict
        The seconds of each, by its name.

    Raises
    ------
    ValueError
        If rounds is not positive.

    Source: the Python manual, ``timeit.Timer.repeat``, on why the smallest is the one to look at.

    Examples
    --------
    >>> list(seconds({"nothing": lambda: None}))
    ['nothing']
    """
    rounds = positive_number("rounds", rounds)
    best = dict.fromkeys(jobs, float("inf"))
    for job in jobs.values():
        job()
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.thread_time()
            job()
            best[name] = min(best[name], time.thread_time() - start)
    return best
