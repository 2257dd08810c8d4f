"""Two checks at once wait for each other: neither puts back what the other has put away."""

import sys
import threading

import numpy as np

from attention_lab.exercises import check


def slow_scores(q, k):
    print("said to nobody")
    return np.einsum("id,jd->ij", q, k) / np.sqrt(k.shape[-1])


def test_checks_in_several_threads_leave_the_streams_and_each_other_alone():
    stdout, verdicts = sys.stdout, []

    def work():
        verdicts.extend(check(slow_scores, "scores").verdict for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    assert verdicts == ["right"] * 80
    assert sys.stdout is stdout
    assert input.__module__ != "attention_lab.exercises.limits"
