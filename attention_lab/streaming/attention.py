"""Exact attention whose memory grows with the text, not with its square: the scores exist one tile at a time."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray
from attention_lab.streaming.arguments import ask
from attention_lab.streaming.forward import Block, Memory
from attention_lab.streaming.tiles import blocks
from attention_lab.streaming.workers import share_out


def streaming_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: bool = False,
    window: int | None = None,
    lengths: ArrayLike | None = None,
    scale: float | None = None,
    threads: int = 1,
) -> FloatArray:
    """Compute what `scaled_dot_product_attention` does, without ever holding all scores.

    Formula: ``output = softmax(scale * q @ k.T + bias, hidden scores -inf) @ v``. A tile of keys at a time is compared,
    weighed and blended; what was added up before is scaled to the new largest score (see `merge_partials`).

    Parameters
    ----------
    q : ``(..., n_queries, d_k)``
        Queries.
    k, v : ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        Keys and values. Leading axes broadcast. With fewer heads (axis -3) than q, neighbouring query heads share them.
    mask : bool array that broadcasts to the scores, optional
        True = may look.
    bias : array that broadcasts to the scores, optional
        Added to the scaled scores; -inf hides.
    causal : bool
        The same as ``mask=causal_mask(n_queries, n_keys)``; keys that are hidden from a whole block are never touched.
    window : int, optional
        The same as ``mask=window_mask(n_queries, n_keys, width=window)``; combines with causal.
    lengths : int or integer array that broadcasts to the leading axes of the scores, optional
        The same as ``mask=padding_mask(lengths, n_keys)``. With heads, the sentences' lengths are ``(batch, 1)``.
    scale : float, optional
        ``1 / sqrt(d_k)`` unless it is given.
    threads : int
        How many blocks of queries are computed at once. NumPy's matrix products have threads of their own: set
        OPENBLAS_NUM_THREADS=1 before NumPy is imported, or they get in each other's way.

    Returns
    -------
    ``(..., n_queries, d_v)``
        The output alone. Number types, empty rows, NaN and infinities are as in `scaled_dot_product_attention`, up to
        rounding (see the notes).

    Raises
    ------
    ShapeError
        If sizes do not fit.
    TypeError
        For a mask that is not boolean, or a causal that is not True or False; for complex numbers, objects and text.
    ValueError
        If scale, window, lengths or threads are out of range.

    Notes
    -----
    Scores and weights are rounded in another order than in the core. So weights differ by about ``eps * |score|``,
    with eps = 1e-7 in float32 and 2e-16 in float64: that is much where scores reach 1e6 or 1e15, and equal keys then
    need not weigh alike. An infinite value behind a weight that is too small for its type is NaN in the core (0 times
    infinity), and may stay infinite here.

    Source: Rabe and Staats 2021, "Self-attention Does Not Need O(n^2) Memory"; Dao et al. 2022, "FlashAttention",
    algorithm 1.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> streaming_attention(BANK.q, BANK.k, BANK.v)[1].round(2)
    array([1.98, 1.97])
    >>> streaming_attention(BANK.q, BANK.k, BANK.v, causal=True)[0]
    array([1., 0.])
    """
    question = ask(q, k, v, mask=mask, bias=bias, causal=causal, window=window, lengths=lengths, scale=scale)
    n_queries, n_keys = question.q.shape[-2], question.k.shape[-2]
    output = question.room(n_queries, question.v.shape[-1])

    def answer(job: tuple[tuple[int, ...], slice], memory: Memory) -> None:
        index, queries = job
        block = Block(question.head(index), queries, memory)
        block.look(slice(0, n_keys))
        output[index][queries] = block.output()

    jobs = [(index, block) for index in np.ndindex(question.leading) for block in reversed(blocks(n_queries))]
    share_out(answer, jobs, threads, lambda: Memory(question))  # the longest first, where the future is hidden
    with np.errstate(all="ignore"):  # an answer may be too small for float16
        return question.as_asked(output).astype(question.answer_in, copy=False)
