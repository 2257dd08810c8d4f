"""Leave out blocks of pairs: what is not seen is never compared."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.shapes import BoolArray, FloatArray, ShapeError, bind, rectangular, whole_number


def seen_blocks(
    n_blocks: int,
    n_seen: int,
    *,
    rng: "np.random.Generator",  # quoted, because NumPy loads its random part only when it is named
) -> BoolArray:
    """Choose which blocks of words each block of words looks at: itself, the first, its neighbours, and some by chance.

    Formula: row i is True at the first ``n_seen`` of i, 0, i - 1, i + 1 and then all others, shuffled.

    Parameters
    ----------
    n_blocks : int
        Blocks in the text.
    n_seen : int
        How many of them each one looks at, from 1 to ``n_blocks``.
    rng : np.random.Generator
        Shuffles.

    Returns
    -------
    bool array, ``(n_blocks, n_blocks)``
        True = may look. Each row has ``n_seen`` of them.

    Raises
    ------
    ValueError
        If n_seen is not between 1 and n_blocks.
    TypeError
        For a size that is not an integer.

    Source: Zaheer et al. 2020, "Big Bird", section 2, whose first block also looks at everything; after Child et al.
    2019, "Generating Long Sequences with Sparse Transformers", and Beltagy et al. 2020, "Longformer".

    Examples
    --------
    >>> seen_blocks(5, 3, rng=np.random.default_rng(0)).astype(int)
    array([[1, 1, 1, 0, 0],
           [1, 1, 1, 0, 0],
           [1, 1, 1, 0, 0],
           [1, 0, 1, 1, 0],
           [1, 0, 0, 1, 1]])
    """
    if not 1 <= whole_number("n_seen", n_seen) <= whole_number("n_blocks", n_blocks):
        raise ValueError(f"n_seen must lie between 1 and n_blocks = {n_blocks}, but is {n_seen}.")
    seen = np.zeros((n_blocks, n_blocks), dtype=bool)
    for i in range(n_blocks):
        wanted = dict.fromkeys([i, 0, i - 1, i + 1, *rng.permutation(n_blocks).tolist()])  # in order, each once
        seen[i, [j for j in wanted if 0 <= j < n_blocks][:n_seen]] = True
    return seen


def block_attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, *, seen: ArrayLike) -> FloatArray:
    """Let each block of words look at some blocks only; the others are never compared.

    Formula: exact attention with the mask that has ``seen[i // size, j // size]`` at (i, j). The words are cut into
    equal blocks of ``size = n_tokens / n_blocks``. Cost: the share ``seen.mean()`` of exact attention's.

    Parameters
    ----------
    q, k, v : ``(..., n_tokens, d_k)`` twice, ``(..., n_tokens, d_v)``
        Leading axes broadcast.
    seen : bool array, ``(n_blocks, n_blocks)``
        True = may look; n_blocks divides n_tokens.

    Returns
    -------
    ``(..., n_tokens, d_v)``
        The output alone. A block that sees none is 0.

    Raises
    ------
    ShapeError
        If sizes do not fit, or n_blocks does not divide n_tokens.
    TypeError
        If seen is not boolean; for complex numbers, objects and text.

    Source: Child et al. 2019, "Generating Long Sequences with Sparse Transformers", section 5.5 (blocks, so that a
    machine can use what is left out); Zaheer et al. 2020, "Big Bird".

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> block_attention(BANK.q, BANK.k, BANK.v, seen=np.eye(3, dtype=bool)) == BANK.v  # each sees itself alone
    array([[ True,  True],
           [ True,  True],
           [ True,  True]])
    """
    q, k, v, seen = (rectangular(name, array) for name, array in {"q": q, "k": k, "v": v, "seen": seen}.items())
    sizes = bind(
        q=(q, "... n_tokens d_k"),
        k=(k, "... n_tokens d_k"),
        v=(v, "... n_tokens d_v"),
        seen=(seen, "n_blocks n_blocks"),
    )
    n_tokens, n_blocks = sizes["n_tokens"], sizes["n_blocks"]
    if seen.dtype != np.bool_:
        raise TypeError(f"seen must be boolean (True = may look), not {seen.dtype}.")
    if n_blocks == 0 or n_tokens % n_blocks:
        raise ShapeError(f"seen has n_blocks = {n_blocks}, which does not divide n_tokens = {n_tokens}.")
    size = n_tokens // n_blocks
    outputs = []
    for i in range(n_blocks):
        mine, theirs = slice(i * size, (i + 1) * size), np.repeat(seen[i], size)
        outputs.append(scaled_dot_product_attention(q[..., mine, :], k[..., theirs, :], v[..., theirs, :]).output)
    return np.concatenate(outputs, axis=-2)
