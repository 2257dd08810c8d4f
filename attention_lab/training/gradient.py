"""The backward pass of attention, as it is read; ``heads.py`` has it for all heads and sentences at once."""

import math
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.attention import blend_visible, scaled_dot_product_attention
from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind

_Scalar = TypeVar("_Scalar", bound=np.generic)


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
        True where a query may look; a hidden key learns nothing from that query and adds nothing, even where it is NaN.

    Returns
    -------
    d_q, d_k, d_v : arrays of the shapes of q, k and v
        float32 stays, float16 is computed in float32 and returned as float16, integers become float64.

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
    (q, k, v, d_output), answer_in = as_floats(q=q, k=k, v=v, d_output=d_output)
    bind(
        q=(q, "... n_queries d_k"),
        k=(k, "... n_keys d_k"),
        v=(v, "... n_keys d_v"),
        d_output=(d_output, "... n_queries d_v"),
    )
    if len({array.shape[:-2] for array in (q, k, v, d_output)}) > 1:
        leading = ", ".join(str(array.shape[:-2]) for array in (q, k, v, d_output))
        raise ShapeError(f"q, k, v and d_output must have the same leading axes, not {leading}.")
    attention = scaled_dot_product_attention(q, k, v, mask=mask)
    visible = np.ones(attention.weights.shape, dtype=bool) if attention.mask is None else attention.mask
    with np.errstate(all="ignore"):  # NaN and infinities are answers here, not accidents
        weights = np.where(visible, attention.weights, 0)  # a row with a NaN that it sees is NaN all over
        d_v = blend_visible(_swap(weights), d_output, _swap(visible))
        d_weights = np.where(visible, d_output @ _swap(v), 0)
        d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
        d_scores = np.where(visible, d_scores, 0) / math.sqrt(q.shape[-1])
        d_q = blend_visible(d_scores, k, visible)
        d_k = blend_visible(_swap(d_scores), q, _swap(visible))
        return d_q.astype(answer_in, copy=False), d_k.astype(answer_in, copy=False), d_v.astype(answer_in, copy=False)


def _swap(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Transpose the last two axes: row and column, of every stack."""
    return array.swapaxes(-1, -2)
