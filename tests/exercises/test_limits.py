"""The limits around a learner's code hold at every moment, and leave no trace."""

import builtins
import itertools
import os
import random
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from attention_lab.exercises import limits
from attention_lab.exercises.limits import TimeIsUp, TooSlow, guarded, is_running

resource = pytest.importorskip("resource", reason="the limits of time and memory are those of POSIX")


def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def signals():
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    return handlers, signal.getitimer(signal.ITIMER_REAL), resource.getrlimit(resource.RLIMIT_AS)


def test_what_the_work_returns_comes_back():
    assert guarded(lambda put_back: 3) == 3


def test_what_the_work_raises_comes_back():
    with pytest.raises(KeyError):
        guarded(lambda put_back: {}["nothing"])


@pytest.mark.parametrize("ends", [lambda: None, lambda: 1 / 0])
def test_an_alarm_at_the_worst_moment_leaves_no_trace(ends, monkeypatch):
    """The alarm sounds before, during and after the last instructions of the work, and while all is put back."""
    before, streams, outcomes = signals(), (sys.stdout, sys.stderr, sys.stdin), set()
    monkeypatch.setattr(limits, "AGAIN", 1e-4)
    for microseconds in itertools.chain(range(1, 3000, 7), range(450, 650)):
        monkeypatch.setattr(limits, "SECONDS", microseconds * 1e-6)
        try:
            guarded(lambda put_back: (busy(0.0005), ends()))
            outcomes.add("ended")
        except TooSlow:
            outcomes.add("too slow")
        except ZeroDivisionError:
            outcomes.add("raised")
        assert signals() == before
        assert (sys.stdout, sys.stderr, sys.stdin) == streams
        assert np.geterr()["over"] == "warn"
        assert not is_running()
    assert "too slow" in outcomes
    assert len(outcomes) == 2


def test_the_alarm_sounds_for_the_work_alone(monkeypatch):
    """A slow way out is not cut in half, though the alarm goes on sounding."""
    monkeypatch.setattr(limits, "SECONDS", 0.02)
    monkeypatch.setattr(limits, "AGAIN", 0.001)
    slow = [(lambda: busy(0.05), lambda kept: busy(0.05)), *limits.SETTINGS]
    monkeypatch.setattr(limits, "SETTINGS", tuple(slow))
    before = signals()
    assert guarded(lambda put_back: 3) == 3
    with pytest.raises(TooSlow):
        guarded(lambda put_back: busy(1))
    assert signals() == before


def test_a_key_pressed_at_the_worst_moment_leaves_no_trace(monkeypatch):
    """While all is put back, the stop button waits in vain: there is nothing left to stop."""
    seen = []

    def pressed(kept):
        os.kill(os.getpid(), signal.SIGINT)
        seen.append("put back")

    monkeypatch.setattr(limits, "SETTINGS", ((lambda: None, pressed), *limits.SETTINGS))
    before = signals()
    assert guarded(lambda put_back: 3) == 3
    assert seen == ["put back"]
    assert signals() == before


def test_who_swallows_the_alarm_is_too_slow_all_the_same(monkeypatch):
    def work(put_back):
        try:
            busy(1)
        except TimeIsUp:
            return 3

    monkeypatch.setattr(limits, "SECONDS", 0.05)
    with pytest.raises(TooSlow):
        guarded(work)


def test_somebody_elses_timer_goes_on():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        guarded(lambda put_back: busy(0.05))
        assert 0.05 < signal.getitimer(signal.ITIMER_REAL)[0] < 0.2
        time.sleep(0.3)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [True]


def test_outside_the_main_thread_there_is_no_limit(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.01)
    done = []
    thread = threading.Thread(target=lambda: done.append(guarded(lambda put_back: busy(0.1) or 3)))
    thread.start()
    thread.join()
    assert done == [3]


def test_names_are_put_back_at_once_when_asked():
    def work(put_back):
        builtins.len, np.exp, sys.stdout = None, None, None
        del np.where
        put_back()
        return len([np.exp, np.where]), sys.stdout.write("nothing")

    assert guarded(work) == (2, 7)


def test_names_that_were_added_stay():
    guarded(lambda put_back: setattr(np, "of_the_learner", 1))
    assert vars(np).pop("of_the_learner") == 1


def test_too_much_memory_is_refused():
    with pytest.raises(MemoryError):
        guarded(lambda put_back: bytearray(4 * limits.MEMORY))


def test_a_lower_limit_of_memory_stays(monkeypatch):
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    monkeypatch.setattr(limits, "MEMORY", 1 << 50)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 40, hard))
    try:
        assert guarded(lambda put_back: resource.getrlimit(resource.RLIMIT_AS)[0]) == 1 << 40
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_the_state_of_random_numbers_is_put_back():
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    guarded(lambda put_back: (random.random(), np.random.rand()))  # noqa: NPY002
    drawn = random.random(), np.random.rand()  # noqa: NPY002
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    assert drawn == (random.random(), np.random.rand())  # noqa: NPY002


def test_warnings_and_numpys_errors_are_silent_meanwhile():
    def work(put_back):
        warnings.warn("old", stacklevel=1)
        return np.float64(1) / 0

    assert np.isinf(guarded(work))


def test_it_tells_that_it_is_running():
    assert guarded(lambda put_back: is_running())
    assert not is_running()


def test_a_folder_that_was_deleted_is_no_obstacle(tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    assert guarded(lambda put_back: 3) == 3
    os.chdir(tmp_path)


def test_the_environment_is_put_back(monkeypatch):
    monkeypatch.setenv("SOMETHING", "kept")

    guarded(lambda _: os.environ.clear())
    assert os.environ["SOMETHING"] == "kept"
