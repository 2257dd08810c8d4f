import itertools
import re

import numpy as np
import pytest

from attention_lab import softmax
from attention_lab.examples import COLOURS
from attention_lab.exercises import check, personal_numbers, solution
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.catalogue.blend import MATRIX, RIGHT, WORDS, target


def mix(*weights, name="mix"):
    return check(dict(zip(WORDS, weights, strict=True)), name)


@pytest.mark.parametrize("name", RIGHT)
def test_only_one_set_of_weights_makes_the_colour(name):
    system = np.vstack([MATRIX.T, np.ones(4)])
    assert abs(np.linalg.det(system)) > 0.01
    np.testing.assert_allclose(np.linalg.solve(system, [*target(name), 1]), RIGHT[name], atol=1e-12)


@pytest.mark.parametrize("name", RIGHT)
def test_of_all_weights_in_steps_of_a_tenth_only_the_right_ones_pass(name):
    passed = []
    for a, b, c in itertools.product(range(11), repeat=3):
        if a + b + c <= 10:
            weights = (a / 10, b / 10, c / 10, (10 - a - b - c) / 10)
            if mix(*weights, name=name):
                passed.append(weights)
    assert passed == [RIGHT[name]]


def test_a_right_mix_says_what_it_is():
    report = mix(*RIGHT["mix"])
    assert report.verdict == "right"
    assert report.message == "Your mix is red 0.45, green 0.525, blue 0.35."


def test_a_wrong_mix_says_what_it_is_and_where_it_is_off_most():
    report = mix(0.5, 0.5, 0, 0)
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.message.startswith("Your mix is red 0.625, green 0.575, blue 0.675; it is off most in blue, by 0.3")


@pytest.mark.parametrize(
    ("weights", "codes", "said"),
    [
        ((0.5, 0.5, 0.5, 0), ("weights-do-not-sum",), "Your weights sum to 1.5."),
        ((0, 0, 40, 40), ("weights-do-not-sum",), "Your weights sum to 80."),
        ((0, 0, 50, 50), (), "weights: as shares of 1, please: 0.5, not 50."),
        ((0, 0, 0, 0), ("weights-do-not-sum",), "Your weights sum to 0."),
        ((-0.5, 0, 1, 0.5), ("weight-negative",), "One of your weights is below 0."),
        ((-0.5, 0, 0.5, 0.5), ("weight-negative", "weights-do-not-sum"), "2 things at once."),
        ((0.333, 0, 0.333, 0.333), ("weights-do-not-sum",), "Your weights sum to 0.999."),
        ((0.333, 0, 0.333, 0.3334), ("weights-do-not-sum",), "Your weights sum to 0.9994."),
        ((0.3333, 0, 0.3333, 0.3333), (), "Your mix is red 0.5666, "),
    ],
)
def test_weights_that_are_no_shares_are_named(weights, codes, said):
    report = mix(*weights)
    assert report.mistakes == codes
    assert report.message.startswith(said)


def test_two_things_at_once_are_both_said():
    message = mix(-0.5, 0, 0.5, 0.5).message
    assert message == "2 things at once. One of your weights is below 0. Your weights sum to 0.5."


def test_weights_that_are_still_open_are_listed():
    report = mix(..., 0.5, ..., 0.5)
    assert report.verdict == "not yet"
    assert report.message.startswith("Still open: the, river.")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([0, 0, 0.5, 0.5], "A dict with a weight for each word is expected: the, bank, river, interest."),
        ("half", "A dict with a weight for each word is expected"),
        ({"the": "0", "bank": 0, "river": 0, "interest": 1}, "weights: numbers are expected"),
        ({"the": [0], "bank": 0, "river": 0, "interest": 1}, "weights: numbers are expected"),
        ({"the": float("nan"), "bank": 0, "river": 0, "interest": 1}, "weights: one of them is not a finite number"),
        ({"the": None, "bank": 0, "river": 0, "interest": 1}, "weights: one of them is not a finite number"),
        ({"the": 0, "bank": 0, "river": 0.5, "interest": 0.5, "rate": 0}, "There is no word 'rate'"),
        ({"The": 0, "bank": 0, "river": 0.5, "interest": 0.5}, "There is no word 'The'"),
    ],
)
def test_what_is_no_mix_is_answered_in_a_sentence(answer, said):
    report = check(answer, "mix")
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.message.startswith(said)


# --- unreachable ---


