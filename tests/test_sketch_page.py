"""A line is drawn with keys, numbers or a pointer; Show lays the measured one over it, and nothing of it before."""

import re

import pytest

from attention_lab.explorers.sketch import times
from attention_lab.prompts.items.sketches import SKETCHES
from attention_lab.prompts.sketching import sketch
from tests.exercises.conftest import a_diary_of_its_own  # noqa: F401 - a fixture
from tests.sketch_page import Page

FLAT = [1.0] * 5
every_sketch = pytest.mark.parametrize("growth", SKETCHES.values(), ids=SKETCHES)


@pytest.fixture
def page() -> Page:
    return Page()


# ---- before Show ----------------------------------------------------------------------------------------------------


@every_sketch
def test_a_page_opens_flat_with_the_question_and_nothing_of_the_answer(growth):
    page = Page(growth.name)
    assert page.guess == ["1.0"] * 4
    assert page.measured == ["?"] * 5
    assert page.ends == ["", ""]
    assert page.said == ["", ""]
    assert growth.text in page.root.text
    assert [handle.attributes["aria-label"] for handle in page.handles] == [
        f"{growth.x_label} = {x}" for x in growth.x[1:]
    ]
    assert page.root.all("rect") == []
    assert page.root.one("al-truth").all("polyline")[0].attributes["points"] == ""
    assert "measured " not in page.root.text
    assert page.told == []


KEYS = [
    (["ArrowUp"] * 4, "2.0"),
    (["ArrowRight"] * 8, "4.0"),
    (["PageUp"], "4.0"),
    (["PageUp", "ArrowDown", "ArrowLeft"], "2.8"),
    (["PageDown"], "0.25"),
    (["PageDown", "ArrowDown"], "0.25"),
    (["End"], "256"),
    (["End", "PageUp"], "256"),
    (["End", "Home"], "0.25"),
]


@pytest.mark.parametrize(("keys", "value"), KEYS)
def test_keys_move_one_handle_and_stop_at_the_ends(page, keys, value):
    assert not any(page.press(3, key) for key in keys)  # and the page does not scroll
    assert page.guess == ["1.0", "1.0", value, "1.0"]


def test_other_keys_and_keys_with_a_modifier_are_left_to_the_browser(page):
    assert all(page.press(1, key) for key in ("Tab", "Enter", "a", " "))
    assert all(page.press(1, "ArrowUp", **{key: True}) for key in ("ctrlKey", "metaKey", "altKey", "shiftKey"))
    assert page.guess == ["1.0"] * 4


def test_typed_numbers_move_the_handles_and_stay_as_typed(page):
    page.type(2, "3.30")
    assert page.root.all("input")[1].value == "3.30"
    page.fire(page.root.all("input")[1], "change")
    assert page.guess == ["1.0", "3.3", "1.0", "1.0"]


@pytest.mark.parametrize("text", ["", "four", "0", "-2", "0.2", "257", "1e999"])
def test_what_does_not_fit_leaves_the_handle_and_says_so(page, text):
    page.type(2, "3")
    page.type(2, text)
    assert page.root.all("input")[1].attributes["aria-invalid"] == "true"
    assert page.said == ["", "d_k = 16 stays at 3.0 times until a number from 0.25 to 256 is typed."]
    page.fire(page.root.all("input")[1], "change")
    assert page.root.all("input")[1].attributes["aria-invalid"] == "false"
    assert page.guess == ["1.0", "3.0", "1.0", "1.0"]


# ---- a pointer ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_handle_is_dragged_alone_wherever_the_pointer_goes(page, kind):
    (x, y), (_, up) = page.place(2, 1), page.place(2, 8)
    page.stroke((x + 5, y - 5), (x + 150, up - 40), (x + 150, up), kind=kind)
    assert page.guess == ["1.0", "8.0", "1.0", "1.0"]


def test_a_stroke_draws_every_place_that_it_passes_also_in_one_leap(page):
    page.stroke(page.place(0, 1), page.place(4, 16))
    assert page.guess == ["2.0", "4.0", "8.0", "16"]
    page.stroke(page.place(4, 1), page.place(2, 4), page.place(1, 4))  # and back
    assert page.guess == ["4.0", "4.0", "2.0", "1.0"]


def test_a_stroke_may_end_a_little_before_the_last_place_and_ends_when_the_pointer_is_let_go(page):
    (x, _), (_, y) = page.place(4, 1), page.place(4, 16)
    page.stroke(page.place(3, 8), (x - 20, y))
    assert page.guess == ["1.0", "1.0", "8.0", "16"]
    (picture,) = page.root.all("svg")
    page.fire(picture, "pointermove", clientX=x, clientY=y + 100)
    assert page.guess == ["1.0", "1.0", "8.0", "16"]


