"""Several blocks at once: each with a memory of its own, and an error that comes back."""

import threading

import numpy as np
import pytest

from attention_lab.streaming.workers import share_out


def test_two_jobs_run_at_once_and_never_share_a_memory():
    both, seen = threading.Barrier(2), []

    def do(job, memory):
        both.wait(timeout=30)  # goes on when the other job is there, too
        seen.append((job, id(memory)))

    share_out(do, [1, 2], 2, list)
    assert sorted(job for job, _ in seen) == [1, 2]
    assert seen[0][1] != seen[1][1]


def test_a_memory_is_made_for_each_thread_and_used_again():
    made, seen = [], []

    def new_memory():
        made.append([])
        return made[-1]

    share_out(lambda job, memory: seen.append(job), range(20), 3, new_memory)
    assert sorted(seen) == list(range(20))
    assert len(made) == 3
    share_out(lambda job, memory: seen.append(job), [], 3, new_memory)
    assert len(made) == 3


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_job_comes_back(threads):
    def do(job, memory):
        raise ZeroDivisionError("in the job")

    with pytest.raises(ZeroDivisionError, match="in the job"):
        share_out(do, [1, 2, 3], threads, list)


@pytest.mark.parametrize("threads", [1, 2])
def test_no_job_warns(threads):
    with np.errstate(all="raise"):
        share_out(lambda job, memory: np.float64(1) / np.zeros(1), [1, 2], threads, list)