@pytest.mark.parametrize(
    "colour", [[0.0, 0.8, 0.0], [0.9, 0.35, 0.8], [0, 0.35, 0], [0.9, 0.8, 0.8], (0, 0.8, 0.8), np.array([0.9, 0.4, 0])]
)
def test_a_colour_outside_is_unreachable(colour):
    report = check(colour, "unreachable")
    assert report.verdict == "right"
    assert report.message.startswith("No weights make it: it would take -")
    assert report.message.endswith("less than nothing.")


@pytest.mark.parametrize(
    ("colour", "channel"), [([1, 0.5, 0.5], "red"), ([0, 0.3, 0], "green"), ([0, 0.5, 0.9], "blue")]
)
def test_a_colour_outside_the_ranges_is_too_easy(colour, channel):
    report = check(colour, "unreachable")
    assert report.verdict == "not yet"
    assert f"the words' own {channel} goes from" in report.message


@pytest.mark.parametrize("word", COLOURS)
def test_each_word_itself_can_be_mixed(word):
    report = check(list(COLOURS[word]), "unreachable")
    assert report.verdict == "not yet"
    assert f"1.00 {word}" in report.message


def test_whatever_is_mixed_can_be_mixed():
    rng = np.random.default_rng(0)
    for _ in range(300):
        weights = rng.dirichlet(np.ones(4) * 0.4)
        weights[rng.permutation(4)[: rng.integers(0, 3)]] = 0  # also on a side, and on an edge
        weights /= weights.sum()
        report = check((weights @ MATRIX).tolist(), "unreachable")
        assert report.verdict == "not yet"
        assert "-" not in report.message.split("`")[0]
        shown = [float(part.split()[0]) for part in report.message.split(": ")[1].split(". ")[0].split(", ")]
        np.testing.assert_allclose(shown, weights, atol=0.0051)


def test_just_outside_a_side_is_unreachable_and_just_inside_is_not():
    middle = MATRIX[1:].mean(0)  # on the side of three words: none of "the"
    outwards = middle - MATRIX[0]
    assert not check((middle + 0.002 * outwards).tolist(), "unreachable")
    report = check((middle + 0.02 * outwards).tolist(), "unreachable")
    assert report.verdict == "right"
    assert '-0.02 of "the"' in report.message


@pytest.mark.parametrize(
    ("colour", "said"),
    [
        ([0, 255, 0], "A colour has three shares, each from 0 to 1."),
        ([-0.1, 0, 0], "A colour has three shares, each from 0 to 1."),
        ([0, 1], "colour: 3 numbers are expected, such as [0, 1, 0]; yours has the shape (2,)."),
        ([0, 1, 0, 1], "colour: 3 numbers are expected"),
        ("green", "colour: numbers are expected"),
        ("#00ff00", "colour: numbers are expected"),
        ([0, float("inf"), 0], "colour: one of them is not a finite number"),
        ({"green": 1}, "colour: numbers are expected"),
    ],
)
def test_what_is_no_colour_is_answered_in_a_sentence(colour, said):
    report = check(colour, "unreachable")
    assert report.verdict == "not yet"
    assert report.message.startswith(said)


def test_a_colour_that_is_half_typed_is_not_tried_yet():
    assert check([0.5, ..., 0], "unreachable").verdict == "not tried yet"


# --- first-check ---


@pytest.mark.parametrize(
    "answer", [[0.0, 3.0], (0, 3), np.array([0, 3]), [0, 2.2], [-5, 0], [0, 1e308], [-1e308, 1e308], [0, True + 2]]
)
def test_a_second_score_that_is_large_enough_is_right(answer):
    report = check(answer, "first-check")
    assert report.verdict == "right"
    assert report.message.startswith("The second weight is ")


@pytest.mark.parametrize(
    ("answer", "weight"), [([0, 0], "0.500"), ([0, 2.19], "0.899"), ([3, 0], "0.047"), ([0, -1e308], "0.000")]
)
def test_a_second_score_that_is_too_small_is_told_its_weight(answer, weight):
    report = check(answer, "first-check")
    assert report.verdict == "not yet"
    assert report.message.startswith(f"The second weight is {weight}, not above 0.9.")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("3", "my_scores: numbers are expected, such as [0, 1]; yours is '3'."),
        (["0", "3"], "my_scores: numbers are expected"),
        ([0, 3j], "my_scores: numbers are expected"),
        ({0, 3}, "my_scores: numbers are expected"),
        ([0, 10**400], "my_scores: numbers are expected"),
        (3.0, "my_scores: 2 numbers are expected, such as [0, 1]; yours is a single number."),
        ([0, 3, 5], "my_scores: 2 numbers are expected, such as [0, 1]; yours has the shape (3,)."),
        ([[0, 3]], "my_scores: 2 numbers are expected"),
        ([0, float("nan")], "my_scores: one of them is not a finite number; yours is [0, nan]."),
        ([0, float("inf")], "my_scores: one of them is not a finite number; yours is [0, inf]."),
        ([0, None], "my_scores: one of them is not a finite number; yours is [0, None]."),
        (len, "my_scores: numbers are expected"),
    ],
)
def test_what_is_no_pair_of_scores_is_answered_in_a_sentence(answer, said):
    report = check(answer, "first-check")
    assert report.verdict == "not yet"
    assert report.message.startswith(said)
    assert "\n" not in report.message
    assert len(report.message) < 250


