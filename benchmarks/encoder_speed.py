"""How fast the real encoder is: ``python benchmarks/encoder_speed.py``.

Loading, in a fresh interpreter and again; then one sentence of 10 words, with as many BLAS threads as the machine
gives and with one. Milliseconds, median and best of a few. Bounds: loading 300, 10 words 30.
"""

import os
import statistics
import subprocess
import sys

SENTENCE = "The old bank by the wide river was very steep."  # 10 words
MEASURE = f"""
import time
import numpy
from attention_lab.pretrained import load_encoder

def milliseconds(function, times):
    results = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        results.append(1e3 * (time.perf_counter() - start))
    return results

print(*milliseconds(load_encoder, 1))
print(*milliseconds(load_encoder, 5))
encoder = load_encoder()
encoder.read({SENTENCE!r})
print(*milliseconds(lambda: encoder.read({SENTENCE!r}), 41))
"""


def main() -> None:
    print(f"{'ms, median (best)':24} {'first load':>18} {'load again':>18} {'10 words':>18}")
    for threads in ("all", "1"):
        environment = dict(os.environ) if threads == "all" else {**os.environ, "OPENBLAS_NUM_THREADS": threads}
        rounds = [
            subprocess.run([sys.executable, "-c", MEASURE], env=environment, capture_output=True, text=True, check=True)
            for _ in range(5)
        ]
        columns = zip(*(result.stdout.splitlines() for result in rounds), strict=True)
        times = [[float(number) for line in lines for number in line.split()] for lines in columns]
        shown = " ".join(f"{f'{statistics.median(column):.1f} ({min(column):.1f})':>18}" for column in times)
        print(f"{f'BLAS threads: {threads}':24} {shown}")


if __name__ == "__main__":
    main()
