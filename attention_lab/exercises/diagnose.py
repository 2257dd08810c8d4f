"""Which known mistake produced an answer? Compute what each would give for the same inputs, and compare.

The fewest mistakes come first: none, one, a number as the scale that nobody foresaw, then two.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from attention_lab.exercises.bank import BY_CODE, MISTAKES
from attention_lab.exercises.exercise import Arguments, FunctionExercise, start
from attention_lab.exercises.mistake import FITTED, Mistake
from attention_lab.exercises.steps import HIDING, Array, State, Steps, run

TOLERANCE = 1e-5  # relative to the largest number: float32 passes, and no two mistakes come that close
DIVISORS = np.geomspace(0.02, 500, 40)  # where the search for a fixed scale begins


class Run(NamedTuple):
    """One call of a learner's function: what it was given, and what came back."""

    arguments: Arguments
    answer: Array


class Guess(NamedTuple):
    """Mistakes that would explain an answer: the mistakes, the steps done otherwise, and the way of hiding."""

    mistakes: tuple[Mistake, ...]
    instead: Steps
    hidden: Any
    fitted: float | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes."""
        return tuple(mistake.code for mistake in self.mistakes)


def same(ours: Any, theirs: Any) -> bool:
    """Whether two arrays hold the same numbers, NaN and infinities in the same places, up to `TOLERANCE`.

    It is relative to the largest number of each row: beside a row of -1e9, the other rows still count.
    """
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        return False
    finite = np.isfinite(ours)
    if not np.array_equal(ours[~finite], theirs[~finite], equal_nan=True) or not np.isfinite(theirs[finite]).all():
        return False
    sizes = np.abs(np.where(finite, ours, 0))
    allowed = TOLERANCE * np.maximum(
        sizes.max(-1, keepdims=True, initial=0) if ours.ndim else sizes, min(sizes.max(initial=0), 1)
    )
    return bool((np.abs(np.where(finite, ours, 0) - np.where(finite, theirs, 0)) <= allowed).all())


def right_answer(exercise: FunctionExercise, arguments: Arguments) -> Array:
    """Compute what the exercise asks for."""
    state = run(exercise.program, _given(arguments, HIDING[0]), {})
    if state is None:
        raise RuntimeError(f"the program of {exercise.name} does not run on its own inputs")
    return np.asarray(state.answer)


def single_ways(exercise: FunctionExercise) -> Iterator[tuple[Mistake, Steps]]:
    """Every known mistake that the exercise's program has the steps for, in each of its ways."""
    for mistake in MISTAKES:
        for way in mistake.ways:
            if set(way) <= set(exercise.program):
                yield mistake, way


def diagnose(exercise: FunctionExercise, runs: list[Run]) -> Guess | None:
    """Name what explains all the runs with the fewest mistakes.

    Parameters
    ----------
    exercise : FunctionExercise
        What was asked.
    runs : list of Run
        At least two, or a chance agreement might be named.

    Returns
    -------
    Guess or None
        A guess without mistakes when the answers are right; None when nothing known explains them.
    """
    finder = _Finder(exercise, runs)
    return finder.right() or finder.one() or finder.fixed_scale(()) or finder.two()


class _Finder:
    """The search, with what it has computed on the way."""

    def __init__(self, exercise: FunctionExercise, runs: list[Run]) -> None:
        self.exercise, self.runs = exercise, runs
        self.hiding = HIDING if "hide" in exercise.program else HIDING[:1]
        self.states = [[_given(run.arguments, hidden) for hidden in self.hiding] for run in runs]
        self.memories: list[list[dict[Any, Any]]] = [[{} for _ in self.hiding] for _ in runs]
        ways = [way for way in single_ways(exercise) if way[0].code != "scale-fixed"]
        # An answer of NaN alone could come from many mistakes; what can be said is where NaN comes from.
        self.ways = sorted(ways, key=lambda way: way[0].code != "nan-row")

    def explains(self, instead: Steps, fitted: float | None = None) -> Any:
        """Return the way of hiding with which these steps give every answer, or None."""
        for i, hidden in enumerate(self.hiding):
            if all(self._gives(instead, i, j, fitted) for j in range(len(self.runs))):
                return hidden
        return None

    def _gives(self, instead: Steps, i: int, j: int, fitted: float | None) -> bool:
        given, memory = self.states[j][i], self.memories[j][i]
        if fitted is not None:
            given, memory = State(**vars(given), **{FITTED: fitted}), {}
        state = run(self.exercise.program, given, instead, memory)
        return state is not None and same(state.answer, self.runs[j].answer)

    def right(self) -> Guess | None:
        hidden = self.explains({})
        return None if hidden is None else Guess((), {}, hidden)

    def one(self) -> Guess | None:
        for mistake, way in self.ways:
            if (hidden := self.explains(way)) is not None:
                return Guess((mistake,), way, hidden)
        return None

    def two(self) -> Guess | None:
        for (first, way), (second, other) in combinations(self.ways, 2):
            if first.code == second.code or set(way) & set(other):
                continue
            both = {**way, **other}
            if (hidden := self.explains(both)) is not None:
                return Guess((first, second), both, hidden)
        for mistake, way in self.ways:
            if "scale" not in way and (guess := self.fixed_scale(((mistake, way),))):
                return guess
        return None

    def fixed_scale(self, others: tuple[tuple[Mistake, Steps], ...]) -> Guess | None:
        """Look for one divisor of the scores that explains every answer, with other mistakes beside it or without."""
        if "scale" not in self.exercise.program:
            return None
        mistake = BY_CODE["scale-fixed"]
        instead = dict(mistake.ways[0])
        for _, way in others:
            instead |= way
        for i, hidden in enumerate(self.hiding):
            divisor = self._divisor(instead, i)
            if divisor is not None and self.explains(instead, divisor) is not None:
                return Guess((mistake, *(other for other, _ in others)), instead, hidden, divisor)
        return None

    def _divisor(self, instead: Steps, i: int) -> float | None:
        """Find the divisor that comes closest to the first answer, by looking ever more closely around the best."""
        answer, low, high = self.runs[0].answer, DIVISORS[0], DIVISORS[-1]
        if answer.dtype == bool or not np.isfinite(answer).all():
            return None
        best = None
        for _ in range(8):
            divisors = np.geomspace(low, high, len(DIVISORS))
            shape = (-1, 1, 1, 1) if "project" in self.exercise.program else (-1, 1, 1)  # in front of the heads
            given = State(**vars(self.states[0][i]), **{FITTED: divisors.reshape(shape)})
            state = run(self.exercise.program, given, instead)
            if state is None or np.shape(state.answer) != (len(divisors), *answer.shape):
                return None
            distances = np.abs(state.answer - answer).max(tuple(range(1, answer.ndim + 1)))
            if np.isnan(distances).all():
                return None
            best = int(np.nanargmin(distances))
            low, high = divisors[max(best - 1, 0)], divisors[min(best + 1, len(divisors) - 1)]
        return float(np.sqrt(low * high))


def _given(arguments: Arguments, hidden: Any) -> State:
    state = start(arguments)
    state.hidden = hidden
    return state