@pytest.mark.parametrize("answer", [..., [0.0, ...], [..., ...], None])
def test_dots_are_not_tried_yet(answer):
    assert check(answer, "first-check").verdict == "not tried yet"


# --- temperature ---


@pytest.mark.parametrize("answer", [1.9, 1.85, 1.94, np.float32(1.9), np.array(1.9)])
def test_a_temperature_at_which_four_words_are_looked_at_is_right(answer):
    report = check(answer, "temperature")
    assert report.verdict == "right"
    assert re.fullmatch(r"At a temperature of 1\.\d+, [34]\.\d\d of 8 words are looked at\.", report.message)


@pytest.mark.parametrize(
    ("answer", "words"),
    [(1, "2.05"), (2, "4.19"), (1.8, "3.83"), (1e-3, "1.00"), (1e-320, "1.00"), (1e6, "8.00"), (1e308, "8.00")],
)
def test_another_temperature_is_told_how_many_words_are_looked_at(answer, words):
    report = check(answer, "temperature")
    assert report.verdict == "not yet"
    assert report.message.startswith(f"At a temperature of {answer:g}, {words} of 8 words are looked at.")


def test_the_words_looked_at_are_those_of_the_scores_in_the_task():
    scores = np.array([float(one) for one in re.findall(r"-?\d+", EXERCISES["temperature"].task)[:8]])
    weights = softmax(scores / 2.5)
    words = 2 ** -(weights * np.log2(weights)).sum()
    assert f"{words:.2f} of 8" in check(2.5, "temperature").message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (0, "A temperature is above 0: the scores are divided by it."),
        (-2.0, "A temperature is above 0: the scores are divided by it."),
        ("two", "my_temperature: a number is expected, such as 2; yours is 'two'."),
        ("1.9", "my_temperature: a number is expected"),
        ([1.9], "my_temperature: a number is expected"),
        (1.9j, "my_temperature: a number is expected"),
        (True, "my_temperature: a number is expected"),
        (float("nan"), "my_temperature: a number is expected"),
        (float("inf"), "my_temperature: a number is expected"),
        (10**400, "my_temperature: a number is expected"),
        ({"temperature": 1.9}, "my_temperature: a number is expected"),
    ],
)
def test_what_is_no_temperature_is_answered_in_a_sentence(answer, said):
    report = check(answer, "temperature")
    assert report.verdict == "not yet"
    assert report.message.startswith(said)


# --- by-hand (its boxes are tested with traces) ---

MINE = personal_numbers("Ada")


def by_hand(mine):
    scores = mine.q[1] @ mine.k.T
    weights = softmax(scores / np.sqrt(2))
    made = {"numbers": mine, "q": mine.q[1], "k": mine.k, "scores": scores, "scaled": scores / np.sqrt(2)}
    return {**made, "weights": weights, "output": weights @ mine.v}


def test_without_numbers_of_ones_own_the_boxes_wait():
    blank = dict.fromkeys(("q", "k", "scores", "scaled", "weights", "output"), ...)
    for numbers_of in (personal_numbers(...), ..., None):
        report = check({"numbers": numbers_of, **blank}, "by-hand")
        assert report.verdict == "not tried yet"
        assert report.message == "Make your own numbers first, then type into the boxes."
    report = check({**by_hand(MINE), "numbers": personal_numbers(...)}, "by-hand")
    assert report.verdict == "not yet"
    assert report.message.startswith('"numbers" must hold what personal_numbers("your name") gave you.')


def test_the_second_time_asks_for_other_numbers():
    report = check(by_hand(MINE), "by-hand-again")
    assert report.verdict == "not yet"
    assert 'personal_numbers("your name", secret="again")' in report.message
    again = personal_numbers("Ada", secret="again")
    assert check(by_hand(again), "by-hand-again")


def test_the_second_time_is_right_after_a_look_at_its_solution_and_stays_seen():
    solution("by-hand-again")
    report = check(by_hand(personal_numbers("Ada", secret="again")), "by-hand-again")
    assert report.verdict == "right"
    assert report.message == "You have looked at the solution, so it counts as *seen*."
