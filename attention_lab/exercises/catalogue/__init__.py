"""Every exercise of the course, by lesson. Adding one is one entry; the tests pick it up."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from attention_lab.exercises.catalogue import (
    alignment,
    ask,
    blend,
    cache,
    choosing,
    cross,
    gradient,
    heads,
    heads_read,
    hide,
    leaks,
    lying,
    positions,
    reading,
    roles,
    scale,
    start,
    streaming,
)
from attention_lab.exercises.exercise import Exercise

T = TypeVar("T")

# The lessons that are there; an exercise of a lesson still to come can be checked, and is not shown as the next one.
LESSONS = ("00", "01", "02", "03", "04", "05", "06", "07", "08")
APPENDICES = ("cache", "gradient", "mask_museum", "position")  # the same for them; no lesson needs their exercises
MANY = 8  # names that are listed at once

_ALL: tuple[Exercise, ...] = (
    *start.EXERCISES,
    *blend.EXERCISES,
    *ask.EXERCISES,
    *scale.EXERCISES,
    *hide.EXERCISES,
    *leaks.EXERCISES,
    *heads.EXERCISES,
    *roles.EXERCISES,
    *cross.EXERCISES,
    *alignment.EXERCISES,
    *streaming.EXERCISES,
    *choosing.EXERCISES,
    *heads_read.EXERCISES,
    *reading.EXERCISES,
    *lying.EXERCISES,
    *gradient.EXERCISES,
    *positions.EXERCISES,
    *cache.EXERCISES,
)
EXERCISES = {exercise.name: exercise for exercise in _ALL}


def named(name: object, known: Mapping[str, T]) -> T | None:
    """Return what is called that, or None: also for a name that is no text."""
    return known.get(name) if isinstance(name, str) else None


def closest(name: object, known: Iterable[str] = EXERCISES, what: str = "exercise") -> str:
    """Say that there is nothing of that name, and what is close.

    >>> closest("atention")
    'There is no exercise "atention"; did you mean "attention"?'
    """
    names = list(known)
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    some = ", ".join(names[:MANY]) + (f" and {len(names) - MANY} more" if len(names) > MANY else "")
    say = f'did you mean "{near[0]}"?' if near else f"there are: {some}."
    return f'There is no {what} "{name}"; {say}'
