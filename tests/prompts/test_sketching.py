"""A line is kept, nothing blocks, and what is said about it is about the line that was drawn."""

import re

import numpy as np
import pytest

from attention_lab.attention import attention_scores
from attention_lab.exercises import diary
from attention_lab.explorers.sketch import FAR, Sketch, times
from attention_lab.prompts.ideas import IDEAS
from attention_lab.prompts.items.sketches import SKETCHES
from attention_lab.prompts.sketching import sketch

every_sketch = pytest.mark.parametrize("growth", SKETCHES.values(), ids=SKETCHES)
every_line = pytest.mark.parametrize(
    ("growth", "power"),
    [(growth, power) for growth in SKETCHES.values() for power in growth.powers],
    ids=lambda part: getattr(part, "name", None) or part.text,
)


def line_of(growth, exponent):
    return [(x / growth.x[0]) ** exponent for x in growth.x]


# ---- the entries ----------------------------------------------------------------------------------------------------


@every_sketch
def test_the_line_that_is_measured_has_no_misconception_and_every_other_one_has_its_own(growth):
    right, *wrong = growth.ordered
    assert right.code == ""
    assert right is growth.nearest(growth.measured)
    assert len({power.code for power in wrong}) == len(wrong) >= 2
    assert growth.codes == {power.code for power in wrong} <= set(IDEAS)
    np.testing.assert_allclose(growth.measured, line_of(growth, right.power), rtol=0.01)


@every_sketch
def test_an_entry_is_named_after_its_lesson_and_asks_without_a_word_about_the_answer(growth):
    assert re.fullmatch(r"\d\d-[a-z][a-z-]*", growth.name)
    assert len(growth.text) <= 120
    assert growth.text.endswith("?")
    assert not {"root", "square", "twice", "double"} & set(re.findall(r"[a-z]+", growth.text))
    said = [part for power in growth.powers for part in (power.text, power.because)]
    assert all(re.fullmatch(r"[A-Z].*\.", power.because) for power in growth.powers)
    assert not any(re.search(r"[`*]", part) for part in [growth.text, growth.x_label, growth.y_label, *said])


@every_sketch
def test_the_axis_has_lines_at_powers_of_4_and_room_for_every_line_above_and_below(growth):
    low, high = growth.ends
    assert np.log2([low, high]).tolist() == [2 * round(np.log2(end) / 2) for end in (low, high)]
    assert all(low <= y <= high / 4 for power in growth.powers for y in line_of(growth, power.power))
    assert low <= 0.25  # somebody expects it to fall
    assert list(growth.x) == [growth.x[0] * 2**i for i in range(len(growth.x))]


def test_the_measured_spread_is_that_of_the_packages_scores():
    rng = np.random.default_rng(0)
    spreads = [
        np.std([attention_scores(q, k, scale=1.0) for q, k in rng.standard_normal((20_000, 2, 1, d_k))])
        for d_k in (4, 64)
    ]
    assert SKETCHES["03-spread"].measured[-1] == pytest.approx(spreads[1] / spreads[0], rel=0.03)


def test_the_counted_scores_are_those_that_the_package_gives():
    q, k = np.ones((2, 512, 1))
    held = [attention_scores(q[:n], k[:n]).size for n in (256, 512)]
    assert SKETCHES["07-scores"].measured[1] == held[1] / held[0]


def test_measuring_again_gives_the_same_values():
    for growth in SKETCHES.values():
        assert np.array_equal(growth.measure(), growth.measure())


# ---- which line it is -----------------------------------------------------------------------------------------------


@every_line
def test_each_line_is_known_also_drawn_roughly(growth, power):
    rng = np.random.default_rng(1)
    assert growth.nearest(line_of(growth, power.power)) is power
    for _ in range(50):
        rough = [y * 2 ** rng.uniform(-0.3, 0.3) for y in line_of(growth, power.power)]
        assert growth.nearest(rough) is power


