"""What is said of an answer, and what is remembered of it."""

import sys
import time

import numpy as np
import pytest

from attention_lab.exercises import check, diary, hint, limits, solution
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.checking import fingerprint


def dots(q, k): ...


def unscaled(q, k):
    return q @ k.T


def unscaled_too(q, k):
    return (k @ q.T).T


def swapped(q, k):
    return k @ q.T / np.sqrt(k.shape[-1])


def both(q, k):
    return k @ q.T


def unknown(q, k):
    return q @ k.T + 17


def right(q, k):
    return q @ k.T / np.sqrt(k.shape[-1])


def with_temperature(q, k, temperature):
    return q @ k.T / np.sqrt(k.shape[-1]) / temperature


ASK = '`hint("scores")` asks the next question.'


def test_the_first_time_it_says_what_was_computed():
    message = check(unscaled, "scores").message
    assert message.startswith("On the three words")
    assert ASK not in message
    assert BY_CODE["scale-missing"].name not in message


def test_the_same_answer_again_has_the_same_message():
    first = check(unscaled, "scores").message
    assert check(unscaled, "scores").message == first
    hint("scores")
    assert check(unscaled, "scores").message == first
    assert diary.read("scores").tries == 1


def test_another_answer_with_the_same_mistake_is_told_its_name():
    check(unscaled, "scores")
    message = check(unscaled_too, "scores").message
    assert message.startswith(f"Again: {BY_CODE['scale-missing'].name}. {BY_CODE['scale-missing'].why}")
    assert message.endswith(ASK)
    assert check(unscaled_too, "scores").message == message
    assert diary.read("scores").mistakes == {"scale-missing": 2}


def test_another_mistake_is_told_what_it_computes():
    check(unscaled, "scores")
    message = check(swapped, "scores").message
    assert "Again" not in message
    assert message.endswith(ASK)


def test_two_mistakes_are_told_both():
    report = check(both, "scores")
    assert set(report.mistakes) == {"scale-missing", "queries-keys-swapped"}
    assert report.message.startswith("2 things at once.")
    assert check(lambda q, k: (q @ k.T).T, "scores").message.startswith("Again: ")


def test_an_unknown_mistake_is_told_what_is_seen_and_asked():
    report = check(unknown, "scores")
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.mistake is None
    assert report.message.endswith(ASK)


def test_a_function_that_calls_another_one_is_a_new_answer_when_that_one_changes():
    helper = unscaled

    def function(q, k):
        return helper(q, k)

    check(function, "scores")
    helper = swapped
    assert check(function, "scores").mistakes == ("queries-keys-swapped",)
    assert diary.read("scores").mistakes == {"scale-missing": 1, "queries-keys-swapped": 1}


def test_the_code_and_the_hints_are_always_there():
    for function in (unscaled, unscaled_too):
        report = check(function, "scores")
        assert report.mistake == "scale-missing"
        assert report.hints == BY_CODE["scale-missing"].hints


def test_the_same_code_written_twice_is_the_same_answer():
    def again(q, k):
        return q @ k.T

    assert fingerprint(again) == fingerprint(unscaled)
    assert fingerprint(again) != fingerprint(swapped)
    assert fingerprint({"a": 1}) == fingerprint({"a": 1})


def test_right_is_right_and_stays_so():
    check(unscaled, "scores")
    report = check(right, "scores")
    assert report
    assert report.message == "It agrees on fresh random inputs."
    check(swapped, "scores")
    assert diary.read("scores").state == "right"


def test_after_the_solution_right_counts_as_seen_until_the_sibling_is_right():
    solution("scores")
    report = check(right, "scores")
    assert report
    assert report.message.startswith("You have looked at the solution, so it counts as *seen*.")
    assert '`check(..., "scores-temperature")`' in report.message
    assert diary.read("scores").state == "seen"
    assert check(with_temperature, "scores-temperature")
    assert diary.read("scores").state == "right"
    assert check(right, "scores").message == "It agrees on fresh random inputs."


def test_a_sibling_that_was_seen_too_makes_nothing_right():
    solution("scores")
    solution("scores-temperature")
    assert check(with_temperature, "scores-temperature")
    assert diary.read("scores").state == "seen"


def test_a_wrong_sibling_makes_nothing_right():
    solution("scores")
    check(lambda q, k, temperature: q @ k.T, "scores-temperature")
    assert diary.read("scores").state == "seen"


@pytest.mark.parametrize("answer", [dots, ..., None])
def test_an_untouched_answer_is_not_tried_yet_and_not_remembered(answer):
    report = check(answer, "scores")
    assert report.verdict == "not tried yet"
    assert report.message == "Put your code in place of the dots, run its cell, and then this one."
    assert not report
    assert diary.read_all() == {}


