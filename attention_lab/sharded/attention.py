"""Attention over shards: sent out, merged as they come back, and sent again where a worker was lost."""

from concurrent.futures import CancelledError
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.shapes import FloatArray
from attention_lab.sharded.cluster import ANSWERS_WITHIN, STARTS_WITHIN, connected, distributed_package, workers_of
from attention_lab.sharded.shards import Run, key_shards, partial_of_runs, runs_of
from attention_lab.streaming import Partial, merge_partials
from attention_lab.streaming.arguments import Hiding, ask

TRIES = 4  # how often a shard is sent before somebody is told


def sharded_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    cluster: Any = None,
    n_shards: int | None = None,
    causal: bool = False,
    window: int | None = None,
    lengths: ArrayLike | None = None,
    scale: float | None = None,
) -> FloatArray:
    """Compute what `streaming_attention` does, with the keys shared out between the workers of a Dask cluster.

    Formula: each worker computes the `partial_attention` of all queries over its own keys; `merge_partials` makes one
    of them. No worker ever holds other keys, or more than a tile of scores.

    Parameters
    ----------
    q, k, v : ``(..., n_queries, d_k)``, ``(..., n_keys, d_k)``, ``(..., n_keys, d_v)``
        As in `streaming_attention`. The caller keeps them all: what a dead worker took along is sent again.
    cluster : str or distributed.Client, optional
        The address of a scheduler, such as ``"tcp://127.0.0.1:8786"``, whose workers have this package, too, and one
        BLAS thread each (OPENBLAS_NUM_THREADS=1; Dask's nannies see to it). Or a client, as `local_cluster` gives one;
        it stays open. Two workers are started here unless it is given.
    n_shards : int, optional
        How many parts the keys are cut into; as many as there are workers unless it is given. With more, less is lost
        with a worker, but each part takes the memory of an output.
    causal, window, lengths, scale
        As in `streaming_attention`. Causal shards are zig-zag (see `key_shards`).

    Returns
    -------
    ``(..., n_queries, d_v)``
        The output, equal to that of one machine up to rounding, and the same in each run with as many shards.

    Raises
    ------
    ModuleNotFoundError
        If `distributed` is not installed: it comes with the extra ``[cluster]``.
    ConnectionError
        If the cluster does not answer, or has no workers, within 5 seconds; if the client is closed.
    RuntimeError
        If workers die again and again.
    ShapeError, TypeError, ValueError
        As in `streaming_attention`; if cluster is no address and no client, or n_shards is not positive.

    Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", section 3.1.

    Examples
    --------
    >>> from attention_lab.examples import BANK
    >>> sharded_attention(BANK.q, BANK.k, BANK.v)[1].round(2)  # doctest: +SKIP
    array([1.98, 1.97])
    """
    hiding: Hiding = {"causal": causal, "window": window, "lengths": lengths, "scale": scale}
    question = ask(q, k, v, **hiding)  # what is wrong is said before anything is sent
    q, k, v = (np.asarray(array) for array in (q, k, v))
    if n_shards is not None:
        key_shards(0, n_shards)  # refuses what is no count
    with connected(cluster) as client:
        shards = key_shards(k.shape[-2], n_shards or len(workers_of(client, ANSWERS_WITHIN)), zigzag=causal)
        parts = _partials(client, q, [runs_of(shard, k, v, hiding) for shard in shards])
    with np.errstate(all="ignore"):  # an answer may be too small for float16
        return merge_partials(*parts).output.astype(question.answer_in, copy=False)


def _partials(client: Any, q: NDArray[Any], shards: list[list[Run]]) -> list[Partial]:
    """Have each shard's contribution computed, however many workers that takes."""
    done: dict[int, Partial] = {}
    for _ in range(TRIES):
        missing = [i for i in range(len(shards)) if i not in done]
        done |= _try(client, q, {i: shards[i] for i in missing})
        if len(done) == len(shards):
            return [done[i] for i in range(len(shards))]
    raise RuntimeError(
        f"Workers were lost {TRIES} times while they worked on {len(shards) - len(done)} of {len(shards)} shards. "
        "If their memory is too small for their share, use more of them."
    )


def _try(client: Any, q: NDArray[Any], shards: dict[int, list[Run]]) -> dict[int, Partial]:
    """Send some shards out, and give back what came back."""
    workers_of(client, STARTS_WITHIN)  # also where the last one has just died, and is started again
    done: dict[int, Partial] = {}
    held: list[Any] = []  # all that the cluster keeps for us
    try:
        # The arrays go first, each once. They exist nowhere else in the cluster: Dask cannot make them again.
        queries = client.scatter(q, broadcast=True, hash=False)
        held.append(queries)
        keys = client.scatter(list(shards.values()), hash=False)
        held += keys
        sent = [client.submit(partial_of_runs, queries, runs, pure=False) for runs in keys]
        held += sent
        for i, future in zip(shards, sent, strict=True):
            try:
                done[i] = future.result()
            except (CancelledError, distributed_package().KilledWorker):  # its worker is gone, and its keys with it
                continue
    except OSError:  # a worker went while it was sent something
        pass
    finally:
        # Also when something stops us, whose traceback would keep it all alive: no worker computes or holds what
        # nobody waits for.
        client.cancel(held)
    return done
