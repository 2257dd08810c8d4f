"""The backward pass of attention, as it is read; ``heads.py`` has it for all heads and sentences at once."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind


def attention_gradient(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, d_output: ArrayLike, *, mask: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how a loss changes with q, k and v, from how it changes with the output.

    With weights A = softmax(S) and output O = A v::

        d_v = Aᵀ d_O        d_A = d_O vᵀ
        d_S = A * (d_A - rowsum(d_A * A))
        d_q = d_S k / √d_k        d_k = d_Sᵀ q / √d_k

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        Queries, keys and values, as `scaled_dot_product_attention` takes them.
    d_output : ``(..., n_queries, d_v)``
        The derivative of the loss by each number of the output.
    mask : ``(..., n_queries, n_keys)``, optional
        True where a query may look; a hidden key learns nothing from that query.

    Returns
    -------
    d_q, d_k, d_v : arrays like q, k and v

    Raises
    ------
    ShapeError
        If the shapes do not fit together; leading axes must be the same.

    Notes
    -----
    Reverse-mode differentiation of "Attention Is All You Need" (Vaswani and others, 2017), equation 1.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> d_q, d_k, d_v = attention_gradient(BANK.q, BANK.k, BANK.v, np.ones((3, 2)))
    >>> d_v.round(2)  # "river" is looked at most, so its value matters most
    array([[0.03, 0.03],
           [0.06, 0.06],
           [2.91, 2.91]])
    """
    (q, k, v, d_output), _ = as_floats(q=q, k=k, v=v, d_output=d_output)
    bind(
        q=(q, "... n_queries d_k"),
        k=(k, "... n_keys d_k"),
        v=(v, "... n_keys d_v"),
        d_output=(d_output, "... n_queries d_v"),
    )
    if len({array.shape[:-2] for array in (q, k, v, d_output)}) > 1:
        leading = ", ".join(str(array.shape[:-2]) for array in (q, k, v, d_output))
        raise ShapeError(f"q, k, v and d_output must have the same leading axes, not {leading}.")
    weights = scaled_dot_product_attention(q, k, v, mask=mask).weights
    d_v = weights.swapaxes(-1, -2) @ d_output
    d_weights = d_output @ v.swapaxes(-1, -2)
    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
    d_scores = d_scores / np.sqrt(q.shape[-1])
    return d_scores @ k, d_scores.swapaxes(-1, -2) @ q, d_v
