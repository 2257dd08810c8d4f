"""What a model is made of, looked at before it is made: its sizes, and the kind of its numbers."""

import numpy as np

from attention_lab.shapes import whole_number


def check_sizes(**sizes: int) -> None:
    """Refuse a size that is no whole number, or below 1.

    >>> check_sizes(d_model=8, n_heads=0)
    Traceback (most recent call last):
    ValueError: n_heads is 1 or more, not 0.
    """
    for name, size in sizes.items():
        if whole_number(name, size) < 1:
            raise ValueError(f"{name} is 1 or more, not {size}.")


def check_dtype(dtype: type) -> None:
    """Refuse numbers that cannot be learned: whole ones, and those too coarse for small steps.

    >>> check_dtype(int)
    Traceback (most recent call last):
    TypeError: dtype is float32 or float64, not int64.
    """
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise TypeError(f"dtype is float32 or float64, not {np.dtype(dtype)}.")
