"""Which known mistake produced an answer? Compute what each would give for the same inputs, and compare.

The fewest mistakes come first: none, one, a number as the scale that nobody foresaw, then two.
"""

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from attention_lab.exercises.bank import BY_CODE, MISTAKES
from attention_lab.exercises.exercise import Arguments, FunctionExercise, start
from attention_lab.exercises.mistake import FITTED, Mistake
from attention_lab.exercises.steps import HIDING, Array, State, Steps, run

TOLERANCE = 1e-5  # relative to the largest number; no two mistakes come that close with the probes' sizes
COARSE = 1e-4  # the same for an answer in float32, which holds a score of 1,000 to 1 in 30,000
LARGE, EXACT = 1e4, 1e-12  # rows beyond the first are compared as closely as a float64 allows, which is the second
DIVISORS = np.geomspace(0.02, 500, 40)  # where the search for a fixed scale begins
FINER = np.linspace(0, 1, 40)
ROUNDS = 8  # of that search, each 20 times as fine as the one before
FAR = 0.1  # of the answer's largest number: how far off the third round may still be


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

    It is relative to the largest number of each row: beside a row of -1e9, the other rows still count. In such a row
    it is far smaller, or nothing but the -1e9 would count.
    """
    tolerance = tolerance_of(theirs)
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        return False
    finite = np.isfinite(ours)
    if not np.array_equal(ours[~finite], theirs[~finite], equal_nan=True) or not np.isfinite(theirs[finite]).all():
        return False
    ours, theirs = np.where(finite, ours, 0), np.where(finite, theirs, 0)
    sizes = np.abs(ours)
    largest = sizes.max(-1, keepdims=True, initial=0) if ours.ndim else sizes
    allowed = np.maximum(tolerance * np.clip(largest, min(sizes.max(initial=0), 1), LARGE), EXACT * largest)
    return bool((np.abs(ours - theirs) <= allowed).all())


def tolerance_of(answer: Any) -> float:
    """Return how far the numbers of an answer may be off, by their type."""
    return COARSE if getattr(answer, "dtype", None) in (np.float32, np.float16) else TOLERANCE


def right_state(exercise: FunctionExercise, arguments: Arguments) -> State:
    """Compute what the exercise asks for, with every array on the way."""
    state = run(exercise.program, start(arguments), {})
    if state is None:
        raise RuntimeError(f"the program of {exercise.name} does not run on its own inputs")
    return state


def right_answer(exercise: FunctionExercise, arguments: Arguments) -> Array:
    """Compute what the exercise asks for."""
    return np.asarray(right_state(exercise, arguments).answer)


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
        self.answers = [run.answer if run.answer.dtype == np.float32 else np.asarray(run.answer, float) for run in runs]
        # Most guesses are far off already in the last number, and that is cheap to see.
        self.last = [answer.item(-1) if answer.size else 0.0 for answer in self.answers]
        largest = [np.abs(answer[np.isfinite(answer)]).max(initial=0) for answer in self.answers]
        self.allowed = [2 * tolerance_of(answer) * most for answer, most in zip(self.answers, largest, strict=True)]
        self.hiding = HIDING if "hide" in exercise.program else HIDING[:1]
        self.states = [[start(run.arguments, hidden) for hidden in self.hiding] for run in runs]
        self.memories: list[list[dict[Any, Any]]] = [[{} for _ in self.hiding] for _ in runs]
        ways = [way for way in single_ways(exercise) if way[0].code != "scale-fixed"]
        # An answer of NaN alone could come from many mistakes; what can be said is where NaN comes from. Zeros beside
        # NaN show where it stands, which is enough for one mistake and too little for two.
        finite = [answer[np.isfinite(answer)] for answer in self.answers]
        self.ways = [way for way in ways if any(map(np.size, finite)) or way[0].code == "nan-row"]
        self.ways.sort(key=lambda way: way[0].code != "nan-row")
        self.enough_for_two = any(map(np.any, finite))

    def explains(self, instead: Steps, fitted: float | None = None) -> Any:
        """Return the way of hiding with which these steps give every answer, or None."""
        for i, hidden in enumerate(self.hiding):
            for j in range(len(self.runs)):
                state = self._state(instead, i, j, fitted)
                if state is None or not self._is_answer(np.asarray(state.answer, float), j):
                    break
            else:
                return hidden
            if i == 0 and _is_finite(state):
                break  # -inf has left nothing but numbers, so the other two ways of hiding give the same ones
            if i == 1 and state is None:
                break  # not for the infinities: these steps do not fit each other
        return None

    def _state(self, instead: Steps, i: int, j: int, fitted: float | None) -> State | None:
        given, memory = self.states[j][i], self.memories[j][i]
        if fitted is not None:
            given, memory = State(**vars(given), **{FITTED: fitted}), {}
        return run(self.exercise.program, given, instead, memory)

    def _is_answer(self, found: Array, j: int) -> bool:
        if found.shape != self.answers[j].shape:
            return False
        if found.size and abs(found.item(-1) - self.last[j]) > self.allowed[j]:
            return False
        return same(found, self.answers[j])

    def right(self) -> Guess | None:
        hidden = self.explains({})
        return None if hidden is None else Guess((), {}, hidden)

    def one(self) -> Guess | None:
        for mistake, way in self.ways:
            if (hidden := self.explains(way)) is not None:
                return Guess((mistake,), way, hidden)
        return None

    def two(self) -> Guess | None:
        ways = self._different() if self.enough_for_two else []
        for (first, way), (second, other) in combinations(ways, 2):
            if first.code == second.code or set(way) & set(other):
                continue
            both = {**way, **other}
            if (hidden := self.explains(both)) is not None:
                return Guess((first, second), both, hidden)
        for mistake, way in ways:
            if not {"scale", "scale back"} & set(way) and (guess := self.fixed_scale(((mistake, way),))):
                return guess
        return None

    def _different(self) -> list[tuple[Mistake, Steps]]:
        """Leave out ways that are right with these inputs, and those that another way of the same steps equals."""
        right = right_answer(self.exercise, self.runs[0].arguments)
        seen: dict[tuple[str, ...], list[Any]] = {}
        different = []
        for mistake, way in self.ways:
            state = self._state(way, 0, 0, None)
            before = seen.setdefault((mistake.code, *way), [right])
            if state is None or not any(same(state.answer, answer) for answer in before):
                different.append((mistake, way))
                before += [] if state is None else [state.answer]
        return different

    def fixed_scale(self, others: tuple[tuple[Mistake, Steps], ...]) -> Guess | None:
        """Look for one divisor of the scores that explains every answer, with other mistakes beside it or without."""
        if "scale" not in self.exercise.program or not self.enough_for_two:
            return None
        mistake = BY_CODE["scale-fixed"]
        for fixed in (way for way in mistake.ways if set(way) <= set(self.exercise.program)):
            instead = dict(chain(fixed.items(), *(way.items() for _, way in others)))
            if (found := self._fitted(instead)) is not None:
                return Guess((mistake, *(other for other, _ in others)), instead, *found)
        return None

    def _fitted(self, instead: Steps) -> tuple[Any, float] | None:
        """Look for a divisor with which these steps give every answer, and return it with the way of hiding."""
        for i, hidden in enumerate(self.hiding):
            divisor, finite = self._divisor(instead, i)
            if divisor is not None and self.explains(instead, divisor) is not None:
                return hidden, divisor
            if i == 0 and finite:
                break
        return None

    def _divisor(self, instead: Steps, i: int) -> tuple[float | None, bool]:
        """Find the divisor that comes closest to the first answer, by looking ever more closely around the best.

        Tell also whether nothing but finite numbers was seen.
        """
        answer, finite = self.answers[0], True
        there = np.isfinite(answer)
        if self.runs[0].answer.dtype == bool or not there.any():
            return None, True
        limit = FAR * np.abs(answer[there]).max()
        divisors = DIVISORS
        scores = np.asarray(getattr(self._state({}, i, 0, None), "scores", ()))
        shape = (-1, *[1] * scores.ndim)  # in front of the scores' own axes
        for number in range(ROUNDS):
            given = State(**vars(self.states[0][i]), **{FITTED: divisors.reshape(shape)})
            state = run(self.exercise.program, given, instead)
            if state is None or np.shape(state.answer) != (len(divisors), *answer.shape):
                return None, state is not None
            distances = np.abs(state.answer[:, there] - answer[there]).max(-1)
            known = np.isfinite(distances)
            finite = finite and _is_finite(state)
            best = int(np.where(known, distances, np.inf).argmin())
            if not known[best] or (number == 2 and distances[best] > limit):
                return None, finite
            low, high = divisors[max(best - 1, 0)], divisors[min(best + 1, len(divisors) - 1)]
            divisors = low * (high / low) ** FINER
        return float(np.sqrt(low * high)), finite


def _is_finite(state: State | None) -> bool:
    """Tell whether the answer and the weights before it are numbers; the largest of a row hides a NaN in it."""
    return state is not None and all(np.isfinite(x).all() for x in (state.answer, getattr(state, "weights", 0)))
