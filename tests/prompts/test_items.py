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
        ("05-cost", (100, 800), "eight times as many"),
        ("05-cost", (800, 100), "an eighth as many"),
        ("05-sees", ([[True, False]], [[True], [True]]), "a third of the words"),
        ("05-sees", ([[True, True]], [[True], [False]]), "numbers 9 to 12 of each word"),
        (
            "05-shuffle",
            ([[0.9, 0.1], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]], [1, 0]),
            "those two words look elsewhere now",
        ),
        ("05-shuffle", ([[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.2, 0.8]], [1, 0]), "all of them are new"),
        ("05-end-shapes", (3, 2, 6), "(3, 2, 6): each head has two of the words"),
        ("05-end-shapes", (3, 6, 4), "(3, 6, 4): each head has four numbers of each word"),
        ("05-end-scrambled", ([1, 1, 2, 2], [1, 1, 1, 1]), "the first word, from both heads"),
        ("05-end-scrambled", ([1, 1, 1, 2], [1, 2, 3, 1]), "every word a little, so it makes no difference"),
        ("05-end-scale", 8.0, "8, the root of 64"),
        ("05-end-scale", 16.0, "16, the width of a head"),
        ("05-warm-row", 0.175, "0.175, a quarter of what is left"),
        ("05-warm-row", 0.41, "that depends on its score"),
        ("05-warm-spread", 3.1, "by 3"),
        ("05-warm-spread", 11.8, "by 12"),
        ("05-warm-flat", (np.eye(2), np.array([[1.0], [2.0]])), "the one word that it needs"),
        ("05-warm-flat", (np.full((2, 2), 0.5), np.array([[1.0], [2.0]])), "a fair answer to what it asked"),
        ("06-shape", (7, 5), "7 x 5"),
        ("06-shape", (12, 12), "12 x 12"),
        ("06-shape", None, "none, since the lengths differ"),
        ("06-supplies", (np.ones((2, 2)), np.ones((2, 2))), "of the German words'"),
        ("06-supplies", (np.ones((2, 2)), np.full((2, 2), 4)), "of both languages' words"),
        ("06-pad", (np.full((5, 5), 0.2), np.repeat([[0.2], [0]], [3, 2], axis=0) * np.ones(5)), "two rows"),
        ("06-pad", ([[1, 0, 0]], [[1, 0, 0]]), "nothing, since [0, 0] weighs nothing anyway"),
        ("06-end-tasks", [True] * 5, "all, since in each a word looks at others"),
        ("06-end-tasks", [False] * 5, "none, since two sequences are joined first"),
        ("06-end-caption", (9, 6), "9 x 6"),
        ("06-end-caption", (13, 6), "13 x 6"),
        ("06-end-values", np.array([4, 0]), "one of the two values"),
        ("06-end-values", np.array([0, 2]), "[0, 2], the label that matched"),
        ("06-warm-head", (np.arange(12) < 3)[:, None] & np.ones(8, bool), "three of the words"),
        ("06-warm-head", (np.arange(8) < 2) & np.ones((12, 1), bool), "two numbers of each word"),
        ("06-warm-bet", {"own": 0.1, "hidden": 0.1, "blind": 1.8}, "the one at 0.01"),
        ("06-warm-bet", {"own": 0.1, "hidden": 1.8, "blind": 1.8}, "both alike, after more throws"),
        ("06-warm-mutual", (0.576, 0.576), "as much"),
        ("06-warm-mutual", (0.576, 0.424), "the rest"),
        ("07-stream", {"work": 2, "off": 0}, "twice as much; the same answer"),
        ("07-stream", {"work": 4, "off": 0.01}, "four times as much; slightly off"),
        ("07-tiles", ([1], [2]), "it is another one, since the largest score comes at another time"),
        ("07-tiles", ([1], [1.001]), "it is slightly off"),
        ("07-end-causal", 1.0, "all, once it is trained: then there is no future"),
        ("07-end-causal", 0.01, "so few that twice the text costs twice as much"),
        ("07-end-longer", (1, 4), "the memory stays, and the work is four times as much"),
        ("07-end-longer", (16, 16), "both are 16 times as much"),
        ("07-end-maximum", (np.zeros(2), np.full(2, 0.05)), "they may only because 4 and 10 are close"),
        ("07-end-maximum", (np.zeros(2), np.ones(2)), "they may not: the weights change a little"),
        ("07-warm-shape", (9, 3), "nine words ask three"),
        ("07-warm-shape", (12, 12), "twelve words ask each other"),
        ("07-warm-shift", ([0.1, 0.2, 0.7], [0.33, 0.33, 0.34]), "nearly even, since the scores are nearly the same"),
        ("07-warm-shift", (np.ones(3), np.full(3, np.nan)), "there are none, since e to the 1,003 is too large"),
        ("07-warm-heads", 8, "eight times as many"),
        ("07-warm-heads", 1 / 8, "an eighth as many"),
        ("08-average", np.array([0.2, 0.1, 0.1, 0, 0, 0.6]), "at river"),
        ("08-average", np.array([0.2, 0.1, 0.6, 0, 0, 0.1]), "at itself"),
        ("08-break", np.eye(12)[0], "little, since this bank lends money"),
        ("08-break", np.eye(12)[9], 'less than "rate", which tells the sense'),
        ("08-sharp", (-0.8, -0.6), "yes: the sharper, the more"),
        ("08-sharp", (0.8, 0.6), "yes: the broader, the more"),
        ("08-end-flat", {"trained": 0.99, "untrained": 1, "too hot": 1}, "nothing: every word gets a fair say"),
        (
            "08-end-flat",
            {"trained": 0.5, "untrained": 0.6, "too hot": 0.7},
            "a text without words that belong together",
        ),
        ("08-end-chance", (0.95, 0.99), "that banks lie by rivers"),
        ("08-end-chance", (0.2, 0.3), "its job: each head has one"),
        ("08-end-back", (0.717, 0.717), "72%: they belong together"),
        ("08-end-back", (0.717, 0.283), "28%: the rest"),
        ("08-warm-stream", {"in order": 0.01, "in reverse": 0.01}, "slightly off"),
        ("08-warm-stream", {"in order": 0, "in reverse": 0.01}, "right if the tiles come in order"),
        ("08-warm-bites", (False, False), "another blend, since another word comes first"),
        ("08-warm-bites", (False, True), "another blend, since the map stays and the words do not"),
        ("08-warm-home", {"value": 2, "label": 1, "own": 3}, 'mostly the label of "river"'),
        ("08-warm-home", {"value": 2, "label": 3, "own": 1}, "mostly its own numbers"),
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
