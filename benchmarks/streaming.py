"""Attention without its scores, beside the plain ways and PyTorch: ``python -m benchmarks.streaming [--quick]``.

One run, float32, d = 64. The ways of a row take turns; a time is the best of up to 9 rounds (after one that warms up,
and no more of them once a way has had 20 s): CPU time with one thread, the clock's with two. A ratio is to PyTorch's
flash kernel in the same round, and its spread over the rounds. The limit of this machine is what its matrix products
and exponentials alone would take, at the best rates measured in this run: 2 products and 1 exponential a score forward,
7 and 2 with the backward pass (weights are computed again). Extra memory is measured in a process of its own.
The error is that of the output, or of d_q, in some rows, beside float64. The plain ways run with one thread only.
OPENBLAS_CORETYPE=Haswell chooses another kernel of NumPy's OpenBLAS; threadpoolctl, if it is there, names it.
"""

import os

os.environ |= {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}  # before NumPy is there, and for the processes below

import argparse
import importlib.util
import platform
import time

import numpy as np

from benchmarks import streaming_memory
from benchmarks.streaming_ways import FLASH, Case, D, ways

ROUNDS, SECONDS = 9, 20
MiB = 2**20


class Limit:
    """What the machine can do at best, measured again and again during the run."""

    def __init__(self):
        self.left, self.right, self.product = np.random.default_rng(0).normal(size=(3, 1024, 1024)).astype(np.float32)
        self.scores = -np.abs(self.left[:128])
        self.product_seconds = self.exponential_seconds = np.inf  # for one multiplication and addition; for one number

    def measure(self):
        start = time.process_time()
        np.matmul(self.left, self.right, out=self.product)
        middle = time.process_time()
        for _ in range(20):
            np.exp(self.scores, out=self.product[:128])
        end = time.process_time()
        self.product_seconds = min(self.product_seconds, (middle - start) / 1024**3)
        self.exponential_seconds = min(self.exponential_seconds, (end - middle) / (20 * self.scores.size))

    def seconds(self, case):
        products, exponentials = (7, 2) if case.backward else (2, 1)
        score = products * D * self.product_seconds + exponentials * self.exponential_seconds
        return case.pairs * score / case.threads


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
    errors = {name: case.error(work()) for name, work in works.items()} if case.window is None else {}  # warms up
    spent = {name: [] for name in works}
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
    """Print a line for each way."""
    for name, seconds in spent.items():
        best = min(seconds)
        ratio = spread = ""
        if FLASH in spent:
            ratios = [a / b for a, b in zip(seconds, spent[FLASH], strict=False)]
            ratio, spread = f"{best / min(spent[FLASH]):.2f}", f"{min(ratios):.2f}-{max(ratios):.2f}"
        extra, in_all = streaming_memory.of_case(name, case) if with_memory else (None, None)
        print(
            f"{case.n:6} {case.heads:5} {'causal' if case.causal else 'full':6} {'both' if case.backward else 'fwd':4}"
            f" {case.threads:7}  {name:16}{1e3 * best:10.2f} {ratio:>6} {spread:>10} {limit.seconds(case) / best:6.0%}"
            f" {errors[name]:9.1e}" + (f" {extra / MiB:9.2f} {in_all / MiB:8.0f}" if with_memory else ""),
            flush=True,
        )


def goals(best):
    """Print what was aimed at beside what was measured; ``best`` has the seconds by case and way."""

    def ratio(case, way, other_case, other_way):
        if (case, way) in best and (other_case, other_way) in best:
            return f"{best[case, way] / best[other_case, other_way]:.2f}"
        return ""

    print("\nGoals (Haswell kernel / AVX-512 kernel), one head, one thread")
    for n in sorted({case.n for case, _ in best if case.n >= 2048}):
        full, causal, window = Case(n), Case(n, causal=True), Case(n, causal=True, window=256)
        both, causal_both = Case(n, backward=True), Case(n, causal=True, backward=True)
        lines = [
            ("streaming / PyTorch, full", "1.00 / 0.68", (full, "streaming", full, FLASH)),
            ("streaming / PyTorch, causal", "0.95 / 0.66", (causal, "streaming", causal, FLASH)),
            ("the same forward and backward", "0.95 / 0.62", (both, "streaming", both, FLASH)),
            ("the same forward and backward, causal", "0.95 / 0.62", (causal_both, "streaming", causal_both, FLASH)),
            ("read / fast", "1.30", (full, "streaming, read", full, "streaming")),
            ("causal / full", "0.60", (causal, "streaming", full, "streaming")),
            ("window of 256 / full causal", "0.10 at 16384", (window, "streaming", causal, "streaming")),
        ]
        for words, goal, asked in lines:
            if found := ratio(*asked):
                print(f"{n:6}  {words:40} {found:>6}   at most {goal}")


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one head, three rounds")
    parser.add_argument("--no-memory", action="store_true", help="start no processes that measure memory")
    asked = parser.parse_args()
    limit, best = Limit(), {}
    for _ in range(ROUNDS):
        limit.measure()
    print(f"NumPy {np.__version__}, BLAS kernel {kernel()}, {platform.processor() or platform.machine()}")
    print(f"{'n':>6} heads hides  pass threads  {'way':16}{'ms':>10} {'ratio':>6} {'spread':>10} {'limit':>6}", end="")
    print(f" {'error':>9} {'extra MiB':>9} {'in all':>8}")
    for case in cases(asked.quick):
        spent, errors = measure(case, limit, 3 if asked.quick else ROUNDS)
        best |= {(case, name): min(seconds) for name, seconds in spent.items()}
        if case.window is None:
            with_memory = case.threads == 1 and not (case.causal or asked.no_memory)
            show(case, spent, errors, limit, with_memory)
    print(
        f"\nLimit: {2e-9 / limit.product_seconds:.0f} billion operations a second in matrix products,"
        f" {1e9 * limit.exponential_seconds:.2f} ns an exponential; 'limit' is the share of it that was reached."
    )
    goals(best)


if __name__ == "__main__":
    main()
