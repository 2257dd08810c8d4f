"""Attention without its scores, beside the plain ways and PyTorch: ``python -m benchmarks.streaming [--quick]``.

One run, float32, d = 64. The ways of a row take turns; a time is the best of up to 9 rounds after one that warms up.
Once a way has had 20 s it gets no more rounds, and a first call that takes so long is all there is. It is CPU time with
one thread, the clock's with two. A ratio is to PyTorch's flash kernel in the same round, and its spread over the
rounds. The limit of this machine is what its matrix products and exponentials alone would take, at the best rates
measured in this run: 2 products and 1 exponential a score forward, 7 and 2 with the backward pass (weights are computed
again). Extra memory is measured in a process of its own. The error is that of the output, or of d_q, in some rows,
beside float64. The plain ways run with one thread only.

OPENBLAS_CORETYPE=Haswell chooses another kernel of NumPy's OpenBLAS. What is not installed is left out: PyTorch, SciPy,
and threadpoolctl, which names that kernel.
"""

import os

os.environ |= {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}  # before NumPy is there, and for the processes below

import argparse
import dataclasses
import importlib.metadata
import importlib.util
import platform
import time

import numpy as np

from attention_lab.costs import Work, exponential_rate, machine_rates, matrix_rate
from benchmarks import streaming_memory
from benchmarks.streaming_ways import FLASH, Case, D, ways

ROUNDS, SECONDS = 9, 20
MiB = 2**20


class Limit:
    """What the machine can do at best, measured again and again during the run."""

    def __init__(self):
        self.machine = machine_rates(rounds=ROUNDS)

    def measure(self):
        best = self.machine
        operations, exponentials = max(best.operations, matrix_rate(rounds=1)), exponential_rate(rounds=1)
        self.machine = dataclasses.replace(
            best, operations=operations, exponentials=max(best.exponentials, exponentials)
        )

    def seconds(self, case):
        products, exponentials = (7, 2) if case.backward else (2, 1)
        least = 4 * case.heads * case.n * D * 4  # bytes of q, k, v and the output
        work = Work(2 * products * D * case.pairs, exponentials * case.pairs, least)
        return self.machine.computing_seconds(work) / case.threads


@dataclasses.dataclass
class Row:
    """What was found out about a way."""

    seconds: float
    share: float  # of the limit
    error: float
    extra: int | None = None  # bytes
    in_all: int | None = None


def kernel():
    """The name of NumPy's BLAS kernel."""
    if not importlib.util.find_spec("threadpoolctl"):
        return "unknown (threadpoolctl is not installed)"
    import threadpoolctl

    libraries = threadpoolctl.threadpool_info()
    return ", ".join(f"{each['internal_api']} {each.get('architecture', '')}".strip() for each in libraries)


