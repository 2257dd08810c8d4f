"""The door of streaming: the arguments are checked as the core checks them, and broadcast without a copy."""

import math
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.attention import attention_scores
from attention_lab.masks import fit, fit_mask, padding_mask
from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind, rectangular, whole_number
from attention_lab.streaming.question import Question

CALM = 1e9  # products of numbers below it, and sums of many of those, fit into float32 with room to spare


class Hiding(TypedDict, total=False):
    """What every function of this room takes beside q, k and v; `streaming_attention` explains it."""

    mask: ArrayLike | None
    bias: ArrayLike | None
    causal: bool
    window: int | None
    lengths: ArrayLike | None
    scale: float | None


def ask(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: bool = False,
    window: int | None = None,
    lengths: ArrayLike | None = None,
    scale: float | None = None,
    later_keys: int = 0,
) -> Question:
    """Check the arguments of any function of this room."""
    added = None if bias is None else rectangular("bias", bias)
    (q, k, v), answer_in = _floats(q, k, v, added)
    n_kv_heads = shared_heads(q, k, v)
    causal, window = _by_position(causal, window)
    scores_shape, answer_leading = _shapes(q, k, v, n_kv_heads, scale)
    leading = np.broadcast_shapes(*(open_heads(array, n_kv_heads).shape[:-2] for array in (q, k, v)))

    def spread(array: NDArray[Any]) -> NDArray[Any]:
        return np.broadcast_to(open_heads(array, n_kv_heads), (*leading, *array.shape[-2:]))

    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else float(scale)
    return Question(
        q=spread(q),
        k=spread(k),
        v=spread(v),
        mask=None if mask is None else spread(fit_mask(mask, scores_shape)),
        bias=None if added is None else spread(fit("bias", added, scores_shape)),
        lengths=None if lengths is None else spread(_counts(lengths, scores_shape))[..., 0, 0],
        shift=scores_shape[-1] + later_keys - scores_shape[-2],
        causal=causal,
        window=window,
        factor=factor,
        calm=is_calm(factor, q, k, v),
        answer_in=answer_in,
        answer_leading=answer_leading,
    )


def is_calm(factor: float, *arrays: FloatArray) -> bool:
    """Tell whether no number is NaN or large, also after it is scaled."""
    most = CALM / max(1.0, abs(factor))
    return all(bool(array.max(initial=0) < most and array.min(initial=0) > -most) for array in arrays)


def _by_position(causal: bool, window: int | None) -> tuple[bool, int | None]:
    """Check what hides by position; as Python's own number a width can be added to any other."""
    if not isinstance(causal, bool | np.bool_):
        raise TypeError(f"causal must be True or False, not {causal!r:.40}.")
    if window is not None:
        window = whole_number("window", window)
        if window < 1:
            raise ValueError("window must be at least 1 (a word sees itself), but is 0.")
    return bool(causal), window


def _floats(q: ArrayLike, k: ArrayLike, v: ArrayLike, added: NDArray[Any] | None) -> tuple[list[FloatArray], Any]:
    """Turn q, k and v into the type to compute in, and name the type to answer in."""
    arrays, answer_in = as_floats(q=q, k=k, v=v)
    if added is not None:  # one wider than the scores' type must not overflow; as large as they, it is not copied
        arrays = as_floats(q=arrays[0], k=arrays[1], v=arrays[2], bias=added[(slice(0),) * added.ndim])[0][:3]
    return arrays, answer_in


def _shapes(
    q: FloatArray, k: FloatArray, v: FloatArray, n_kv_heads: int, scale: float | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give back the shape of the scores and the leading axes of the output, as the caller knows them."""
    few_k, few_v = (array[..., :1, :, :] if n_kv_heads and array.ndim > 2 else array for array in (k, v))
    bind(q=(q, "... n_queries d_k"), k=(few_k, "... n_keys d_k"), v=(few_v, "... n_keys d_v"))
    attention_scores(q[..., :0, :], few_k[..., :0, :], scale=scale)  # refuses a wrong scale, and d_k = 0
    leading = np.broadcast_shapes(q.shape[:-2], few_k.shape[:-2])
    return (*leading, q.shape[-2], k.shape[-2]), np.broadcast_shapes(leading, few_v.shape[:-2])


def shared_heads(q: FloatArray, k: FloatArray, v: FloatArray) -> int:
    """How many heads of keys and values the heads of q share, or 0 where each has its own or all have the same."""
    if min(q.ndim, k.ndim) < 3 or k.shape[-3] in (0, 1, q.shape[-3]) or q.shape[-3] <= k.shape[-3]:
        return 0
    n_heads, n_kv_heads = int(q.shape[-3]), int(k.shape[-3])
    if n_heads % n_kv_heads:
        raise ShapeError(
            f"q has n_heads = {n_heads}, which n_kv_heads = {n_kv_heads} of k does not divide.\n"
            f"  q: {q.shape} as (..., n_heads, n_queries, d_k)\n  k: {k.shape} as (..., n_kv_heads, n_keys, d_k)"
        )
    if v.ndim > 2 and v.shape[-3] not in (1, n_kv_heads):
        raise ShapeError(
            f"v has n_kv_heads = {v.shape[-3]}, but k has n_kv_heads = {n_kv_heads}.\n"
            f"  k: {k.shape} as (..., n_kv_heads, n_keys, d_k)\n  v: {v.shape} as (..., n_kv_heads, n_keys, d_v)"
        )
    return n_kv_heads


def open_heads(array: NDArray[Any], n_kv_heads: int) -> NDArray[Any]:
    """Give query heads that share keys an axis of their own: 8 heads become (2, 4), 2 heads of keys (2, 1)."""
    if not n_kv_heads or array.ndim < 3:
        return array
    n_heads = array.shape[-3]
    if n_heads in (1, n_kv_heads):
        return array[..., None, :, :]
    return array.reshape(*array.shape[:-3], n_kv_heads, n_heads // n_kv_heads, *array.shape[-2:])


def _counts(lengths: ArrayLike, scores_shape: tuple[int, ...]) -> NDArray[Any]:
    """Broadcast the numbers of keys that are no padding to the scores' leading axes, with two axes of length 1."""
    fit("lengths", padding_mask(lengths, scores_shape[-1]), scores_shape)
    counts = np.asarray(lengths).astype(np.intp)[..., None, None]
    return np.broadcast_to(counts, (*scores_shape[:-2], 1, 1))
