import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from attention_lab import softmax
from attention_lab.examples import ONE_WAY
from attention_lab.exercises import check, personal_numbers
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.mistake import row
from attention_lab.exercises.traces import BOXES, PROGRAM, box_of, look_at_boxes
from attention_lab.exercises.typed import is_blank, numbers

MINE = personal_numbers("Ada")
ON_PAPER = (
    "scale-missing",
    "scale-by-d_k",
    "scale-multiplied",
    "queries-keys-swapped",
    "softmax-over-queries",
    "weights-transposed",
    "values-replaced",
)


@cache
def everybody(number=300):
    return [personal_numbers(f"learner {i}") for i in range(number)]


def right_boxes(mine=MINE):
    q, k, v = mine.q[1], mine.k, mine.v
    scaled = q @ k.T / np.sqrt(2)
    weights = softmax(scaled)
    return {"q": q, "k": k, "scores": q @ k.T, "scaled": scaled, "weights": weights, "output": weights @ v}


def on_paper(mine=MINE, *, root=None, digits=(2, 3, 2)):
    """The boxes of who rounds on the way: the root, the scaled scores, the weights and the output."""
    scaled_to, weights_to, output_to = digits
    scores = mine.q[1] @ mine.k.T
    scaled = np.round(scores / (root or np.sqrt(2)), scaled_to)
    grown = np.exp(scaled)
    weights = np.round(grown / grown.sum(), weights_to)
    output = np.round(weights @ mine.v, output_to)
    return {"q": mine.q[1], "k": mine.k, "scores": scores, "scaled": scaled, "weights": weights, "output": output}


def by_hand(boxes, mine=MINE):
    return check({"numbers": mine, **boxes}, "by-hand")


def wrong_boxes(mine, way):
    return {box: box_of(mine, box, 1, way) for box in BOXES}


def ways_on_paper():
    return [
        pytest.param(code, way, id=f"{code} {i}")
        for code in ON_PAPER
        for i, way in enumerate(BY_CODE[code].ways)
        if set(way) <= set(PROGRAM)
    ]


@pytest.mark.parametrize(
    "write",
    [
        np.asarray,
        lambda box: np.asarray(box).tolist(),
        lambda box: tuple(map(tuple, box)) if np.ndim(box) == 2 else tuple(box),
        lambda box: np.asarray(box, np.float32),
        lambda box: np.vectorize(Fraction)(np.asarray(box, float)).tolist(),
    ],
    ids=["arrays", "lists", "tuples", "float32", "fractions"],
)
def test_numbers_may_be_typed_in_any_way(write):
    assert by_hand({box: write(value) for box, value in right_boxes().items()}).verdict == "right"


@pytest.mark.parametrize("root", [None, 1.414, 1.41, 1.4])
@pytest.mark.parametrize("digits", [(2, 3, 2), (2, 2, 2), (3, 3, 2), (4, 4, 4)])
def test_who_rounds_on_the_way_is_right(root, digits):
    for mine in everybody(100):
        boxes = on_paper(mine, root=root, digits=digits)
        assert look_at_boxes(mine, tuple(BOXES), boxes).verdict == "right", (mine, boxes)


def test_who_rounds_the_second_example_is_right():
    for root in (np.sqrt(2), 1.414, 1.41, 1.4):
        for digits in ((2, 3, 2), (2, 2, 2)):
            boxes = on_paper(ONE_WAY, root=root, digits=digits)
            row = {"weights": boxes["weights"], "output": boxes["output"]}
            assert check(row, "second-example").verdict == "right", (root, digits)


@pytest.mark.parametrize(("code", "way"), ways_on_paper())
def test_no_box_of_a_known_mistake_passes(code, way):
    for mine in everybody():
        right, wrong = right_boxes(mine), wrong_boxes(mine, way)
        touched = [box for box in BOXES if not np.allclose(wrong[box], right[box])]
        assert "output" in touched
        for box in touched:
            earlier = {
                other: value for other, value in right.items() if list(BOXES).index(other) < list(BOXES).index(box)
            }
            for before in ({}, earlier):
                found = look_at_boxes(mine, tuple(BOXES), {**before, box: wrong[box]})
                assert found.verdict == "not yet", (mine, box)
                assert f'"{box}" holds what comes out of this:' in found.seen or f"{box}: not yet" in found.seen, (
                    mine,
                    box,
                )
                # Where the weights are right, nothing before the blend can be called wrong.
                late = box != "output" or not before or {"settle", "blend", "hand over"} & set(way)
                assert found.mistakes or not late, (mine, box)


