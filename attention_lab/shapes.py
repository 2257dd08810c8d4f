"""The words for axes, and the first door: every array that enters the package is checked here.

The words (``n_tokens``, ``d_k``, ...) are those of ``docs/notation.md``. They are bound to sizes, so that an error can
name the array, the axis and both sizes.
"""

import math
import operator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]
_Scalar = TypeVar("_Scalar", bound=np.generic)

_FLOATS = (np.float16, np.float32, np.float64)


class ShapeError(ValueError):
    """Arrays whose sizes do not fit together; the message names the array, the axis and both sizes."""


def bind(**arrays: tuple[ArrayLike, str]) -> dict[str, int]:
    """Bind the words for axes to the sizes of arrays, or say which two disagree.

    Parameters
    ----------
    **arrays : (array, words)
        The words name the axes in order, such as ``"n_keys d_k"``; ``"..."`` in front stands for any leading axes,
        which must broadcast between the arrays that have it.

    Returns
    -------
    dict
        The size of each word.

    Raises
    ------
    ShapeError
        If a word has two sizes, an array has the wrong number of axes, or leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> q, k = np.zeros((3, 2)), np.zeros((5, 2))
    >>> bind(q=(q, "... n_queries d_k"), k=(k, "... n_keys d_k"))
    {'n_queries': 3, 'd_k': 2, 'n_keys': 5}
    >>> bind(q=(q, "... n_queries d_k"), k=(np.zeros((5, 4)), "... n_keys d_k"))
    Traceback (most recent call last):
    attention_lab.shapes.ShapeError: k has d_k = 4, but q has d_k = 2.
      q: (3, 2) as (..., n_queries, d_k)
      k: (5, 4) as (..., n_keys, d_k)
    """
    sizes: dict[str, int] = {}
    first_seen: dict[str, str] = {}
    leading: list[tuple[str, tuple[int, ...]]] = []
    shapes = {name: rectangular(name, array).shape for name, (array, _) in arrays.items()}
    for name, (_, words) in arrays.items():
        shape, axes = shapes[name], words.split()
        if axes[:1] == ["..."]:
            axes = axes[1:]
            leading.append((name, shape[: max(len(shape) - len(axes), 0)]))
        elif len(shape) > len(axes):
            raise ShapeError(f"{name} has too many axes.\n{_lines(arrays, name)}")
        if len(shape) < len(axes):
            raise ShapeError(f"{name} has too few axes.\n{_lines(arrays, name)}")
        for word, size in zip(axes, shape[len(shape) - len(axes) :], strict=True):
            if sizes.setdefault(word, size) != size:
                other = first_seen[word]
                raise ShapeError(
                    f"{name} has {word} = {size}, but {other} has {word} = {sizes[word]}.\n"
                    f"{_lines(arrays, other, name)}"
                )
            first_seen.setdefault(word, name)
    _check_leading(arrays, leading)
    return sizes


def _check_leading(arrays: dict[str, tuple[ArrayLike, str]], leading: list[tuple[str, tuple[int, ...]]]) -> None:
    for i, (name, axes) in enumerate(leading):
        for other, other_axes in leading[:i]:
            try:
                np.broadcast_shapes(axes, other_axes)
            except ValueError:
                raise ShapeError(
                    f"The leading axes of {name} are {axes}, but those of {other} are {other_axes}: "
                    f"they do not broadcast.\n{_lines(arrays, other, name)}"
                ) from None


def _lines(arrays: dict[str, tuple[ArrayLike, str]], *names: str) -> str:
    """One line an array: its shape, and what its axes stand for."""
    return "\n".join(
        f"  {name}: {np.shape(arrays[name][0])} as ({', '.join(arrays[name][1].split())})" for name in names
    )


def rectangular(name: str, value: ArrayLike) -> NDArray[Any]:
    """Turn a value into an array, or say in words that it is not one.

    >>> rectangular("x", [[1, 0], [1]])
    Traceback (most recent call last):
    attention_lab.shapes.ShapeError: x is not a rectangular array: its rows have different lengths.
    """
    if isinstance(value, np.ndarray) and hasattr(value, "mask"):  # np.ma itself would take a while to load
        raise TypeError(f"{name} is a masked array, whose mask would be lost: give the plain array, and mask=.")
    try:
        return np.asarray(value)
    except ValueError:
        raise ShapeError(f"{name} is not a rectangular array: its rows have different lengths.") from None


