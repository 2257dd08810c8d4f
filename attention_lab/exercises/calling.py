"""Call a learner's function: on copies, in silence, within limits. What comes back is an array, or a sentence."""

import dis
import inspect
import linecache
import os
from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType, TracebackType
from typing import Any, TypeVar

import numpy as np

from attention_lab.exercises import limits
from attention_lab.exercises.exercise import Arguments
from attention_lab.exercises.limits import PutBack, TooSlow, guarded
from attention_lab.exercises.returned import LONGEST, OURS, Trouble, a_kind_of, arrays, first_line, words
from attention_lab.exercises.steps import Array

# What the body of a function that only returns None is made of, in all versions of Python since 3.11.
NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "CACHE"}

T = TypeVar("T")


def is_untouched(function: Any) -> bool:
    """Tell whether a function has no body yet: dots, `pass`, words for people, and nothing else."""
    if not isinstance(function, FunctionType | MethodType):
        return False
    body = list(dis.get_instructions(function.__code__))
    nothing = all(line.opname in NOTHING for line in body)
    return nothing and all(line.argval is None for line in body if "CONST" in line.opname)


def call(
    function: Callable[..., Any], many: list[Arguments], gives: tuple[str, ...] = ()
) -> tuple[list[tuple[Array, ...]], bool]:
    """Call a function with each set of arguments.

    Parameters
    ----------
    function : callable
        It gets copies.
    many : list of dict
        Arguments by name; they are given by position.
    gives : tuple of str
        The names of the arrays that should come back, where there are several.

    Returns
    -------
    (list of tuples of arrays, bool)
        What came back from each call, and whether the function wrote into an argument.

    Raises
    ------
    Trouble
        With a sentence for the learner.
    """
    if not callable(function):
        raise Trouble(
            f"This is {a_kind_of(function)}, not a function: give `check` the function's name, without calling it."
        )
    return within_limits(partial(_answers, function, many, gives))


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
    except OURS:
        raise
    except (ValueError, TypeError) as error:
        raise Trouble(first_line(error) or "It cannot be read.") from None
    except BaseException as error:
        raise Trouble(f"It cannot be read: looking at it raises {words(error)}.") from None


def _answers(
    function: Callable[..., Any], many: list[Arguments], gives: tuple[str, ...], put_back: PutBack
) -> tuple[list[tuple[Array, ...]], bool]:
    _check_signature(function, many[0])
    answers, changed = [], False
    for arguments in many:
        copies = {name: _copy(value) for name, value in arguments.items()}
        try:
            value = function(*copies.values())
        except OURS:
            raise
        except BaseException as error:  # SystemExit, too
            put_back()
            raise Trouble(stopped(error, function), stopped=True) from None
        put_back()
        answers.append(arrays(value, gives))
        changed = changed or any(not _equal(copies[name], arguments[name]) for name in arguments)
    return answers, changed


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _equal(ours: Any, theirs: Any) -> bool:
    return ours.dtype == theirs.dtype and np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else True


def _check_signature(function: Callable[..., Any], arguments: Arguments) -> None:
    try:
        signature = inspect.signature(function)
        written = str(signature)[:LONGEST]
    except Exception:  # a function written in C says nothing, and a learner's object may say anything
        return
    try:
        signature.bind(*arguments.values())
    except TypeError:
        raise Trouble(f"Your function takes `{written}`; here it is called with `({', '.join(arguments)})`.") from None


def stopped(error: BaseException, function: Callable[..., Any]) -> str:
    """Say what stopped a function, and in which line of the learner's."""
    line = _line(error.__traceback__, function)
    return f"It stops in your line `{line}` with {words(error)}." if line else f"It stops with {words(error)}."


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
