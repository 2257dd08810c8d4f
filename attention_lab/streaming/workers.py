"""Several blocks at once: a pool of threads, each with a memory of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from attention_lab.shapes import positive_number

_Job = TypeVar("_Job")
_Memory = TypeVar("_Memory")


def share_out(
    do: Callable[[_Job, _Memory], None], jobs: Sequence[_Job], threads: int, new_memory: Callable[[], _Memory]
) -> None:
    """Do all jobs, at most ``threads`` of them at once; NumPy leaves Python free while it computes."""
    at_once = min(positive_number("threads", threads), len(jobs))
    free = [new_memory() for _ in range(at_once)]

    def one(job: _Job) -> None:
        memory = free.pop()
        try:
            with np.errstate(all="ignore"):  # NaN and infinities are answers; a thread starts with settings of its own
                do(job, memory)
        finally:
            free.append(memory)

    if at_once < 2:
        for job in jobs:
            one(job)
        return
    with ThreadPoolExecutor(at_once) as pool:
        for _ in pool.map(one, jobs):  # an interruption cancels what has not begun
            pass
