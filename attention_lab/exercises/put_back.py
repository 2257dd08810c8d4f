"""What a learner's function may have changed, read before it runs and put back afterwards."""

import contextlib
import os
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

# Modules whose names are put back: those that the check itself goes on to use, or that a learner's next cell needs.
GUARDED = (
    *("builtins", "sys", "os", "signal", "warnings", "random", "math", "inspect", "linecache", "json", "re", "hashlib"),
    *("functools", "contextlib", "threading", "dis", "ast", "itertools", "resource"),
    *("numpy", "numpy.linalg", "numpy.random", "numpy.ma"),
)

Names = list[tuple[dict[str, Any], dict[str, Any]]]
_legacy_random: Any = np.random


def names_now() -> Names:
    """Copy the names in the guarded modules, each beside the dict that it came from."""
    return [(vars(sys.modules[name]), dict(vars(sys.modules[name]))) for name in GUARDED if name in sys.modules]


def put_back(names: Names) -> None:
    """Put names back; without any function that might have been replaced."""
    for now, before in names:
        now.update({name: value for name, value in before.items() if now.get(name) is not value})
    if sys.getrecursionlimit() < 1000:  # what comes next needs some room
        sys.setrecursionlimit(1000)


def _numpy_state() -> tuple[Any, Any]:
    generator = _legacy_random.get_bit_generator()  # behind np.random.rand and its like
    return generator, generator.state


def _put_numpy_state(kept: tuple[Any, Any]) -> None:
    _legacy_random.set_bit_generator(kept[0])
    kept[0].state = kept[1]


def _folder() -> str | None:
    with contextlib.suppress(OSError):  # it was deleted
        return os.getcwd()
    return None


def _put_folder(kept: str | None) -> None:
    if kept is not None and kept != _folder():
        with contextlib.suppress(OSError):
            os.chdir(kept)


def _put_environment(kept: dict[str, str]) -> None:
    if kept != os.environ:
        os.environ.clear()
        os.environ.update(kept)


# How each setting is read, and how it is put back.
SETTINGS: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (random.getstate, random.setstate),
    (_numpy_state, _put_numpy_state),
    (np.get_printoptions, lambda kept: np.set_printoptions(**kept)),
    (_folder, _put_folder),
    (lambda: dict(os.environ), _put_environment),
)
