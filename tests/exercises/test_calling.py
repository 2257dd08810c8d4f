"""Whatever a learner's function does, one sentence comes back, and nothing that the next check needs has changed."""

# Some functions below are written as nobody should.
# ruff: noqa: NPY002, PIE790

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

from attention_lab.exercises import check, limits, put_back
from attention_lab.exercises.calling import is_untouched
from tests.exercises import hostile
from tests.exercises.hostile import DONE, ENDLESS, GIVEN, OUT, RAISED, RETURNED, Evil, does, loop

resource = pytest.importorskip("resource", reason="the limits of time and memory are those of POSIX")


def state():
    """All that one check may not take from the next."""
    modules = [__import__(name, fromlist=["a"]) for name in put_back.GUARDED]
    return {
        "names": [{n: id(v) for n, v in vars(module).items() if not n.startswith("last_")} for module in modules],
        "streams": (sys.stdout, sys.stderr, sys.stdin),
        "errors": np.geterr(),
        "printing": np.get_printoptions(),
        "random": random.getstate(),
        "numpy": repr(np.random.get_state()),
        "recursion": sys.getrecursionlimit(),
        "filters": list(warnings.filters),
        "signals": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "timer": signal.getitimer(signal.ITIMER_REAL),
        "memory": resource.getrlimit(resource.RLIMIT_AS),
        "folder": os.getcwd(),
    }


