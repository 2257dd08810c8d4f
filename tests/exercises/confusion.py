"""Every known mistake, made in every exercise over many random inputs, and the code that it is given.

``python -m tests.exercises.confusion [inputs]`` prints the table; without an argument, over 1,000 inputs for each way.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.checking import PROBES
from attention_lab.exercises.diagnose import Run, diagnose, single_ways
from attention_lab.exercises.exercise import FunctionExercise, start
from attention_lab.exercises.mistake import FITTED
from attention_lab.exercises.probes import several
from attention_lab.exercises.steps import HIDING, run

CONSTANTS = (1.414, 2.0, 8.0, 0.3, 11.3)  # divisors copied from an example
FUNCTIONS = {name: one for name, one in EXERCISES.items() if isinstance(one, FunctionExercise)}

RIGHT, IMPOSSIBLE, NOTHING_BUT_NAN = "right", "cannot be made", "nan-row, of NaN and 0 alone"

# The same numbers, so that no check can tell: a constant added to a whole row changes no weight; an empty row that is
# left as it is gives NaN where the hidden scores are -inf, and weights that are alike where they are -1e9.
ALIKE = {("mask-on-queries", "mask-missing"), ("empty-row-uniform", "nan-row")}


class Made(NamedTuple):
    """A mistake made in one way: its exercise, its code, which way, and how it hides."""

    exercise: str
    code: str
    way: int
    hiding: int


def all_made(exercise: str) -> Iterator[Made]:
    """Every mistake in every way, with every way of hiding."""
    for i, (mistake, _) in enumerate(single_ways(FUNCTIONS[exercise])):
        for hiding in range(len(HIDING) if "hide" in FUNCTIONS[exercise].program else 1):
            yield Made(exercise, mistake.code, i, hiding)


def told(made: Made, inputs: int, seed: int = 0) -> Counter[str]:
    """What a mistake is called over many random inputs."""
    rng = np.random.default_rng([seed, made.way, made.hiding])
    return Counter(_told_once(made, rng) for _ in range(inputs))


def _told_once(made: Made, rng: np.random.Generator) -> str:
    exercise, constant = FUNCTIONS[made.exercise], float(rng.choice(CONSTANTS))
    for square in (False, True):  # as `check` does: square tables where the others do not fit
        many = several(exercise.inputs, rng, square, PROBES)
        answers = [_answer(made, arguments, constant) for arguments in many]
        if any(answer is None for answer in answers):
            continue
        guess = diagnose(exercise, [Run(*pair) for pair in zip(many, answers, strict=True)])
        if guess is None:
            return "unknown"
        numbers = any(np.nansum(np.abs(answer)) for answer in answers)
        if guess.codes == ("nan-row",) != (made.code,) and not numbers:
            return NOTHING_BUT_NAN
        return "+".join(guess.codes) or RIGHT
    return IMPOSSIBLE


def _answer(made, arguments, constant):
    """What the mistake gives for some arguments; None where it cannot be made there."""
    state = start(arguments, HIDING[made.hiding])
    setattr(state, FITTED, constant)
    way = list(single_ways(FUNCTIONS[made.exercise]))[made.way][1]
    state = run(FUNCTIONS[made.exercise].program, state, way)
    return None if state is None else np.asarray(state.answer)


def faults(made: Made, counts: Counter[str]) -> list[str]:
    """What is wrong with the names that a mistake was given: it has one name, its own, or is no mistake here."""
    names = set(counts) - {NOTHING_BUT_NAN}
    alike = {code for mine, code in ALIKE if mine == made.code}
    if len(names) <= 1 and names <= {made.code, RIGHT, IMPOSSIBLE} | alike:
        return []
    return [f"{made.exercise}: {made.code} (way {made.way}, hiding {made.hiding}) was called {dict(counts)}"]


def occurrences() -> dict[str, list[str]]:
    """The exercises in which each mistake can be made, by its code."""
    found: dict[str, list[str]] = {}
    for name in FUNCTIONS:
        codes = [made.code for made in all_made(name) if set(told(made, 1)) & {made.code, NOTHING_BUT_NAN}]
        for code in dict.fromkeys(codes):
            found.setdefault(code, []).append(name)
    return found


def _rows(exercise: str, inputs: int) -> tuple[dict[str, Counter[str]], list[str]]:
    counts: dict[str, Counter[str]] = {}
    wrong = []
    for made in all_made(exercise):
        counter = told(made, inputs)
        counts.setdefault(made.code, Counter()).update(counter)
        wrong += faults(made, counter)
    return counts, wrong


def main(inputs: int) -> int:
    """Print the table; give back how many ways were called what they are not."""
    wrong, total = [], Counter()
    with ProcessPoolExecutor() as pool:
        for exercise, (counts, faulty) in zip(
            FUNCTIONS, pool.map(_rows, FUNCTIONS, [inputs] * len(FUNCTIONS)), strict=True
        ):
            wrong += faulty
            for code, counter in counts.items():
                named = counter.pop(code, 0)
                total.update({"named": named, **counter})
                others = ", ".join(f"{name}: {count}" for name, count in counter.items())
                if named or set(counter) - {IMPOSSIBLE, RIGHT}:
                    print(f"{exercise:24} {code:24} {named:7}  {others}", flush=True)
    print(*wrong, sep="\n")
    print(f"In all: {dict(total)}; {len(wrong)} ways called what they are not.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
