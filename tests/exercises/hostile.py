"""Functions written as nobody should, and words of the sentence that each of them is answered with."""

# ruff: noqa: B008, B012, E722, NPY002, SIM105

import builtins
import functools
import os
import random
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from attention_lab.exercises import check

resource = pytest.importorskip("resource", reason="the limits of time and memory are those of POSIX")
OUT = []


class Evil:
    """An object of which every use that a check could make raises or never ends."""

    def __init__(self, do):
        self.do = do

    def __array__(self, dtype=None, copy=None):
        return self.do()

    __repr__ = __eq__ = __hash__ = __len__ = __iter__ = __float__ = lambda self, *_: self.do()


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


class OfItsOwn(BaseException):
    pass


def raises(error):
    def function(q, k):
        raise error

    return function


def returns(value):
    return lambda q, k: value


def does(action, answer=None):
    """A function that does something, and then answers."""

    def function(q, k):
        action()
        return q @ k.T if answer is None else answer

    return function


def loop():
    while True:
        pass


def sleepy():
    while True:
        try:
            time.sleep(0.1)
        except:
            pass


def sleepy_helper():
    try:
        time.sleep(0.1)
    except BaseException:
        pass


def nested():
    while True:
        try:
            while True:
                sleepy_helper()
        except BaseException:
            pass


def keeping():
    kept = []
    while True:
        try:
            time.sleep(0.01)
        except BaseException as error:
            kept.append(error)


def finally_again():
    while True:
        try:
            pass
        finally:
            continue


def loop_in_finally():
    try:
        loop()
    finally:
        loop()


def in_another_coat():
    try:
        loop()
    except BaseException:
        raise ValueError("something else") from None


def with_an_alarm_of_its_own():
    signal.alarm(1)
    sleepy()


def waits_for_a_thread():
    thread = threading.Thread(target=time.sleep, args=(1,), daemon=True)
    thread.start()
    thread.join()


class LoopsAtTheEnd:
    def __del__(self):
        loop()


def generator(q, k):
    yield q @ k.T


def endless_generator(q, k):
    try:
        while True:
            yield q
    finally:
        loop()


async def coroutine(q, k):
    return q @ k.T


async def async_generator(q, k):
    yield q


def recursion(q, k):
    return recursion(q, k)


def swallowed(q, k):
    try:
        loop()
    except BaseException:
        return q @ k.T / np.sqrt(k.shape[-1])


def asks():
    return input("How many? ")


def warns():
    warnings.simplefilter("error")
    warnings.warn("old", stacklevel=2)


def multiplies(q, k):
    return q @ np.ones((99, 3))


def misnames(q, k):
    return q.nothing


RECORDS = np.zeros((2, 2), [("a", float), ("b", int)])
LONG = "x" * 1_000_000

