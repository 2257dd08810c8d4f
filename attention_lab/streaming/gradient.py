"""The backward pass of streaming: the weights of a tile are computed again where they are needed, and never kept."""

from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import blend_visible
from attention_lab.shapes import BoolArray, FloatArray, ShapeError, as_floats, bind
from attention_lab.streaming.arguments import Hiding, ask, is_calm, open_heads, shared_heads
from attention_lab.streaming.forward import Block, Memory, visible
from attention_lab.streaming.partial import divide
from attention_lab.streaming.question import Head, Question
from attention_lab.streaming.tiles import blocks, hidden, tiles
from attention_lab.streaming.workers import share_out


def streaming_gradient(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, d_output: ArrayLike, *, threads: int = 1, **hiding: Unpack[Hiding]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how a loss changes with q, k and v, from how it changes with the output, without ever holding all scores.

    With weights A = softmax(S) and output O = A v, tile by tile::

        d_v = Aᵀ d_O        d_A = d_O vᵀ
        d_S = A * (d_A - rowsum(d_O * O))
        d_q = scale d_S k        d_k = scale d_Sᵀ q

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        As `streaming_attention` takes them.
    d_output : ``(..., n_queries, d_v)``
        The derivative of the loss by each number of the output; it has the output's shape.
    threads : int
        How many heads are computed at once.
    **hiding
        mask, bias, causal, window, lengths, scale: as in `streaming_attention`. A hidden key learns nothing.

    Returns
    -------
    d_q, d_k, d_v : arrays of the shapes of q, k and v
        What was broadcast or shared by several heads is summed.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.
    TypeError, ValueError
        As in `streaming_attention`.

    Source: Dao et al. 2022, "FlashAttention", algorithm 4 (appendix B).

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> d_q, d_k, d_v = streaming_gradient(BANK.q, BANK.k, BANK.v, np.ones((3, 2)))
    >>> d_v.round(2)  # "river" is looked at most, so its value matters most
    array([[0.03, 0.03],
           [0.06, 0.06],
           [2.91, 2.91]])
    """
    (q, k, v, d_output), answer_in = as_floats(q=q, k=k, v=v, d_output=d_output)
    question = ask(q, k, v, **hiding)
    given = _as_output(d_output, question)
    # Here queries meet, not only keys: what a bias of NaN or +inf does to one must not reach what is hidden from it.
    bias = hiding.get("bias")
    tame = bias is None or bool(np.asarray(bias).max(initial=0) < np.inf)
    question = replace(question, calm=question.calm and is_calm(1, given) and tame)
    slopes = [question.room(*array.shape[-2:]) for array in (q, k, v)]

    def answer(index: tuple[int, ...], memory: _Memory) -> None:
        _add_head(question.head(index), given[index], memory, *(slope[index] for slope in slopes))

    share_out(answer, list(np.ndindex(question.leading)), threads, lambda: _Memory(question))
    d_q, d_k, d_v = slopes
    with np.errstate(all="ignore"):
        for slope in (d_q, d_k):
            slope *= slope.dtype.type(question.factor)
        n_kv_heads = shared_heads(q, k, v)
        summed = (
            _sum_to(slope, open_heads(array, n_kv_heads).shape).reshape(array.shape)
            for slope, array in zip(slopes, (q, k, v), strict=True)
        )
        d_q, d_k, d_v = (slope.astype(answer_in, copy=False) for slope in summed)
    return d_q, d_k, d_v


class _Memory(Memory):
    """Room for one tile's slopes, too."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.d_scores = np.empty_like(self.scores)
        self.values = np.ones((len(self.keys), question.v.shape[-1] + 1), self.scores.dtype)  # its last column stays 1

    def slopes(self, weights: FloatArray, given: FloatArray, values: FloatArray) -> FloatArray:
        """How the loss changes with the scores of a tile."""
        beside_one, d_scores = self.values[: len(values)], self.d_scores[: weights.size].reshape(weights.shape)
        beside_one[:, :-1] = values
        np.matmul(beside_one, given, out=d_scores)
        d_scores *= weights
        return d_scores


def _add_head(
    head: Head, d_output: FloatArray, memory: _Memory, d_q: FloatArray, d_k: FloatArray, d_v: FloatArray
) -> None:
    """Add up the slopes of one head, all but the scale."""
    every_key = slice(0, len(head.k))
    for queries in blocks(len(head.q)):
        block = Block(head, queries, memory)
        block.look(every_key)
        # The weights of a block are not divided by their sum; so what they meet is.
        shares = divide(d_output[queries], block.total)
        given = np.empty((shares.shape[1] + 1, len(shares)), shares.dtype)
        given[:-1], given[-1] = shares.T, -(shares * block.output()).sum(axis=1)
        blend = _product if block.calm else _careful_product
        for tile in tiles(head, queries, every_key):
            unseen = hidden(head, tile)
            if unseen is not None and unseen.all():
                continue
            weights = block.weigh_again(tile, unseen)
            d_scores = memory.slopes(weights, given[:, tile.rows], head.v[tile.keys])
            if not block.calm and unseen is not None:  # 0 * NaN would be NaN
                np.copyto(weights, 0, where=unseen)
                np.copyto(d_scores, 0, where=unseen)
            d_v[tile.keys] += blend(weights, shares[tile.rows], unseen, memory)
            d_k[tile.keys] += blend(d_scores, head.q[tile.queries], unseen, memory)
            d_q[tile.queries] += blend(d_scores.T, head.k[tile.keys], None if unseen is None else unseen.T, memory)


def _product(left: FloatArray, right: FloatArray, unseen: BoolArray | None, memory: Memory) -> FloatArray:
    return memory.product(left, right)


def _careful_product(left: FloatArray, right: FloatArray, unseen: BoolArray | None, memory: Memory) -> FloatArray:
    return blend_visible(left, right, visible(unseen, left))


def _as_output(d_output: FloatArray, question: Question) -> FloatArray:
    """Give the slopes of the output an axis for heads that share keys, as everything else has."""
    expected = (*question.answer_leading, question.q.shape[-2], question.v.shape[-1])
    words = "... n_queries d_v"
    bind(output=(np.broadcast_to(np.False_, expected), words), d_output=(d_output, words))
    if d_output.shape != expected:
        raise ShapeError(f"d_output has shape {d_output.shape}, but the output has {expected}.")
    return d_output.astype(question.q.dtype, copy=False).reshape(*question.leading, *expected[-2:])


def _sum_to(slope: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Add up the slopes of what was broadcast from a shape."""
    slope = slope.sum(axis=tuple(range(slope.ndim - len(shape))))
    broadcast = tuple(axis for axis, size in enumerate(shape) if size != slope.shape[axis])
    summed: FloatArray = slope.sum(axis=broadcast, keepdims=True)
    return summed