def test_what_is_right_already_is_not_called_wrong_in_the_next_box():
    for x, y in itertools.product(np.arange(1.4, 1.85, 0.05), np.arange(1.75, 2.2, 0.05)):
        found = check({"weights": [0.02, 0.19, 0.79], "output": [x, y]}, "second-example")
        named = [way for code in found.mistakes for way in BY_CODE[code].ways]
        assert not named or any({"settle", "blend", "hand over"} & set(way) for way in named), (x, y, found)


@pytest.mark.parametrize(("code", "way"), ways_on_paper())
def test_the_first_box_that_differs_is_named_by_its_mistake(code, way):
    # With queries and keys swapped, the row of scores is the column of the right ones: both names are true.
    honest = {code, "column-for-row"} if set(way) == {"compare"} else {code}
    for mine in everybody():
        found = look_at_boxes(mine, tuple(BOXES), wrong_boxes(mine, way))
        assert set(found.mistakes) <= honest, (mine, found)
        assert len(found.mistakes) == 1, (mine, found)


def test_a_column_in_place_of_a_row_is_named():
    for mine in everybody():
        column = (mine.q @ mine.k.T)[:, 1]
        report = look_at_boxes(mine, tuple(BOXES), {**right_boxes(mine), "scores": column})
        assert report.mistakes == ("column-for-row",)
        scaled = look_at_boxes(mine, tuple(BOXES), {**right_boxes(mine), "scaled": column / np.sqrt(2)})
        assert set(scaled.mistakes) <= {"column-for-row", "scale-missing", "scale-multiplied", "scale-by-d_k"}
        assert scaled.mistakes


@pytest.mark.parametrize("blended", ["q", "k"])
def test_something_else_blended_by_rounded_weights_is_named(blended):
    for mine in everybody(100):
        boxes = on_paper(mine, root=1.4, digits=(2, 2, 2))
        boxes["output"] = boxes["weights"] @ getattr(mine, blended)
        assert look_at_boxes(mine, tuple(BOXES), boxes).mistakes == ("values-replaced",), (mine, boxes)


def test_boxes_that_follow_from_a_wrong_one_wait_until_it_is_right():
    boxes = right_boxes()
    scores = boxes["scores"] + [1, 0, 0]
    weights = softmax(scores / np.sqrt(2))
    report = by_hand({**boxes, "scores": scores, "scaled": scores / np.sqrt(2), "weights": weights})
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.message.startswith("Right so far: q, k. scores: not yet; 2 of its 3 numbers are right.")


def test_what_is_still_open_is_listed():
    boxes = {**right_boxes(), "weights": ..., "output": [..., ...]}
    assert by_hand(boxes).message.startswith("Right so far: q, k, scores, scaled. Still open: weights, output.")
    assert by_hand({"q": right_boxes()["q"]}).message.startswith("Right so far: q. Still open: k, scores")


@pytest.mark.parametrize("blank", [dict.fromkeys(BOXES, ...), {}, {**dict.fromkeys(BOXES, ...), "q": [..., ...]}])
def test_nothing_typed_is_not_tried_yet(blank):
    report = by_hand(blank)
    assert report.verdict == "not tried yet"
    assert report.message == "Type your numbers in place of the dots."


