"""Streaming as it is read: the same walk as in ``forward.py``, in 25 lines."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, as_floats, bind
from attention_lab.streaming.tiles import BLOCK, TILE


def short_attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, *, causal: bool = False) -> FloatArray:
    """Compute attention for one head, a tile of keys at a time.

    Formula: see `stream_steps`.

    Parameters
    ----------
    q, k, v : ``(n_queries, d_k)``, ``(n_keys, d_k)``, ``(n_keys, d_v)``
        Queries, keys and values: finite numbers.
    causal : bool
        As in `streaming_attention`.

    Returns
    -------
    ``(n_queries, d_v)``
        Blended values; a row that may look nowhere is 0.

    Raises
    ------
    ShapeError, TypeError
        If the arrays do not fit together, or hold no numbers.

    Source: Dao et al. 2022, "FlashAttention", algorithm 1.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> short_attention(BANK.q, BANK.k, BANK.v)[1].round(2)
    array([1.98, 1.97])
    """
    (q, k, v), answer_in = as_floats(q=q, k=k, v=v)
    sizes = bind(q=(q, "n_queries d_k"), k=(k, "n_keys d_k"), v=(v, "n_keys d_v"))
    output = np.zeros((sizes["n_queries"], sizes["d_v"]), q.dtype)
    shift = sizes["n_keys"] - sizes["n_queries"]
    for i in range(0, len(q), BLOCK):
        asked = (q[i : i + BLOCK] / np.sqrt(q.dtype.type(sizes["d_k"]))).T
        maximum = np.full(asked.shape[1], -1e30, q.dtype)  # lower than any score
        total, blend = np.zeros_like(maximum), np.zeros((asked.shape[1], v.shape[1]), q.dtype)
        for j in range(0, min(len(k), i + BLOCK + shift) if causal else len(k), TILE):
            weights = k[j : j + TILE] @ asked  # compare: (keys, queries)
            keys, queries = np.ogrid[j : j + len(weights), i : i + asked.shape[1]]
            if causal and keys[-1] > i + shift:
                weights[keys > queries + shift] = -np.inf  # hide
            new_maximum = np.maximum(maximum, weights.max(axis=0))
            fade = np.exp(maximum - new_maximum)  # what was added up before the maximum rose
            weights -= new_maximum
            np.exp(weights, out=weights)  # weigh
            total = total * fade + weights.sum(axis=0)
            blend = blend * fade[:, None] + weights.T @ v[j : j + TILE]  # blend
            maximum = new_maximum
        output[i : i + BLOCK] = blend / np.where(total == 0, 1, total)[:, None]
    return output.astype(answer_in, copy=False)