def test_a_click_moves_the_place_below_it_and_a_finger_that_may_scroll_moves_nothing(page):
    page.stroke(page.place(3, 64), kind="touch")
    assert page.guess == ["1.0"] * 4
    page.stroke(page.place(3, 64))
    assert page.guess == ["1.0", "1.0", "64", "1.0"]
    page.stroke((520, 100))  # beside the plot, where a name will stand
    assert page.guess == ["1.0", "1.0", "64", "1.0"]


def test_a_finger_on_a_handle_does_not_scroll_the_page_as_long_as_the_handle_moves(page):
    assert not page.fire(page.handles[0], "touchstart")
    page.press(1, "PageUp")
    page.click("Show")
    assert page.fire(page.handles[0], "touchstart")


def test_the_first_place_is_fixed(page):
    page.stroke(page.place(0, 1), page.place(0, 16))
    page.stroke(page.place(0, 16))
    page.click("Show")
    page.click("Show")
    assert page.told[-1]["guess"] == FLAT


# ---- Show -----------------------------------------------------------------------------------------------------------


@every_sketch
def test_show_lays_the_measured_line_over_the_guess_which_stays(growth):
    page = Page(growth.name)
    page.draw([1, 3, 2, 5, 7])
    assert page.told == []
    page.click("Show")
    assert page.guess == ["3.0", "2.0", "5.0", "7.0"]
    assert page.measured == [times(value) for value in growth.measured]
    assert page.ends == ["you drew 7.0", f"measured {times(growth.measured[-1])}"]
    assert len(page.root.all("rect")) == 5
    assert page.told == [{"guess": [1, 3, 2, 5, 7], "shown": True}]
    widget = sketch(growth.name, ...)
    widget.set_state(page.told[0])
    assert (widget.guess, widget.shown) == ([1, 3, 2, 5, 7], True)


def test_a_flat_line_is_shown_only_when_it_is_meant(page):
    page.click("Show")
    assert page.said[1].startswith("Your line is flat. If you expect that, press Show once more")
    assert page.measured == ["?"] * 5
    page.press(1, "ArrowUp")
    page.press(1, "ArrowDown")
    page.click("Show")  # asked again, since the line was moved
    assert page.told == []
    page.click("Show")
    assert page.told == [{"guess": FLAT, "shown": True}]
    assert page.measured[-1] == "4.0"


def test_a_line_like_none_is_told_so_with_the_measured_answer(page):
    page.draw([1, 256, 4, 1, 5.7])
    page.click("Show")
    growth = SKETCHES["03-spread"]
    assert page.said[1].startswith("Your line is like none that is known here. What was measured: four times the d_k")
    assert page.said == [growth.says([1, 256, 4, 1, 5.7]), growth.reason(None)]


def test_a_value_at_the_top_does_not_cover_the_name_of_the_axis(page):
    for i in range(1, 5):
        page.press(i, "End")
    (name,) = (text for text in page.root.all("text") if text.text == "spread of q · k, times that at d_k = 4")
    value = page.handles[0].one("al-value")
    _, top = map(float, re.findall(r"[\d.]+", page.handles[0].attributes["transform"]))
    assert float(name.attributes["y"]) + 15.5 + 4 <= top + float(
        value.attributes["y"]
    )  # baselines; digits are 15.5 high


def test_after_show_nothing_moves_until_start_again_puts_the_handles_back(page):
    page.draw([1, 2, 4, 8, 16])
    page.click("Show")
    page.press(1, "End")
    page.stroke(page.place(3, 64), page.place(4, 64))
    page.type(2, "9")
    page.fire(page.root.all("input")[1], "change")
    assert page.guess == ["2.0", "4.0", "8.0", "16"]
    assert all("readonly" in box.attributes for box in page.root.all("input"))
    assert all(handle.attributes["aria-disabled"] == "true" for handle in page.handles)
    page.click("Start again")
    assert page.guess == ["1.0"] * 4
    assert page.measured == ["?"] * 5
    assert page.ends == page.said == ["", ""]
    assert page.root.all("rect") == []
    assert page.told[-1] == {"guess": FLAT, "shown": False}
    page.press(1, "PageUp")
    assert page.guess == ["4.0", "1.0", "1.0", "1.0"]


def test_two_views_of_one_sketch_follow_each_other(page):
    page.open_view()
    page.press(4, "PageUp")
    page.view = 0
    assert page.guess == ["1.0", "1.0", "1.0", "4.0"]
    page.click("Show")
    page.view = 1
    assert page.measured[-1] == "4.0"
    page.click("Start again")
    page.view = 0
    assert page.guess == ["1.0"] * 4
    assert page.measured[-1] == "?"


def test_names_at_the_lines_ends_never_cover_each_other(page):
    for end in (0.25, 3.9, 4.0, 4.1, 256):
        page.draw([1, 1, 1, 1.5, end])
        page.click("Show")
        mine, truth = (float(text.attributes["y"]) for text in page.root.all("text") if text.has("al-end"))
        assert abs(mine - truth) >= 17.9
        assert (mine > truth) == (end < SKETCHES["03-spread"].measured[-1])
        page.click("Start again")
