"""Round: the same multiplications, of numbers with fewer bits."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import attention_scores, softmax
from attention_lab.shapes import FloatArray, as_floats, bind, whole_number

_BITS = (2, 32)


def rounded(x: ArrayLike, bits: int, *, axis: int = -1) -> FloatArray:
    """Round to whole numbers of so many bits; each vector has a scale of its own, so that its largest number fits.

    Formula: ``scale = max |x| / (2^(bits - 1) - 1)`` along the axis, ``rounded = round(x / scale) * scale``. With 8
    bits the whole numbers are -127 to 127, with 4 bits -7 to 7.

    Parameters
    ----------
    x : ``(..., n, d)``, or any other shape
        Finite numbers; NaN or an infinity makes its vector NaN.
    bits : int
        From 2 to 32, the sign counted.
    axis : int
        Along which a vector lies.

    Returns
    -------
    array of the same shape
        float32 stays. None is further from x than half a scale, but for what its own type rounds, which counts in
        float32 from about 20 bits on.

    Raises
    ------
    ValueError
        For other bits.
    TypeError
        If bits is not an integer; for complex numbers, objects and text.

    Source: Jacob et al. 2018, "Quantization and Training of Neural Networks", equation 1 with a zero-point of 0.

    Examples
    --------
    >>> rounded([-0.7, 0.26, 0.04], bits=4)
    array([-0.7,  0.3,  0. ])
    """
    low, high = _BITS
    if not low <= whole_number("bits", bits) <= high:
        raise ValueError(f"bits must lie between {low} and {high}, but is {bits}.")
    (x,), answer_in = as_floats(x=x)
    with np.errstate(all="ignore"):
        scale = np.abs(x).max(axis=axis, keepdims=True, initial=0) / x.dtype.type(2 ** (bits - 1) - 1)
        scale = np.where(scale == 0, 1, scale)  # a vector of zeros, or one too small to be divided
        return (np.rint(x / scale) * scale).astype(answer_in, copy=False)


def rounded_attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, *, bits: int) -> FloatArray:
    """Compare and blend with rounded numbers; the softmax between the two is not rounded.

    Formula: ``output = R(softmax(R(q) @ R(k).T / sqrt(d_k))) @ R(v)``, where R is ``rounded``: one scale for each
    query, key and row of weights, and one for each column of v. So all products are of whole numbers, and the scales
    come in at the end. Cost: as many multiplications, each of ``bits`` in place of 32.

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        Leading axes broadcast.
    bits : int
        From 2 to 32, the sign counted.

    Returns
    -------
    ``(..., n_queries, d_v)``
        float32 stays.

    Raises
    ------
    ShapeError
        If sizes do not fit.
    ValueError
        For other bits.
    TypeError
        If bits is not an integer; for complex numbers, objects and text.

    Source: Zhang et al. 2025, "SageAttention: Accurate 8-Bit Attention", without its further refinements.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> rounded_attention(BANK.q, BANK.k, BANK.v, bits=8)[1].round(2)
    array([1.98, 1.97])
    """
    (q, k, v), answer_in = as_floats(q=q, k=k, v=v)
    bind(q=(q, "... n_queries d_k"), k=(k, "... n_keys d_k"), v=(v, "... n_keys d_v"))
    weights = softmax(attention_scores(rounded(q, bits), rounded(k, bits)))
    output: FloatArray = rounded(weights, bits) @ rounded(v, bits, axis=-2)
    return output.astype(answer_in, copy=False)
