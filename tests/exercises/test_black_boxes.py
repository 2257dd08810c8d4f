"""Boxes to test without a look inside: one of each set leaks, and what is said of an answer is measured."""

import numpy as np
import pytest

from attention_lab import CausalityError, ShapeError, assert_causal, future_influence
from attention_lab.exercises import black_boxes, check
from attention_lab.exercises.black_boxes import (
    BlackBox,
    attention_of,
    growing,
    hidden_too_late,
    last_three,
    with_a_hole,
)
from attention_lab.exercises.catalogue.leaks import N_WORDS, later_words_seen

NAMES = ("find-the-leak", "find-the-leak-again")
every_set = pytest.mark.parametrize("name", NAMES)


def words(n=N_WORDS, d=4, seed=1):
    return np.random.default_rng(seed).normal(size=(n, d))


def leaks(box, x):
    try:
        assert_causal(box, x)
    except CausalityError:
        return True
    return False


def answer_of(name):
    """Find the leak as a learner does."""
    for letter, box in black_boxes(name).items():
        later = np.triu(future_influence(box, words()), k=1).max(axis=1)
        if later.any():
            return {"box": letter, "position": int(np.flatnonzero(later)[0])}
    raise AssertionError("no box leaks")


@every_set
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("d", [2, 5])
def test_one_box_leaks_whatever_it_is_tested_with_and_the_others_never_do(name, seed, d):
    boxes = black_boxes(name)
    assert list(boxes) == ["A", "B", "C"]
    found = [letter for letter, box in boxes.items() if leaks(box, words(seed=seed, d=d))]
    assert found == [answer_of(name)["box"]]


def test_the_two_sets_have_other_letters_and_other_positions():
    first, second = map(answer_of, NAMES)
    assert first["box"] != second["box"]
    assert first["position"] != second["position"]
    assert 0 not in (first["position"], second["position"])


@every_set
def test_a_box_gives_the_same_each_time_and_leaves_its_words_alone(name):
    x = words()
    for letter, box in black_boxes(name).items():
        kept = x.copy()
        np.testing.assert_array_equal(box(x), black_boxes(name)[letter](x))
        np.testing.assert_array_equal(x, kept)
        assert box(x).shape == x.shape
        assert box(x.tolist()).dtype == float
        assert box(np.zeros((0, 3))).shape == (0, 3)
        assert box(words(n=1)).shape == (1, 4)


@every_set
def test_a_box_says_nothing_of_what_is_inside(name):
    for letter, box in black_boxes(name).items():
        assert repr(box) == f"black box {letter}: (n_tokens, d) -> (n_tokens, d)"


def test_words_of_another_shape_are_an_error_that_names_the_axes():
    with pytest.raises(ShapeError, match="n_tokens, d"):
        black_boxes("find-the-leak")["A"]([1.0, 2.0])


@pytest.mark.parametrize("name", ["leak", "", None, 3, ["find-the-leak"]])
def test_an_unknown_set_is_answered_with_a_sentence(name):
    said = f'Black boxes. There are none called "{name}"; there are those of "find-the-leak" and "find-the-leak-again".'
    assert repr(black_boxes(name)) == said


# --- What is inside ---


def test_what_is_hidden_too_late_leaks_from_its_position_on_through_the_sum_alone():
    seen = later_words_seen(BlackBox("X", hidden_too_late(0, position=2)))
    np.testing.assert_array_equal(seen, np.triu(np.ones((8, 8), bool), 1) & (np.arange(8) >= 2)[:, None])
    x = words()
    late, in_time = hidden_too_late(0, position=2)(x), attention_of(0)(x)
    np.testing.assert_allclose(late[:2], in_time[:2], rtol=1e-12)
    share = late[2:] / in_time[2:]  # the same blend, of which a part is missing
    np.testing.assert_allclose(share, np.repeat(share[:, :1], 4, axis=1), rtol=1e-9)
    assert (share[:-1] < 1).all()


def test_a_hole_lets_one_output_see_the_next_word_and_no_other():
    seen = later_words_seen(BlackBox("X", attention_of(0, with_a_hole(3))))
    assert np.argwhere(seen).tolist() == [[3, 4]]


def test_an_average_and_a_sum_are_what_their_names_say():
    x = words(n=4, d=1)
    np.testing.assert_allclose(last_three(x)[:, 0], [x[0, 0], x[:2].mean(), x[:3].mean(), x[1:].mean()])
    np.testing.assert_allclose(growing(x)[:, 0], [x[: n + 1].sum() for n in range(4)])


# --- The exercise ---


@every_set
def test_what_was_found_by_testing_is_right(name):
    answer = answer_of(name)
    report = check(answer, name)
    assert report.verdict == "right"
    assert report.message.startswith(f"Output {answer['position']} of box {answer['box']} sees a later word")
    assert check({"box": answer["box"].lower(), "position": float(answer["position"])}, name)


@every_set
def test_every_other_answer_is_told_what_is_true_of_the_box_it_names(name):
    right = answer_of(name)
    for letter, box in black_boxes(name).items():
        moves = np.triu(future_influence(box, words()), k=1) > 1e-9
        for position in range(N_WORDS + 2):
            answer = {"box": letter, "position": position}
            message = check(answer, name).message
            if answer == right:
                continue
            if letter != right["box"]:
                said = f"Box {letter} passes the leak test: no output moves when a later word does."
            elif position < N_WORDS and moves[position].any():
                said = f"Box {letter} leaks; output {position} does see a later word, and so does an output before it."
            elif position == np.argwhere(moves)[0][1]:
                said = f"Box {letter} leaks; word {position} is the one that is seen too early."
            else:
                said = f"Box {letter} leaks; output {position} sees no later word."
            assert message.startswith(said)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"box": "B", "position": ...}, "Still open: position."),
        ({"position": 2}, "Still open: box."),
        ({"box": "D", "position": 2}, "box: one of the letters A, B, C is expected; yours is 'D'."),
        ({"box": "", "position": 2}, "box: one of the letters A, B, C is expected; yours is ''."),
        ({"box": 2, "position": "B"}, "box: one of the letters A, B, C is expected; yours is 2."),
        ({"box": ["B"], "position": 2}, "box: one of the letters A, B, C is expected; yours is ['B']."),
        ({"box": "B", "position": "2"}, "position: a number is expected, such as 2; yours is '2'."),
        ({"box": "B", "position": [2]}, "position: a number is expected"),
        ({"box": "B", "position": True}, "position: a number is expected"),
        ({"box": "B", "position": None}, "position: a number is expected"),
        ({"box": "B", "position": 1.5}, "position: the number of an output, counted from 0; yours is 1.5."),
        ({"box": "B", "position": -6}, "position: the number of an output, counted from 0; yours is -6."),
        ({"box": "B", "position": 2, "word": 3}, 'There is no \'word\'; "box" and "position" are asked for.'),
        (("B", 2), 'A dict with "box" and "position" is expected.'),
        ("B 2", 'A dict with "box" and "position" is expected.'),
    ],
)
def test_what_is_no_answer_is_answered_with_a_sentence(answer, said):
    report = check(answer, "find-the-leak")
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.message.startswith(said)
