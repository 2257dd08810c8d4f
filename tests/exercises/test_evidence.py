import re

import numpy as np
import pytest

from attention_lab import softmax
from attention_lab.exercises import check
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.diagnose import right_state
from attention_lab.exercises.evidence import evidence, evidence_of_parts
from attention_lab.exercises.steps import side_by_side

ATTENTION, SOFTMAX, CAUSAL = (EXERCISES[name] for name in ("attention", "softmax", "causal-mask"))
RIGHT = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
WEIGHTS = softmax(RIGHT)


def said(answer, right=RIGHT, exercise=ATTENTION, makes="output"):
    return evidence(exercise, np.asarray(answer), right, makes)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (
            RIGHT.T,
            "Your result has the shape (3, 2); with these inputs the shape is (2, 3): "
            "one row for each query, d_v numbers each.",
        ),
        (5.0, "Your result is a single number; with these inputs the shape is (2, 3): one row for each query, d_v "
        "numbers each."),
        (np.zeros((0, 3)), "Your result has the shape (0, 3); with these inputs the shape is (2, 3): one row for each "
        "query, d_v numbers each."),
        ([[1, 2, np.nan], [4, np.nan, 6]], "Your result holds NaN (not a number), first at [0, 2]."),
        ([[1, 2, 3], [-np.inf, 5, 6]], "Your result holds an infinite number, first at [1, 0]."),
        (RIGHT + 7, "Its shape is right, and none of its numbers is."),
        ([[1, 2, 3], [4, 7, 8]], "4 of its 6 numbers are right; the first other one stands at [1, 1]."),
        ([[1, 9, 9], [9, 9, 9]], "1 of its 6 numbers is right; the first other one stands at [0, 1]."),
        (RIGHT + 0.004, "All its numbers are nearly right; they are off by up to 0.004. Is something rounded on the "
        "way?"),
    ],
)  # fmt: skip
def test_what_is_seen_in_an_output(answer, text):
    assert said(answer) == text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (WEIGHTS * [[1], [2]], "The row at [1] sums to 2, not to 1."),
        (WEIGHTS * 1.0004, "The row at [0] sums to 1.0004, not to 1."),
        ([[0.5, 0.6, -0.1], [1, 0, 0]], "Each row sums to 1, but [0, 2] is negative."),
        (np.full((2, 3), 1 / 3), "Its shape is right, and none of its numbers is."),
    ],
)
def test_what_is_seen_in_weights(answer, text):
    assert said(answer, WEIGHTS, SOFTMAX, "weights") == text


def test_what_is_seen_in_a_mask():
    right = np.tril(np.ones((3, 3), bool))
    answer = right.copy()
    answer[0, 2] = answer[2, 0] = not right[0, 2]
    assert said(answer, right, CAUSAL, "mask") == "8 of its 9 entries are right; the first other one stands at [0, 2]."
    assert said(~right, right, CAUSAL, "mask") == "Its shape is right, and none of its entries is."
    assert said(np.where(right, 0.0, -1e9), right, CAUSAL, "mask").startswith("Its shape is right, and none")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"d_k": lambda x: x + 1}, "Right so far: d_q, d_v. d_k: its shape is right, and none of its numbers is."),
        (
            {"d_q": lambda x: x * np.nan, "d_v": np.tanh},
            "Right so far: d_k. d_q: your result holds NaN (not a number), first at [0, 0].",
        ),
        (dict.fromkeys(("d_q", "d_k", "d_v"), np.negative), "d_q: its shape is right, and none of its numbers is."),
    ],
)
def test_what_is_seen_in_several_tables(change, text):
    exercise = EXERCISES["attention-gradient"]
    right = right_state(exercise, exercise.inputs(np.random.default_rng(0), False))
    parts = [change.get(name, lambda x: x)(getattr(right, name)) for name in exercise.gives]
    assert evidence_of_parts(exercise, side_by_side(*parts), right) == text


@pytest.mark.parametrize("kind", [np.float32, np.float16, int, bool])
def test_any_kind_of_number_can_be_looked_at(kind):
    assert said(np.zeros((2, 3), kind)) == "Its shape is right, and none of its numbers is."


def test_nearly_right_numbers_are_never_an_error_of_ours():
    rng = np.random.default_rng(0)
    for exponent in np.linspace(-9, 1, 60):
        for size in (1e-3, 1, 100):
            right = rng.normal(size=(4, 5)) * size
            text = said(right + 10**exponent * rng.choice([-1, 1], size=(4, 5)), right)
            assert text.endswith((".", "?"))


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_a_rounded_answer_is_asked_whether_something_is_rounded(digits):
    report = check(lambda q, k: np.round(q @ k.T / np.sqrt(k.shape[-1]), digits), "scores")
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert "nearly right" in report.message


WRONG = {
    "attention": [
        lambda q, k, v: np.tanh(q @ k.T) @ v,
        lambda q, k, v: softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v + 1,
        lambda q, k, v: softmax(-(q @ k.T)) @ v * 0.9,
        lambda q, k, v: (softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v)[::-1],
    ],
    "softmax": [
        lambda scores: softmax(scores) * 1.1,
        lambda scores: np.abs(scores) / np.abs(scores).sum(-1, keepdims=True),
        lambda scores: softmax(scores)[:, ::-1],
    ],
    "causal-mask": [lambda n: np.eye(n, dtype=bool), lambda n: np.ones((n, n), bool), lambda n: np.zeros(n)],
}


@pytest.mark.parametrize(("name", "function"), [(name, function) for name, many in WRONG.items() for function in many])
def test_evidence_holds_no_right_number(name, function):
    exercise = EXERCISES[name]
    for seed in range(20):
        arguments = exercise.inputs(np.random.default_rng(seed), False)
        right = np.asarray(PACKAGE[name](*arguments.values()))
        answer = np.asarray(function(*arguments.values()))
        text = evidence(exercise, answer, right, {"softmax": "weights", "causal-mask": "mask"}.get(name, "output"))
        assert 20 <= len(text) <= 200
        assert text.endswith((".", "?"))
        decimals = [number for number in re.findall(r"-?\d+\.\d+", text) if number != "1.1"]
        assert not any(np.isclose(float(number), right, atol=1e-4).any() for number in decimals if name == "attention")


PACKAGE = {
    "attention": lambda q, k, v: softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v,
    "softmax": softmax,
    "causal-mask": lambda n: np.tril(np.ones((n, n), bool)),
}
