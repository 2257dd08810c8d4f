"""Attention in a model that learns: all sentences and heads at once, forward and backward."""

from typing import NamedTuple

import numpy as np

from attention_lab.masks import causal_mask
from attention_lab.shapes import FloatArray

HIDES = ("before", "never", "after", "renormalised")  # when the future is hidden: before the softmax, never, after it


class Kept(NamedTuple):
    """What the backward pass needs, ``(n_sentences, n_heads, n_tokens, ...)``.

    ``shared`` is what the softmax gave; only where it is hidden afterwards, without sharing out anew, are the weights
    others.
    """

    x: FloatArray
    q: FloatArray
    k: FloatArray
    v: FloatArray
    weights: FloatArray
    shared: FloatArray
    joined: FloatArray


def attend(
    x: FloatArray, W_QKV: FloatArray, W_O: FloatArray, n_sentences: int, n_heads: int, scale: float, hide: str
) -> tuple[FloatArray, Kept]:
    """Split, compare, scale, hide, weigh, blend, join.

    Parameters
    ----------
    x, W_QKV, W_O : ``(n_sentences * n_tokens, d_model)``, ``(d_model, 3 * d_model)``, ``(d_model, d_model)``
        The words; W_Q, W_K and W_V beside each other, which is one product instead of three; the way out.
    n_sentences, n_heads : int
        How the rows are cut.
    scale, hide : float, str
        What the scores are multiplied by; one of ``HIDES``.
    """
    q, k, v = _split(x @ W_QKV, 3, n_sentences, n_heads)
    scores = q @ k.swapaxes(-1, -2)
    scores *= x.dtype.type(scale)
    if hide == "before":
        scores += _future(scores)
    scores -= scores.max(axis=-1, keepdims=True)
    shared = np.exp(scores, out=scores)
    shared /= shared.sum(axis=-1, keepdims=True)
    weights = shared
    if hide in ("after", "renormalised"):
        weights = shared * causal_mask(shared.shape[-1])
    if hide == "renormalised":
        weights /= weights.sum(axis=-1, keepdims=True)
        shared = weights  # its gradient is that of a softmax over what may be seen
    joined = _join((weights @ v)[None])
    return joined @ W_O, Kept(x, q, k, v, weights, shared, joined)


def attend_back(
    d_y: FloatArray, kept: Kept, W_QKV: FloatArray, W_O: FloatArray, scale: float, into: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Write the gradients of W_QKV and W_O, and return that of x: ``attention_gradient``, for all heads at once."""
    d_W_QKV, d_W_O = into
    n_sentences, n_heads = kept.q.shape[:2]
    np.matmul(kept.joined.T, d_y, out=d_W_O)
    d_output = _split(d_y @ W_O.T, 1, n_sentences, n_heads)[0]
    d_qkv = np.empty((3, *kept.q.shape), kept.q.dtype)
    np.matmul(kept.weights.swapaxes(-1, -2), d_output, out=d_qkv[2])
    d_scores = d_output @ kept.v.swapaxes(-1, -2)
    if kept.shared is not kept.weights:  # hidden after the softmax: the future got no weight, but its share
        d_scores *= causal_mask(d_scores.shape[-1])
    d_scores -= np.einsum("bhij,bhij->bhi", d_scores, kept.shared)[..., None]
    d_scores *= kept.shared
    d_scores *= kept.q.dtype.type(scale)
    np.matmul(d_scores, kept.k, out=d_qkv[0])
    np.matmul(d_scores.swapaxes(-1, -2), kept.q, out=d_qkv[1])
    d_projected = _join(d_qkv)
    np.matmul(kept.x.T, d_projected, out=d_W_QKV)
    return d_projected @ W_QKV.T


def _future(scores: FloatArray) -> FloatArray:
    """Return what is added to scores: -inf where a key stands after the query."""
    n_tokens = scores.shape[-1]
    return np.where(causal_mask(n_tokens), 0, -np.inf).astype(scores.dtype)


def _split(rows: FloatArray, n_parts: int, n_sentences: int, n_heads: int) -> FloatArray:
    """Turn rows of words into ``(n_parts, n_sentences, n_heads, n_tokens, d)``."""
    cut = rows.reshape(n_sentences, -1, n_parts, n_heads, rows.shape[-1] // (n_parts * n_heads))
    return np.ascontiguousarray(cut.transpose(2, 0, 3, 1, 4))


def _join(parts: FloatArray) -> FloatArray:
    """Lay parts and heads side by side again: one row for each word."""
    n_parts, n_sentences, n_heads, n_tokens, d = parts.shape
    rows = np.ascontiguousarray(parts.transpose(1, 3, 0, 2, 4))
    return rows.reshape(n_sentences * n_tokens, n_parts * n_heads * d)
