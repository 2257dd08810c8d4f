"""How broadly a word looks, in bits."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.masks import fit_mask
from attention_lab.shapes import FloatArray, as_floats, bind, check_row_sums, check_weights


def attention_entropy(weights: ArrayLike, *, mask: ArrayLike | None = None, normalised: bool = False) -> FloatArray:
    """Measure how broadly each query looks, in bits: 0 for one key, log2(n) for n keys alike.

    Formula: ``H[i] = - sum over j of weights[i, j] * log2(weights[i, j])``, where 0 * log2(0) = 0.

    Parameters
    ----------
    weights : ``(..., n_queries, n_keys)``
        Each row sums to 1.
    mask : bool array that broadcasts to the weights, optional
        True = may look. Without it every key counts as visible.
    normalised : bool
        Divide by log2 of the number of visible keys, so that 1 is "evenly, among those it may see".

    Returns
    -------
    ``(..., n_queries)``
        Bits, or a share of the most that is possible. Normalised, a row with fewer than two visible keys is NaN. A row
        with NaN is NaN; an empty row (all 0) has no bits, 0.

    Raises
    ------
    ValueError
        If a weight is below 0, above 1, or lies on a hidden key; if a row sums to neither 1 nor 0.
    TypeError, ShapeError
        If the mask is not boolean or does not broadcast; for arrays that are not numbers.

    Source: Shannon 1948; for heads: Clark et al. 2019, "What Does BERT Look At?", section 3.3.

    Examples
    --------
    >>> attention_entropy([[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [1.0, 0.0, 0.0, 0.0]])
    array([1., 2., 0.])
    >>> attention_entropy([[0.5, 0.5, 0.0, 0.0]], normalised=True)
    array([0.5])
    """
    (weights,), answer_in = as_floats(weights=weights)
    bind(weights=(weights, "... n_queries n_keys"))
    visible = np.ones(weights.shape, bool) if mask is None else fit_mask(mask, weights.shape)
    check_weights(weights)
    if (weights[~visible] > 0).any():
        raise ValueError("weights is above 0 where the mask hides the key. Is this the mask it was computed with?")
    shares = np.where(visible, np.maximum(weights, 0), 0)  # rounding may leave a weight just below 0
    check_row_sums(shares)
    with np.errstate(all="ignore"):
        bits = -np.where(shares == 0, 0, shares * np.log2(np.where(shares == 0, 1, shares))).sum(axis=-1)
        bits = np.maximum(bits, 0)  # rounding may leave a weight just above 1; -0.0 becomes 0.0
        if normalised:
            n_visible = visible.sum(axis=-1)
            bits = np.where(n_visible < 2, np.nan, bits / np.log2(np.maximum(n_visible, 2)))
        return np.asarray(bits, dtype=answer_in)