def test_a_line_in_the_middle_between_two_is_taken_for_the_right_one():
    growth = SKETCHES["03-spread"]
    for exponent in (0.25, 0.75):
        for off in (0, 1e-12, -1e-12):
            assert growth.nearest(line_of(growth, exponent + off)).code == ""
    assert growth.nearest(line_of(growth, 0.24)).code == "averages-out"
    assert growth.nearest(line_of(growth, 0.76)).code == "grows-with-d"


def test_a_line_that_falls_a_little_is_taken_for_the_one_that_does_not_grow():
    assert SKETCHES["03-spread"].nearest(line_of(SKETCHES["03-spread"], -0.2)).code == "averages-out"


FAR_LINES = [
    ("03-spread", [1, 256, 4, 1, 5.7]),
    ("03-spread", [1, 4, 1, 4, 1]),
    ("03-spread", [1, 0.5, 0.5, 0.25, 0.25]),
    ("03-spread", [1, 4, 16, 64, 256]),
    ("07-scores", [1, 1, 1, 1, 1]),
    ("07-scores", [1, 0.5, 0.25, 0.25, 0.25]),
    ("07-scores", [1, 16384, 1, 16384, 1]),
    ("07-scores", [1, 16, 256, 4096, 16384]),
]


@pytest.mark.parametrize(("name", "line"), FAR_LINES)
def test_a_line_that_is_far_from_all_is_told_so_with_what_was_measured_and_stands_for_no_misconception(name, line):
    growth = SKETCHES[name]
    right = growth.ordered[0]
    assert growth.nearest(line) is None
    shown = sketch(name, line)
    assert shown.text == f"Your line is like none that is known here. What was measured: {right.text}. {right.because}"
    assert shown.kind == "not yet"
    assert shown.title == growth.says(line)
    entry = diary.read(f"predict {name}")
    assert (entry.tries, entry.mistakes, entry.last, entry.state) == (1, {}, [], "")
    sketch(name, ...).set_state({"guess": line, "shown": True})  # the same on the page
    assert diary.read(f"predict {name}") == entry


@every_sketch
@pytest.mark.parametrize("outwards", [-1, 1])
def test_how_far_a_line_may_be_is_one_number_and_no_rounding_decides(growth, outwards):
    power = max(growth.powers, key=lambda power: outwards * power.power)  # the last one on this side: no other is near
    line = np.array(line_of(growth, power.power))
    all_four, one = np.r_[0, np.full(4, FAR)], np.r_[0, 2 * FAR, 0, 0, 0]  # one place counts as all four half as far
    for away in (all_four, one):
        for off in (1, 1 + 1e-12, 1 - 1e-12):
            assert growth.nearest(line * 2 ** (outwards * away * off)) is power
        assert growth.nearest(line * 2 ** (outwards * away * 1.01)) is None


# ---- the verb -------------------------------------------------------------------------------------------------------


@every_sketch
def test_untouched_it_shows_handles_and_a_fixed_text_and_keeps_nothing(growth):
    shown = sketch(growth.name, ...)
    assert isinstance(shown, Sketch)
    assert repr(shown) == f"{growth.text}\nMove the handles to the line that you expect, then press Show."
    assert shown.guess == [1.0] * len(growth.x)
    assert shown.measured == growth.measured
    assert not diary.place().exists()


@every_line
def test_typed_numbers_are_answered_with_the_gap_and_the_reason_of_that_line(growth, power):
    line = line_of(growth, power.power)
    shown = sketch(growth.name, line)
    right = growth.ordered[0]
    end, truth = times(line[-1]), times(growth.measured[-1])
    assert shown.title.endswith(f"you drew {end} times, measured {truth} times.")
    assert power.because in shown.text
    assert right.because in shown.text
    others = [other.because for other in growth.powers if other not in (power, right)]
    assert not any(because in shown.text for because in others)
    assert shown.kind == ("right" if power is right else "not yet")
    header, *rows = [row.split() for row in shown.code.split("\n")]
    assert header == [growth.x_label, "you", "drew", "measured"]
    columns = [[str(x) for x in growth.x], list(map(times, line)), list(map(times, growth.measured))]
    assert rows == [list(row) for row in zip(*columns, strict=True)]


