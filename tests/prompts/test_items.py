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
        ("03-cosmetic", ([0.1, 0.9], [0.1, 0.9]), "nothing, since their order stays"),
        ("03-cosmetic", ([0.1, 0.9], [0.05, 0.45]), "each of them is halved"),
        ("03-hot", np.array([[0.5, 0.3, 0.2], [0.2, 0.6, 0.2]]), "it is at its best: every word gets a say"),
        ("03-hot", np.array([[0.98, 0.01, 0.01]]), "little: the largest score still gets nearly all"),
        ("03-end-variance", 1.02, "1"),
        ("03-end-variance", 9_900, "10,000"),
        ("03-end-suspect", np.array([1.9, 21, 22]), "A's alone, since even weights are fair"),
        ("03-end-suspect", np.array([21, 21, 21]), "nobody's, since a scale keeps the order"),
        ("03-end-values", {"weights": 2, "output": 2}, "the weights and the output"),
        ("03-end-values", {"weights": 2, "output": 1}, "the weights alone"),
        ("03-warm-direction", 0.7, "70%"),
        ("03-warm-direction", 0.45, "45%, the mean of the two"),
        ("03-warm-blend", np.array([10, 0]), "[10, 0]"),
        ("03-warm-blend", np.array([9, 0, 0, 1]), "[9, 0, 0, 1]"),
        ("03-warm-zero", 0.0, "none"),
        ("03-warm-zero", 0.5, "half, since both are words"),
        ("04-first-word", 0.25, "the same share as each of the others gets"),
        ("04-first-word", 0.82, "that depends on its score"),
        ("04-bet", {"masked": (2.1, 2.2), "unmasked": (0.05, 0.1)}, "the one with the lower loss"),
        ("04-bet", {"masked": (2.1, 2.2), "unmasked": (0.05, 2.3)}, "both alike, once they have read more text"),
        ("04-layers", np.zeros(4), "none, since hiding it once is enough"),
        ("04-layers", np.array([0, 0, 0, 0.3]), "only the last"),
        ("04-end-river", (0.2, 0.0), '"bank" at "river"'),
        ("04-end-river", (0.0, 0.0), 'neither, since "river" is hidden'),
        ("04-end-hide", [[0.5, 0.5, 0], [0.1, 0.1, 0], [0.4, 0.4, 0.2]], "make its score 0, then softmax"),
        ("04-end-hide", [[0.4, 0.4, 0.2], [0.5, 0.5, 0], [0.1, 0.1, 0]], "softmax, then make its weight 0"),
        ("04-end-fifth", (8, 8), "8"),
        ("04-end-fifth", (5, 3.1), "that depends on the scores"),
        ("04-warm-halves", 0.99, "99%, since it is still the larger one"),
        ("04-warm-halves", 0.5, "about 50%"),
        ("04-warm-values", ([0.2, 0.8], [0, 0]), "they become 0"),
        ("04-warm-values", ([0.2, 0.8], [0.5, 0.5]), "they become all alike"),
        ("04-warm-twins", np.array([0.4, 0.4, 0.2]), "yes, since they are alike"),
        ("04-warm-twins", np.array([1, 0.0, 0.0001]), "no, each looks at itself alone"),
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


def test_a_bet_does_not_depend_on_what_the_two_models_are_called_or_which_comes_first():
    measured = {"blind": (0.06, 5.1), "honest": (2.2, 2.3)}
    assert ITEMS["04-bet"].right(measured)[1].text == "the one with the higher loss"
    assert (
        ITEMS["04-bet"].says(measured) == "Where nothing lies ahead, the lower loss becomes 5.1, and the other is 2.3."
    )
    assert ITEMS["04-bet"].right(dict(reversed(measured.items())))[1].text == "the one with the higher loss"


@pytest.mark.parametrize("measured", [0.3, [0.3], [[0.1, 0.0]], []])
def test_leaks_are_a_number_for_each_of_several_positions(measured):
    with pytest.raises((ValueError, TypeError)):
        ITEMS["04-layers"].right(measured)
