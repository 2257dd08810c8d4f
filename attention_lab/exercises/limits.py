"""Around the call of a learner's function: silence, limits of time and memory, and everything put back afterwards.

A signal is let through only while the learner's own code runs, below `_gate`: so nothing of ours is ever cut in half,
and what was put away is always put back.
"""

import _thread
import builtins
import contextlib
import io
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic
from types import FrameType
from typing import NoReturn, TypeVar

import numpy as np

from attention_lab.exercises.put_back import SETTINGS, names_now, put_back

with contextlib.suppress(ImportError):  # there is none on Windows
    import resource

SECONDS = 2.0  # for all the calls with one kind of argument
AGAIN = 0.02  # until the alarm sounds again, for a function that kept the first one
MEMORY = 1 << 30  # bytes that a function may take beyond what the kernel has
PutBack = Callable[[], None]
T = TypeVar("T")
_set_timer = getattr(signal, "setitimer", None)  # kept here: a function may replace the module's
_one_at_a_time = threading.Lock()  # two functions at once would put each other's changes back
_here = threading.local()


class TooSlow(Exception):
    """A learner's function did not end in time."""


class TimeIsUp(BaseException):
    """Raised in a learner's function that takes too long; no `except Exception` stops it."""


class _Alarm:
    """Sounds as it dies. No Python code may run to do that, or the alarm would be heard there: hence `partial`."""

    if _set_timer is not None:
        __del__ = staticmethod(partial(_thread.interrupt_main, signal.SIGALRM))


class _Clock:
    """Whether the time is up: also true when a function caught `TimeIsUp` and went on."""

    def __init__(self) -> None:
        self.is_up = False
        self.coin = random.Random(0)

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Answer a signal: let it through to the learner's code, and to nothing else.

        A loop around `try: ... except: pass` can be left only at a few instructions; which ones they are is a matter of
        Python's version. So the alarm sounds again at once, and a coin decides whether the next instruction that
        listens is the one to stop at.
        """
        while frame is not None and frame.f_code is not _gate.__code__:
            frame = frame.f_back
        if frame is None:
            return
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        if _set_timer is not None:
            _set_timer(signal.ITIMER_REAL, AGAIN, AGAIN)  # again, since a function's own `signal.alarm` took its place
        here = not self.is_up or self.coin.getrandbits(1)
        self.is_up = True
        _Alarm()
        if here:
            raise TimeIsUp


class _Silence(io.TextIOBase):
    """A stream that keeps nothing: a million lines would fill the memory."""

    letters = 0  # written so far

    def write(self, text: str) -> int:
        self.letters += len(text)
        return len(text)


def is_running() -> bool:
    """Tell whether a learner's function is being called at this moment, and perhaps asks this itself."""
    return getattr(_here, "running", False)


def guarded(work: Callable[[PutBack], T]) -> T:
    """Do something that runs a learner's code, within limits, in silence; then put back what the code changed.

    Parameters
    ----------
    work : function
        It gets a function that puts the names in modules back at once. It holds nothing that must be closed.

    Returns
    -------
    object
        What `work` returns.

    Raises
    ------
    TooSlow
        On Windows, and outside the main thread, there is no limit of time: only the learner can stop it there. Nor can
        a single call of a function written in C be stopped, such as ``sum(itertools.count())``.
    BaseException
        What `work` raises.
    """
    clock = _Clock()
    with _one_at_a_time, _signals_to(clock), _undisturbed() as put_back, _limited_memory():
        _here.running = True
        try:
            done = _gate(work, put_back)
        except BaseException:
            if not clock.is_up:
                raise
        finally:
            _here.running = False
    if clock.is_up:
        raise TooSlow
    return done


def _gate(work: Callable[[PutBack], T], put_back: PutBack) -> T:
    return work(put_back)


@contextlib.contextmanager
def _signals_to(clock: _Clock) -> Iterator[None]:
    """Send the alarm and the stop button to the clock; put every handler and the timer back."""
    if _set_timer is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    signal.signal(signal.SIGINT, clock.stop)  # first, and the last to go back
    signal.signal(signal.SIGALRM, clock.stop)
    began, (left, interval) = monotonic(), _set_timer(signal.ITIMER_REAL, SECONDS, AGAIN)
    try:
        yield
    finally:
        _set_timer(signal.ITIMER_REAL, 0)
        for number in sorted(before, key=signal.SIGINT.__eq__):
            if before[number] is not None and signal.getsignal(number) != before[number]:
                signal.signal(number, before[number])
        if left:  # somebody else's timer goes on
            _set_timer(signal.ITIMER_REAL, max(left - (monotonic() - began), 0.001), interval)


@contextlib.contextmanager
def _undisturbed() -> Iterator[PutBack]:
    """Put back all that the next check relies on, whatever a function does to it."""
    names, settings = names_now(), [(put, get()) for get, put in SETTINGS]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sys.stdout = sys.stderr = _Silence()
            sys.stdin, builtins.input = io.StringIO(), _nobody
            try:
                yield partial(put_back, names_now())
            finally:
                put_back(names)  # `warnings` takes its filters back with functions of its own
    finally:
        put_back(names)
        for put, kept in settings:
            put(kept)


def _nobody(prompt: object = "") -> NoReturn:
    raise EOFError("nobody answers during a check")


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    """Limit the addresses that may be taken; elsewhere than on Linux there is no such limit."""
    try:
        before = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm") as file:
            most = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    except (NameError, OSError):
        yield
        return
    soft = most if before[0] == resource.RLIM_INFINITY else min(most, before[0])
    resource.setrlimit(resource.RLIMIT_AS, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
