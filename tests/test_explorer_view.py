"""The explorer's page: walking, pointing, marks, colours, and what it says to those who do not see it."""

import re

import matplotlib as mpl
import numpy as np
import pytest

from attention_lab.examples import BANK, Example
from attention_lab.explorers.script import source
from tests.explorer_page import BOXES, STAGES, TAUGHT, Page, computed, edited


@pytest.fixture
def page() -> Page:
    return Page()


def stages_that_moved(before: Example, after: Example) -> set[tuple[str, int, int]]:
    """The computed numbers that differ, by what the package computes."""
    pairs = {name: (matrix, computed(after)[name]) for name, matrix in computed(before).items()}
    return {
        (name, int(i), int(j)) for name, (a, b) in pairs.items() for i, j in np.argwhere(~np.isclose(a, b, 1e-9, 0))
    }


# ---- walking and pointing -------------------------------------------------------------------------------------------


def test_tab_stops_at_every_box_and_once_in_every_table_of_numbers(page):
    stops = {name: [cell.tab_index for row in page.cells(name) for cell in row] for name in (*TAUGHT, *STAGES)}
    assert all(set(stops[name]) == {0} for name in TAUGHT)
    assert all(stops[name] == [0] + [-1] * (len(stops[name]) - 1) for name in STAGES)


@pytest.mark.parametrize(
    ("start", "keys", "end"),
    [
        ((0, 0), ["ArrowRight"], (0, 1)),
        ((0, 0), ["ArrowDown", "ArrowDown", "ArrowRight"], (2, 1)),
        ((2, 2), ["ArrowUp", "ArrowLeft"], (1, 1)),
        ((1, 0), ["End"], (1, 2)),
        ((1, 2), ["Home"], (1, 0)),
        ((0, 0), ["ArrowUp", "ArrowLeft"], (0, 0)),
        ((2, 2), ["ArrowDown", "ArrowRight"], (2, 2)),
    ],
)
def test_arrow_keys_home_and_end_walk_through_a_table_and_stop_at_its_edges(page, start, keys, end):
    page.focus("scores", *start)
    assert not any(page.press(key) for key in keys)  # and the page does not scroll
    assert page.focused == page.cell("scores", *end).number
    stops = [(i, j) for i, row in enumerate(page.cells("scores")) for j, cell in enumerate(row) if cell.tab_index == 0]
    assert stops == [end]  # where Tab comes back to
    assert page.sum.startswith(f"score of {BANK.words[end[0]]} with {BANK.words[end[1]]}: ")


def test_other_keys_and_keys_with_a_modifier_are_left_to_the_browser(page):
    page.focus("weights", 0, 0)
    here = page.focused
    assert all(page.press(key) for key in ("Tab", "a", "Enter", "PageDown"))
    assert all(page.press("ArrowRight", **{key: True}) for key in ("ctrlKey", "metaKey", "altKey", "shiftKey"))
    assert page.focused == here


FOLLOWED = [
    ("q", 1, 0, "x 1 0, x 1 1, W_Q 0 0, W_Q 1 0", "q of bank, number 1: 0×2 + 1×1 = 1"),
    ("k", 2, 1, "x 2 0, x 2 1, W_K 0 1, W_K 1 1", "k of river, number 2: 2×1 + 1×0 = 2"),
    ("v", 0, 1, "x 0 0, x 0 1, W_V 0 1, W_V 1 1", "v of The, number 2: 1×0 + 0×2 = 0"),
    ("scores", 1, 2, "q 1 0, q 1 1, k 2 0, k 2 1", "score of bank with river: 1×4 + 3×2 = 10"),
    ("scaled", 1, 2, "scores 1 2", "scaled score of bank with river: 10 / √2 = 7.07"),
    (
        "weights",
        1,
        2,
        "scaled 1 0, scaled 1 1, scaled 1 2",
        "weight of bank on river: e^7.07 / (e^2.83 + e^1.41 + e^7.07) = 98.2%",
    ),
    (
        "output",
        1,
        0,
        "weights 1 0, weights 1 1, weights 1 2, v 0 0, v 1 0, v 2 0",
        "output of bank, number 1: 1.4%×1 + 0.3%×0 + 98.2%×2 = 1.98",
    ),
]


