"""Hide: who may look where. A mask is boolean, True = may look; masks combine with ``&``."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.shapes import BoolArray, ShapeError, rectangular, whole_number


def causal_mask(n_queries: int, n_keys: int | None = None, *, align: str = "end") -> BoolArray:
    """Let each query see its own position and the earlier ones.

    Formula: ``mask[i, j] = j <= i + shift``, where ``shift = n_keys - n_queries`` with ``align="end"`` and 0 with
    ``align="start"``.

    Parameters
    ----------
    n_queries : int
        Words looking.
    n_keys : int, optional
        Words looked at; as many as there are queries by default.
    align : {"end", "start"}
        ``"end"``: the last query sees the last key, as with a cache of earlier keys. ``"start"``: row i sees keys 0 to
        i, as PyTorch's ``is_causal`` and ONNX without a cache have it. They differ only where ``n_queries != n_keys``.

    Returns
    -------
    bool array, ``(n_queries, n_keys)``
        True = may look. With ``"end"`` and more queries than keys, the first rows are empty.

    Raises
    ------
    ValueError
        For a negative size or another ``align``.
    TypeError
        For a size that is not an integer.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4).astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 1, 1]])
    """
    if align not in ("end", "start"):
        raise ValueError(f'align must be "end" or "start", not {align!r}.')
    gap = gap_between(n_queries, n_keys, align=align)
    return gap >= 0


def window_mask(n_queries: int, n_keys: int | None = None, *, width: int) -> BoolArray:
    """Let each query see only the keys near its own position, on both sides.

    Formula: ``mask[i, j] = |i + n_keys - n_queries - j| < width``.

    Parameters
    ----------
    n_queries, n_keys : int
        Words looking and words looked at; the last query stands at the last key.
    width : int
        How far it reaches, in words, its own position counted: 1 sees itself only.

    Returns
    -------
    bool array, ``(n_queries, n_keys)``
        True = may look. Combine it with ``causal_mask`` by ``&``.

    Raises
    ------
    ValueError
        For a width below 1 or a negative size.
    TypeError
        For a size that is not an integer.

    Source: Beltagy et al. 2020, "Longformer", section 3.1.

    Examples
    --------
    >>> window_mask(4, width=2).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 1, 1],
           [0, 0, 1, 1]])
    >>> (window_mask(3, width=2) & causal_mask(3)).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [0, 1, 1]])
    """
    if whole_number("width", width) < 1:
        raise ValueError(f"width must be at least 1 (a word sees itself), not {width}.")
    return np.abs(gap_between(n_queries, n_keys)) < width


def padding_mask(lengths: ArrayLike, n_keys: int) -> BoolArray:
    """Hide the padding: in each sequence only the first ``length`` keys may be looked at.

    Formula: ``mask[..., 0, j] = j < lengths[...]``.

    Parameters
    ----------
    lengths : int or integer array, ``(...)``
        Words in each sequence, from 0 to ``n_keys``.
    n_keys : int
        Words in the padded sequence.

    Returns
    -------
    bool array, ``(..., 1, n_keys)``
        True = may look; the axis of length 1 stands for every query, since padding hides keys, not queries.

    Raises
    ------
    ValueError
        For a length below 0 or above ``n_keys``.
    TypeError
        For lengths that are not integers.

    Source: ``key_padding_mask`` of PyTorch's MultiheadAttention, inverted: there True hides.

    Examples
    --------
    >>> padding_mask([3, 1], 3).astype(int)
    array([[[1, 1, 1]],
    <BLANKLINE>
           [[1, 0, 0]]])
    """
    n_keys = whole_number("n_keys", n_keys)
    counts = rectangular("lengths", lengths)
    if counts.size == 0 and counts.dtype.kind == "f":  # an empty list: no sequences at all
        counts = counts.astype(int)
    if counts.dtype.kind not in "iu":
        raise TypeError(f"lengths must hold integers, not {counts.dtype}.")
    wrong = counts[(counts < 0) | (counts > n_keys)]
    if wrong.size:
        raise ValueError(f"lengths holds {wrong.flat[0]}, but a length lies between 0 and n_keys = {n_keys}.")
    mask: BoolArray = np.arange(n_keys) < counts[..., None, None]
    return mask


def fit_mask(mask: ArrayLike, scores_shape: tuple[int, ...]) -> BoolArray:
    """Broadcast a mask to the scores, or say which axis does not fit.

    Returns
    -------
    bool array, ``scores_shape``
        A view, not to be written to.

    Raises
    ------
    TypeError
        If the mask is not boolean.
    ShapeError
        If it does not broadcast to the scores.

    Examples
    --------
    >>> fit_mask([[True], [False]], (2, 3)).shape
    (2, 3)
    >>> fit_mask(causal_mask(4), (3, 4))
    Traceback (most recent call last):
    attention_lab.shapes.ShapeError: mask has n_queries = 4, but the scores have n_queries = 3.
      mask: (4, 4)
      scores: (3, 4) as (..., n_queries, n_keys)
    """
    array = rectangular("mask", mask)
    if array.dtype != np.bool_:
        raise TypeError(
            f"mask must be boolean (True = may look), not {array.dtype}. "
            "For 0 and 1 use mask.astype(bool); for numbers added to the scores use bias."
        )
    return fit("mask", array, scores_shape)


def fit(name: str, array: NDArray[Any], scores_shape: tuple[int, ...]) -> NDArray[Any]:
    """Broadcast a mask or a bias to the scores; the error names the axis and both sizes."""
    words = ["n_keys", "n_queries"]
    for back, size in enumerate(reversed(array.shape)):
        if back >= len(scores_shape):
            raise ShapeError(
                f"{name} has {array.ndim} axes, but the scores have {len(scores_shape)}.\n"
                f"  {name}: {array.shape}\n  scores: {scores_shape} as (..., n_queries, n_keys)"
            )
        if size not in (1, scores_shape[-1 - back]):
            word = words[back] if back < len(words) else f"axis {-1 - back}"
            raise ShapeError(
                f"{name} has {word} = {size}, but the scores have {word} = {scores_shape[-1 - back]}.\n"
                f"  {name}: {array.shape}\n  scores: {scores_shape} as (..., n_queries, n_keys)"
            )
    return np.broadcast_to(array, scores_shape)


def gap_between(n_queries: int, n_keys: int | None = None, *, align: str = "end") -> NDArray[np.int_]:
    """Count how many words back each key lies from each query: ``(n_queries, n_keys)``, negative for the future.

    >>> gap_between(2, 3)
    array([[ 1,  0, -1],
           [ 2,  1,  0]])
    """
    n_queries = whole_number("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else whole_number("n_keys", n_keys)
    shift = n_keys - n_queries if align == "end" else 0
    return np.arange(n_queries)[:, None] + shift - np.arange(n_keys)
