"""Positions: three ways to tell attention where a word stands; without any it cannot know.

What is added to the embeddings (`sinusoidal_positions`), what turns queries and keys (`rotate_by_position`), and what
is added to the scores (`distance_bias`). A fourth way, vectors that are learned, is in ``training.Transformer``.
"""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.masks import gap_between
from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind, finite_number, whole_number

BASE = 10_000.0  # the slowest pair turns once in about 2 pi times as many words


def sinusoidal_positions(n_tokens: int, d_model: int, *, base: float = BASE) -> FloatArray:
    """Return a vector for each position, made of waves: fast ones in front, slow ones behind.

    Formula: ``p[t, 2i] = sin(t / base ** (2i / d_model))`` and ``p[t, 2i + 1] = cos(t / base ** (2i / d_model))``.

    Parameters
    ----------
    n_tokens, d_model : int
        How many positions, counted from 0; the width of an embedding, an even number.
    base : float
        The slowest wave is nearly this many times as long as the fastest.

    Returns
    -------
    ``(n_tokens, d_model)``
        To be added to the embeddings. The dot product of two rows depends on how far apart they stand, not on where.

    Raises
    ------
    ShapeError
        If `d_model` is odd.
    ValueError
        If a size is negative, or `base` is not above 1.
    TypeError
        If a size is not an integer.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> sinusoidal_positions(3, 4).round(2)
    array([[ 0.  ,  1.  ,  0.  ,  1.  ],
           [ 0.84,  0.54,  0.01,  1.  ],
           [ 0.91, -0.42,  0.02,  1.  ]])
    """
    angles = np.arange(whole_number("n_tokens", n_tokens))[:, None] * _rates("d_model", d_model, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), d_model)


def rotate_by_position(x: ArrayLike, *, start: int = 0, base: float = BASE) -> FloatArray:
    """Turn each pair of numbers of a query or key, by an angle that grows with the word's position.

    Formula: ``(a, b) -> (a cos(w t) - b sin(w t), a sin(w t) + b cos(w t))`` for the pair i of word t, with
    ``w = base ** (-2i / d_k)``. Turned by the same rule, a query and a key have a score that depends on the words
    between them, and not on where in the text they stand.

    Parameters
    ----------
    x : ``(..., n_tokens, d_k)``
        Queries or keys; d_k is even.
    start : int
        The position of the first word: with a cache, how many words came before.
    base : float
        As in `sinusoidal_positions`.

    Returns
    -------
    ``(..., n_tokens, d_k)``
        As long as before; float16, float32 and float64 stay what they are.

    Raises
    ------
    ShapeError
        If x has fewer than two axes, or d_k is odd.
    ValueError
        If `start` is negative or no longer exact as a float, or `base` is not above 1.

    Source: Su et al. 2021, "RoFormer", equation 34 (rotary positions, RoPE).

    Examples
    --------
    >>> rotate_by_position([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]).round(2)
    array([[ 1.  ,  0.  ],
           [ 0.54,  0.84],
           [-0.42,  0.91]])
    """
    (rows,), answer_in = as_floats(x=x)
    bind(x=(rows, "... n_tokens d_k"))
    n_tokens, d_k = rows.shape[-2:]
    start = whole_number("start", start)
    if start >= 2**53 - n_tokens:
        raise ValueError(f"start must be below 2**53 - {n_tokens}: float64 cannot tell larger positions apart.")
    places = np.arange(n_tokens) + start
    angles = places[:, None] * _rates("d_k", d_k, base)
    sin, cos = np.sin(angles).astype(rows.dtype), np.cos(angles).astype(rows.dtype)
    first, second = rows[..., 0::2], rows[..., 1::2]
    with np.errstate(all="ignore"):  # NaN and infinities are answers here, not accidents
        turned = np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1)
        return turned.reshape(rows.shape).astype(answer_in, copy=False)


def distance_bias(n_heads: int, n_queries: int, n_keys: int | None = None) -> FloatArray:
    """Return what is taken from each score for the distance: much in the first head, little in the last.

    Formula: ``bias[h, i, j] = -2 ** (-8 (h + 1) / n_heads) * distance``, in words between query i and key j.

    Parameters
    ----------
    n_heads : int
        Every head has a slope of its own.
    n_queries, n_keys : int
        Words looking and words looked at; the last query stands at the last key, as in ``causal_mask``.

    Returns
    -------
    ``(n_heads, n_queries, n_keys)``
        The ``bias`` of ``scaled_dot_product_attention``. The future is not hidden: combine it with a mask.

    Raises
    ------
    ValueError
        If `n_heads` is below 1, or a size is negative.
    TypeError
        If a size is not an integer.

    Source: Press et al. 2022, "Train Short, Test Long", section 3 (ALiBi). There the future is always hidden; here a
    word ahead costs as much as one behind.

    Examples
    --------
    >>> distance_bias(2, 3)[0]
    array([[ 0.    , -0.0625, -0.125 ],
           [-0.0625,  0.    , -0.0625],
           [-0.125 , -0.0625,  0.    ]])
    """
    n_heads = whole_number("n_heads", n_heads)
    if n_heads < 1:
        raise ValueError(f"n_heads must be at least 1, not {n_heads}.")
    slopes = 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)
    return slopes[:, None, None] * -np.abs(gap_between(n_queries, n_keys))


def _rates(name: str, width: int, base: float) -> FloatArray:
    """Return by which angle each pair of numbers turns from one word to the next: ``(width / 2,)``."""
    if whole_number(name, width) % 2:
        raise ShapeError(f"{name} = {width} is odd, but positions turn pairs of numbers: it must be even.")
    if finite_number("base", base) <= 1:
        raise ValueError(f"base must be above 1, not {base}.")
    rates: FloatArray = base ** (-np.arange(0, width, 2) / max(width, 1))
    return rates