@pytest.mark.parametrize("way", [Page.point, Page.focus])
@pytest.mark.parametrize(("name", "i", "j", "ingredients", "line"), FOLLOWED, ids=STAGES)
def test_pointing_at_a_number_or_walking_to_it_lights_up_its_ingredients_and_writes_its_sum(
    page, way, name, i, j, ingredients, line
):
    way(page, "weights" if name != "weights" else "q", 0, 0)  # what was lit before goes out
    way(page, name, i, j)
    places = {(of, int(row), int(column)) for of, row, column in (text.split() for text in ingredients.split(", "))}
    assert page.places("al-ingredient") == places
    assert page.places("al-followed") == {(name, i, j)}
    assert page.sum == line


def test_the_sum_that_is_written_out_follows_an_edit(page):
    page.point("q", 1, 0)
    page.type("x", 1, 0, "-5")
    assert page.sum == "q of bank, number 1: (-5)×2 + 1×1 = -9"


def test_before_anything_is_pointed_at_the_page_says_how(page):
    assert page.sum.startswith("Point at a computed number, or reach it by Tab and arrow keys")
    assert page.sum.endswith("In a box, arrows change the number.")
    assert page.places("al-ingredient") == page.places("al-followed") == set()


# ---- marks and colours ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x", "q, k, v, scores, scaled scores, weights and output"),
        ("W_Q", "q, scores, scaled scores, weights and output"),
        ("W_K", "k, scores, scaled scores, weights and output"),
        ("W_V", "v and output"),
    ],
)
def test_numbers_that_an_edit_changed_are_marked_and_no_others(page, name, said):
    page.type(name, 0, 0, "0.5")
    first = edited(BANK, **{name: {(0, 0): 0.5}})
    assert page.places("al-changed") == stages_that_moved(BANK, first)
    assert page.status[1] == f"The last edit changed {said}."
    page.type("W_V", 1, 1, "-1")  # now only what the last edit changed
    assert page.places("al-changed") == stages_that_moved(first, edited(first, W_V={(1, 1): -1}))
    assert {place[0] for place in page.places("al-changed")} == {"v", "output"}


def test_an_edit_that_changes_nothing_later_says_so():
    page = Page(Example(BANK.words, BANK.x * [1, 0], BANK.W_Q, BANK.W_K, BANK.W_V))
    page.type("W_V", 1, 0, "5")
    assert page.places("al-changed") == set()
    assert page.status[1] == "The last edit changed no later number."


def test_boxes_that_differ_from_the_start_are_marked_and_say_what_stood_there(page):
    page.type("x", 1, 0, "4")
    page.type("W_V", 1, 1, "0")
    assert page.places("al-edited") == {("x", 1, 0), ("W_V", 1, 1)}
    assert page.cell("x", 1, 0).attributes["aria-label"] == "x, bank, number 1, at the start 0"
    page.type("x", 1, 0, "0")
    assert page.places("al-edited") == {("W_V", 1, 1)}
    assert page.cell("x", 1, 0).attributes["aria-label"] == "x, bank, number 1"


def test_long_numbers_get_the_room_of_the_small_arrows_and_very_long_ones_smaller_digits(page):
    for place, text in enumerate(["-4", "0.5", "-0.75", "12.25", "-0.333", "123456"]):
        page.type("x", *divmod(place, 2), text)
    assert page.places("al-long") == {("x", 0, 1), ("x", 1, 0), ("x", 1, 1), ("x", 2, 0), ("x", 2, 1)}
    assert page.places("al-longer") == {("x", 2, 0), ("x", 2, 1)}


def test_a_box_has_room_for_five_characters_in_a_wide_and_bold_font():
    css = source("shared.css")

    def says(selector: str, name: str) -> int:
        rule = re.search(rf"(?m)^\.attention-lab {re.escape(selector)} {{(.*?)^}}", css, re.DOTALL)[1]
        return int(re.search(rf"\b{name}: (\d+)(?:px)?;", rule)[1])

    # DejaVu Sans Bold, about the widest that a page can have: 0.696 em for a digit, 0.38 for a point
    room = says(".al-input", "width") - says(".al-long.al-edited", "border-left-width") - 1
    assert says(".al-long.al-long", "padding") == 0
    assert room >= 13 * (4 * 0.696 + 0.38)  # 12.25
    assert room >= 11 * (0.37 + 5 * 0.636 + 0.32)  # -0.3333, in smaller digits that are not bold
    assert says(".al-longer.al-longer", "font-size") == 11


