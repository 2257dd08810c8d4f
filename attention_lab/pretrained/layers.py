"""The parts of an encoder besides attention: layer norm and GELU, for one sentence, forward only.

``attention_lab.training.layers`` has a layer norm with its backward pass; this one keeps the model's own epsilon.
"""

import math

import numpy as np

from attention_lab.shapes import FloatArray

_STEPS = 256  # points of the table for each 1 of x
_EDGE = 4  # beyond it, erf is 1 in float32
_POINTS = np.arange(-_EDGE * _STEPS, _EDGE * _STEPS + 1) / _STEPS
_ERF = np.array([math.erf(point) for point in _POINTS.tolist()])
_TABLE = _ERF.astype(np.float32)
_SLOPES = (2 / math.sqrt(math.pi) * np.exp(-(_POINTS**2))).astype(np.float32)
_erf_one_by_one = np.frompyfunc(math.erf, 1, 1)


def layer_norm(x: FloatArray, gain: FloatArray, shift: FloatArray, epsilon: float) -> FloatArray:
    """Bring each row to mean 0 and spread 1, then to a learned gain and shift.

    Formula: ``(x - mean) / sqrt(variance + epsilon) * gain + shift``, over the last axis. Source: Ba and others 2016,
    "Layer Normalization", equation 4.

    Examples
    --------
    >>> import numpy as np
    >>> layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.array([0.0, 5.0]), 0.0)
    array([[-1.,  6.]])
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    normed: FloatArray = centred / np.sqrt(variance + x.dtype.type(epsilon)) * gain + shift
    return normed


def erf(x: FloatArray) -> FloatArray:
    """Compute the error function: exactly in float64, to 1e-7 in float32, which is many times faster.

    Formula: in float32, ``erf(p + d) = erf(p) + slope(p) (d - p d^2)`` from the nearest point ``p`` of a table, where
    ``slope(p) = 2 / sqrt(pi) exp(-p^2)``: the Taylor series up to ``d^2``, with ``d`` at most 1/512. Source: Abramowitz
    and Stegun 1964, "Handbook of Mathematical Functions", 7.1.1 and 7.1.19.

    Examples
    --------
    >>> import numpy as np
    >>> erf(np.array([0.0, 1.0])).round(6)
    array([0.      , 0.842701])
    """
    if x.dtype != np.float32:
        return np.asarray(_erf_one_by_one(x), dtype=x.dtype)
    inside = np.fmin(np.fmax(x, np.float32(-_EDGE)), np.float32(_EDGE))  # NaN becomes the edge: a table has no NaN
    nearest = np.rint(inside * np.float32(_STEPS))
    place = nearest.astype(np.int32) + _EDGE * _STEPS
    point = nearest * np.float32(1 / _STEPS)
    d = inside - point
    close: FloatArray = _TABLE[place] + _SLOPES[place] * (d - point * d * d)
    return np.where(np.isnan(x), x, close)


def gelu(x: FloatArray) -> FloatArray:
    """Let large numbers pass, and hold back small ones: each times the chance that a normal number is smaller.

    Formula: ``x / 2 * (1 + erf(x / sqrt(2)))``. Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units",
    section 2. The form with tanh, which some models use, differs by up to 5e-4.

    Examples
    --------
    >>> import numpy as np
    >>> gelu(np.array([-3.0, 0.0, 1.0, 3.0])).round(3)
    array([-0.004,  0.   ,  0.841,  2.996])
    """
    kind = x.dtype.type
    passed: FloatArray = kind(0.5) * x * (1 + erf(x * kind(math.sqrt(0.5))))
    return passed
