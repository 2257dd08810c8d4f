"""Machines that share the work: found, started, watched, and lost on purpose. Only here is `distributed` imported."""

import asyncio
import logging
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from attention_lab.shapes import positive_number

ANSWERS_WITHIN = 5  # seconds that a cluster has
STARTS_WITHIN = 60  # seconds that new workers have, on a busy machine, too


def cluster_problem() -> str:
    """Say what is missing for a cluster.

    Returns
    -------
    str
        One sentence with what to do; nothing, if nothing is missing.
    """
    if find_spec("distributed"):
        return ""
    return (
        "A cluster needs the package distributed, and nothing else in this course does: run `%pip install distributed` "
        'in a cell (in a terminal: `pip install "attention-lab[cluster]"`), then restart the kernel.'
    )


@contextmanager
def local_cluster(n_workers: int = 2) -> Iterator[Any]:
    """Start workers on this machine, each a process with one thread; they end with the ``with`` block.

    A script that calls this has to do so under ``if __name__ == "__main__":``, since each worker imports it.

    Parameters
    ----------
    n_workers : int
        How many processes.

    Yields
    ------
    distributed.Client
        What `sharded_attention` takes as its cluster.

    Raises
    ------
    ModuleNotFoundError
        If `distributed` is not installed.
    RuntimeError
        If the workers do not start within a minute.
    TypeError, ValueError
        If n_workers is no whole number, or not positive.

    Examples
    --------
    >>> with local_cluster(2) as cluster:  # doctest: +SKIP
    ...     output = sharded_attention(q, k, v, cluster=cluster)
    """
    n_workers = positive_number("n_workers", n_workers)
    distributed = distributed_package()
    import dask  # comes with it

    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        dask.config.set({"temporary-directory": folder}),  # nothing is left behind
        distributed.LocalCluster(
            n_workers=0,  # they come below: an interruption while they start must find the block that ends them
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its other port: any free one, for nobody outside
            silence_logs=logging.CRITICAL + 1,  # a worker that dies is no news here
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        cluster.scale(n_workers)
        try:
            client.wait_for_workers(n_workers, timeout=STARTS_WITHIN)
        except distributed.TimeoutError as late:
            message = f"Not all of {n_workers} workers started within {STARTS_WITHIN} seconds. "
            message += 'If a script starts them, it must do so under `if __name__ == "__main__":`.'
            raise RuntimeError(message) from late
        yield client


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """Give back a client: the caller's own, or one of an address, or one of two workers started here."""
    distributed = distributed_package()
    if cluster is None:
        with local_cluster() as client:
            yield client
    elif isinstance(cluster, str):
        _check_answer(distributed, cluster)
        with distributed.Client(cluster, timeout=ANSWERS_WITHIN, set_as_default=False) as client:
            yield client
    elif isinstance(cluster, distributed.Client):
        yield cluster
    else:
        raise TypeError(f"cluster must be an address or a distributed.Client, not {type(cluster).__name__}.")


def workers_of(client: Any, within: float) -> list[str]:
    """List the addresses of a cluster's workers; wait for the first as many seconds."""
    distributed = distributed_package()
    if client.status in ("closing", "closed"):
        raise ConnectionError("This client is closed: use it inside the `with` block that opened it.")
    try:
        client.wait_for_workers(1, timeout=within)
        return list(client.nthreads())
    except distributed.TimeoutError as late:
        raise ConnectionError(f"The cluster had no worker for {within} seconds: start one, then try again.") from late
    except OSError as silent:
        raise ConnectionError("The cluster's scheduler does not answer any more.") from silent


def worker_memory(client: Any) -> list[int]:
    """Say how much memory each worker has held at most.

    Parameters
    ----------
    client : distributed.Client
        As `local_cluster` gives it.

    Returns
    -------
    list of int
        Bytes for each worker, its whole process: Python, NumPy and `distributed` take some, too. They are looked up
        every half second, so a shorter peak is not seen.

    Raises
    ------
    ConnectionError
        If the client is closed, or the cluster has no workers.
    """
    found = client.run(_memory, workers=workers_of(client, ANSWERS_WITHIN))
    return [max(bytes_each) for bytes_each in found.values()]


def _memory(dask_worker: Any) -> list[int]:
    dask_worker.monitor.update()
    return [int(bytes_) for bytes_ in dask_worker.monitor.quantities["memory"]]


def lose_a_worker(client: Any) -> None:
    """Doom one worker: it will die when its next task is done, before anybody has got the result.

    Parameters
    ----------
    client : distributed.Client
        As `local_cluster` gives it. Its workers are started anew by themselves when they die.

    Raises
    ------
    ConnectionError
        If the client is closed, or the cluster has no workers.
    """
    client.run(_doom, workers=workers_of(client, ANSWERS_WITHIN)[:1])


def _doom(dask_worker: Any) -> None:
    dask_worker.plugins["doomed"] = _Doomed()


class _Doomed:
    """Watches a worker's tasks, and ends its process after the first that it computes."""

    def transition(self, key: str, start: str, finish: str, **more: Any) -> None:
        if (start, finish) == ("executing", "memory"):
            os._exit(1)


def distributed_package() -> Any:
    """Import `distributed`, or say that it is missing."""
    if problem := cluster_problem():
        raise ModuleNotFoundError(problem)
    import distributed

    return distributed


def _check_answer(distributed: Any, address: str) -> None:
    """Ask who is there: a client would wait for ever where something listens and says nothing."""

    async def identity() -> Any:
        async with distributed.rpc(address) as there:
            return await asyncio.wait_for(there.identity(), ANSWERS_WITHIN)

    try:
        with ThreadPoolExecutor(1) as thread:  # in a notebook, this one has a loop already
            who = thread.submit(asyncio.run, identity()).result()
    except ValueError as wrong:
        raise ValueError(f'cluster must be an address such as "tcp://127.0.0.1:8786", not {address!r}.') from wrong
    except Exception as silent:
        raise ConnectionError(f"No Dask scheduler answers at {address}: is it running, and in reach?") from silent
    if who["type"] != "Scheduler":
        raise ValueError(f"{address} is a {who['type'].lower()}: give the address of the scheduler.")
