"""A right answer, looked at once more: whose numbers they are, and whether they hold elsewhere."""

import os
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

_PACKAGE = str(Path(__file__).parents[1]) + os.sep  # the folder: a name may be a learner's own
Returned = tuple[str, Any]  # the name of a function of the package, and what it gave back


def second_look(exercise: FunctionExercise, function: Callable[..., Any]) -> str:
    """Say what is missing in a function whose numbers are right, or "".

    Two things: it may hand on what the package's own function makes of the very arguments, which is no answer by the
    learner; and it may fail the exercise's own `holds`.

    Raises
    ------
    Trouble
        With a sentence for the learner, where the function stops now.
    """
    if name := _borrowed(exercise, function):
        return (
            f"These are the numbers of the package's own `{name}`, which your function calls. Write its lines yourself."
        )
    if (holds := exercise.holds) is None:
        return ""
    try:
        return within_limits(lambda _: _missing(holds, function))
    except Trouble as trouble:
        if trouble.stopped:
            raise
        return ""  # it was too slow, here: its numbers are right all the same


def _missing(holds: Callable[[Callable[..., Any]], str], function: Callable[..., Any]) -> str:
    try:
        return holds(function)
    except OURS:
        raise
    except BaseException as error:
        raise Trouble(stopped(error, function), stopped=True) from None


def _borrowed(exercise: FunctionExercise, function: Callable[..., Any]) -> str:
    """Name the function of the package whose answer is handed on as it is, or ""."""
    found: list[str] = []
    call(partial(_watched, function, found), [exercise.inputs(np.random.default_rng(), False)], exercise.gives)
    return found[0] if found else ""


def _watched(function: Callable[..., Any], found: list[str], *arguments: Any) -> Any:
    """Call a function, and note which functions of the package made its answer of nothing but its arguments."""
    adds_nothing: dict[FrameType, bool] = {}
    returned: list[Returned] = []

    def watch(frame: FrameType, event: str, value: Any) -> None:
        if event in ("call", "return") and _is_ours(frame) and _is_theirs(frame.f_back):
            if event == "call":  # later, its names may stand for other arrays
                given = list(_arrays(list(frame.f_locals.values())))
                adds_nothing[frame] = all(any(map(partial(_is_same, array), _arrays(arguments))) for array in given)
            elif adds_nothing.pop(frame, False):
                returned.append((frame.f_code.co_qualname, value))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        answer = function(*arguments)
    finally:
        sys.setprofile(before)
    mine = list(_arrays(answer))
    for name, value in returned:
        if mine and all(any(map(partial(_is_same, array), _arrays(value))) for array in mine):
            found.append(name)
    return answer


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_PACKAGE)


def _is_theirs(frame: FrameType | None) -> bool:
    """Tell a learner's frame; where the package's function itself was handed in, `_watched` stands for theirs."""
    return frame is not None and (not _is_ours(frame) or frame.f_code is _watched.__code__)


def _arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Give the arrays in a value: itself, or those in a tuple, a list, or a record."""
    if isinstance(value, np.ndarray):
        yield value
        return
    parts = value if isinstance(value, tuple | list) else getattr(value, "__dict__", {}).values()
    for part in parts:
        if isinstance(part, np.ndarray):
            yield part


def _is_same(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """Tell whether two arrays are one, or views of one: equal numbers may have been computed twice."""
    return np.may_share_memory(one, other)
