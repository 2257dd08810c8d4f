"""What comes back from a learner's function: an array of numbers, several of them, or a sentence on what it is."""

import inspect
import re
import sys
from typing import Any

import numpy as np

from attention_lab.exercises.limits import TimeIsUp
from attention_lab.exercises.steps import Array

KINDS = {"c": "complex numbers", "U": "text", "S": "text", "T": "text", "M": "dates", "m": "times", "V": "records"}
MOST_NUMBERS = 1_000_000  # in an answer; the right ones have some hundreds
LONGEST = 200  # letters of somebody else's words within a sentence of ours
OURS = (TimeIsUp, KeyboardInterrupt, MemoryError)  # what the limits have a sentence for
COUNTS = {2: "two", 3: "three", 4: "four"}


class Trouble(Exception):
    """Why no answer came back, in a sentence for the learner; `stopped` where the function itself raised."""

    def __init__(self, sentence: str, *, stopped: bool = False) -> None:
        super().__init__(sentence)
        self.stopped = stopped


def arrays(value: Any, gives: tuple[str, ...] = ()) -> tuple[Array, ...]:
    """Turn what came back into arrays: one, or as many as should come back.

    Parameters
    ----------
    value : anything
        What a learner's function returned.
    gives : tuple of str
        The names of the arrays, where there are several; a tuple or a list of them is expected then.

    Raises
    ------
    Trouble
        With a sentence for the learner.

    Examples
    --------
    >>> arrays(([1.0], [2.0]), ("d_q", "d_k"))
    (array([1.]), array([2.]))
    >>> arrays(([1.0], "two"), ("d_q", "d_k"))
    Traceback (most recent call last):
    attention_lab.exercises.returned.Trouble: As d_k, your function returns text, not an array of numbers.
    """
    if not gives:
        return (_array(value),)
    expected = f"return {COUNTS[len(gives)]} arrays, {', '.join(gives[:-1])} and {gives[-1]}."
    if not isinstance(value, tuple | list):
        array = _array(value)  # which has a sentence for what is no array at all
        raise Trouble(f"Your function returns {'one array' if array.ndim else 'a single number'}: {expected}")
    parts = _parts(value)
    if len(parts) != len(gives):
        things = "1 thing" if len(parts) == 1 else f"{len(parts)} things"
        raise Trouble(f"Your function returns {things}: {expected}")
    return tuple(_part(name, part) for name, part in zip(gives, parts, strict=True))


def _parts(value: tuple[Any, ...] | list[Any]) -> list[Any]:
    try:
        return list(value)
    except OURS:
        raise
    except BaseException as error:  # a learner's own kind of list
        raise Trouble(f"Your function returns {a_kind_of(value)}, which cannot be read: {words(error)}.") from None


def _part(name: str, value: Any) -> Array:
    if value is None:
        raise Trouble(f"As {name}, your function returns None: put its array there.")
    try:
        return _array(value)
    except Trouble as trouble:
        raise Trouble(f"As {name}, {str(trouble)[0].lower()}{str(trouble)[1:]}") from None


def _array(value: Any) -> Array:
    """Turn a value into an array of numbers that nobody else holds, or say in a sentence what it is."""
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
        what = a_kind_of(value) if what == "objects" and not isinstance(value, np.ndarray | list | tuple) else what
        raise Trouble(f"Your function returns {what}, not an array of numbers.")
    if array.size > MOST_NUMBERS:
        raise Trouble(f"Your function returns an array of the shape {array.shape}: far too many numbers.")
    return array.copy()


def _as_array(value: Any) -> Array:
    try:
        return np.asarray(value)
    except OURS:
        raise
    except BaseException as error:
        if isinstance(value, tuple):
            raise Trouble(f"Your function returns {len(value)} things: return one array.") from None
        if isinstance(value, list):
            raise Trouble("Your function returns rows of different lengths, which make no array.") from None
        why = f"it raises {words(error)}"
        raise Trouble(f"Your function returns {a_kind_of(value)}, which makes no array: {why}.") from None


def a_kind_of(value: Any) -> str:
    """Say of which type a value is."""
    return f"a value of the type `{type(value).__name__}`"


def words(error: BaseException) -> str:
    """Name an exception, with the first line of what it says."""
    said = first_line(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def first_line(error: BaseException) -> str:
    """Return the beginning of what an exception says; it may be a learner's own, which cannot even be printed."""
    try:
        lines = str(error)[: 10 * LONGEST].strip().splitlines() or [""]
    except OURS:
        raise
    except BaseException:
        return ""
    line = re.sub(r", with gufunc signature \S+", "", lines[0])  # of `@`, and of no help to anybody here
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