@pytest.fixture(autouse=True)
def everything_stays(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    before = state()
    yield
    after = state()
    for name in before:
        assert after[name] == before[name], name


def sentence(report):
    """The message of a report that is not right, which is one or two sentences and no traceback."""
    assert report.verdict == "not yet"
    assert not report
    assert report.message.endswith((".", "?", "asks the next question."))
    assert "\n" not in report.message
    assert len(report.message) < 500
    assert "please report it" not in report.message
    assert report.message in repr(report)
    assert report._repr_html_()
    return report.message


@pytest.mark.parametrize("what", RETURNED)
def test_what_comes_back_is_described_in_a_sentence(what):
    function, words = RETURNED[what]
    assert words in sentence(check(function, "scores"))


@pytest.mark.parametrize("what", RAISED)
def test_what_is_raised_is_told_in_a_sentence(what):
    function, words = RAISED[what]
    assert words in sentence(check(function, "scores"))


@pytest.mark.parametrize("what", GIVEN)
def test_what_is_no_function_of_these_arguments_is_told_in_a_sentence(what):
    given, words = GIVEN[what]
    assert words in sentence(check(given, "scores"))


@pytest.mark.parametrize("what", ENDLESS)
def test_what_does_not_end_is_stopped(what):
    began = time.monotonic()
    assert "It did not end within 0.3 seconds" in sentence(check(ENDLESS[what], "scores"))
    assert time.monotonic() - began < (1.3 if what == "an alarm of its own" else 1)


def test_an_endless_loop_ends_within_three_seconds(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 2.0)
    began = time.monotonic()
    assert "It did not end within 2 seconds" in sentence(check(ENDLESS["nested loops that swallow"], "scores"))
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("what", DONE)
def test_what_is_done_on_the_way_changes_nothing(what, monkeypatch, capsys):
    if what == "prints a million lines":
        monkeypatch.setattr(limits, "SECONDS", 2.0)
    report = check(does(DONE[what]), "scores")
    if what == "deletes a global":
        hostile.OUT = OUT
    assert sentence(report)
    assert report.mistakes == ("scale-missing",)
    assert capsys.readouterr() == ("", "")
    assert check(lambda q, k: q @ k.T / np.sqrt(k.shape[-1]), "scores")


def test_a_function_that_checks_itself_is_told_so():
    OUT.clear()
    check(does(DONE["checks itself"]), "scores")
    assert {report.message for report in OUT} == {"A check is running: call `check` outside of the function."}


def test_a_function_that_needs_what_it_replaced_is_told_its_own_line():
    def function(q, k):
        np.sqrt = None
        return q @ k.T / np.sqrt(k.shape[-1])

    assert "It stops in your line `return q @ k.T / np.sqrt(k.shape[-1])`" in sentence(check(function, "scores"))


UNUSUAL = {
    "a list": lambda q, k: (q @ k.T / np.sqrt(k.shape[-1])).tolist(),
    "a tuple of rows": lambda q, k: tuple(q @ k.T / np.sqrt(k.shape[-1])),
    "float32": lambda q, k: (q @ k.T / np.sqrt(k.shape[-1])).astype(np.float32),
    "np.matrix": lambda q, k: np.asmatrix(q) @ np.asmatrix(k).T / np.sqrt(k.shape[-1]),
    "a masked array without masked numbers": lambda q, k: np.ma.array(q @ k.T / np.sqrt(k.shape[-1])),
    "an object with __array__": lambda q, k: Evil(lambda: q @ k.T / np.sqrt(k.shape[-1])),
    "a partial function": functools.partial(lambda power, q, k: q @ k.T / k.shape[-1] ** power, 0.5),
    "any number of arguments": lambda *given: given[0] @ given[1].T / np.sqrt(given[1].shape[-1]),
    "an object that can be called": type(
        "Scores", (), {"__call__": lambda self, q, k: q @ k.T / np.sqrt(k.shape[-1])}
    )(),
    "a read-only view": lambda q, k: np.broadcast_to(q @ k.T / np.sqrt(k.shape[-1]), (len(q), len(k))),
}


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("what", UNUSUAL)
def test_a_right_answer_in_unusual_clothes_is_right(what):
    assert check(UNUSUAL[what], "scores"), what


def _in_place(q):
    q /= 2


def _by_out(q):
    np.multiply(q, 2, out=q)


def _another_shape(q):
    q.resize(q.size, refcheck=False)


def _another_type(q):
    q.dtype = np.int64


def _through_a_view(q):
    q.T[0] = 7


WRITTEN = [_in_place, _by_out, _another_shape, _another_type, _through_a_view]


@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")
@pytest.mark.parametrize("write", WRITTEN)
def test_writing_into_an_argument_is_seen_and_named(write):
    def function(q, k):
        answer = q @ k.T / np.sqrt(k.shape[-1])
        write(q)
        return answer

    assert check(function, "scores").mistakes == ("inputs-changed",)


def test_writing_into_a_mask_is_seen():
    def function(q, k, v, mask):
        scores = np.where(mask, q @ k.T / np.sqrt(k.shape[-1]), -np.inf)
        weights = np.exp(scores)
        mask[...] = True
        return weights / weights.sum(-1, keepdims=True) @ v

    assert check(function, "masked-attention").mistakes == ("inputs-changed",)


def test_an_answer_that_is_overwritten_later_was_copied():
    buffer = np.zeros((20, 20))

    def function(q, k):
        part = buffer[: len(q), : len(k)]
        part[...] = q @ k.T / np.sqrt(k.shape[-1])
        return part

    assert check(function, "scores")


def helper(q):
    return q.nothing


def test_the_innermost_line_of_the_learners_own_is_named():
    assert "`return q.nothing`" in check(lambda q, k: helper(q), "scores").message


def test_a_key_pressed_while_a_function_runs_stops_it():
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    assert check(does(lambda: time.sleep(60)), "scores").message.startswith("You stopped it")


def _dots(q, k): ...


def _pass(q, k):
    pass


def _words(q, k):
    """Compare."""


def _words_and_dots(q: np.ndarray, k: "np.ndarray" = None, *, scale: bool = True) -> np.ndarray:
    """Compare."""
    ...  # here
    pass


def _names_nothing(q, k):
    "compare"
    "scale"


def _computes(q, k):
    q @ k.T


def _assigns(q, k):
    scores = 1  # noqa: F841


def _asserts(q, k):
    assert True, q
    print()


def _yields(q, k):
    yield


def _raises(q, k):
    raise NotImplementedError


async def _async(q, k): ...


class _Method:
    def scores(self, q, k): ...


UNTOUCHED = [_dots, _pass, _words, _words_and_dots, _names_nothing, _Method().scores]
TOUCHED = [_computes, _assigns, _asserts, _yields, _raises, _async, lambda q, k: ..., lambda q, k: 0, lambda q, k: q]
TOUCHED += [len, int, np.add, functools.partial(_dots), Evil(loop), 3, "text"]


@pytest.mark.parametrize("function", UNTOUCHED)
def test_an_untouched_body_is_known_as_one(function):
    assert is_untouched(function)
    assert check(function, "scores").verdict == "not tried yet"


@pytest.mark.parametrize("function", TOUCHED)
def test_a_touched_body_is_not_untouched(function):
    assert not is_untouched(function)


@pytest.mark.parametrize("function", [_computes, _assigns])
def test_a_forgotten_return_is_a_try(function):
    assert "returns nothing" in sentence(check(function, "scores"))


@pytest.mark.parametrize("function", UNTOUCHED)
def test_an_untouched_body_is_known_under_a_tracer(function):
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        function(1, 2)
        assert is_untouched(function)
    finally:
        sys.settrace(before)
