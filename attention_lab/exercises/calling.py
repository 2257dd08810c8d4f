"""Call a learner's function: on copies, in silence, within limits. What comes back is an array, or a sentence."""

import dis
import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType, TracebackType
from typing import Any, TypeVar

import numpy as np

from attention_lab.exercises import limits
from attention_lab.exercises.exercise import Arguments
from attention_lab.exercises.limits import PutBack, TimeIsUp, TooSlow, guarded
from attention_lab.exercises.steps import Array

KINDS = {"c": "complex numbers", "U": "text", "S": "text", "T": "text", "M": "dates", "m": "times", "V": "records"}
MOST_NUMBERS = 1_000_000  # in an answer; the right ones have some hundreds
LONGEST = 200  # letters of somebody else's words within a sentence of ours
# What the body of a function that only returns None is made of, in all versions of Python since 3.11.
NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "CACHE"}

T = TypeVar("T")
_OURS = (TimeIsUp, KeyboardInterrupt, MemoryError)  # what `within_limits` has a sentence for


class Trouble(Exception):
    """Why no answer came back, in a sentence for the learner; `stopped` where the function itself raised."""

    def __init__(self, sentence: str, *, stopped: bool = False) -> None:
        super().__init__(sentence)
        self.stopped = stopped


def is_untouched(function: Any) -> bool:
    """Tell whether a function has no body yet: dots, `pass`, words for people, and nothing else."""
    if not isinstance(function, FunctionType | MethodType):
        return False
    body = list(dis.get_instructions(function.__code__))
    nothing = all(line.opname in NOTHING for line in body)
    return nothing and all(line.argval is None for line in body if "CONST" in line.opname)


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
    return within_limits(partial(_answers, function, many))


def look(at: Callable[[Any], T], answer: Any) -> T:
    """Look at a value that was typed in, within the same limits: it may be an object with code of its own.

    Raises
    ------
    Trouble
        With what `at` has to say, or with what stopped it.
    """
    return within_limits(lambda _: _looked(at, answer))


def within_limits(work: Callable[[PutBack], T]) -> T:
    """Do something with a learner's code, and say in a sentence where a limit was reached."""
    try:
        return guarded(work)
    except TooSlow:
        raise Trouble(f"It did not end within {limits.SECONDS:g} seconds: is there a loop without an end?") from None
    except KeyboardInterrupt:
        raise Trouble("You stopped it before it came to an end.") from None
    except MemoryError:
        raise Trouble("It asked for far more memory than this takes: how large are its arrays?", stopped=True) from None


def _looked(at: Callable[[Any], T], answer: Any) -> T:
    try:
        return at(answer)
    except _OURS:
        raise
    except (ValueError, TypeError) as error:
        raise Trouble(_first_line(error) or "It cannot be read.") from None
    except BaseException as error:
        raise Trouble(f"It cannot be read: looking at it raises {_words(error)}.") from None


def _answers(function: Callable[..., Any], many: list[Arguments], put_back: PutBack) -> tuple[list[Array], bool]:
    _check_signature(function, many[0])
    answers, changed = [], False
    for arguments in many:
        copies = {name: _copy(value) for name, value in arguments.items()}
        try:
            value = function(*copies.values())
        except _OURS:
            raise
        except BaseException as error:  # SystemExit, too
            put_back()
            raise Trouble(_stopped(error, function), stopped=True) from None
        put_back()
        answers.append(_array(value))
        changed = changed or any(not _equal(copies[name], arguments[name]) for name in arguments)
    return answers, changed


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _equal(ours: Any, theirs: Any) -> bool:
    return ours.dtype == theirs.dtype and np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else True


def _check_signature(function: Callable[..., Any], arguments: Arguments) -> None:
    try:
        signature = inspect.signature(function)
        words = str(signature)[:LONGEST]
    except Exception:  # a function written in C says nothing, and a learner's object may say anything
        return
    try:
        signature.bind(*arguments.values())
    except TypeError:
        raise Trouble(f"Your function takes `{words}`; here it is called with `({', '.join(arguments)})`.") from None


def _array(value: Any) -> Array:
    """Turn what came back into an array of numbers that nobody else holds, or say in a sentence what it is."""
    if value is None:
        printed = getattr(sys.stdout, "letters", 0)
        end = "it printed its result: end with `return`" if printed else "does every way through it end with `return`?"
        raise Trouble(f"Your function returns nothing: {end}" + ("." if printed else ""))
    if value is ...:
        raise Trouble("Your function returns `...`: put your code in its place.")
    if inspect.iscoroutine(value) or inspect.isasyncgen(value):
        if inspect.iscoroutine(value):
            value.close()
        raise Trouble("Your function is written with `async def`: write it with `def` alone.")
    if inspect.isgenerator(value):
        value.close()
        raise Trouble("Your function hands out its numbers one by one (a generator): return them all, as an array.")
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise Trouble("Your function returns an array with masked numbers: fill them first, as `.filled(0)` does.")
    array = _as_array(value)
    if array.dtype.kind not in "biuf":
        what = KINDS.get(array.dtype.kind, "objects")
        what = _a_kind_of(value) if what == "objects" and not isinstance(value, np.ndarray | list | tuple) else what
        raise Trouble(f"Your function returns {what}, not an array of numbers.")
    if array.size > MOST_NUMBERS:
        raise Trouble(f"Your function returns an array of the shape {array.shape}: far too many numbers.")
    return array.copy()


def _as_array(value: Any) -> Array:
    try:
        return np.asarray(value)
    except _OURS:
        raise
    except BaseException as error:
        if isinstance(value, tuple):
            raise Trouble(f"Your function returns {len(value)} things: return one array.") from None
        if isinstance(value, list):
            raise Trouble("Your function returns rows of different lengths, which make no array.") from None
        why = f"it raises {_words(error)}"
        raise Trouble(f"Your function returns {_a_kind_of(value)}, which makes no array: {why}.") from None


def _a_kind_of(value: Any) -> str:
    return f"a value of the type `{type(value).__name__}`"


def _stopped(error: BaseException, function: Callable[..., Any]) -> str:
    """Say what stopped a function, and in which line of the learner's."""
    line = _line(error.__traceback__, function)
    return f"It stops in your line `{line}` with {_words(error)}." if line else f"It stops with {_words(error)}."


def _words(error: BaseException) -> str:
    said = _first_line(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _first_line(error: BaseException) -> str:
    """Return the beginning of what an exception says; it may be a learner's own, which cannot even be printed."""
    try:
        lines = str(error)[: 10 * LONGEST].strip().splitlines() or [""]
    except _OURS:
        raise
    except BaseException:
        return ""
    line = re.sub(r", with gufunc signature \S+", "", lines[0])  # of `@`, and of no help to anybody here
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _line(traceback: TracebackType | None, function: Callable[..., Any]) -> str:
    """Return the innermost line that stands beside the function's own: in a notebook, in one of its cells."""
    while isinstance(function, partial):
        function = function.func
    if not isinstance(function, FunctionType | MethodType):
        function = type(function).__call__  # an object that can be called; a function written in C has no lines
    code = getattr(function, "__code__", None)
    line = ""
    while code and traceback:
        frame = traceback.tb_frame
        if os.path.dirname(frame.f_code.co_filename) == os.path.dirname(code.co_filename):
            line = linecache.getline(frame.f_code.co_filename, traceback.tb_lineno, frame.f_globals).strip() or line
        traceback = traceback.tb_next
    return line.replace("`", "'")
