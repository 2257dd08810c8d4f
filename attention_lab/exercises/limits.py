"""Around the call of a learner's function: silence, limits of time and memory, and everything put back afterwards."""

import contextlib
import io
import random
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

SECONDS = 2.0  # for all the calls of one check
AGAIN = 0.02  # a loop around `try: ... except: pass` swallows the first exception, and not many of those that follow
MEMORY = 2 << 30  # bytes that a function may take beyond what the kernel has
GUARDED = ("builtins", "math", "numpy", "numpy.linalg", "numpy.random")  # modules whose names are put back

with contextlib.suppress(ImportError):  # there is none on Windows
    import resource


class TimeIsUp(BaseException):
    """Raised in a learner's function that takes too long; no `except Exception` stops it."""


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Put back all that the next check relies on, whatever a function does to it."""
    names = {name: dict(vars(sys.modules[name])) for name in GUARDED if name in sys.modules}
    numpy_state = np.random.get_state() if "numpy.random" in sys.modules else None  # noqa: NPY002 - the learner's
    python_state, options = random.getstate(), np.get_printoptions()
    streams, limit = (sys.stdout, sys.stderr, sys.stdin), sys.getrecursionlimit()
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sys.stdout = sys.stderr = io.StringIO()
            sys.stdin = io.StringIO()  # `input()` would wait for ever
            yield
    finally:
        sys.stdout, sys.stderr, sys.stdin = streams
        for module, before in names.items():
            now = vars(sys.modules[module])
            now.update({name: value for name, value in before.items() if now.get(name) is not value})
        sys.setrecursionlimit(limit)
        random.setstate(python_state)
        np.set_printoptions(**options)
        if numpy_state is not None:
            np.random.set_state(numpy_state)  # noqa: NPY002


@contextlib.contextmanager
def within_limits(seconds: float = SECONDS) -> Iterator[None]:
    """Stop what takes too long or too much memory; on Windows, and outside the main thread, only the learner can."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    armed = True

    def stop(*_: Any) -> None:
        if armed:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, stop)
    memory = resource.getrlimit(resource.RLIMIT_AS)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_memory_in_use() + MEMORY, memory[1]))
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, memory)


def _memory_in_use() -> int:
    """Return the addresses that this process has taken; elsewhere than on Linux there is no limit to set."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
