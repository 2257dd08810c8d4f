"""Which keys go to which machine, and what a machine does with its own."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.shapes import positive_number, whole_number
from attention_lab.streaming import Partial, merge_partials, partial_attention
from attention_lab.streaming.arguments import Hiding

Shard = tuple[range, ...]  # the keys that one machine looks at: one run of neighbours, or two
Run = dict[str, Any]  # what partial_attention takes beside the queries, for one run of neighbouring keys


def key_shards(n_keys: int, n_shards: int, *, zigzag: bool = False) -> tuple[Shard, ...]:
    """Share keys out: which positions belong to which shard.

    Formula: the keys are cut into n runs, and shard i gets run i; zig-zag, into 2n, and it gets runs i and 2n - 1 - i.

    Parameters
    ----------
    n_keys : int
        How many keys there are.
    n_shards : int
        How many machines share them.
    zigzag : bool
        Give each shard an early and a late run. With a causal mask an early key is seen by more queries than a late
        one is; zig-zag, all shards have about as many pairs of query and key.

    Returns
    -------
    tuple of tuples of range
        A tuple for each shard. The lengths of runs differ by one key at most.

    Raises
    ------
    TypeError, ValueError
        If a count is no whole number or is negative, or there is no shard.

    Source: Llama team 2024, "The Llama 3 Herd of Models", section 3.3.2 (context parallelism).

    Examples
    --------
    >>> key_shards(8, 2)
    ((range(0, 4),), (range(4, 8),))
    >>> key_shards(8, 2, zigzag=True)
    ((range(0, 2), range(6, 8)), (range(2, 4), range(4, 6)))
    """
    whole_number("n_keys", n_keys)
    n_shards = positive_number("n_shards", n_shards)
    n_runs = 2 * n_shards if zigzag else n_shards
    runs = [range(n_keys * i // n_runs, n_keys * (i + 1) // n_runs) for i in range(n_runs)]
    return tuple((runs[i], runs[-1 - i]) if zigzag else (runs[i],) for i in range(n_shards))


def runs_of(shard: Shard, k: NDArray[Any], v: NDArray[Any], hiding: Hiding) -> list[Run]:
    """Cut out a shard's keys and values, as views."""
    lengths, runs = hiding.get("lengths"), []
    for keys in shard:
        here: Run = {**hiding, "later_keys": k.shape[-2] - keys.stop}
        here |= {name: array[..., keys.start : keys.stop, :] for name, array in (("k", k), ("v", v))}
        if lengths is not None:
            here["lengths"] = np.clip(np.asarray(lengths) - keys.start, 0, len(keys))
        runs.append(here)
    return runs


def partial_of_runs(q: ArrayLike, runs: list[Run]) -> Partial:
    """Compute what the keys of some runs contribute; this is all that a worker does."""
    return merge_partials(*(partial_attention(q, **run) for run in runs))
