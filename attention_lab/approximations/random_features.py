"""Guess the softmax: products of random features are, on average, what it exponentiates."""

import math

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind, positive_number


def random_directions(
    n_features: int,
    d_k: int,
    *,
    rng: "np.random.Generator",  # quoted, because NumPy loads its random part only when it is named
) -> FloatArray:
    """Draw the directions that random features look along.

    Formula: every number is normal, with a spread of 1. (The authors of Performer also turn them at right angles to
    each other, which makes the guess somewhat better.)

    Parameters
    ----------
    n_features, d_k : int
        How many, and the width of a query.
    rng : np.random.Generator
        Draws them.

    Returns
    -------
    ``(n_features, d_k)``

    Raises
    ------
    ValueError
        For a size below 1.
    TypeError
        For a size that is not an integer.

    Source: Choromanski et al. 2021, "Rethinking Attention with Performers", section 2.3.

    Examples
    --------
    >>> random_directions(4, 2, rng=np.random.default_rng(0)).shape
    (4, 2)
    """
    return rng.standard_normal((positive_number("n_features", n_features), positive_number("d_k", d_k)))


def positive_features(x: ArrayLike, directions: ArrayLike) -> FloatArray:
    """Turn queries or keys into features whose products are, on average, the softmax's exp(score).

    Formula: ``f(x) = exp(w . u - |u|^2 / 2) / sqrt(n_features)`` for each direction w, with ``u = x / d_k^(1/4)``. The
    mean of ``f(q) . f(k)`` over all directions is ``exp(q . k / sqrt(d_k))``, and its spread falls as ``1 /
    sqrt(n_features)``. Cost: ``n_tokens * n_features * d_k`` multiplications.

    Parameters
    ----------
    x : ``(..., n_tokens, d_k)``
        Queries or keys.
    directions : ``(n_features, d_k)``
        The same for queries and keys; from ``random_directions``.

    Returns
    -------
    ``(..., n_tokens, n_features)``
        Positive. They cannot overflow, since ``w . u - |u|^2 / 2`` is at most ``|w|^2 / 2``; of very long queries and
        keys they become 0.

    Raises
    ------
    ShapeError
        If the widths differ, or are 0.
    TypeError
        For complex numbers, objects and text.

    Source: Choromanski et al. 2021, "Rethinking Attention with Performers", lemma 1.

    Examples
    --------
    >>> directions = random_directions(100_000, 2, rng=np.random.default_rng(0))
    >>> q, k = positive_features([[1.0, 0.5], [0.5, -1.0]], directions)
    >>> float((q @ k).round(1)), float(np.exp((1.0 * 0.5 - 0.5 * 1.0) / np.sqrt(2)))
    (1.0, 1.0)
    """
    (x, directions), answer_in = as_floats(x=x, directions=directions)
    bind(x=(x, "... n_tokens d_k"), directions=(directions, "n_features d_k"))
    n_features, d_k = directions.shape
    if d_k == 0:
        raise ShapeError("x has d_k = 0: a vector of no numbers has no features.")
    shrunk = x * x.dtype.type(d_k**-0.25)
    with np.errstate(all="ignore"):
        half_square = (shrunk**2).sum(axis=-1, keepdims=True) / 2
        features: FloatArray = np.exp(shrunk @ directions.T - half_square) / x.dtype.type(math.sqrt(n_features))
        return features.astype(answer_in, copy=False)
