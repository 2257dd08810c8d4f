"""Values that were typed in: still dots, numbers, or something that can only be quoted."""

from typing import Any

import numpy as np

from attention_lab.exercises.steps import Array


def is_blank(value: Any) -> bool:
    """Tell whether dots still stand where something was asked for, alone or in a list."""
    return value is ... or (isinstance(value, list | tuple) and any(is_blank(part) for part in value))


def numbers(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    """Turn what was typed into numbers, or say what was expected.

    >>> numbers("q", [1, 2, 3], (2,))
    Traceback (most recent call last):
    ValueError: q: 2 numbers are expected, such as [0, 1]; yours has the shape (3,).
    """
    row = str(([0, 1] + [0] * shape[-1])[: shape[-1]])
    example = row if len(shape) == 1 else f"[{row}, ...]"
    try:
        array = np.asarray(value)
        if array.dtype.kind in "USc":  # text would pass as numbers, and complex numbers as half of them
            raise ValueError
        array = array.astype(float)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{name}: numbers are expected, such as {example}; yours is {written(value)}.") from None
    if array.shape != shape:
        what = " rows of ".join(map(str, shape)) + " numbers"
        has = f"has the shape {array.shape}" if array.shape else "is a single number"
        raise ValueError(f"{name}: {what} are expected, such as {example}; yours {has}.")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: one of them is not a finite number; yours is {written(value)}.")
    return array


def number(name: str, value: Any) -> float:
    """Turn what was typed into one number, or say what was expected.

    >>> number("position", 2)
    2.0
    >>> number("position", "two")
    Traceback (most recent call last):
    ValueError: position: a number is expected, such as 2; yours is 'two'.
    """
    if np.ndim(value) or isinstance(value, bool):
        raise ValueError(f"{name}: a number is expected, such as 2; yours is {written(value)}.")
    try:
        return float(numbers(name, [value], (1,))[0])
    except ValueError:
        raise ValueError(f"{name}: a number is expected, such as 2; yours is {written(value)}.") from None


def written(value: Any) -> str:
    """Write a value as Python does, in one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
