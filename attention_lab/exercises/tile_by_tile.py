"""Whether a function that streams does so: tile by tile, and with scores of any size; where its numbers are right."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.costs import peak_memory

_MANY = 1024  # words: their scores are 8 MB, and those of 16 keys an eighth of one
_LARGE = 2000.0


def keeps_to_tiles(function: Callable[..., Any]) -> str:
    """Say what is missing in a function of q, k, v and tile whose numbers are right, or ""."""
    q = k = np.zeros((_MANY, 2))
    held = peak_memory(lambda: function(q, k, np.ones((_MANY, 1)), 16))
    if held > q.itemsize * _MANY**2 / 4:
        return f"For {_MANY} words it holds {held / 1e6:.0f} MB at once, as all their scores do: keep to `tile` keys."
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
