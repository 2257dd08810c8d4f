"""Every explorer's way out to the notebook: Escape, and Enter that runs the cell (on explorers_dom.js)."""

import json

import pytest

from tests.explorer_page import Cell, Element, Page
from tests.sketch_page import Page as SketchPage
from tests.test_mask_painter_page import Page as PainterPage
from tests.test_scaled_rows_page import Page as ScaledPage
from tests.test_text_cost_page import Page as CostPage

EVERY = {
    "bank_matrices": Page,
    "sketch": SketchPage,
    "scaled_rows": ScaledPage,
    "mask_painter": PainterPage,
    "text_cost": CostPage,
}


@pytest.fixture(params=EVERY.values(), ids=EVERY)
def any_page(request) -> Page | SketchPage:
    return request.param()


def stops(page: Page | SketchPage) -> list[Element]:
    return [element for element in page.root.all() if element.tab_index == 0]


def press_at(page: Page | SketchPage, stop: Element, key: str, **modifiers: bool) -> bool:
    page.engine.eval(f"browser.all[{stop.number}].focus()")
    return page.fire(stop, "keydown", key=key, **modifiers)


def test_escape_gives_the_focus_back_to_the_cell_from_wherever_it_is(any_page):
    cell = Cell(any_page)
    for stop in stops(any_page):
        assert not press_at(any_page, stop, "Escape")
        assert cell.has_focus
    assert cell.heard == []  # the cell itself has nothing to escape from


@pytest.mark.parametrize("modifier", ["shift", "ctrl", "alt", "meta"])
def test_enter_that_runs_a_cell_goes_to_the_cell_and_presses_no_button(any_page, modifier):
    cell = Cell(any_page)
    for stop in stops(any_page):
        assert not press_at(any_page, stop, "Enter", keyCode=13, **{f"{modifier}Key": True})
        assert cell.has_focus
    assert cell.heard == [f"{modifier} Enter 13"] * len(stops(any_page))


def test_every_other_key_stays_in_the_explorer(any_page):
    cell = Cell(any_page)
    for stop in stops(any_page):
        for key in ("Enter", "ArrowDown", "d", "Tab", " ", "Home"):
            press_at(any_page, stop, key)
            assert not cell.has_focus
    assert cell.heard == []


@pytest.mark.parametrize("in_a_cell", [True, False])
def test_where_no_cell_takes_the_focus_the_keys_do_what_they_always_do(any_page, in_a_cell):
    cell = Cell(any_page, takes_focus=False) if in_a_cell else None
    for stop in stops(any_page):
        assert press_at(any_page, stop, "Escape")
        assert press_at(any_page, stop, "Enter", shiftKey=True)
        assert any_page.ask("document.activeElement.number") == stop.number
    assert cell is None or cell.heard == []


@pytest.mark.parametrize("page", [Page, SketchPage])
def test_a_decimal_comma_is_a_point_and_every_other_key_types_itself(page):
    any_page = page()
    boxes = [element for element in any_page.root.all() if element.tag == "input"]
    assert boxes
    for box in boxes:
        assert not any_page.fire(box, "beforeinput", data=",")
        assert any_page.fire(box, "beforeinput", data="5")
    typed = json.loads(any_page.engine.eval("JSON.stringify(browser.typed)"))
    assert typed == [["insertText", "."]] * len(boxes)
