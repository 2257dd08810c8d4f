"""A right answer, looked at once more: whose numbers they are, and whether they hold elsewhere."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from attention_lab.exercises.calling import call, stopped, within_limits
from attention_lab.exercises.exercise import FunctionExercise
from attention_lab.exercises.returned import OURS, Trouble

_PACKAGE = str(Path(__file__).parents[1])  # the folder: a name may be a learner's own
Returned = tuple[str, Any]  # the name of a function of the package, and what it gave back


def second_look(exercise: FunctionExercise, function: Callable[..., Any]) -> str:
    """Say what is missing in a function whose numbers are right, or "".

    Two things: it may hand on what the package's own function computes, which is no answer by the learner; and it may
    fail the exercise's own `holds`.

    Raises
    ------
    Trouble
        With a sentence for the learner, where the function stops now.
    """
    if name := _borrowed(exercise, function):
        return (
            f"These are the numbers of the package's own `{name}`, which your function calls. Write its lines yourself."
        )
    holds = exercise.holds
    return within_limits(lambda _: _missing(holds, function)) if holds else ""


def _missing(holds: Callable[[Callable[..., Any]], str], function: Callable[..., Any]) -> str:
    try:
        return holds(function)
    except OURS:
        raise
    except BaseException as error:
        raise Trouble(stopped(error, function), stopped=True) from None


def _borrowed(exercise: FunctionExercise, function: Callable[..., Any]) -> str:
    """Name the function of the package that the answer comes from, or ""."""
    returned: list[Returned] = []
    arguments = exercise.inputs(np.random.default_rng(), False)
    ((answer,), _) = call(partial(_watched, function, returned), [arguments], exercise.gives)
    for name, value in returned:
        if any(_same(answer, parts) for parts in _readings(value)):
            return name
    return ""


def _watched(function: Callable[..., Any], returned: list[Returned], *arguments: Any) -> Any:
    """Call a function, and note what functions of the package give back to it."""

    def watch(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and _is_ours(frame) and _is_theirs(frame.f_back):
            returned.append((frame.f_code.co_qualname, value))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        return function(*arguments)
    finally:
        sys.setprofile(before)


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_PACKAGE)


def _is_theirs(frame: FrameType | None) -> bool:
    """Tell a learner's frame; where the package's function itself was handed in, `_watched` stands for theirs."""
    return frame is not None and (not _is_ours(frame) or frame.f_code is _watched.__code__)


def _readings(value: Any) -> Iterator[tuple[Any, ...]]:
    """Give the ways to read what came back: as one array, as several, or as a record's arrays, one at a time."""
    if isinstance(value, tuple):
        yield value
    yield (value,)
    for part in vars(value).values() if hasattr(value, "__dict__") else ():
        yield (part,)


def _same(answer: tuple[Any, ...], parts: tuple[Any, ...]) -> bool:
    return len(answer) == len(parts) and all(map(_equal, answer, parts))


def _equal(one: Any, other: Any) -> bool:
    return isinstance(other, np.ndarray) and one.shape == other.shape and np.array_equal(one, other, equal_nan=True)
