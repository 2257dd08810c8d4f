"""Streaming to be watched: the contribution of some keys, and what has been seen after each tile."""

import operator
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import positive_number, read_only, whole_number
from attention_lab.streaming.arguments import Hiding, ask
from attention_lab.streaming.forward import Block, Memory
from attention_lab.streaming.partial import Partial, merge_partials
from attention_lab.streaming.question import Question
from attention_lab.streaming.tiles import blocks


@dataclass(frozen=True, eq=False, repr=False)
class Step(Partial):
    """What has been seen after one more tile of keys: a `Partial`, and which keys that tile had."""

    keys: range

    def __repr__(self) -> str:
        return super().__repr__().replace("(", f"(keys {self.keys.start} to {self.keys.stop - 1}, ", 1)


def partial_attention(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, *, later_keys: int = 0, **hiding: Unpack[Hiding]
) -> Partial:
    """Return what some of the keys contribute to attention; `merge_partials` puts contributions together.

    Formula: ``maximum = max(scores)``, ``total = sum(exp(scores - maximum))``, ``blend = exp(scores - maximum) @ v``,
    over the keys that may be looked at.

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        All queries, and only the keys and values whose contribution is asked for.
    later_keys : int
        How many keys of the sentence come after these: causal and window count from its end.
    **hiding
        mask, bias, causal, window, lengths, scale: as in `streaming_attention`, each for these keys.

    Returns
    -------
    Partial
        In the type that is computed in: float32 for float16. Blends of values near the largest float are infinite.

    Raises
    ------
    ShapeError, TypeError, ValueError
        As in `streaming_attention`.

    Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", section 3.1.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> parts = [partial_attention(BANK.q, BANK.k[keys], BANK.v[keys]) for keys in (slice(0, 1), slice(1, 3))]
    >>> merge_partials(*parts).output[1].round(2)
    array([1.98, 1.97])
    """
    question = ask(q, k, v, later_keys=whole_number("later_keys", later_keys), **hiding)
    return _contribution(question, slice(0, question.k.shape[-2]))


def stream_steps(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    tile: int = 1,
    order: Sequence[int] | None = None,
    **hiding: Unpack[Hiding],
) -> Iterator[Step]:
    """Walk through the keys a tile at a time, and yield what has been seen after each.

    Formula: with m, l and o for the maximum, total and blend so far, a tile with scores s does
    ``m' = max(m, max(s))``, ``l' = l * exp(m - m') + sum(exp(s - m'))``, ``o' = o * exp(m - m') + exp(s - m') @ v``.

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        As `streaming_attention` takes them. All arrays are copied: the walk does not see what becomes of them.
    tile : int
        How many keys are looked at together.
    order : sequence of int, optional
        In which order the tiles come, counted from 0; it does not change where the walk ends.
    **hiding
        mask, bias, causal, window, lengths, scale: as in `streaming_attention`.

    Yields
    ------
    Step
        The output of the last one is that of `streaming_attention`. Without any keys there are no steps.

    Raises
    ------
    ValueError
        If tile is not positive, or the order does not name each tile once.
    ShapeError, TypeError
        As in `streaming_attention`; if the order does not hold whole numbers.

    Source: Dao et al. 2022, "FlashAttention", algorithm 1.

    Examples
    --------
    "bank" looks at The, bank, river (scores 4, 2 and 10); with river the sum has to be scaled down:

    >>> from attention_lab.examples import BANK
    >>> for step in stream_steps(BANK.q[1:2], BANK.k, BANK.v, scale=1.0):
    ...     print(step.keys, step.maximum, step.total.round(4), step.output.round(2))
    range(0, 1) [4.] [1.] [[1. 0.]]
    range(1, 2) [4.] [1.1353] [[0.88 0.24]]
    range(2, 3) [10.] [1.0028] [[2. 2.]]
    """
    tile = positive_number("tile", tile)
    question = deepcopy(ask(q, k, v, **hiding))  # the caller may change an array before the walk comes to it
    n_keys = question.k.shape[-2]
    starts = range(0, n_keys, tile)
    try:
        places = list(range(len(starts)) if order is None else map(operator.index, order))
    except TypeError:
        raise TypeError(f"order must be a sequence of whole numbers, not {order!r:.40}.") from None
    if sorted(places) != list(range(len(starts))):
        raise ValueError(f"order must name each of the {len(starts)} tiles, 0 to {len(starts) - 1}, once.")
    return _walk(question, [range(starts[i], min(starts[i] + tile, n_keys)) for i in places])


def _walk(question: Question, tiles: list[range]) -> Iterator[Step]:
    seen = None
    for keys in tiles:
        new = _contribution(question, slice(keys.start, keys.stop))
        seen = new if seen is None else merge_partials(seen, new)
        yield Step(seen.maximum, seen.total, seen.blend, keys)


def _contribution(question: Question, keys: slice) -> Partial:
    """Compute what some keys of a question contribute."""
    n_queries, d_v = question.q.shape[-2], question.v.shape[-1]
    maximum, total, blend = question.room(n_queries), question.room(n_queries), question.room(n_queries, d_v)
    memory = Memory(question)
    with np.errstate(all="ignore"):
        for index in np.ndindex(question.leading):
            head = question.head(index)
            for queries in blocks(n_queries):
                block = Block(head, queries, memory, exact_maximum=True)
                block.look(keys)
                maximum[index][queries], total[index][queries] = block.maximum(), block.total
                blend[index][queries] = block.blend
    return Partial(*(read_only(question.as_asked(array)) for array in (maximum, total, blend)))