def test_what_is_said():
    said = repr(sketch("03-spread", [2, 4, 8, 16]))
    assert said.startswith(
        "From d_k = 4 to 64: you drew 16 times, measured 4.0 times. Your line is most like this: twice"
    )
    assert repr(sketch("03-spread", [1.4, 2, 2.8, 4])).startswith(
        "From d_k = 4 to 64: you drew 4.0 times, measured 4.0 times. Your line is most like the measured one: four"
    )
    assert "measured 256 times. Your line is most like this: twice the words, eight" in repr(
        sketch("07-scores", [8, 64, 512, 4096])
    )


@pytest.mark.parametrize(
    "typed", [[2, 4, 8, 16], (2, 4, 8, 16), [1, 2, 4, 8, 16], [3, 6, 12, 24, 48], np.array([2.0, 4, 8, 16])]
)
def test_the_first_number_may_be_left_out_and_the_others_are_relative_to_it(typed):
    assert repr(sketch("03-spread", typed)) == repr(sketch("03-spread", [2, 4, 8, 16]))
    assert diary.read("predict 03-spread").tries == 1


@pytest.mark.parametrize(
    "typed",
    [
        "2 4 8 16",
        ["2", "4", "8", "16"],
        None,
        5,
        [],
        [2, 4, 8],
        [1, 2, 4, 8, 16, 32],
        [[2, 4, 8, 16]],
        [2, 4, 8, ...],
        [2, 4, 8, float("nan")],
        [2, 4, 8, float("inf")],
        [2, 4, 8, 0],
        [2, 4, 8, -16],
        [0, 2, 4, 8, 16],
        [-1, -2, -4, -8, -16],
        [2, 4, 8, 257],
        [2, 4, 8, 0.2],
        [2, 4, 8, 10**400],
        [2, 4, 8, 1j],
        {2: 4},
        object(),
    ],
)
def test_what_is_no_line_is_answered_with_one_sentence_and_not_kept(typed):
    said = repr(sketch("03-spread", typed))
    assert said.startswith(
        "Sketch. 4 numbers are expected, such as [2, 3, 2, 3], each from 0.25 to 256 times the first; yours is "
    )
    assert "\n" not in said
    assert not diary.place().exists()


@pytest.mark.parametrize("name", ["03-spred", "", None, 3, ["03-spread"]])
def test_an_unknown_sketch_is_answered_with_a_sentence(name):
    for guess in (..., [2, 4, 8, 16]):
        assert "There is no sketch" in repr(sketch(name, guess))


# ---- the diary ------------------------------------------------------------------------------------------------------


@every_line
def test_a_typed_line_is_kept_with_its_misconception(growth, power):
    sketch(growth.name, line_of(growth, power.power))
    entry = diary.read(f"predict {growth.name}")
    assert entry.mistakes == ({power.code: 1} if power.code else {})
    assert entry.answer == ", ".join(map(times, line_of(growth, power.power)))


@every_line
def test_show_on_the_page_keeps_the_line_just_so(growth, power):
    line = line_of(growth, power.power)
    widget = sketch(growth.name, ...)
    widget.set_state({"guess": line, "shown": True})  # as the page sends it
    drawn = diary.read(f"predict {growth.name}")
    sketch(growth.name, line)
    assert drawn == diary.read(f"predict {growth.name}")
    assert drawn.tries == 1


def test_moving_a_handle_and_starting_again_keep_nothing_and_another_line_is_another_try():
    widget = sketch("03-spread", ...)
    widget.set_state({"guess": [1, 2, 3, 4, 5]})
    assert not diary.place().exists()
    for guess in ([1, 2, 4, 8, 16], [1, 1, 1, 1, 1]):
        widget.set_state({"guess": guess, "shown": True})
        tries = diary.read("predict 03-spread").tries
        widget.set_state({"guess": [1.0] * 5, "shown": False})
        assert diary.read("predict 03-spread").tries == tries
    entry = diary.read("predict 03-spread")
    assert (entry.tries, entry.mistakes) == (2, {"grows-with-d": 1, "averages-out": 1})
    assert entry.answer == "1.0, 1.0, 1.0, 1.0, 1.0"
