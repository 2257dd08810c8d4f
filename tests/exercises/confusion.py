"""Every known mistake, made in every exercise over many random inputs, and the code that it is given.

``python -m tests.exercises.confusion [inputs]`` prints the table: 1,000 inputs for each way without an argument.
"""

import sys
from collections import Counter
from collections.abc import Iterator
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


class Made(NamedTuple):
    """A mistake made in one way: the exercise, its code, the steps done otherwise, and how it hides."""

    exercise: FunctionExercise
    code: str
    way: int
    instead: dict
    hiding: int


def all_made(exercises=None) -> Iterator[Made]:
    """Every mistake in every way in every exercise, with every way of hiding."""
    for exercise in EXERCISES.values():
        if not isinstance(exercise, FunctionExercise) or (exercises and exercise.name not in exercises):
            continue
        for i, (mistake, way) in enumerate(single_ways(exercise)):
            for hiding in range(len(HIDING) if "hide" in exercise.program else 1):
                yield Made(exercise, mistake.code, i, dict(way), hiding)


def answer_of(made, arguments, constant):
    """What the mistake gives for some arguments; None where it cannot be made there."""
    state = start(arguments)
    state.hidden = HIDING[made.hiding]
    setattr(state, FITTED, constant)
    state = run(made.exercise.program, state, made.instead)
    return None if state is None else np.asarray(state.answer)


def named(made, rng):
    """The codes that a mistake is given: (), when its answer is right, and None where it cannot be made."""
    constant = float(rng.choice(CONSTANTS))
    for square in (False, True):
        many = several(made.exercise.inputs, rng, square, PROBES)
        answers = [answer_of(made, arguments, constant) for arguments in many]
        if any(answer is None for answer in answers):
            continue
        guess = diagnose(made.exercise, [Run(*pair) for pair in zip(many, answers, strict=True)])
        return ("unknown",) if guess is None else guess.codes
    return None


def table(inputs, seed=0):
    """For each mistake in each exercise, how often each code was given."""
    rng = np.random.default_rng(seed)
    counts: dict[tuple[str, str], Counter] = {}
    for made in all_made():
        counter = counts.setdefault((made.exercise.name, f"{made.code} {made.way} {made.hiding}"), Counter())
        for _ in range(inputs):
            counter[named(made, rng)] += 1
    return counts


def main(inputs):
    """Print the table; give back how many were named otherwise."""
    wrong = 0
    for (exercise, code), counter in table(inputs).items():
        other = {codes: count for codes, count in counter.items() if codes != (code.split()[0],)}
        told = ", ".join(
            f"{'+'.join(codes) if codes else 'right' if codes == () else 'cannot be made'}: {count}"
            for codes, count in other.items()
        )
        print(f"{exercise:24} {code:24} {counter[(code.split()[0],)]:6}  {told}")
        wrong += sum(other.values())
    return wrong


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000), "named otherwise")
