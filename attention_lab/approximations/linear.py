"""Linear attention: without a softmax a bracket can be moved, and the table of weights need not exist."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.masks import fit_mask
from attention_lab.shapes import FloatArray, as_floats, bind

Features = Callable[[FloatArray], FloatArray]


def elu_plus_one(x: ArrayLike) -> FloatArray:
    """Make numbers positive: ``x + 1`` where x is positive, ``exp(x)`` elsewhere.

    Parameters
    ----------
    x : any shape
        float32 stays.

    Returns
    -------
    array of the same shape, above 0
        But 0 where the exponential is too small for its type: below -745, in float32 below -103.

    Raises
    ------
    TypeError
        For complex numbers, objects and text.

    Source: Katharopoulos et al. 2020, "Transformers are RNNs", equation 7.

    Examples
    --------
    >>> elu_plus_one([-1.0, 0.0, 2.0]).round(3)
    array([0.368, 1.   , 3.   ])
    """
    (x,), answer_in = as_floats(x=x)
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))).astype(answer_in, copy=False)


def linear_weights(
    q: ArrayLike, k: ArrayLike, *, mask: ArrayLike | None = None, features: Features = elu_plus_one
) -> FloatArray:
    """Weigh by a product of features in place of the softmax: the table that linear attention never writes down.

    Formula: ``weights[i, j] = f(q_i) . f(k_j) / sum over visible j' of f(q_i) . f(k_j')``, 0 where hidden. The rank of
    the table, without a mask, is at most the number of features.

    Parameters
    ----------
    q, k : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``
        Leading axes broadcast.
    mask : bool array that broadcasts to the weights, optional
        True = may look.
    features : function from ``(..., n_tokens, d_k)`` to ``(..., n_tokens, n_features)``
        What each query and key is turned into: positive numbers.

    Returns
    -------
    ``(..., n_queries, n_keys)``
        Each row sums to 1; one that may look nowhere is all 0.

    Raises
    ------
    ShapeError
        If sizes do not fit.
    TypeError
        If the mask is not boolean; for complex numbers, objects and text.

    Source: Katharopoulos et al. 2020, "Transformers are RNNs", equation 3.

    Examples
    --------
    The softmax gave bank 1.4, 0.3 and 98.2 %:

    >>> from attention_lab.examples import BANK
    >>> linear_weights(BANK.q, BANK.k)[1].round(3)
    array([0.273, 0.227, 0.5  ])
    """
    (q, k), answer_in = as_floats(q=q, k=k)
    bind(q=(q, "... n_queries d_k"), k=(k, "... n_keys d_k"))
    with np.errstate(all="ignore"):
        alike = features(q) @ features(k).swapaxes(-1, -2)
        if mask is not None:
            alike = np.where(fit_mask(mask, alike.shape), alike, 0)
        return _share(alike, alike.sum(axis=-1, keepdims=True)).astype(answer_in, copy=False)


def linear_attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, *, features: Features = elu_plus_one) -> FloatArray:
    """Blend by linear weights without writing them down: keys and values are summed up first, for all queries at once.

    Formula: ``(f(q) @ f(k).T) @ v = f(q) @ (f(k).T @ v)``, each row divided by the sum of its weights. Cost:
    ``n_keys * n_features * d_v`` multiplications to sum up, ``n_queries * n_features * d_v`` to read, and what the
    features take: it grows as the text does, not as its square.

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        Leading axes broadcast.
    features : function from ``(..., n_tokens, d_k)`` to ``(..., n_tokens, n_features)``
        What each query and key is turned into: positive numbers.

    Returns
    -------
    ``(..., n_queries, d_v)``
        float32 stays. Where no weight is left, the output is 0.

    Raises
    ------
    ShapeError
        If sizes do not fit.
    TypeError
        For complex numbers, objects and text.

    Source: Katharopoulos et al. 2020, "Transformers are RNNs", equations 4 to 6.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> linear_attention(BANK.q, BANK.k, BANK.v)[1].round(2)
    array([1.27, 1.45])
    """
    (q, k, v), answer_in = as_floats(q=q, k=k, v=v)
    bind(q=(q, "... n_queries d_k"), k=(k, "... n_keys d_k"), v=(v, "... n_keys d_v"))
    with np.errstate(all="ignore"):
        state = features(k).swapaxes(-1, -2) @ _and_one(v)
        return _read(features(q) @ state).astype(answer_in, copy=False)


def linear_recurrent(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, *, features: Features = elu_plus_one
) -> tuple[FloatArray, FloatArray]:
    """Compute causal linear attention word by word, as a recurrent network: all that is kept is a table of fixed size.

    Formula: ``state = state + outer(f(k_i), [v_i, 1])``; the output is ``f(q_i) @ state``, all but its last number,
    divided by the last one.

    Parameters
    ----------
    q, k, v : ``(..., n_tokens, d_k)`` twice, ``(..., n_tokens, d_v)``
        Leading axes broadcast.
    features : function from ``(..., n_tokens, d_k)`` to ``(..., n_tokens, n_features)``
        What each query and key is turned into: positive numbers.

    Returns
    -------
    output : ``(..., n_tokens, d_v)``
        The same as ``linear_weights(q, k, mask=causal_mask(n_tokens)) @ v``.
    state : ``(..., n_features, d_v + 1)``
        What is left of the whole text.

    Raises
    ------
    ShapeError
        If sizes do not fit.
    TypeError
        For complex numbers, objects and text.

    Source: Katharopoulos et al. 2020, "Transformers are RNNs", equations 16 to 20.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> output, state = linear_recurrent(BANK.q, BANK.k, BANK.v)
    >>> output.round(2), state.shape
    (array([[1.  , 0.  ],
           [0.55, 0.91],
           [1.24, 1.52]]), (2, 3))
    """
    (q, k, v), answer_in = as_floats(q=q, k=k, v=v)
    bind(q=(q, "... n_tokens d_k"), k=(k, "... n_tokens d_k"), v=(v, "... n_tokens d_v"))
    leading = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    with np.errstate(all="ignore"):
        asks, offers, values = features(q), features(k), _and_one(v)
        state = np.zeros((*leading, offers.shape[-1], values.shape[-1]), dtype=v.dtype)
        blends = np.empty((*leading, *values.shape[-2:]), dtype=v.dtype)
        for i in range(v.shape[-2]):
            state += offers[..., i, :, None] * values[..., i, None, :]
            blends[..., i, :] = (asks[..., i, None, :] @ state)[..., 0, :]
        return _read(blends).astype(answer_in, copy=False), state.astype(answer_in, copy=False)


def _and_one(v: FloatArray) -> FloatArray:
    """Append a column of ones to the values: blended like a value, it becomes the sum of the weights."""
    return np.concatenate([v, np.ones((*v.shape[:-1], 1), dtype=v.dtype)], axis=-1)


def _read(blends: FloatArray) -> FloatArray:
    return _share(blends[..., :-1], blends[..., -1:])


def _share(parts: FloatArray, total: FloatArray) -> FloatArray:
    return parts / np.where(total == 0, 1, total)
