"""Attention over two workers beside one machine: ``python -m benchmarks.sharded [--tokens 65536] [--workers 2]``.

One run, float32, d = 64, one thread each. 'clock' is seconds until the answer is there, and wants a free core for each
worker; 'CPU' is what a process computed, which a busy machine disturbs less: of each worker, and of this process, which
sends and merges. Overhead is the CPU time of all of them beyond that of one machine. Then a worker dies when its shard
is done. Memory is the most that a worker's process held. Needs the extra [cluster].
"""

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # before NumPy is there, and for the workers

import argparse
import time

import numpy as np

from attention_lab import streaming_attention
from attention_lab.sharded import key_shards, local_cluster, lose_a_worker, sharded_attention, worker_memory
from attention_lab.sharded.shards import partial_of_runs, runs_of

D = 64


def timed(function):
    """Call a function; give back the clock's seconds, this process' CPU seconds, and what it returned."""
    clock, cpu = time.perf_counter(), time.process_time()
    result = function()
    return time.perf_counter() - clock, time.process_time() - cpu, result


def row(way, clock, cpu, note):
    print(f"{way:32}{clock:8.1f}  {', '.join(f'{seconds:.1f}' for seconds in cpu):20} {note}", flush=True)


def shards_alone(way, arrays, hiding, shards):
    """Print what each shard takes in this process, one after the other."""
    q, k, v = arrays
    works = [lambda shard=shard: partial_of_runs(q, runs_of(shard, k, v, hiding)) for shard in shards]
    clocks, cpus, _ = zip(*map(timed, works), strict=True)
    row(way, max(clocks), cpus, "")


def compare(client, n_workers, arrays, hides):
    """Print the rows of one kind of attention."""
    hiding, n = {"causal": hides == "causal"}, len(arrays[0])
    clock, alone, expected = timed(lambda: streaming_attention(*arrays, **hiding))
    row(f"{hides}, one machine", clock, [alone], "")
    if hides == "causal":
        shards_alone("causal, each shard, in order", arrays, hiding, key_shards(n, n_workers))
        shards_alone("causal, each shard, zig-zag", arrays, hiding, key_shards(n, n_workers, zigzag=True))

    def share():
        return sharded_attention(*arrays, cluster=client, **hiding)

    before = client.run(time.process_time)
    clock, here, output = timed(share)
    cpu = [seconds - before[worker] for worker, seconds in client.run(time.process_time).items()]
    off = f"off by {np.abs(output - expected).max():.0e}"
    overhead = (sum(cpu) + here) / alone - 1
    row(f"{hides}, {n_workers} workers and this process", clock, [*cpu, here], f"overhead {overhead:+.0%}, {off}")
    print(f"{'memory of each worker, MB':42}{[round(number / 1e6) for number in worker_memory(client)]}")
    lose_a_worker(client)
    clock, here, output = timed(share)
    row(f"{hides}, one worker lost", clock, [here], f"off by {np.abs(output - expected).max():.0e}")
    client.wait_for_workers(n_workers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=65_536)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    arrays = np.random.default_rng(0).standard_normal((3, asked.tokens, D), dtype=np.float32)
    print(f"{asked.tokens:,} tokens{'clock':>27}  CPU, seconds")
    with local_cluster(asked.workers) as client:
        for hides in ("full", "causal"):
            compare(client, asked.workers, arrays, hides)


if __name__ == "__main__":
    main()