def measure(case, limit, rounds):
    """Let the ways of a case take turns; gives back the seconds of each round, and the error, by way."""
    arrays = case.arrays()
    works = ways(case, arrays)
    clock = time.process_time if case.threads == 1 else time.perf_counter
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(case.threads)
    spent, errors = {}, {}
    for name, work in works.items():
        start = clock()
        answer = work()  # warms up
        first = clock() - start
        spent[name] = [first] if first > SECONDS else []
        errors[name] = case.error(answer)
    for _ in range(rounds):
        limit.measure()
        for name, work in works.items():
            if sum(spent[name]) > SECONDS:
                continue
            calls = max(1, 2**19 // case.pairs)  # a clock is too coarse for a single short one
            start = clock()
            for _ in range(calls):
                work()
            spent[name].append((clock() - start) / calls)
    return spent, errors


def show(case, spent, errors, limit, with_memory):
    """Print a line for each way; gives back its row, by way."""
    rows = {}
    for name, seconds in spent.items():
        best = min(seconds)
        ratio = spread = memory = ""
        if FLASH in spent:
            ratios = [a / b for a, b in zip(seconds, spent[FLASH], strict=False)]
            ratio, spread = f"{best / min(spent[FLASH]):.2f}", f"{min(ratios):.2f}-{max(ratios):.2f}"
        rows[name] = row = Row(best, limit.seconds(case) / best, errors[name])
        if with_memory:
            row.extra, row.in_all = streaming_memory.of_case(name, case)
            memory = f" {row.extra / MiB:9.2f} {row.in_all / MiB:8.0f}"
        hides = f"window {case.window}" if case.window else "causal" if case.causal else "full"
        print(
            f"{case.n:6} {case.heads:5} {hides:10} {'both' if case.backward else 'fwd':4} {case.threads:7}  {name:16}"
            f"{1e3 * best:10.2f} {ratio:>6} {spread:>10} {row.share:6.0%} {row.error:9.1e}{memory}",
            flush=True,
        )
    return rows


def goals(rows):
    """Print what was aimed at beside what was measured; ``rows`` has them by case, and by way."""
    print("\nGoals (Haswell kernel / AVX-512 kernel), one head, one thread")
    for n in sorted({case.n for case in rows if case.n >= 2048}):
        for words, goal, found in goals_at(n, rows):
            if found is not None:
                print(f"{n:6}  {words:44} {found:>8.3g}   {goal}")


def goals_at(n, rows):
    """What is asked of a size, the goal, and what was measured (None: it was not)."""

    def of(case, way, what="seconds"):
        return getattr(rows[case][way], what) if way in rows.get(case, {}) else None

    def ratio(one, other):
        return None if one is None or other is None else one / other

    full, causal, window = Case(n), Case(n, causal=True), Case(n, causal=True, window=256)
    both, causal_both = Case(n, backward=True), Case(n, causal=True, backward=True)
    for words, goal, case in [
        ("streaming / PyTorch, full", "at most 1.00 / 0.68", full),
        ("streaming / PyTorch, causal", "at most 0.95 / 0.66", causal),
        ("the same forward and backward, full", "at most 0.95 / 0.62", both),
        ("the same forward and backward, causal", "at most 0.95 / 0.62", causal_both),
    ]:
        yield words, goal, ratio(of(case, "streaming"), of(case, FLASH))
    yield "share of the limit, full", "at least 0.85 / 0.80", of(full, "streaming", "share")
    yield "share of the limit, causal", "", of(causal, "streaming", "share")
    yield "read / fast", "at most 1.3", ratio(of(full, "streaming, read"), of(full, "streaming"))
    yield "causal / full", "at most 0.6 from 4096 on", ratio(of(causal, "streaming"), of(full, "streaming"))
    yield "window of 256 / full causal", "at most 0.1 at 16384", ratio(of(window, "streaming"), of(causal, "streaming"))
    errors, extras = ([of(full, way, what) for way in ("streaming", "plain")] for what in ("error", "extra"))
    yield "error / that of plain", "at most 1.5", ratio(*errors)
    output = n * D * 4
    yield "extra memory beside the output, MiB", "at most 2 at 8192", ratio(extras[0] and extras[0] - output, MiB)
    yield "extra memory of plain / of streaming", "hundreds at 8192", ratio(*extras[::-1])
    yield "memory in all, MiB", "under 1024 at 32768", ratio(of(full, "streaming", "in_all"), MiB)


def cases(quick):
    """All rows: the sizes, heads and so on of the table, and one window."""
    sizes = [64, 512, 2048] if quick else [64, 512, 1024, 2048, 4096, 8192, 16384, 32768]
    for n in sizes:
        for heads in (1,) if quick else (1, 8):
            for backward in (False, True):
                for causal in (False, True):
                    for threads in (1, 2):
                        yield Case(n, heads, causal, backward, threads)
    yield Case(2048 if quick else 16384, causal=True, window=256)


def versions():
    """What is compared, and on what."""
    found = [f"NumPy {np.__version__}, BLAS kernel {kernel()}"]
    for library in ("torch", "scipy"):
        if importlib.util.find_spec(library):
            found.append(f"{library} {importlib.metadata.version(library)}")
    return ", ".join([*found, platform.processor() or platform.machine()])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one head, three rounds")
    parser.add_argument("--no-memory", action="store_true", help="start no processes that measure memory")
    asked = parser.parse_args()
    print(versions())
    limit, rows = Limit(), {}
    print(
        f"{'n':>6} heads {'hides':10} pass threads  {'way':16}{'ms':>10} {'ratio':>6} {'spread':>10} {'limit':>6}"
        f" {'error':>9} {'extra MiB':>9} {'in all':>8}"
    )
    for case in cases(asked.quick):
        spent, errors = measure(case, limit, 3 if asked.quick else ROUNDS)
        # one head tells all about memory but how it adds up over heads, and that shows without a mask
        with_memory = case.threads == 1 and not (asked.no_memory or case.window or (case.causal and case.heads > 1))
        rows[case] = show(case, spent, errors, limit, with_memory)
    if not (asked.quick or asked.no_memory):
        longest = Case(65536)
        extra, in_all = streaming_memory.of_case("streaming", longest)
        print(f"\n{longest.n} tokens, streaming: {extra / MiB:.2f} MiB extra, {in_all / MiB:.0f} MiB in all")
    machine = limit.machine
    print(
        f"\nLimit: {machine.operations / 1e9:.0f} billion operations a second in matrix products,"
        f" {1e9 / machine.exponentials:.2f} ns an exponential; 'limit' is the share of it that was reached."
    )
    goals(rows)


if __name__ == "__main__":
    main()
