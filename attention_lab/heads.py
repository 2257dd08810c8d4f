"""Many heads: each with its own learned matrices, side by side, then merged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.masks import fit_mask
from attention_lab.shapes import (
    BoolArray,
    FloatArray,
    ShapeError,
    as_floats,
    bind,
    read_only,
    rectangular,
    show_shapes,
    whole_number,
)


def split_heads(x: ArrayLike, n_heads: int) -> FloatArray:
    """Cut each word's vector into heads; every head keeps every word.

    Formula: ``heads[..., h, i, :] = x[..., i, h * d / n_heads : (h + 1) * d / n_heads]``.

    Parameters
    ----------
    x : ``(..., n_tokens, d)``
        One vector a word.
    n_heads : int
        Must divide d.

    Returns
    -------
    ``(..., n_heads, n_tokens, d / n_heads)``
        Head 0 holds the first ``d / n_heads`` numbers of every word.

    Raises
    ------
    ShapeError
        If n_heads does not divide d, or x has fewer than two axes.
    TypeError, ValueError
        If n_heads is not a whole number, or negative; for complex numbers, objects and text.

    Source: Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
    array([[[1., 2.],
            [5., 6.]],
    <BLANKLINE>
           [[3., 4.],
            [7., 8.]]])
    """
    (x,), answer_in = as_floats(x=x)
    d = bind(x=(x, "... n_tokens d"))["d"]
    n_heads = whole_number("n_heads", n_heads)
    if n_heads == 0 or d % n_heads:
        raise ShapeError(f"x has d = {d}, which n_heads = {n_heads} does not divide.")
    heads = x.reshape(*x.shape[:-1], n_heads, d // n_heads).swapaxes(-2, -3)
    return heads.astype(answer_in)


def merge_heads(heads: ArrayLike) -> FloatArray:
    """Put each word's pieces side by side again: the way back from ``split_heads``.

    Formula: ``merged[..., i, h * d_v : (h + 1) * d_v] = heads[..., h, i, :]``.

    Parameters
    ----------
    heads : ``(..., n_heads, n_tokens, d_v)``
        One piece a head and word.

    Returns
    -------
    ``(..., n_tokens, n_heads * d_v)``
        Head 0's numbers first.

    Raises
    ------
    ShapeError
        If heads has fewer than three axes.
    TypeError
        For complex numbers, objects and text.

    Source: Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> x = [[1, 2, 3, 4], [5, 6, 7, 8]]
    >>> merge_heads(split_heads(x, 2))
    array([[1., 2., 3., 4.],
           [5., 6., 7., 8.]])
    """
    (heads,), answer_in = as_floats(heads=heads)
    sizes = bind(heads=(heads, "... n_heads n_tokens d_v"))
    apart = heads.swapaxes(-2, -3)
    merged = apart.reshape(*apart.shape[:-2], sizes["n_heads"] * sizes["d_v"])
    return merged.astype(answer_in)


@dataclass(frozen=True, eq=False, repr=False)
class MultiHead:
    """What one pass of multi-head attention computed; the arrays are read-only.

    Attributes
    ----------
    q : ``(..., n_heads, n_queries, d_k)``
    k, v : ``(..., n_kv_heads, n_keys, d_k)``, ``(..., n_kv_heads, n_keys, d_v)``
    scores, weights : ``(..., n_heads, n_queries, n_keys)``
    head_outputs : ``(..., n_heads, n_queries, d_v)``
    output : ``(..., n_queries, d_model)``
        The heads merged, after W_O.
    mask : ``(..., n_heads, n_queries, n_keys)`` or None
    """

    q: FloatArray
    k: FloatArray
    v: FloatArray
    scores: FloatArray
    weights: FloatArray
    head_outputs: FloatArray
    output: FloatArray
    mask: BoolArray | None = None

    def __repr__(self) -> str:
        return show_shapes(self, ("q", "k", "v", "scores", "weights", "head_outputs", "output", "mask"))


class MultiHeadAttention:
    """Several heads that look at the same words, each through its own learned matrices.

    Formula: ``head_h = attention(x W_Q[h], context W_K[h], context W_V[h])``, ``output = merge(head_0, ...) W_O``,
    where ``merge(...) W_O`` is the sum over h of ``head_h @ W_O[h]``.

    Parameters
    ----------
    W_Q : ``(n_heads, d_model, d_k)``
    W_K : ``(n_kv_heads, d_context, d_k)``
    W_V : ``(n_kv_heads, d_context, d_v)``
        With fewer heads than W_Q (they must divide n_heads), neighbouring query heads share keys and values.
    W_O : ``(n_heads, d_v, d_model)``

    Raises
    ------
    ShapeError
        If the matrices do not fit together.
    TypeError
        For complex numbers, objects and text.

    Source: Vaswani et al. 2017, section 3.2.2; grouped heads: Ainslie et al. 2023, "GQA".

    Examples
    --------
    The lesson's matrices as a single head, with the identity for W_O:

    >>> import numpy as np
    >>> from attention_lab.examples import BANK
    >>> head = MultiHeadAttention([BANK.W_Q], [BANK.W_K], [BANK.W_V], [np.eye(2)])
    >>> result = head(BANK.x)
    >>> result.weights.shape, result.output[1].round(2)
    ((1, 3, 3), array([1.98, 1.97]))
    """

    def __init__(self, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike, W_O: ArrayLike) -> None:
        matrices, answer_in = as_floats(W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
        self.W_Q, self.W_K, self.W_V, self.W_O = (read_only(matrix.astype(answer_in)) for matrix in matrices)
        sizes = bind(
            W_Q=(self.W_Q, "n_heads d_model d_k"),
            W_K=(self.W_K, "n_kv_heads d_context d_k"),
            W_V=(self.W_V, "n_kv_heads d_context d_v"),
            W_O=(self.W_O, "n_heads d_v d_model"),
        )
        self.n_heads, self.n_kv_heads = sizes["n_heads"], sizes["n_kv_heads"]
        if self.n_kv_heads == 0 or self.n_heads % self.n_kv_heads:
            raise ShapeError(
                f"W_Q has n_heads = {self.n_heads}, which n_kv_heads = {self.n_kv_heads} of W_K does not divide."
            )

    def __repr__(self) -> str:
        return f"MultiHeadAttention({self.n_heads} heads, {self.n_kv_heads} of keys and values)"

    def __call__(self, x: ArrayLike, *, context: ArrayLike | None = None, mask: ArrayLike | None = None) -> MultiHead:
        """Let each word of x look at each word of the context (of x itself, unless one is given).

        Parameters
        ----------
        x : ``(..., n_queries, d_model)``
            The words looking.
        context : ``(..., n_keys, d_context)``, optional
            The words looked at. Keys and values come from it: cross-attention.
        mask : bool array, ``(n_queries, n_keys)`` or ``(batch, 1 or n_queries, n_keys)``, optional
            True = may look; without a head axis: every head gets the same.

        Returns
        -------
        MultiHead

        Raises
        ------
        ShapeError
            If x, the context or the mask do not fit.
        TypeError
            For a mask that is not boolean; for complex numbers, objects and text.
        """
        source, its_name = (x, "x") if context is None else (context, "context")
        (x, source, W_Q, W_K, W_V, W_O), answer_in = as_floats(
            x=x, context=source, W_Q=self.W_Q, W_K=self.W_K, W_V=self.W_V, W_O=self.W_O
        )
        bind(x=(x, "... n_queries d_model"), W_Q=(W_Q, "n_heads d_model d_k"))
        bind(**{its_name: (source, "... n_keys d_context")}, W_K=(W_K, "n_kv_heads d_context d_k"))
        bind(x=(x, "... n_queries d_model"), context=(source, "... n_keys d_context"))  # their leading axes
        if mask is not None:
            leading = np.broadcast_shapes(x.shape[:-2], source.shape[:-2])
            mask = rectangular("mask", mask)
            if mask.ndim > len(leading) + 2:
                raise ShapeError(
                    f"mask has shape {mask.shape}: leave its head axis out, every head gets the same. "
                    "It is (n_queries, n_keys), or (batch, 1 or n_queries, n_keys) for a batch."
                )
            mask = fit_mask(mask, (*leading, x.shape[-2], source.shape[-2]))[..., None, :, :]  # the same for every head
        with np.errstate(all="ignore"):
            q = x[..., None, :, :] @ W_Q
            k, v = source[..., None, :, :] @ W_K, source[..., None, :, :] @ W_V
            shared_by = self.n_heads // self.n_kv_heads
            attention = scaled_dot_product_attention(
                q, k.repeat(shared_by, axis=-3), v.repeat(shared_by, axis=-3), mask=mask
            )
            output = merge_heads(attention.output) @ W_O.reshape(W_O.shape[0] * W_O.shape[1], W_O.shape[2])
            steps = (q, k, v, attention.scores, attention.weights, attention.output, output)
            q, k, v, scores, weights, apart, output = (read_only(step.astype(answer_in, copy=False)) for step in steps)
        return MultiHead(q, k, v, scores, weights, apart, output, attention.mask)