NAMES = {
    "a misspelt one": ("score", 'did you mean "scores"?'),
    "none at all": ("", "The second argument is the name"),
    "a function": (right, "The second argument is the name of the exercise, in quotes"),
    "a number": (3, "The second argument is the name"),
    "dots": (..., "The second argument is the name"),
    "a list": (["scores"], "The second argument is the name"),
    "an array": (np.ones((1000, 1000)), "The second argument is the name"),
}


@pytest.mark.parametrize("what", NAMES)
def test_a_name_that_is_none_is_told_so(what):
    name, words = NAMES[what]
    report = check(right, name)
    assert report.verdict == "not tried yet"
    assert words in report.message
    assert report._repr_html_()


def test_a_fault_of_ours_stops_nobody(monkeypatch):
    monkeypatch.setattr("attention_lab.exercises.checking.diagnose", lambda *_: 1 / 0)
    report = check(right, "scores")
    assert report.verdict == "not yet"
    assert report.message == "The check itself failed with ZeroDivisionError: please report it."


def test_a_notebook_that_turns_warnings_into_errors_is_no_obstacle():
    before = np.seterr(all="raise")
    try:
        report = check(lambda table: 0 * table + 1e308, "rows")
        assert report.verdict == "not yet"
        assert "please report it" not in report.message
        assert check(right, "scores")
        assert np.geterr()["over"] == "raise"
    finally:
        np.seterr(**before)


def test_without_a_diary_reports_are_the_same(monkeypatch):
    monkeypatch.setenv(diary.PLACE, "off")
    reports = []
    for _ in range(2):
        diary._in_memory.clear()
        reports.append([check(function, "scores") for function in (dots, unscaled, unscaled, unscaled_too, right)])
    assert reports[0] == reports[1]


class Evil:
    """A value of which every use raises, or never ends."""

    def __init__(self, do):
        self.do = do

    __array__ = __repr__ = __eq__ = __hash__ = __len__ = __iter__ = __float__ = lambda self, *_, **__: self.do()


class EvilDict(dict):
    def get(self, *_):
        raise SystemExit("no")

    __iter__ = get


def loop():
    while True:
        pass


WORDS = ("the", "bank", "river", "interest")
VALUES = [
    {},
    {"the": 1},
    {**dict.fromkeys(WORDS, 0.25), "extra": 1},
    dict.fromkeys(WORDS, "a quarter"),
    dict.fromkeys(WORDS),
    dict.fromkeys(WORDS, float("nan")),
    dict.fromkeys(WORDS, float("inf")),
    {word: [0.25] for word in WORDS},
    dict.fromkeys(WORDS, 10**400),
    dict.fromkeys(WORDS, 1j),
    dict.fromkeys(WORDS, Evil(lambda: 1 / 0)),
    dict.fromkeys(WORDS, Evil(loop)),
    {"weights": [1, 2], "output": "text"},
    {"weights": [[1, 2], [3]], "output": [1]},
    {"q": [0, 1]},
    {"numbers": 3, "q": [0, 1]},
    {1: 2, None: 3},
    EvilDict(the=1),
    [0.1, 0.2],
    [0.1, float("nan"), 2],
    [1, 2, [3, 4]],
    [0.0] * 1_000_000,
    [[[]]],
    np.broadcast_to(0.0, (10**6, 10**6)),
    np.array([1, None]),
    "text",
    b"bytes",
    0.5,
    True,
    {1, 2},
    Evil(lambda: 1 / 0),
    Evil(loop),
    loop,
    int,
]
VALUE_EXERCISES = [name for name, exercise in EXERCISES.items() if exercise.kind != "write"]


@pytest.mark.parametrize("name", VALUE_EXERCISES)
def test_any_value_is_answered_in_a_sentence(name, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.05)
    # On a busy machine the alarm sounds again while pytest still writes down where it sounded.
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    for value in VALUES:
        report = check(value, name)
        assert not report
        assert "\n" not in report.message
        assert report.message.endswith((".", "?"))
        assert len(report.message) < 500
        assert "please report it" not in report.message


def test_a_value_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.2)
    began = time.monotonic()
    assert "It did not end within 0.2 seconds" in check(dict.fromkeys(WORDS, Evil(loop)), "mix").message
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("answer", [{"the": 0, "bank": 0, "river": 0.5, "interest": 0.5}, {"the": ...}])
def test_a_value_is_not_changed(answer):
    before = dict(answer)
    check(answer, "mix")
    assert answer == before


def test_it_answers_within_50_milliseconds():
    times = []
    for _ in range(15):
        began = time.perf_counter()
        check(right, "scores")
        times.append(time.perf_counter() - began)
    assert sorted(times)[7] < 0.05
