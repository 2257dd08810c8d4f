"""The page that paints a mask: keys, a mouse, buttons, goals; Python hears (on explorers_dom.js)."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab import causal_mask, window_mask
from attention_lab.examples import BANK, INTEREST, RIVER
from attention_lab.explorers import MaskPainter, mask_painter
from attention_lab.explorers.mask_goals import MASK_GOALS, may_look
from attention_lab.explorers.script import source
from attention_lab.plotting.words import number, share
from tests.explorer_page import Element, Views, state_in
from tests.test_mask_painter import painted, some_masks

GOALS = {goal.name: goal for goal in MASK_GOALS}
WINDOW, PREFIX = GOALS["paint-window"], GOALS["paint-prefix"]
SCRIPT = "\n".join([MaskPainter._script, source("mask_goals.js"), source("goals.js")])
every_goal = pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
MOUSE = {"pointerType": "mouse", "button": 0, "buttons": 1}


class Page(Views):
    """A mask that a test paints by keys and by mouse."""

    def __init__(self, *goals: str) -> None:
        explorer = mask_painter()
        state = {"goals": [], "done": {}, **json.loads(state_in(explorer.html()))}
        state["goals"] = [GOALS[name].as_data() for name in goals]
        super().__init__(SCRIPT, json.dumps(state), "render: renderWithGoals")

    @property
    def cells(self) -> list[list[Element]]:
        """The buttons to paint."""
        return [row.all("button") for row in self.root.all("table")[0].all("tbody")[0].all("tr")]

    @property
    def weights(self) -> list[list[Element]]:
        return [row.all("td") for row in self.root.all("table")[1].all("tbody")[0].all("tr")]

    @property
    def mask(self) -> np.ndarray:
        pressed = [[cell.attributes["aria-pressed"] for cell in row] for row in self.cells]
        assert {text for row in pressed for text in row} <= {"true", "false"}
        return np.array(pressed) == "true"

    @property
    def sentence(self) -> str:
        (status,) = (element for element in self.root.all() if element.attributes.get("role") == "status")
        return status.text

    @property
    def sum(self) -> str:
        return self.root.one("al-sum").text

    def focus(self, i: int, j: int) -> None:
        self.engine.eval(f"browser.all[{self.cells[i][j].number}].focus(); 0")

    def key(self, key: str) -> bool:
        """Press a key where the focus is; on a button, Space and Enter are a click without a pointer."""
        goes_on = bool(self.engine.eval(f"browser.fire(document.activeElement, 'keydown', {json.dumps({'key': key})})"))
        if goes_on and key in (" ", "Enter"):
            self.engine.eval('browser.fire(document.activeElement, "click", { detail: 0 })')
        return goes_on

    def click(self, i: int, j: int) -> None:
        self.drag((i, j))

    def drag(self, *places: tuple[int, int], **details: object) -> None:
        """Press at the first place, move over the others, let go; where that is at the first again, it is a click."""
        with_mouse = {**MOUSE, **details}
        first, *others = [self.cells[i][j] for i, j in places]
        self.fire(first, "pointerenter", bubbles=False, **{**with_mouse, "buttons": 0})
        self.fire(first, "pointerdown", **with_mouse)
        for cell in others:
            self.fire(cell, "pointerenter", bubbles=False, **with_mouse)
        if places[0] == places[-1]:
            self.fire(first, "click", detail=1, **with_mouse)

    def button(self, name: str) -> None:
        (found,) = (button for button in self.root.all("button") if button.text == name)
        self.fire(found, "click", detail=1)

    def paint(self, mask: np.ndarray) -> None:
        """Turn, by keys, every cell that is not as it should be."""
        for i, j in np.argwhere(mask != self.mask):
            self.focus(i, j)
            self.key(" ")
        self.wait(200)

    def goal(self, goal) -> list[str]:
        """How a goal stands, and what is said below it."""
        (item,) = (item for item in self.root.all("li") if item.one("al-goal-text").text == f"{goal.text}.")
        return [item.one("al-badge").text, item.one("al-goal-said").text]


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def aimed() -> Page:
    return Page(*GOALS)


def assert_shows(page: Page, mask: np.ndarray) -> None:
    """Everything on the page is what the package computes for a mask."""
    explorer = painted(mask)
    np.testing.assert_array_equal(page.mask, mask)
    assert page.sentence == explorer.sentence
    for i, j in np.ndindex(6, 6):
        cell, weight = page.cells[i][j], page.weights[i][j]
        assert cell.text == (number(explorer.scores[i][j]) if mask[i, j] else "-inf")
        assert weight.text == (share(explorer.weights[i, j]) if mask[i, j] else "0")
        assert cell.has("al-hidden") == weight.has("al-hidden") == (not mask[i, j])
        assert bool(weight.style.get("backgroundColor")) == bool(weight.style.get("color")) == mask[i, j]


def open_but(*places: tuple[int, int]) -> np.ndarray:
    mask = np.ones((6, 6), bool)
    for place in places:
        mask[place] = False
    return mask


# ---- keys -----------------------------------------------------------------------------------------------------------


def test_a_page_opens_with_everything_open_and_tells_nobody(page):
    assert_shows(page, open_but())
    assert page.told == []
    assert "Tab" in page.sum


@pytest.mark.parametrize("key", [" ", "Enter"])
def test_arrow_keys_walk_and_space_and_enter_hide_and_show(page, key):
    page.focus(0, 0)
    assert not any(page.key(arrow) for arrow in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown"))
    page.key(key)
    assert_shows(page, open_but((2, 2)))
    page.key("End")
    page.key(key)
    assert_shows(page, open_but((2, 2), (2, 5)))
    page.key(key)
    assert_shows(page, open_but((2, 2)))


def test_a_row_is_read_out_where_the_focus_or_the_pointer_is_and_follows_the_mask(page):
    page.focus(1, 2)
    assert page.sum.startswith("bank may look at all 6 words. Weights: The 2.8%, bank 0.7%, raised 0.0%, ")
    page.paint(causal_mask(6))
    page.focus(1, 3)
    assert page.sum == "bank may look at The and bank. Weights: The 80.4% and bank 19.6%."
    page.key("Home")
    page.key(" ")
    assert page.sum == "bank may look at bank. Weights: bank 100.0%."
    page.key("ArrowRight")
    page.key(" ")
    assert page.sum == "bank may look at nothing, so all of its weights are 0."
    assert [[i, j] for i in range(6) for j in range(6) if page.weights[i][j].has("al-followed")] == [[1, 1]]
    page.fire(page.weights[4][4], "pointerenter", bubbles=False)
    assert page.sum.startswith("interest may look at The, bank, raised, its and interest. Weights: The ")
    assert [[i, j] for i in range(6) for j in range(6) if page.weights[i][j].has("al-followed")] == [[4, 4]]


# ---- mouse and buttons ----------------------------------------------------------------------------------------------


def test_a_click_turns_one_cell_and_a_drag_makes_all_on_its_way_like_the_first(page):
    page.click(0, 1)
    assert_shows(page, open_but((0, 1)))
    page.drag((0, 0), (0, 1), (0, 2), (1, 2))
    assert_shows(page, open_but((0, 0), (0, 1), (0, 2), (1, 2)))
    page.drag((0, 2), (1, 2), (2, 2))
    assert_shows(page, open_but((0, 0), (0, 1)))


def test_a_drag_that_comes_back_turns_its_first_cell_once(page):
    page.drag((3, 3), (3, 4), (3, 3))
    assert_shows(page, open_but((3, 3), (3, 4)))
    page.focus(3, 3)
    page.key(" ")  # a key after it counts
    assert_shows(page, open_but((3, 4)))
    page.click(3, 4)
    assert_shows(page, open_but())


@pytest.mark.parametrize("details", [{"pointerType": "touch"}, {"button": 2, "buttons": 2}, {"buttons": 0}])
def test_a_finger_another_button_and_a_mouse_that_only_moves_paint_nothing(page, details):
    page.drag((0, 0), (0, 1), (0, 2), **details)
    assert_shows(page, open_but())


@pytest.mark.parametrize(
    ("name", "mask"),
    [("Show all", open_but()), ("Causal", causal_mask(6)), ("Hide all", np.zeros((6, 6), bool))],
)
def test_a_button_sets_a_whole_mask_and_tells_python_at_once(page, name, mask):
    page.paint(some_masks(6, 1, 3)[0])
    page.button(name)
    assert_shows(page, mask)
    assert page.told[-1] == {"mask": mask.tolist()}
    page.click(0, 0)  # of its own cells, not of the button's mask
    page.button(name)
    assert_shows(page, mask)


@pytest.mark.parametrize("seed", range(3))
def test_any_mask_can_be_painted_and_is_shown(page, seed):
    mask = some_masks(6, 1, seed)[0]
    page.paint(mask)
    assert_shows(page, mask)
    assert page.told[-1] == {"mask": mask.tolist()}


# ---- Python, and other views ----------------------------------------------------------------------------------------


def test_python_is_told_when_painting_pauses(page):
    page.click(0, 1)
    page.wait(150)
    page.click(0, 2)  # it counts from the last one
    page.wait(199)
    assert page.told == []
    page.wait(1)
    assert page.told == [{"mask": open_but((0, 1), (0, 2)).tolist()}]


def test_what_python_sets_is_shown_and_two_views_follow_each_other_until_one_is_closed(page):
    page.receive("mask", causal_mask(6).tolist())
    assert_shows(page, causal_mask(6))
    page.open_view()
    page.button("Show all")
    page.view = 0
    assert_shows(page, open_but())
    page.click(1, 1)
    page.close_view()
    assert page.told[-1] == {"mask": open_but((1, 1)).tolist()}  # nothing is lost with a view
    page.view = 1
    page.click(2, 2)
    page.view = 0
    assert_shows(page, open_but((1, 1)))
    page.view = 1
    page.close_view()
    assert page.ask("model.listeners") == []


# ---- for everyone ---------------------------------------------------------------------------------------------------


def test_there_is_one_stop_for_tab_in_the_grid_and_everything_keeps_its_keys_from_jupyterlab(page):
    buttons = page.root.all("button")
    assert [button.text for button in buttons if button.tab_index == 0] == ["Show all", "Causal", "Hide all", "1.41"]
    assert all(button.attributes["data-lm-suppress-shortcuts"] == "true" for button in buttons)
    assert all(button.attributes["type"] == "button" for button in buttons)
    page.focus(2, 4)
    assert [cell.tab_index for row in page.cells for cell in row].count(0) == 1
    assert page.cells[2][4].tab_index == 0


def test_every_cell_has_a_name_that_stays_and_a_state_that_moves(page):
    names = [[cell.attributes["aria-label"] for cell in row] for row in page.cells]
    assert names[1][4] == "bank may look at interest, scaled score 5.66"
    assert len({name for row in names for name in row}) == 36
    page.button("Hide all")
    assert [[cell.attributes["aria-label"] for cell in row] for row in page.cells] == names
    described = {cell.attributes["aria-describedby"] for row in page.cells for cell in row}
    assert described == {page.root.one("al-sum").attributes["id"]}


def test_tables_have_captions_headers_and_axes(page):
    tables = page.root.all("table")
    captions = [table.all("caption")[0].text for table in tables]
    assert captions == ["scaled scores, -inf where hidden", "weights = softmax of each row"]
    for table in tables:
        assert [header.text for header in table.all("tbody")[0].all("th")] == list(INTEREST.words)
        head = table.all("thead")[0].all("tr")
        assert [header.text for header in head[0].all("th")] == ["looked at →"]
        assert [header.text for header in head[1].all("th")] == ["looking ↓", *INTEREST.words]
    groups = [e.attributes["aria-label"] for e in page.root.all() if e.attributes.get("role") == "group"]
    assert groups == ["Explorer: who may look at whom, The, bank, raised, its, interest, rate", "1 hide", "2 weigh"]


def test_what_is_hidden_is_hatched_and_says_so_and_both_shades_can_be_read_on():
    css = source("mask_painter.css")
    assert "repeating-linear-gradient" in re.search(r"(?s)\.al-hidden \{(.*?)\}", css)[1]
    mixed = [int(share) for share in re.findall(r"var\(--al-ink\) (\d+)%", css)]

    def light(value: float) -> float:
        return ((value / 255 + 0.055) / 1.055) ** 2.4

    for paper, ink in ((255, 0x1B), (0x16, 0xED)):
        for part in mixed:
            darker, lighter = sorted([light(ink), light(ink * part / 100 + paper * (1 - part / 100))])
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5


# ---- goals ----------------------------------------------------------------------------------------------------------


def near_masks(goal) -> list[np.ndarray]:
    """The mask of a goal, everything one and two cells away from it, and what is turned round."""
    target = np.array(goal.target)
    places = list(np.ndindex(6, 6))
    masks = [target, ~target, target.T, target[::-1, ::-1]]
    for at, first in enumerate(places):
        for second in [None, *places[at + 1 :]]:
            mask = target.copy()
            mask[first] ^= True
            if second:
                mask[second] ^= True
            masks.append(mask)
    return masks


def test_the_page_judges_thousands_of_masks_as_python_does():
    engine = MiniRacer()
    engine.eval(SCRIPT)
    data, explorer = json.dumps([goal.as_data() for goal in MASK_GOALS]), mask_painter()
    masks = [*some_masks(6, 3000), *near_masks(WINDOW), *near_masks(PREFIX)]
    judge = f"{data}.map((goal) => isMet(goal, mask) && howMet(goal, mask))"
    answers = engine.eval(f"JSON.stringify({json.dumps([m.tolist() for m in masks])}.map((mask) => {judge}))")
    reached = 0
    for mask, answer in zip(masks, json.loads(answers), strict=True):
        explorer.mask = mask
        said = [goal.met_in(explorer) or False for goal in MASK_GOALS]
        assert said == answer
        assert [bool(text) for text in said] == [(mask == np.array(goal.target)).all() for goal in MASK_GOALS]
        reached += sum(map(bool, said))
    assert reached >= 2


def test_the_masks_are_those_of_the_texts():
    places = np.arange(6)
    near = abs(places[:, None] - places) <= 1  # itself, the one before, the one after
    np.testing.assert_array_equal(WINDOW.target, near)
    both = (places[:, None] < 2) & (places < 2)
    np.testing.assert_array_equal(PREFIX.target, causal_mask(6) | both)
    assert (np.array(WINDOW.target).sum(axis=1) <= 3).all()  # "a row has three cells at most"


@every_goal
def test_a_goal_is_open_at_the_start_and_ticks_itself_once_painting_has_paused(aimed, goal):
    assert [aimed.goal(one) for one in MASK_GOALS] == [["○ open", ""]] * 2
    target = np.array(goal.target)
    *most, last = np.argwhere(~target)
    for i, j in [*most, last]:
        aimed.click(i, j)
    assert aimed.goal(goal)[0] == "○ open"
    aimed.wait(200)
    how = f"{target.sum()} of 36 cells are open."
    assert aimed.goal(goal) == ["✓ met", f"{how} {goal.because}"]
    assert aimed.told == [{"mask": target.tolist(), "done": {goal.name: how}}]
    aimed.button("Show all")
    assert aimed.goal(goal)[0] == "✓ met"  # what is ticked stays so


@every_goal
def test_whoever_paints_straight_on_is_told_nothing_on_the_way(aimed, goal):
    for i, j in np.argwhere(~np.array(goal.target)):
        assert aimed.goal(goal) == ["○ open", ""]
        aimed.click(i, j)
        aimed.wait(200)
    assert aimed.goal(goal)[0] == "✓ met"


def test_after_a_few_near_masks_it_says_how_many_cells_are_not_as_asked_and_not_which(aimed):
    aimed.receive("mask", WINDOW.target)
    said = []
    for place in [(0, 5), (1, 5), (2, 5), (0, 4), (2, 5), (0, 4)]:
        aimed.click(*place)
        said.append(aimed.goal(WINDOW)[1])
    # one, two, three near masks; four cells are not near; the third once more; at last a fourth one
    assert said[:4] == ["", "", "", ""]
    assert said[4] == "Nearly: 3 of the cells are not as asked."
    assert said[5] == "Nearly: 2 of the cells are not as asked."
    aimed.click(1, 5)
    assert aimed.goal(WINDOW)[1] == "Nearly: 1 of the cells is not as asked."
    assert aimed.goal(PREFIX) == ["○ open", ""]


def test_a_mask_that_is_turned_round_is_told_so_at_once(aimed):
    target = np.array(PREFIX.target)
    aimed.receive("mask", target.T.tolist())
    assert aimed.goal(PREFIX)[1] == "Rows and columns are swapped: a row is the word that looks."
    aimed.receive("mask", (~target).tolist())
    assert aimed.goal(PREFIX)[1] == "The other way round: each cell is the opposite of what is asked for."
    aimed.receive("mask", WINDOW.target)
    aimed.receive("mask", (~np.array(WINDOW.target)).tolist())
    assert aimed.goal(WINDOW)[1] == "The other way round: each cell is the opposite of what is asked for."


def test_no_goal_of_a_mask_can_be_called_impossible(aimed):
    assert "It cannot be done" not in aimed.root.text
    assert aimed.root.one("al-goals").all("button") == []
    assert aimed.root.one("al-goals").all("p")[0].text == f"Goals. {WINDOW.task}"


def test_a_goal_met_from_python_is_ticked_and_stays_so():
    explorer = mask_painter()
    for goal in MASK_GOALS:
        explorer.add_goal(goal)
    explorer.mask = window_mask(6, width=2)
    explorer.mask = np.array(PREFIX.target)
    explorer.mask = causal_mask(6)
    assert explorer.done == {WINDOW.name: "16 of 36 cells are open.", PREFIX.name: "22 of 36 cells are open."}
    assert repr(explorer).splitlines()[1:] == [f"✓ met: {goal.text}" for goal in MASK_GOALS]
    late = painted(window_mask(6, width=2))
    late.add_goal(WINDOW)
    late.add_goal(WINDOW)
    assert (list(late.done), late.goals) == ([WINDOW.name], [WINDOW])


def test_a_goal_is_only_for_a_sentence_of_its_length():
    for example in (BANK, RIVER):
        with pytest.raises(ValueError, match='"paint-window" starts from a sentence of 6 words; this explorer'):
            mask_painter(example).add_goal(WINDOW)


@every_goal
def test_without_scripts_the_goals_stand_as_a_list_and_the_answers_are_folded(goal):
    explorer = mask_painter()
    explorer.add_goal(goal)
    shown, folded = explorer.still().split("<details>")
    assert f"<li>○ open: {goal.text}.</li>" in shown
    assert goal.task in shown
    assert goal.because not in shown
    words = [str(i) for i in range(1, 7)]
    rows = [may_look(f"word {word}", words, row) for word, row in zip(words, goal.target, strict=True)]
    assert "; ".join(rows) in folded
    assert goal.because in folded
    for first, second in pairwise(rows):
        assert first != second


def test_the_saved_page_with_goals_works_without_python():
    explorer = mask_painter()
    for goal in MASK_GOALS:
        explorer.add_goal(goal)
    page = Page()
    script = page.open_saved(explorer.html())
    page.engine.eval(script)
    page.button("Causal")
    page.click(0, 1)
    page.wait(200)
    assert page.goal(PREFIX)[0] == "✓ met"
    assert page.goal(WINDOW) == ["○ open", ""]