def light_of(colour) -> float:
    red, green, blue = (c / 3294.6 if c <= 10.31475 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("edit", [None, ("W_Q", 0, 0, "-1"), ("W_K", 1, 1, "0.5")])
def test_weights_have_their_colour_and_legible_digits(page, edit):
    after = BANK
    if edit:
        page.type(*edit)
        name, i, j, text = edit
        after = edited(BANK, **{name: {(i, j): float(text)}})
    for row, weights in zip(page.cells("weights"), computed(after)["weights"], strict=True):
        for cell, weight in zip(row, weights, strict=True):
            colour = np.array(re.fullmatch(r"rgb\((\d+),(\d+),(\d+)\)", cell.style["backgroundColor"]).groups(), float)
            assert abs(colour - np.array(mpl.colormaps["viridis"](weight)[:3]) * 255).max() <= 2
            ink = {"white": 1.0, "black": 0.0}[cell.style["color"]]
            lighter, darker = sorted([ink, light_of(colour)], reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5


# ---- for everyone ---------------------------------------------------------------------------------------------------


def test_everything_that_takes_the_focus_keeps_its_keys_from_jupyterlab(page):
    stops = [element for element in page.root.all() if element.tab_index == 0 or "tabindex" in element.attributes]
    cells = sum(len(row) for name in (*TAUGHT, *STAGES) for row in page.cells(name))
    assert len(stops) == cells + 1  # and the button
    assert all(element.attributes.get("data-lm-suppress-shortcuts") == "true" for element in stops)


def test_every_table_has_a_caption_and_headers_that_say_what_they_head(page):
    assert len(page.root.all("table")) == len(TAUGHT + STAGES)
    for name in (*TAUGHT, *STAGES):
        table = page.table(name)
        (head,), (body,) = table.all("thead"), table.all("tbody")
        assert all(header.text and header.attributes.get("scope") in ("col", "colgroup") for header in head.all("th"))
        square = name in ("scores", "scaled", "weights")
        columns = [header.text for header in head.all("tr")[-1].all("th")][1 if square else 0 :]
        assert columns == (list(BANK.words) if square else ["1", "2"])
        headers = [row.all("th") for row in body.all("tr")]
        assert all(len(row) == 1 and row[0].attributes.get("scope") == "row" for row in headers)
        assert [row[0].text for row in headers] == (["1", "2"] if name.startswith("W_") else list(BANK.words))
        if square:
            assert "looking ↓" in [header.text for header in head.all("th")]
            assert "looked at →" in [header.text for header in head.all("th")]


def test_every_box_has_a_name_of_its_own(page):
    names = {place: page.cell(*place).attributes["aria-label"] for place in BOXES}
    assert len(page.root.all("input")) == len(BOXES) == len(set(names.values()))
    assert names["x", 2, 1] == "x, river, number 2"
    assert names["W_K", 1, 0] == "W_K, row 2, number 1"
    assert all(box.attributes["type"] == "number" for box in page.root.all("input"))


def test_groups_have_names_and_changes_are_announced(page):
    groups = [element for element in page.root.all() if element.attributes.get("role") == "group"]
    assert [group.attributes["aria-label"] for group in groups] == [
        "Explorer: The, bank, river",
        "1 ask, label, hand over",
        "2 compare",
        "3 scale",
        "4 weigh",
        "5 blend",
    ]
    page.open_view()
    described = {cell.attributes["aria-describedby"] for name in STAGES for row in page.cells(name) for cell in row}
    assert described == {page.root.one("al-sum").attributes["id"]}
    page.view = 0
    assert described != {page.root.one("al-sum").attributes["id"]}  # another view, another name


def test_words_stay_text():
    word = '<b>"&amp;'
    page = Page(Example((word, "bank", "river"), BANK.x, BANK.W_Q, BANK.W_K, BANK.W_V))
    bold = {element.text for element in page.root.all("b")}
    assert bold == {"x", "W_Q", "W_K", "W_V", "q", "k", "v", "q · k", "scores / √2", "softmax", "weights · v"}
    assert [header.text for header in page.table("scores").all("tbody")[0].all("th")] == [word, "bank", "river"]
    assert page.cell("x", 0, 0).attributes["aria-label"] == f"x, {word}, number 1"
    page.point("scores", 0, 1)
    assert page.sum.startswith(f"score of {word} with bank: ")
    assert page.status[0].startswith(f"{word} looks most at river")
