"""Which keys a block of queries has to look at, tile by tile, and what is hidden in a tile."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from attention_lab.shapes import BoolArray
from attention_lab.streaming.question import Head, Question

BLOCK, TILE, STRIP = 256, 512, 64  # queries in a block; keys in a tile; keys in a tile that lies on an edge


class Tile(NamedTuple):
    """Some neighbouring keys, and the queries that may look at any of them: positions in the head's arrays."""

    keys: slice
    queries: slice
    rows: slice  # the same queries, counted from the start of their block
    on_edge: bool  # by its position, not every one of the queries may look at every one of the keys


def blocks(n_queries: int) -> list[slice]:
    """Cut the queries into blocks."""
    return [slice(i, min(i + BLOCK, n_queries)) for i in range(0, n_queries, BLOCK)]


def tiles(head: Head, block: slice, keys: slice) -> Iterator[Tile]:
    """Count through the tiles of some keys that a block of queries has to look at.

    What a causal mask, a window and padding hide from the whole block is left out. Where they hide keys from some of
    its queries, the tiles are narrow, and each meets only the queries that see any of its keys.
    """
    first, last = _reach(head.question, block.start), _reach(head.question, block.stop - 1)
    start, end = max(keys.start, first.start), min(keys.stop, head.length, last.stop)
    inner_start, inner_end = max(start, last.start), min(end, first.stop)  # seen by the whole block
    if inner_end < end:
        inner_end -= (inner_end - inner_start) % STRIP  # leaves no tile of a few keys
    if inner_end <= inner_start:
        inner_start = inner_end = end  # there is nothing but edge
    all_rows = slice(0, block.stop - block.start)
    for j in range(inner_start, inner_end, TILE):
        yield Tile(slice(j, min(j + TILE, inner_end)), block, all_rows, on_edge=False)
    for edge_start, edge_end in ((start, inner_start), (inner_end, end)):
        for j in range(edge_start, edge_end, STRIP):
            strip = slice(j, min(j + STRIP, edge_end))
            queries = _meets(head.question, strip, block)
            rows = slice(queries.start - block.start, queries.stop - block.start)
            yield Tile(strip, queries, rows, on_edge=True)


def hidden(head: Head, tile: Tile) -> BoolArray | None:
    """Tell which keys of a tile are hidden from which queries, ``(keys, queries)``; None if nothing can be."""
    question, found = head.question, None
    if tile.on_edge:
        gap = tile.queries.start + question.shift - tile.keys.start
        sizes = tile.keys.stop - tile.keys.start, tile.queries.stop - tile.queries.start
        found = _too_far(gap, *sizes, question.causal, question.window)
    if head.mask is not None:
        unseen = ~head.mask[tile.queries, tile.keys].T
        found = unseen if found is None else found | unseen
    if head.bias is not None:
        hides = np.isneginf(head.bias[tile.queries, tile.keys].T)
        found = hides if found is None else found | hides
    return found


def _reach(question: Question, i: int) -> slice:
    """Which keys query i may look at by its position, beyond the ends of the sentence too."""
    here, start, end = i + question.shift, 0, question.k.shape[-2]
    if question.window is not None:
        start, end = max(start, here - question.window + 1), min(end, here + question.window)
    if question.causal:
        end = min(end, here + 1)
    return slice(start, end)


def _meets(question: Question, keys: slice, block: slice) -> slice:
    """Which queries of a block may look at any of some keys."""
    start, end = block.start, block.stop
    if question.window is not None:
        start = max(start, keys.start - question.shift - question.window + 1)
        end = min(end, keys.stop - 1 - question.shift + question.window)
    if question.causal:
        start = max(start, keys.start - question.shift)
    return slice(start, end)


@lru_cache(maxsize=16)
def _too_far(gap: int, n_keys: int, n_queries: int, causal: bool, window: int | None) -> BoolArray:
    """Tell which keys lie outside of a query's reach; the first query stands ``gap`` keys after the first key."""
    back = gap + np.arange(n_queries) - np.arange(n_keys)[:, None]
    beyond = np.zeros(back.shape, bool)
    if causal:
        beyond |= back < 0
    if window is not None:
        beyond |= np.abs(back) >= window
    beyond.flags.writeable = False
    return beyond
