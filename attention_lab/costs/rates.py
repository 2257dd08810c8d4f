"""The rates of the machine that this runs on, measured one part at a time; float32, one thread."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.costs.machine import Machine
from attention_lab.costs.measured import seconds
from attention_lab.shapes import whole_number

_SIDE = 1024  # of the matrices, large enough for a library to be at its best
_NUMBERS = 2**17  # half a mebibyte, that of a tile of scores: stays in the cache
_FAR = 2**28  # bytes: more than the caches of nearly all machines
_SHORTEST = 2**24  # bytes moved in one measurement: a clock is too coarse for less


def matrix_rate(*, rounds: int = 9) -> float:
    """Measure how many operations a second a product of matrices does.

    Formula: ``2 * 1024**3`` multiplications and additions over the seconds of the fastest of ``rounds``.

    Parameters
    ----------
    rounds : int
        How often it is measured, after a warm-up.

    Returns
    -------
    float

    Source: Williams, Waterman and Patterson 2009, "Roofline" (a roof is measured by what comes close to it).

    Examples
    --------
    >>> matrix_rate(rounds=1) > 1e8
    True
    """
    left, product = np.full((_SIDE, _SIDE), 0.5, np.float32), np.empty((_SIDE, _SIDE), np.float32)
    return 2 * _SIDE**3 / _fastest(lambda: np.matmul(left, left, out=product), rounds)


def exponential_rate(*, rounds: int = 9) -> float:
    """Measure how many exponentials a second ``numpy.exp`` computes, of numbers between -8 and 0 in the cache.

    Formula: the count over the seconds of the fastest of ``rounds``.

    Parameters
    ----------
    rounds : int
        As for `matrix_rate`.

    Returns
    -------
    float

    Source: as for `matrix_rate`.

    Examples
    --------
    >>> exponential_rate(rounds=1) > 1e6
    True
    """
    numbers = np.linspace(-8, 0, _NUMBERS, dtype=np.float32)
    weights = np.empty_like(numbers)

    def several() -> None:
        for _ in range(20):
            np.exp(numbers, out=weights)

    return 20 * _NUMBERS / _fastest(several, rounds)


def memory_rate(n_bytes: int = _FAR, *, rounds: int = 9) -> float:
    """Measure how many bytes a second are read and written back, in an array of a given size.

    A small array stays in a cache, which is faster than main memory.

    Formula: each number changes its sign in place, so twice the array's bytes are moved; over the seconds of the
    fastest of ``rounds``.

    Parameters
    ----------
    n_bytes : int
        The size of the array; at least 4.
    rounds : int
        As for `matrix_rate`.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        If n_bytes is no whole number from 4 on.

    Source: McCalpin 1995, "Memory bandwidth and machine balance" (STREAM), with one array instead of two or three: it
    is what a pass of softmax over its scores does.

    Examples
    --------
    >>> memory_rate(2**16, rounds=1) > 1e7
    True
    """
    if whole_number("n_bytes", n_bytes) < 4:
        raise ValueError(f"n_bytes must be at least 4, the size of one number, but is {n_bytes}.")
    array = np.full(n_bytes // 4, 0.5, np.float32)
    times = max(1, _SHORTEST // array.nbytes)

    def several() -> None:
        for _ in range(times):
            np.negative(array, out=array)

    return 2 * times * array.nbytes / _fastest(several, rounds)


def machine_rates(*, rounds: int = 9) -> Machine:
    """Measure this machine: products of matrices, exponentials, and main memory, each alone.

    Formula: `matrix_rate`, `exponential_rate`, `memory_rate` of 256 MiB.

    Parameters
    ----------
    rounds : int
        As for `matrix_rate`.

    Returns
    -------
    Machine

    Source: as for `matrix_rate`.

    Examples
    --------
    >>> machine_rates(rounds=1).name
    'this machine'
    """
    return Machine(
        "this machine", matrix_rate(rounds=rounds), exponential_rate(rounds=rounds), memory_rate(rounds=rounds)
    )


def _fastest(job: Callable[[], Any], rounds: int) -> float:
    return seconds({"job": job}, rounds=rounds)["job"]
