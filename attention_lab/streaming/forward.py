"""The fast walk through the tiles: scores, weights and blend of one block of queries, in memory that is used again."""

import numpy as np

from attention_lab.attention import blend_visible
from attention_lab.shapes import BoolArray, FloatArray
from attention_lab.streaming.partial import divide
from attention_lab.streaming.question import Head, Question
from attention_lab.streaming.tiles import BLOCK, TILE, Tile, hidden, tiles

LAZY = 20.0  # how far above the level a score may be: exp(20) is no large number yet


class Memory:
    """Room for one tile, used again for the next: new memory for each would cost time."""

    def __init__(self, question: Question) -> None:
        (n, d_k), (n_keys, d_v), dtype = question.q.shape[-2:], question.v.shape[-2:], question.q.dtype
        n, n_keys = min(n, BLOCK), min(n_keys, TILE)
        self.scores = np.empty(n_keys * n, dtype)
        self.keys = np.ones((n_keys, d_k + 1), dtype)  # its last column stays 1
        self.added = np.empty(max(n_keys, n) * max(d_k, d_v), dtype)
        self.ones = np.ones(n_keys, dtype)

    def product(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Compute ``left @ right``, to be added to something before the next call overwrites it."""
        size = len(left), right.shape[1]
        return np.matmul(left, right, out=self.added[: size[0] * size[1]].reshape(size))


class Block:
    """What a block of queries has seen so far: the level of its scores, the sum and the blend of its values.

    The level is what is subtracted before ``exp``; in blend / total it cancels, whatever it is. So it follows the
    largest score lazily: while none is more than `LAZY` above it, nothing that was added up has to be scaled down.
    Where numbers may be huge or NaN, or the maximum itself is asked for, it follows at once.

    Scores are held as (keys, queries): the largest score of each query is then an element-wise maximum of rows, and
    the products with keys and values need no copy. The level is subtracted by the product itself: minus the level
    stands below the queries, a 1 beside each key.
    """

    def __init__(self, head: Head, queries: slice, memory: Memory, *, exact_maximum: bool = False) -> None:
        n, (d_k, d_v), dtype = queries.stop - queries.start, (head.q.shape[1], head.v.shape[1]), head.q.dtype
        self.head, self.queries, self.memory = head, queries, memory
        self.calm = head.question.calm
        self.lazy = self.calm and head.bias is None and not exact_maximum
        # So much smaller are huge values made that their sum does not overflow before it is divided.
        self.shrink = dtype.type(1 if self.calm or exact_maximum else 0.5 ** (1 + len(head.k).bit_length()))
        self.asked = np.empty((d_k + 1, n), dtype)
        np.multiply(head.q[queries].T, dtype.type(head.question.factor if self.calm else 1), out=self.asked[:-1])
        self.minus_level = self.asked[-1]
        self.minus_level[:] = 0
        self.top = np.full(n, -np.inf, dtype)  # the largest score, above the level; -inf: no key has been seen yet
        self.all_have_seen = False
        self.total = np.zeros(n, dtype)
        self.blend = np.zeros((n, d_v), dtype)

    def look(self, keys: slice) -> None:
        """Look at some keys, tile by tile."""
        for tile in tiles(self.head, self.queries, keys):
            unseen = hidden(self.head, tile)
            if unseen is not None and unseen.all():
                continue
            values, total, blend = self.head.v[tile.keys], self.total[tile.rows], self.blend[tile.rows]
            weights = self.compare(tile, unseen)
            self._weigh(weights, tile.rows)
            total += self.memory.ones[: len(weights)] @ weights
            if self.calm:
                blend += self.memory.product(weights.T, values)
            else:
                blend += blend_visible(weights.T, values * self.shrink, visible(unseen, weights).T)

    def compare(self, tile: Tile, unseen: BoolArray | None) -> FloatArray:
        """Compute the scores of a tile above the level, ``(keys, queries)``; the next call overwrites them."""
        asked = self.asked[:, tile.rows]
        size = tile.keys.stop - tile.keys.start, asked.shape[1]
        keys, scores = self.memory.keys[: size[0]], self.memory.scores[: size[0] * size[1]].reshape(size)
        keys[:, :-1] = self.head.k[tile.keys]
        np.matmul(keys, asked, out=scores)
        if not self.calm:  # where q * factor might overflow or vanish
            scores *= scores.dtype.type(self.head.question.factor)
        if self.head.bias is not None:
            scores += self.head.bias[tile.queries, tile.keys].T
        if unseen is not None:
            np.copyto(scores, -np.inf, where=unseen)
        return scores

    def _weigh(self, scores: FloatArray, rows: slice) -> None:
        """Turn scores into weights, and scale down what has been added up if the level has to rise for that."""
        if self.lazy and self.all_have_seen and scores.max() <= LAZY:
            np.exp(scores, out=scores)
            return
        top = self.top[rows]
        new_top = np.maximum(top, scores.max(axis=0))
        rise = np.where(np.isneginf(new_top), 0, new_top)  # nothing seen: -inf - -inf would be NaN
        fade = np.exp(top - rise)
        self.total[rows] *= fade
        self.blend[rows] *= fade[:, None]
        scores -= rise
        np.exp(scores, out=scores)
        if self.lazy:
            self.minus_level[rows] -= rise
            new_top -= rise
        self.top[rows] = new_top
        self.all_have_seen = not np.isneginf(self.top).any()

    def weigh_again(self, tile: Tile, unseen: BoolArray | None) -> FloatArray:
        """Compute the weights of a tile as they are in the end; divided by ``total`` they are those of attention."""
        scores = self.compare(tile, unseen)
        if not self.lazy:
            top = self.top[tile.rows]
            scores -= np.where(np.isneginf(top), 0, top)
        np.exp(scores, out=scores)
        return scores

    def maximum(self) -> FloatArray:
        """Give back the largest score of each query, if it was asked for, or else the level that stands for it."""
        maximum: FloatArray = self.top - self.minus_level
        return maximum

    def output(self) -> FloatArray:
        """Give back the blended values."""
        return divide(self.blend, self.total) / self.shrink


def visible(unseen: BoolArray | None, weights: FloatArray) -> BoolArray:
    """Tell which weights belong to keys that may be looked at."""
    return np.broadcast_to(True, weights.shape) if unseen is None else ~unseen
