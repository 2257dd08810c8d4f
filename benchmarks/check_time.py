"""How long `check` takes: ``python benchmarks/check_time.py``.

For each exercise that is a function: a right answer, one known mistake, two at once, and an answer that nothing known
explains, which takes longest. Milliseconds for one call, median and worst of a few.
"""

import os
import time
from itertools import combinations

os.environ["ATTENTION_LAB_PROGRESS"] = "off"

import numpy as np

from attention_lab import check
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.diagnose import single_ways
from attention_lab.exercises.exercise import FunctionExercise, start
from attention_lab.exercises.steps import run

CALLS = 7
KINDS = ("right", "one mistake", "two mistakes", "unknown")


def function(exercise, instead, spoil=lambda array: array):
    """A learner's function that does these steps otherwise."""

    def answer(*values):
        names = exercise.inputs(np.random.default_rng(0), False)
        state = run(exercise.program, start(dict(zip(names, values, strict=True))), instead)
        return None if state is None else spoil(state.answer)

    return answer


def milliseconds(exercise, answer):
    """Time single calls of check."""
    times = []
    for _ in range(CALLS):
        start_at = time.perf_counter()
        check(answer, exercise.name)
        times.append(1e3 * (time.perf_counter() - start_at))
    return times


def cases(exercise):
    """The four kinds of answers, as far as the exercise has them."""
    ways = list(single_ways(exercise))
    yield "right", function(exercise, {})
    singles = [way for _, way in ways if runs(exercise, way)]
    yield "one mistake", function(exercise, singles[len(singles) // 2])
    pairs = [{**a[1], **b[1]} for a, b in combinations(ways, 2) if not set(a[1]) & set(b[1]) and a[0] != b[0]]
    if pairs := [pair for pair in pairs if runs(exercise, pair)]:
        yield "two mistakes", function(exercise, pairs[len(pairs) // 2])
    yield "unknown", function(exercise, {}, lambda array: np.tanh(array * 1.7) + 0.01)


def runs(exercise, instead):
    """Whether these steps can be taken with tables that are not square."""
    arguments = exercise.inputs(np.random.default_rng(0), False)
    return function(exercise, instead)(*arguments.values()) is not None


def main():
    """Print a row for each exercise, and the median over all."""
    everything = {kind: [] for kind in KINDS}
    print(f"{'exercise':24}" + "".join(f"{kind:>22}" for kind in KINDS))
    for exercise in EXERCISES.values():
        if isinstance(exercise, FunctionExercise):
            row = {kind: milliseconds(exercise, answer) for kind, answer in cases(exercise)}
            for kind, times in row.items():
                everything[kind] += times
            print(f"{exercise.name:24}" + "".join(shown(row.get(kind)) for kind in KINDS))
    print(f"{'all':24}" + "".join(shown(times) for times in everything.values()))
    print(f"median of everything: {np.median(np.concatenate(list(everything.values()))):.1f} ms")


def shown(times):
    """Write the median and the worst."""
    text = f"{np.median(times):.1f}, worst {max(times):.0f} ms" if times else ""
    return f"{text:>22}"


if __name__ == "__main__":
    main()
