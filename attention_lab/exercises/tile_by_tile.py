"""Whether a function that streams does so: tile by tile, and with scores of any size; where its numbers are right."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.costs import peak_memory

_QUERIES, _KEYS, _TILE = 64, 8192, 64  # all scores are 4 MB, those of a tile 32 KB
_LARGE = 2000.0


def keeps_to_tiles(function: Callable[..., Any]) -> str:
    """Say what is missing in a function of q, k, v and tile whose numbers are right, or "".

    Whether it holds a whole row at a time cannot be told from memory: k takes as much. The whole table can.
    """
    q, k, v = np.zeros((_QUERIES, 2)), np.zeros((_KEYS, 2)), np.ones((_KEYS, 1))
    held = peak_memory(lambda: function(q, k, v, _TILE))
    if held > q.itemsize * _QUERIES * _KEYS / 4:
        sizes = f"For {_QUERIES} queries and {_KEYS:,} keys"
        return f"{sizes} it holds {held / 1e6:.0f} MB at once, as all their scores do: keep to `tile` keys."
    q, k, v = np.array([[_LARGE], [-_LARGE]]), np.ones((3, 1)), np.full((3, 1), 3.0)  # all scores of a query are equal
    output = np.asarray(function(q, k, v, 2))
    if not np.allclose(output, 3):
        answer = np.ravel(output)[0]
        return f"With scores of {_LARGE:,.0f} and values of 3 it answers {answer:.3g}: what is e to such a power?"
    return ""


def stands_a_rise(function: Callable[..., Any]) -> str:
    """Say what is missing in a function of maximum, total, blend, scores and v whose numbers are right, or ""."""
    seen, v = np.ones((1, 1)), np.full((2, 1), 3.0)
    output = np.asarray(function(0 * seen, seen, 3 * seen, np.full((1, 2), _LARGE), v))
    if np.allclose(output, 3):
        return ""
    answer = np.ravel(output)[0]
    return (
        f"After a maximum of 0, scores of {_LARGE:,.0f} and values of 3 give {answer:.3g}: which number is subtracted?"
    )


def keeps_to_tiles_with_mask(function: Callable[..., Any]) -> str:
    """Say the same of a function of q, k, v, mask and tile."""
    return keeps_to_tiles(lambda q, k, v, tile: function(q, k, v, np.broadcast_to(True, (len(q), len(k))), tile))