def as_floats(**arrays: ArrayLike) -> tuple[list[FloatArray], np.dtype[np.floating[Any]]]:
    """Turn arrays into one float type to compute in, and name the type to answer in.

    float32 and float64 stay, integers and booleans become float64, float16 is computed in float32.

    Raises
    ------
    TypeError
        For complex numbers, objects and text.
    ShapeError
        For nested lists that are not rectangular.

    Examples
    --------
    >>> (x,), answer_in = as_floats(x=[[1, 0], [0, 1]])
    >>> x.dtype, answer_in
    (dtype('float64'), dtype('float64'))
    >>> as_floats(x=["river"])
    Traceback (most recent call last):
    TypeError: x holds text (<U5). It must hold float16, float32, float64, integers or booleans.
    """
    checked = [_float_array(name, value) for name, value in arrays.items()]
    answer_in = np.result_type(*checked)  # in the machine's own byte order
    compute_in = np.float32 if answer_in == np.float16 else answer_in
    return [array.astype(compute_in, copy=False) for array in checked], answer_in


def _float_array(name: str, value: ArrayLike) -> FloatArray:
    array = rectangular(name, value)
    if array.dtype.kind in "biu":
        return array.astype(np.float64)
    if array.dtype.type not in _FLOATS:
        kind = {"c": "complex numbers", "U": "text", "S": "text", "O": "objects"}.get(array.dtype.kind, "another type")
        raise TypeError(
            f"{name} holds {kind} ({array.dtype}). It must hold float16, float32, float64, integers or booleans."
        )
    return array


def whole_number(name: str, value: int) -> int:
    """Give back a count or a width, or say in words why it is not one."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}.") from None
    if number < 0:
        raise ValueError(f"{name} must not be negative, but is {number}.")
    return number


def positive_number(name: str, value: int) -> int:
    """Give back a count or a width of at least 1, or say in words why it is none.

    >>> positive_number("tile", 0)
    Traceback (most recent call last):
    ValueError: tile must be at least 1, but is 0.
    """
    number = whole_number(name, value)
    if number < 1:
        raise ValueError(f"{name} must be at least 1, but is {number}.")
    return number


def finite_number(name: str, value: Any) -> float:
    """Give back a number as a float, or say in words why it is not one.

    >>> finite_number("scale", float("nan"))
    Traceback (most recent call last):
    ValueError: scale must be a finite number, not nan.
    """
    try:
        number = float(value) if isinstance(value, int | float | np.floating | np.integer) else math.nan
    except OverflowError:  # an integer of hundreds of digits
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, not {value!r:.40}.")
    return number


def check_weights(weights: FloatArray) -> None:
    """Refuse numbers that cannot be weights; rounding in float16 is finer than what is let through.

    >>> check_weights(np.array([4.0, 2.0, 10.0]))
    Traceback (most recent call last):
    ValueError: weights holds 4; a weight lies between 0 and 1. Are these scores?
    """
    wrong = weights[(weights < -1e-3) | (weights > 1 + 1e-3)]
    if wrong.size:
        raise ValueError(f"weights holds {wrong[0]:.4g}; a weight lies between 0 and 1. Are these scores?")


def check_row_sums(weights: FloatArray) -> None:
    """Refuse rows that share out more or less than all; NaN stays NaN, and an empty row has nothing to share.

    >>> check_row_sums(np.array([[0.5, 0.5], [0.0, 0.0]]))
    >>> check_row_sums(np.array([[0.5, 0.25]]))
    Traceback (most recent call last):
    ValueError: A row of weights sums to 0.75; each must sum to 1, or to 0 if it may look nowhere.
    """
    sums = weights.sum(axis=-1)
    wrong = sums[(np.abs(sums - 1) > 0.01) & (sums != 0)]
    if wrong.size:
        raise ValueError(
            f"A row of weights sums to {wrong[0]:.3g}; each must sum to 1, or to 0 if it may look nowhere."
        )


def read_only(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Give back a view that nobody can write to, of an array that is ours (it is locked, too)."""
    owned = array if array.flags.owndata else array.copy()
    owned.flags.writeable = False
    return owned.view()


def show_shapes(record: object, fields: tuple[str, ...]) -> str:
    """Print a record by the shapes of its arrays, not by their numbers: ``Attention(scores 3x3, ...)``."""
    arrays = ((name, getattr(record, name)) for name in fields)
    shapes = [f"{name} {'x'.join(map(str, array.shape))}" for name, array in arrays if array is not None]
    return f"{type(record).__name__}({', '.join(shapes)})"