@pytest.mark.parametrize(
    ("box", "value", "said"),
    [
        ("weights", [62, 31, 7], "weights: not yet; none of its numbers is right."),
        ("q", "0, 1", "q: numbers are expected, such as [0, 1]; yours is '0, 1'."),
        ("q", ["0", "1"], "q: numbers are expected, such as [0, 1]; yours is ['0', '1']."),
        ("q", [[0, 1]], "q: 2 numbers are expected, such as [0, 1]; yours has the shape (1, 2)."),
        ("q", 3, "q: 2 numbers are expected, such as [0, 1]; yours is a single number."),
        ("k", [0, 1], "k: 3 rows of 2 numbers are expected, such as [[0, 1], ...]; yours has the shape (2,)."),
        ("k", [[0, 1], [0]], "k: numbers are expected, such as [[0, 1], ...]; yours is [[0, 1], [0]]."),
        ("output", [float("nan"), 0], "output: one of them is not a finite number; yours is [nan, 0]."),
        ("output", [None, 0], "output: one of them is not a finite number; yours is [None, 0]."),
        ("output", [1j, 0], "output: numbers are expected, such as [0, 1]; yours is [1j, 0]."),
        ("output", [10**400, 0], "output: numbers are expected, such as [0, 1]; yours is [1000"),
        ("output", {1, 2}, "output: numbers are expected, such as [0, 1]; yours is {1, 2}."),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(box, value, said):
    report = by_hand({box: value})
    assert report.verdict == "not yet"
    assert report.mistakes == ()
    assert report.message.startswith(said)
    assert "\n" not in report.message


def test_boxes_before_one_that_cannot_be_read_still_count():
    report = by_hand({**right_boxes(), "k": "no"})
    assert report.message.startswith("Right so far: q. k: numbers are expected")


def test_percent_is_told_from_a_wrong_row():
    report = by_hand({**right_boxes(), "weights": 100 * right_boxes()["weights"]})
    assert report.mistakes == ()
    assert "weights: as shares of 1, please, such as 0.62 in place of 62." in report.message


def test_one_digit_is_close_and_no_more():
    weights = right_boxes()["weights"]
    report = by_hand({**right_boxes(), "weights": weights.round(1)})
    assert np.abs(weights - weights.round(1)).max() > 0.02  # or these numbers say nothing
    assert "weights: close. Two digits after the point tell whether it is right." in report.message


def test_a_box_that_is_not_there_is_named():
    assert by_hand({"weight": [0, 0, 1]}).message.startswith("There is no box 'weight'; the boxes are q, k, scores")


@pytest.mark.parametrize("answer", [[1, 2], "text", 3, np.zeros(3), len])
@pytest.mark.parametrize("name", ["by-hand", "second-example"])
def test_what_is_no_dict_is_answered_in_a_sentence(answer, name):
    report = check(answer, name)
    assert report.verdict == "not yet"
    assert report.message.startswith("A dict with ")


def test_the_sentence_of_a_mistake_holds_the_learners_own_numbers():
    scaled = MINE.q[1] @ MINE.k.T
    message = by_hand({**right_boxes(), "scaled": scaled}).message
    assert f"{scaled[0]:.2f}, {scaled[1]:.2f} and {scaled[2]:.2f}" in message


@pytest.mark.parametrize(("box", "value", "wrong"), [("q", MINE.k[1], "W_K"), ("k", MINE.q, "W_Q")])
def test_swapped_matrices_are_named_in_the_box_that_shows_them(box, value, wrong):
    said = f'"{box}" holds what comes out of this: These numbers are made with `{wrong}`.'
    assert said in by_hand({box: value}).message


def test_right_numbers_never_stand_in_a_message():
    right = right_boxes()
    for code in ON_PAPER:
        for way in BY_CODE[code].ways:
            if not set(way) <= set(PROGRAM):
                continue
            wrong = wrong_boxes(MINE, way)
            first = next(box for box in BOXES if not np.allclose(wrong[box], right[box]))
            message = by_hand({**right, first: wrong[first]}).message
            assert row([right[first]] * 2) not in message, (code, message)


@pytest.mark.parametrize(
    ("value", "blank"),
    [(..., True), ([1, ...], True), ([[1, 2], [..., 3]], True), ((1, 2), False), (np.zeros(2), False), (None, False)],
)
def test_dots_anywhere_are_a_blank(value, blank):
    assert is_blank(value) is blank


def test_numbers_come_back_as_floats_of_the_shape_asked_for():
    assert numbers("q", (1, 2), (2,)).dtype == float
    assert numbers("k", [[1, 2]], (1, 2)).tolist() == [[1.0, 2.0]]
