"""Two groups of numbers, or two orders of the same things, compared by rank alone: no scale is assumed."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, ShapeError, as_floats


def auc(higher: ArrayLike, lower: ArrayLike) -> FloatArray:
    """Measure how often a number of one group lies above one of the other: 1 is always, 0.5 is chance.

    Formula: ``(pairs with higher[i] > lower[j] + half of those that are equal) / all pairs``.

    Parameters
    ----------
    higher : ``(..., n_higher)``
        The group that should lie above.
    lower : ``(..., n_lower)``
        The other one; leading axes broadcast.

    Returns
    -------
    ``(...)``
        The area under the ROC curve, from 0 to 1.

    Raises
    ------
    ShapeError
        If a group is empty, or the leading axes do not fit.
    ValueError
        If a number is NaN: it has no rank.

    Source: Mann and Whitney 1947, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the
    Other"; as an area: Hanley and McNeil 1982.

    Examples
    --------
    >>> auc([2, 3, 4], [1, 1, 3]).round(3)
    np.float64(0.833)
    """
    (higher, lower), _ = as_floats(higher=higher, lower=lower)
    _check_ranked(higher=higher, lower=lower)
    try:
        np.broadcast_shapes(higher.shape[:-1], lower.shape[:-1])
    except ValueError:
        raise ShapeError(
            f"The leading axes of higher are {higher.shape[:-1]}, but those of lower are {lower.shape[:-1]}."
        ) from None
    pairs = higher[..., :, None], lower[..., None, :]
    above = (pairs[0] > pairs[1]) + 0.5 * (pairs[0] == pairs[1])
    return np.asarray(above.mean(axis=(-2, -1)))[()]


def rank_correlation(one: ArrayLike, other: ArrayLike) -> float:
    """Measure how alike two orders of the same things are: 1 the same, 0 unrelated, -1 the reverse.

    Formula: Pearson's correlation of the ranks; equal numbers share the mean of theirs.

    Parameters
    ----------
    one, other : arrays of one shape
        A number for each thing, such as ``(n_layers, n_heads)``.

    Returns
    -------
    float

    Raises
    ------
    ShapeError
        If the shapes differ, or there are fewer than two things.
    ValueError
        If a number is NaN, or all of one array are equal: then nothing is in an order.

    Source: Spearman 1904, "The Proof and Measurement of Association between Two Things".

    Examples
    --------
    >>> round(rank_correlation([1, 2, 3, 4], [10, 20, 20, 1000]), 2)
    0.95
    """
    (one, other), _ = as_floats(one=one, other=other)
    if one.shape != other.shape or one.size < 2:
        raise ShapeError(
            f"one has shape {one.shape}, other {other.shape}: they must be the same, of two things or more."
        )
    _check_ranked(one=one.ravel(), other=other.ravel())
    ranks = [_ranks(array.ravel()) for array in (one, other)]
    for name, of in zip(("one", "other"), ranks, strict=True):
        if (of == of[0]).all():
            raise ValueError(f"{name} holds the same number {len(of)} times: there is no order to compare.")
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(numbers: FloatArray) -> FloatArray:
    """Give each number its place in rising order; equal ones share the mean of theirs.

    >>> _ranks(np.array([5.0, 1.0, 5.0]))
    array([1.5, 0. , 1.5])
    """
    _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts + 1) / 2)[which])


def _check_ranked(**arrays: FloatArray) -> None:
    for name, array in arrays.items():
        if array.ndim == 0 or array.shape[-1] == 0:
            raise ShapeError(f"{name} has shape {array.shape}: it must hold at least one number to compare.")
        if np.isnan(array).any():
            raise ValueError(f"{name} holds NaN, which has no rank.")
