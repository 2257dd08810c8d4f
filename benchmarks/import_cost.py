"""What ``import attention_lab`` costs beside ``import numpy``: ``python benchmarks/import_cost.py [rounds]``.

Fresh interpreters, one statement each, taken in turns so that a busy machine slows all of them alike. The time is the
import's alone, without the interpreter's start; every round compares with the NumPy of the same round.
"""

import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOAL = 1.3  # times import numpy
STATEMENTS = {
    "import numpy": "import numpy",
    "import attention_lab": "import attention_lab",
    "... and one function": "from attention_lab import softmax",
    "... and all mathematics": "from attention_lab import MultiHeadAttention, assert_causal, clue_recall, examples",
}
TIMED = """import sys, time
sys.path.insert(0, {root!r})
start = time.perf_counter()
{statement}
print(time.perf_counter() - start)"""


def seconds(statement):
    """How long the statement takes in a fresh interpreter."""
    code = TIMED.format(root=str(ROOT), statement=statement)
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main(rounds):
    """Measure all statements in turns and print medians; give back whether the goal is met."""
    for statement in STATEMENTS.values():
        seconds(statement)  # compiles and fills the disk cache
    taken = [{name: seconds(statement) for name, statement in STATEMENTS.items()} for _ in range(rounds)]
    print(f"{'':26}{'median ms':>10}{'times numpy':>13}   ({rounds} rounds)")
    ratios = {}
    for name in STATEMENTS:
        median = statistics.median(row[name] for row in taken)
        ratios[name] = statistics.median(row[name] / row["import numpy"] for row in taken)
        print(f"{name:26}{1000 * median:10.1f}{ratios[name]:13.2f}")
    worst = max(ratios.values())
    print(f"goal: at most {GOAL} times import numpy; {'met' if worst <= GOAL else 'MISSED'} ({worst:.2f})")
    return worst <= GOAL


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
