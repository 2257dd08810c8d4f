"""Call a learner's function: on copies, in silence, within limits. What comes back is an array, or a sentence."""

import inspect
import linecache
import os
from collections.abc import Callable
from types import CodeType, TracebackType
from typing import Any

import numpy as np

from attention_lab.exercises.exercise import Arguments
from attention_lab.exercises.limits import SECONDS, TimeIsUp, undisturbed, within_limits
from attention_lab.exercises.steps import Array

KINDS = {"c": "complex numbers", "U": "text", "S": "text", "O": "objects", "M": "dates", "m": "times", "V": "records"}


class Trouble(Exception):
    """Why no answer came back, in a sentence for the learner; `stopped` where the function itself raised."""

    def __init__(self, sentence: str, *, stopped: bool = False) -> None:
        super().__init__(sentence)
        self.stopped = stopped


def _with_dots() -> None: ...


def _with_dots_and_words() -> None:
    """Words."""


def is_untouched(function: Any) -> bool:
    """Tell whether a function has no body yet: dots, `pass`, words for people, and nothing else."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        return False
    empty = {_with_dots.__code__.co_code, _with_dots_and_words.__code__.co_code}
    return code.co_code in empty and set(code.co_consts) <= {None, function.__doc__}


def call(function: Callable[..., Any], many: list[Arguments]) -> tuple[list[Array], bool]:
    """Call a function with each set of arguments.

    Parameters
    ----------
    function : callable
        It gets copies.
    many : list of dict
        Arguments by name; they are given by position.

    Returns
    -------
    (list of arrays, bool)
        What came back, and whether the function wrote into an argument.

    Raises
    ------
    Trouble
        With a sentence for the learner.
    """
    if not callable(function):
        raise Trouble(
            f"This is {_a_kind_of(function)}, not a function: give `check` the function's name, without calling it."
        )
    _check_signature(function, many[0])
    answers, changed = [], False
    try:
        with undisturbed(), within_limits():
            for arguments in many:
                copies = {name: _copy(value) for name, value in arguments.items()}
                answers.append(_array(function(*copies.values())))
                changed = changed or any(not _equal(copies[name], arguments[name]) for name in arguments)
    except Trouble:
        raise
    except TimeIsUp:
        raise Trouble(f"It did not end within {SECONDS:g} seconds: is there a loop without an end?") from None
    except KeyboardInterrupt:
        raise Trouble("You stopped it before it came to an end.") from None
    except MemoryError:
        raise Trouble("It asked for far more memory than this takes: how large are its arrays?", stopped=True) from None
    except BaseException as error:  # SystemExit, too
        raise Trouble(_stopped(error, function), stopped=True) from None
    return answers, changed


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _equal(ours: Any, theirs: Any) -> bool:
    return ours.dtype == theirs.dtype and np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else True


def _check_signature(function: Callable[..., Any], arguments: Arguments) -> None:
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):  # a function written in C says nothing
        return
    try:
        signature.bind(*arguments.values())
    except TypeError:
        raise Trouble(f"Your function takes {signature}; here it is called with ({', '.join(arguments)}).") from None


def _array(value: Any) -> Array:
    """Turn what came back into an array of numbers, or say in a sentence what it is."""
    if value is None:
        raise Trouble("Your function returns nothing: does every way through it end with `return`?")
    if value is ...:
        raise Trouble("Your function returns `...`: put your code in its place.")
    if inspect.isgenerator(value) or inspect.iscoroutine(value):
        value.close()
        raise Trouble("Your function hands out its numbers one by one (a generator): return them all, as an array.")
    try:
        array = np.asarray(value)
    except ValueError:
        several = isinstance(value, tuple)
        raise Trouble(
            f"Your function returns {len(value)} things: return one array."
            if several
            else "Your function returns rows of different lengths, which make no array."
        ) from None
    if array.dtype.kind not in "biuf":
        what = KINDS.get(array.dtype.kind, "something else")
        what = _a_kind_of(value) if what == "objects" and not isinstance(value, np.ndarray | list) else what
        raise Trouble(f"Your function returns {what}, not an array of numbers.")
    return array


def _a_kind_of(value: Any) -> str:
    return f"a value of the type `{type(value).__name__}`"


def _stopped(error: BaseException, function: Callable[..., Any]) -> str:
    """Say what stopped a function, and in which line of the learner's."""
    try:
        text = str(error).strip().splitlines()
    except Exception:  # an exception of the learner's own, which cannot even be printed
        text = []
    words = f"{type(error).__name__}" + (f": {text[0][:200]}" if text else "")
    line = _line(error.__traceback__, function)
    return f"It stops in your line `{line}` with {words}." if line else f"It stops with {words}."


def _line(traceback: TracebackType | None, function: Callable[..., Any]) -> str:
    """Return the innermost line that stands beside the function's own: in a notebook, in one of its cells."""
    code = getattr(function, "__code__", None)
    line = ""
    while code and traceback:
        frame = traceback.tb_frame
        if os.path.dirname(frame.f_code.co_filename) == os.path.dirname(code.co_filename):
            line = linecache.getline(frame.f_code.co_filename, traceback.tb_lineno, frame.f_globals).strip() or line
        traceback = traceback.tb_next
    return line.replace("`", "'")