# What a function returns, and words of the sentence.
RETURNED = {
    "nothing": (returns(None), "returns nothing: does every way through it end with `return`?"),
    "dots": (returns(...), "returns `...`"),
    "a generator": (generator, "one by one (a generator)"),
    "a generator that started": (returns(x for x in (1, 2)), "one by one (a generator)"),
    "an iterator": (lambda q, k: iter([q, k]), "`list_iterator`, not an array"),
    "a coroutine": (coroutine, "`async def`"),
    "an asynchronous generator": (async_generator, "`async def`"),
    "a lambda": (returns(lambda: 0), "`function`, not an array"),
    "a class": (returns(int), "`type`, not an array"),
    "a dict": (returns({"scores": 1}), "`dict`, not an array"),
    "a set": (returns({1, 2}), "`set`, not an array"),
    "text": (returns("q @ k.T"), "text, not an array"),
    "bytes": (returns(b"q"), "text, not an array"),
    "complex numbers": (returns(1j), "complex numbers, not an array"),
    "objects": (returns(np.array([[None, 1]], object)), "objects, not an array"),
    "a list with a gap": (returns([[1.0, None]]), "objects, not an array"),
    "dates": (returns(np.array(["2026-01-01"], "datetime64[D]")), "dates, not an array"),
    "spans of time": (returns(np.array([1], "timedelta64[D]")), "times, not an array"),
    "records": (returns(RECORDS), "records, not an array"),
    "rows of different lengths": (returns([[1.0, 2.0], [3.0]]), "rows of different lengths"),
    "two things": (lambda q, k: (q @ k.T, q), "returns 2 things: return one array"),
    "two equal things": (lambda q, k: (q @ k.T, q @ k.T), "has the shape (2, "),
    "masked numbers": (lambda q, k: np.ma.masked_less(q @ k.T, 0), "masked numbers: fill them first"),
    "a huge view": (returns(np.broadcast_to(0.0, (10**6, 10**6))), "(1000000, 1000000): far too many numbers"),
    "more than fits": (lambda q, k: np.ones((10**6, 10**6)), "far more memory"),
    "a number": (returns(1.0), "a single number"),
    "an empty array": (returns(np.array([])), "has the shape (0,)"),
    "an empty list": (returns([]), "has the shape (0,)"),
    "booleans": (lambda q, k: q @ k.T > 0, ""),
    "infinity": (lambda q, k: q @ k.T / 0 + np.inf, ""),
    "an array that raises": (returns(Evil(lambda: 1 / 0)), "makes no array: it raises ZeroDivisionError"),
    "an array that leaves": (returns(Evil(sys.exit)), "makes no array: it raises SystemExit"),
}
# What a function raises.
RAISED = {
    "an exception": (raises(ValueError("one\ntwo")), "in your line `raise error` with ValueError: one."),
    "nothing to say": (raises(ValueError()), "with ValueError."),
    "leaving": (raises(SystemExit(1)), "with SystemExit: 1."),
    "a stop": (raises(KeyboardInterrupt()), "You stopped it before it came to an end."),
    "the end of an iteration": (raises(StopIteration(3)), "with StopIteration: 3."),
    "an exception of its own": (raises(OfItsOwn("mine")), "with OfItsOwn: mine."),
    "what cannot be printed": (raises(Unprintable()), "with Unprintable."),
    "a million letters": (raises(ValueError(LONG)), "xxx…."),
    "a group": (raises(ExceptionGroup("both", [ValueError(1)])), "with ExceptionGroup: both"),
    "not implemented": (raises(NotImplementedError), "with NotImplementedError."),
    "recursion": (recursion, "in your line `return recursion(q, k)` with RecursionError"),
    "a warning": (does(warns), "with UserWarning: old."),
    "an error in NumPy": (multiplies, "in your line `return q @ np.ones((99, 3))` with ValueError: matmul:"),
    "a question": (does(asks), "` with EOFError: nobody answers during a check."),
    "a line of stdin": (does(lambda: sys.stdin.readline(), answer="text"), "text, not an array"),
}
MISNAMES = "It stops in your line `return q.nothing` with AttributeError: 'numpy.ndarray' object has no attribute"
# What is given in place of a function of two arguments.
GIVEN = {
    "an array": (np.ones((2, 2)), "This is a value of the type `ndarray`, not a function"),
    "a number": (3, "type `int`, not a function"),
    "text": ("my_scores", "type `str`, not a function"),
    "an evil object": (Evil(loop), "type `Evil`, not a function"),
    "one argument": (lambda q: q, "takes `(q)`; here it is called with `(q, k)`."),
    "three arguments": (lambda q, k, v: q, "takes `(q, k, v)`; here it is called with `(q, k)`."),
    "keywords only": (lambda *, q, k: q, "takes `(*, q, k)`; here"),
    "a default that cannot be printed": (
        lambda q, k, v=Evil(lambda: 1 / 0): v,
        "makes no array: it raises ZeroDivisionError",
    ),
    "a class": (type("Scores", (), {"__init__": lambda self, q, k: None}), "`Scores`, not an array"),
    "a class without arguments": (type("Scores", (), {}), "here it is called with `(q, k)`."),
    "a ufunc": (np.add, "It stops with ValueError: operands could not be broadcast"),
    "a builtin": (len, "takes `(obj, /)`; here"),
    "a builtin that prints": (print, "returns nothing"),
    "a partial function": (functools.partial(misnames, 2), "here it is called with `(q, k)`."),
    "a partial function of two": (functools.partial(lambda power, q, k: misnames(q, k), 2), MISNAMES),
    "a partial function that stops": (functools.partial(misnames, k=2), "takes `(q, *, k=2)`; here"),
    "a wrapped function that stops": (functools.wraps(misnames)(lambda *given: misnames(*given)), MISNAMES),
    "a bound method": ([].append, "here it is called with `(q, k)`."),
    "an object that can be called": (type("Scores", (), {"__call__": lambda self, q, k: misnames(q, k)})(), MISNAMES),
}
# What does not end by itself.
ENDLESS = {
    "a loop": does(loop),
    "sleep": does(lambda: time.sleep(60)),
    "a loop that swallows": does(sleepy),
    "a helper that swallows": does(lambda: [sleepy_helper() for _ in iter(int, 1)]),
    "nested loops that swallow": does(nested),
    "a loop that keeps what it swallows": does(keeping),
    "finally: continue": does(finally_again),
    "a loop in finally": does(loop_in_finally),
    "a loop in another coat": does(in_another_coat),
    "an alarm of its own": does(with_an_alarm_of_its_own),
    "a thread to wait for": does(waits_for_a_thread),
    "an object that ends never": does(LoopsAtTheEnd),
    "the end of a generator": does(lambda: next(endless_generator(1, 2))),
    "an endless array": returns(Evil(loop)),
    "an endless array that swallows": returns(Evil(sleepy)),
    "an endless message": raises(type("Endless", (Exception,), {"__str__": lambda self: sleepy()})()),
    "an answer after all": swallowed,
}
# What is done on the way to a wrong answer: the sentence is that of the answer, scores without a scale.
DONE = {
    "prints a million lines": lambda: [print(i) for i in range(200_000)],
    "replaces np.allclose": lambda: setattr(np, "allclose", lambda *_, **__: True),
    "replaces np.exp, where and asarray": lambda: [setattr(np, n, loop) for n in ("exp", "where", "asarray")],
    "deletes np.isfinite": lambda: np.__dict__.pop("isfinite", None),
    "replaces default_rng": lambda: setattr(np.random, "default_rng", lambda *_: None),
    "replaces builtins": lambda: [
        setattr(builtins, n, None) for n in ("len", "print", "sum", "isinstance", "vars", "any")
    ],
    "replaces what puts things back": lambda: [
        (setattr(sys, "setrecursionlimit", None), setattr(random, "setstate", None), setattr(signal, "signal", None))
    ],
    "sets NumPy's errors": lambda: np.seterr(all="raise"),
    "sets how NumPy prints": lambda: np.set_printoptions(precision=1, suppress=True),
    "seeds NumPy": lambda: np.random.seed(0),
    "takes another generator": lambda: np.random.set_bit_generator(np.random.PCG64(0)),
    "seeds random": lambda: random.seed(0),
    "takes the streams away": lambda: [setattr(sys, name, None) for name in ("stdout", "stderr", "stdin")],
    "closes the streams": lambda: [sys.stdout.close(), sys.stderr.close(), sys.stdin.close()],
    "sets the recursion limit": lambda: sys.setrecursionlimit(220),
    "sets an alarm": lambda: signal.alarm(60),
    "ignores signals": lambda: [signal.signal(n, signal.SIG_IGN) for n in (signal.SIGALRM, signal.SIGINT)],
    "changes another signal": lambda: signal.signal(signal.SIGUSR1, lambda *_: None),
    "changes the folder": lambda: os.chdir("/"),
    "filters warnings": lambda: warnings.simplefilter("error"),
    "limits memory": lambda: resource.setrlimit(
        resource.RLIMIT_AS, (1 << 40, resource.getrlimit(resource.RLIMIT_AS)[1])
    ),
    "starts a thread": lambda: threading.Thread(target=time.sleep, args=(0.1,), daemon=True).start(),
    "checks itself": lambda: OUT.append(check(lambda q, k: q @ k.T, "scores")),
    "deletes a global": lambda: globals().pop("OUT", None),
}
