"""Attention in five verbs: compare, scale, hide, weigh, blend. ``scaled_dot_product_attention`` walks the whole way."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.masks import fit, fit_mask
from attention_lab.shapes import (
    BoolArray,
    FloatArray,
    ShapeError,
    as_floats,
    bind,
    finite_number,
    read_only,
    rectangular,
    show_shapes,
)


@dataclass(frozen=True, eq=False, repr=False)
class Attention:
    """What one pass of attention computed, step by step; the arrays are read-only.

    Attributes
    ----------
    scores : ``(..., n_queries, n_keys)``
        Scaled, bias added, -inf where hidden.
    weights : ``(..., n_queries, n_keys)``
        Each row sums to 1; a row that may look nowhere is all 0.
    output : ``(..., n_queries, d_v)``
        The blended values.
    mask : ``(..., n_queries, n_keys)`` or None
        True = may look.
    """

    scores: FloatArray
    weights: FloatArray
    output: FloatArray
    mask: BoolArray | None = None

    def __repr__(self) -> str:
        return show_shapes(self, ("scores", "weights", "output", "mask"))


def softmax(
    scores: ArrayLike, *, axis: int = -1, mask: ArrayLike | None = None, temperature: float = 1.0
) -> FloatArray:
    """Turn scores into positive weights that sum to 1.

    Formula: ``weights[j] = exp(scores[j] / temperature) / sum over j' of exp(scores[j'] / temperature)``, computed
    after subtracting the largest score, which changes nothing and keeps ``exp`` from overflowing.

    Parameters
    ----------
    scores : ``(..., n_queries, n_keys)``, or any other shape
        In any unit; only their differences count. NaN makes its row NaN; -inf gets a weight of exactly 0.
    axis : int
        The axis to share out, the keys by default.
    mask : bool array that broadcasts to the scores, optional
        True = may look; a hidden score counts as -inf, whatever it is.
    temperature : float
        Above 1 the weights come closer together, below 1 further apart.

    Returns
    -------
    array of the scores' shape
        float32 stays; a row that may look nowhere (every score hidden or -inf) is all 0.

    Raises
    ------
    ValueError
        If the temperature is not a positive number, or the axis does not exist.
    TypeError
        If the mask is not boolean, or the scores are complex, objects or text.
    ShapeError
        If the mask does not broadcast to the scores.

    Source: Bridle 1990, "Probabilistic interpretation of feedforward classification network outputs".

    Examples
    --------
    "bank" compares itself with The, bank and river:

    >>> import numpy as np
    >>> scores = np.array([4, 2, 10]) / np.sqrt(2)
    >>> softmax(scores).round(3)
    array([0.014, 0.003, 0.982])
    >>> softmax(scores, mask=[True, True, False]).round(3)
    array([0.804, 0.196, 0.   ])
    """
    (scores,), answer_in = as_floats(scores=scores)
    if finite_number("temperature", temperature) <= 0:
        raise ValueError(f"temperature must be a positive number, not {temperature!r}.")
    with np.errstate(all="ignore"):  # NaN and infinities are answers here, not accidents
        if mask is not None:
            scores = np.where(fit_mask(mask, scores.shape), scores, -np.inf)
        top = scores.max(axis=axis, keepdims=True, initial=-np.inf)
        top = np.where(np.isneginf(top), 0, top)  # nothing to look at: exp(-inf) is 0 for every key
        below_top = scores - top
        if temperature != 1:
            below_top = below_top / np.float64(temperature)  # as float32 it could be 0 or infinite
        grown = np.exp(below_top)
        total = grown.sum(axis=axis, keepdims=True)
        return (grown / np.where(total == 0, 1, total)).astype(answer_in, copy=False)


def attention_scores(q: ArrayLike, k: ArrayLike, *, scale: float | None = None) -> FloatArray:
    """Compare every query with every key, and scale.

    Formula: ``scores = scale * q @ k.T``, with ``scale = 1 / sqrt(d_k)`` unless it is given.

    Parameters
    ----------
    q : ``(..., n_queries, d_k)``
        Queries.
    k : ``(..., n_keys, d_k)``
        Keys; the leading axes broadcast with those of q.
    scale : float, optional
        ``1.0`` leaves the scores as they are.

    Returns
    -------
    ``(..., n_queries, n_keys)``
        Rows look, columns are looked at.

    Raises
    ------
    ShapeError
        If sizes do not fit, or ``d_k`` is 0.
    TypeError
        For complex numbers, objects and text.
    ValueError
        If the scale is not a finite number, or does not fit into the type that the scores are computed in.

    Source: Vaswani et al. 2017, "Attention Is All You Need", equation 1.

    Examples
    --------
    >>> q_bank, k = [[1, 3]], [[1, 1], [2, 0], [4, 2]]
    >>> attention_scores(q_bank, k, scale=1.0)
    array([[ 4.,  2., 10.]])
    >>> attention_scores(q_bank, k).round(2)
    array([[2.83, 1.41, 7.07]])
    """
    (q, k), answer_in = as_floats(q=q, k=k)
    d_k = bind(q=(q, "... n_queries d_k"), k=(k, "... n_keys d_k"))["d_k"]
    if d_k == 0:
        raise ShapeError("q and k have d_k = 0: there is nothing to compare.")
    factor = 1 / math.sqrt(d_k) if scale is None else finite_number("scale", scale)
    if abs(factor) > float(np.finfo(q.dtype).max):
        raise ValueError(f"scale = {factor:g} does not fit into {q.dtype}, in which the scores are computed.")
    with np.errstate(all="ignore"):
        scores = q @ k.swapaxes(-1, -2) * q.dtype.type(factor)
        return scores.astype(answer_in, copy=False)


def scaled_dot_product_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
) -> Attention:
    """Compare, scale, hide, weigh, blend.

    Formula: ``output = softmax(scale * q @ k.T + bias, hidden scores -inf) @ v``.

    Parameters
    ----------
    q : ``(..., n_queries, d_k)``
        What each word asks.
    k : ``(..., n_keys, d_k)``
        What each word is labelled with.
    v : ``(..., n_keys, d_v)``
        What each word hands over. Leading axes are free and broadcast; ``n_queries``, ``n_keys`` or both may be 0.
    mask : bool array that broadcasts to the scores, optional
        True = may look. A hidden key contributes nothing, even if its key or value is NaN.
    bias : array that broadcasts to the scores, optional
        Added to the scaled scores; -inf hides, as a mask does.
    scale : float, optional
        ``1 / sqrt(d_k)`` unless it is given.

    Returns
    -------
    Attention
        Scores, weights and output. float32 stays, float16 is computed in float32 and returned as float16, integers
        become float64. A row that may look nowhere has weights 0 and output 0. Visible NaN and infinities propagate.

    Raises
    ------
    ShapeError
        If sizes do not fit.
    TypeError
        For a mask that is not boolean; for complex numbers, objects and text.
    ValueError
        If the scale is not a finite number.

    Source: Vaswani et al. 2017, "Attention Is All You Need", equation 1.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> attention = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v)
    >>> attention
    Attention(scores 3x3, weights 3x3, output 3x2)
    >>> attention.weights[1].round(3)
    array([0.014, 0.003, 0.982])
    >>> attention.output[1].round(2)
    array([1.98, 1.97])
    """
    (q, k, v), answer_in = as_floats(q=q, k=k, v=v)
    bind(q=(q, "... n_queries d_k"), k=(k, "... n_keys d_k"), v=(v, "... n_keys d_v"))
    added = None
    if bias is not None:  # a wider bias than the scores' type must not overflow: compute in the wider one
        (q, k, v, added), _ = as_floats(q=q, k=k, v=v, bias=bias)
    with np.errstate(all="ignore"):
        scores = attention_scores(q, k, scale=scale)  # compare, scale
        visible, allowed = np.ones(scores.shape, dtype=bool), None
        if added is not None:
            scores = scores + fit("bias", added, scores.shape)
            visible = ~np.isneginf(np.broadcast_to(added, scores.shape))  # -inf hides, even a NaN
        if mask is not None:
            allowed = fit_mask(read_only(rectangular("mask", mask).copy()), scores.shape)  # not the caller's own
            visible = visible & allowed
        scores = np.where(visible, scores, -np.inf)  # hide
        weights = softmax(scores)  # weigh
        output = blend_visible(weights, v, visible)  # blend
        steps = (scores, weights, output)
        scores, weights, output = (read_only(step.astype(answer_in, copy=False)) for step in steps)
        return Attention(scores, weights, output, allowed)


def blend_visible(weights: FloatArray, v: FloatArray, visible: BoolArray) -> FloatArray:
    """Compute ``weights @ v``, but so that a hidden value adds nothing even where it is NaN (0 * NaN would be NaN)."""
    finite = np.isfinite(v)
    if finite.all():
        return weights @ v
    output = weights @ np.where(finite, v, 0)
    not_finite = np.where(finite, 0, v)
    for j in np.flatnonzero(~finite.all(axis=tuple(axis for axis in range(v.ndim) if axis != v.ndim - 2))):
        handed_over = weights[..., :, j, None] * not_finite[..., None, j, :]
        output = output + np.where(visible[..., :, j, None], handed_over, 0)
    return output
