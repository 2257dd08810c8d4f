"""Every question's key follows from what the lesson measures, and every wrong option has its misconception."""

import re

import numpy as np
import pytest

from attention_lab.prompts.ideas import IDEAS
from attention_lab.prompts.item import Item, Option
from attention_lab.prompts.items import ITEMS, TESTS

ASKED = {**ITEMS, **{item.name: item for items in TESTS.values() for item in items}}
every_item = pytest.mark.parametrize("item", ASKED.values(), ids=ASKED)


@every_item
def test_one_option_holds_for_what_is_measured(item):
    _, right = item.right(item.measure())
    assert right.code == ""


@every_item
def test_every_wrong_option_names_a_known_misconception_and_refutes_it(item):
    _, right = item.right(item.measure())
    assert len({option.because for option in item.options}) == len(item.options)
    for option in item.options:
        assert option.because.endswith(".")
        assert option is right or option.code in IDEAS


@every_item
def test_the_options_stand_in_an_order_that_everybody_sees(item):
    assert list(item.shown) == sorted(item.shown)
    assert set(item.shown.values()) == set(item.options)
    assert len({option.text for option in item.options}) == len(item.options)


@every_item
def test_a_question_is_named_after_its_lesson_and_is_short(item):
    assert re.fullmatch(r"\d\d-[a-z][a-z-]*", item.name)
    assert len(item.text) <= (120 if item.name in ITEMS else 160)  # a test explains its words, too
    assert item.says(item.measure()).endswith(".")


def test_the_right_option_does_not_always_stand_in_the_same_place():
    assert len({item.right(item.measure())[0] for item in ITEMS.values()}) > 1


@pytest.mark.parametrize(
    ("name", "measured", "says"),
    [
        ("00-gap", 2.3, "2.3 times the other"),
        ("00-gap", 3.3, "3.3 times the other"),
        ("00-shift", np.full(3, np.nan), "they overflow, and there are no weights"),
        ("00-shift", np.ones(3), "all of them change"),
        ("01-meaning", np.array([0.0, 0.45, 0.7]), 'the blue of "river"'),
        ("01-meaning", np.zeros((3, 3)), "a list of three colours"),
        ("01-decay", 0.8, "80%"),
        ("01-decay", 0.0, "nothing, since ten times 20% are gone"),
        ("02-the", np.array([0.2, 0.7, 0.1]), 'at "bank", its neighbour'),
        ("02-the", np.array([0.7, 0.2, 0.1]), "at itself"),
        ("02-the", np.full(3, 1 / 3), "at everybody evenly, since it means so little"),
        ("02-handed", {"weights": 0.1, "output": 0.2}, "everything after it, weights too"),
        ("02-handed", {"weights": 0.1, "output": 0.0}, "the weights only"),
        ("02-mutual", np.array([[0, 0, 0], [0, 0, 6], [0, 6, 0]]), "6"),
        ("02-mutual", np.array([[0, 0, 0], [0, 0, 6], [0, -6, 0]]), "-6"),
        ("01-end-new", np.array([0.0, 0.45, 0.7]), '"river"'),
        ("01-end-new", np.zeros((3, 3)), "a list of three words"),
        ("01-end-white", np.full(4, 0.25), "yes, with equal weights"),
        ("01-end-white", np.array([0.5, 0.5, 0, 0]), "yes, with some other weights"),
        ("01-end-gap", 4.6, "4.6 times as much"),
        ("01-end-gap", 20, "twenty times as much"),
        ("02-end-direction", np.array([0.1, 0.5, 0.4]), "*The*"),
        ("02-end-direction", np.array([0.5, 0.4, 0.1]), '"river"'),
        ("02-end-shared", np.array([1.2, 0, 0.9]), "the value of one of the two"),
        ("02-end-shared", np.array([]), "the two values, one after the other"),
        ("02-end-blend", 0.5, "yes"),
        ("02-end-blend", np.nan, "that depends on the scores"),
        ("02-warm-hull", np.array([[4.5, 1], [6, 1]]), "[5, 1]"),
        ("02-warm-hull", np.array([[3, 2], [5, 2]]), "[4, 2]"),
        ("02-warm-gap", 6.9, "6.9 times as much"),
        ("02-warm-gap", 30, "thirty times as much"),
        ("02-warm-decay", 0.5, "half"),
        ("02-warm-decay", 0.0, "nothing"),
    ],
)
def test_the_key_would_be_another_one_if_something_else_were_measured(name, measured, says):
    assert ITEMS[name].right(measured)[1].text == says


def test_every_option_of_every_question_can_be_the_right_one():
    seen = {(name, ITEMS[name].right(ITEMS[name].measure())[1].text) for name in ITEMS}
    mark = test_the_key_would_be_another_one_if_something_else_were_measured.pytestmark[0]
    seen |= {(name, says) for name, _, says in mark.args[1]}
    assert seen == {(name, option.text) for name, item in ITEMS.items() for option in item.options}


def test_a_measurement_that_fits_no_option_or_several_is_refused():
    options = tuple(Option(text=text, holds=lambda m: m > 0, because="So.") for text in "ab")
    item = Item(name="00-x", text="?", options=options, measure=lambda: 1, says=str)
    with pytest.raises(ValueError, match="fits 2 of its options"):
        item.right(1)
    with pytest.raises(ValueError, match="fits 0 of its options"):
        item.right(-1)
