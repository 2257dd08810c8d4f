"""What explorers take from an example: its four matrices, checked, and the attention that follows from them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.attention import Attention, scaled_dot_product_attention
from attention_lab.examples import Example
from attention_lab.shapes import ShapeError, as_floats, bind, read_only

Numbers = NDArray[np.integer[Any]] | NDArray[np.floating[Any]]

AXES = {"x": "n_tokens d_model", "W_Q": "d_model d_k", "W_K": "d_model d_k", "W_V": "d_model d_v"}
TAUGHT = tuple(AXES)  # what a learner edits
_LARGEST_INTEGER = 1e6  # below it, sums of products of integers cannot overflow


def matrices_of(example: Example) -> dict[str, Numbers]:
    """Check that an example's four matrices are finite, fit together and are not empty; return them by name.

    Raises
    ------
    TypeError
        If they do not hold numbers.
    ShapeError
        If they do not fit together, or there is nothing to explore.
    ValueError
        If a number is not finite.
    """
    matrices = {name: matrix(name, getattr(example, name)) for name in AXES}
    sizes = bind(
        words=(list(example.words), "n_tokens"), **{name: (matrices[name], axes) for name, axes in AXES.items()}
    )
    for axis, size in sizes.items():
        if size == 0:
            raise ShapeError(f"{axis} is 0: there is nothing to explore.")
    return matrices


def matrix(name: str, value: ArrayLike, before: Numbers | None = None) -> Numbers:
    """Take one of the four over, as large as it was before; whole numbers stay whole."""
    (numbers,), _ = as_floats(**{name: value})
    bind(**{name: (numbers, AXES[name])})
    if not np.isfinite(numbers).all():
        i, j = np.argwhere(~np.isfinite(numbers))[0]
        raise ValueError(f"{name} must hold finite numbers, but {name}[{i}, {j}] is {numbers[i, j]}.")
    if before is not None:
        axes = AXES[name]
        bind(**{f"the explorer's {name}": (before, axes), f"the new {name}": (numbers, axes)})
    numbers = numbers.astype(np.float64)  # the page computes in float64
    if (numbers == numbers.round()).all() and (abs(numbers) < _LARGEST_INTEGER).all():
        return read_only(numbers.astype(np.int64))
    return read_only(numbers)


@np.errstate(all="ignore")  # a learner's 1e300 overflows; the page shows it as NaN, as this does
def attention_of(example: Example) -> Attention:
    """Compute scaled scores, weights and output of an example, or of many stacked in one."""
    return scaled_dot_product_attention(example.q, example.k, example.v)
