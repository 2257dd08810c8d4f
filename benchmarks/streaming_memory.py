"""The most memory that one way holds: ``python -m benchmarks.streaming_memory way n heads causal backward``.

Prints two numbers of bytes: beyond what was held before the call, and in all. Linux counts exactly from the call on;
elsewhere the peak since the start is all there is.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
# glibc keeps freed memory for the next array, which then would cost nothing; so it gives back whatever is freed.
GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "0"}


def of_case(way, case):
    """Measure in a process of its own; gives back the bytes beyond, and in all."""
    asked = [way, case.n, case.heads, int(case.causal), int(case.backward)]
    command = [sys.executable, "-m", "benchmarks.streaming_memory", *map(str, asked)]
    printed = subprocess.check_output(command, cwd=ROOT, text=True, env={**os.environ, **GIVE_BACK})
    return [int(word) for word in printed.split()]


def held(word):
    """How many bytes this process holds now (VmRSS), or has held at most (VmHWM)."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith(word))
        return 1024 * int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main(way, *numbers):
    from benchmarks.streaming_ways import Case, ways

    n, heads, causal, backward = map(int, numbers)
    small = Case(64, heads, bool(causal), bool(backward))
    ways(small, small.arrays())[way]()  # libraries are loaded, and have their own memory
    case = Case(n, heads, bool(causal), bool(backward))
    work = ways(case, case.arrays())[way]
    if FORGET.exists():
        FORGET.write_text("5")  # the peak is counted from now on
    before = held("VmRSS")
    work()
    print(held("VmHWM") - before, held("VmHWM"))


if __name__ == "__main__":
    main(*sys.argv[1:])
