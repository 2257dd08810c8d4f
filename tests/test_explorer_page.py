"""The explorer's page: typing into it, and what Python and it say to each other (on explorers_dom.js)."""

import pytest

from attention_lab.examples import BANK, INTEREST, RIVER
from attention_lab.explorers import bank_matrices
from tests.explorer_page import BOXES, TAUGHT, Page, edited, matrices_of, shown


@pytest.fixture
def page() -> Page:
    return Page()


# ---- typing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", [BANK, INTEREST, RIVER])
def test_a_page_opens_with_every_number_of_the_start(example):
    page = Page(example)
    assert page.boxes() == matrices_of(example)
    assert page.stages() == shown(example)
    assert page.status == [bank_matrices(example).sentence, ""]
    assert page.told == []


@pytest.mark.parametrize(("name", "i", "j"), BOXES)
@pytest.mark.parametrize("value", [2.5, -3])
def test_editing_a_box_changes_it_and_all_later_stages_to_what_the_package_computes(page, name, i, j, value):
    page.type(name, i, j, str(value))
    after = edited(BANK, **{name: {(i, j): value}})
    assert page.boxes() == matrices_of(after)
    assert page.stages() == shown(after)
    assert page.status[0] == bank_matrices(after).sentence


def test_edits_add_up(page):
    page.type("x", 1, 0, "4")
    page.type("W_K", 0, 1, "-1")
    page.type("x", 1, 1, "0.25")
    assert page.stages() == shown(edited(BANK, x={(1, 0): 4, (1, 1): 0.25}, W_K={(0, 1): -1}))


@pytest.mark.parametrize("text", ["", "-", "four", "1e999"])
def test_an_entry_that_is_no_number_keeps_the_last_good_value_and_says_so(page, text):
    page.type("x", 1, 0, "4")
    page.wait(1000)
    page.type("x", 1, 0, text)
    page.wait(1000)
    assert page.stages() == shown(edited(BANK, x={(1, 0): 4}))
    assert page.status[1] == "x, bank, number 1 stays 4 until a number is typed."
    assert page.cell("x", 1, 0).attributes["aria-invalid"] == "true"
    assert len(page.told) == 1
    page.leave("x", 1, 0)
    assert page.cell("x", 1, 0).value == "4"
    assert page.cell("x", 1, 0).attributes["aria-invalid"] == "false"
    assert len(page.told) == 1


@pytest.mark.parametrize("repair", [Page.start_again, lambda page: page.type("x", 1, 0, "7")])
def test_a_good_number_ends_the_warning(page, repair):
    page.type("x", 1, 0, "")
    repair(page)
    assert page.cell("x", 1, 0).attributes["aria-invalid"] == "false"
    assert "stays" not in page.status[1]


def test_a_box_is_not_rewritten_while_someone_types_in_it(page):
    page.type("x", 1, 0, "1.50")
    assert page.cell("x", 1, 0).value == "1.50"
    page.type("x", 1, 0, "0.333333333")
    assert page.cell("x", 1, 0).value == "0.333333333"
    page.leave("x", 1, 0)
    assert page.cell("x", 1, 0).value == "0.3333"  # what a box has room for
    assert page.state["x"][1][0] == 0.333333333  # what is computed with


def test_start_again_restores_everything(page):
    for name in TAUGHT:
        page.type(name, 1, 1, "-6")
    page.type("x", 0, 0, "")
    page.start_again()
    assert page.boxes() == matrices_of(BANK)
    assert page.stages() == shown(BANK)
    assert page.places("al-edited") == page.places("al-changed") == set()
    assert page.status == [bank_matrices().sentence, "Back at the start."]
    assert {name: page.state[name] for name in TAUGHT} == matrices_of(BANK)
    assert page.told[-1] == matrices_of(BANK)  # at once


def test_start_again_goes_to_the_start_and_not_to_how_the_page_was_opened():
    page = Page(W_V=[[9, 9], [9, 9]])
    assert page.boxes()["W_V"] == [[9, 9], [9, 9]]
    page.start_again()
    page.type("W_V", 0, 0, "3")
    page.start_again()  # the first edit did not write into the start
    assert page.boxes() == matrices_of(BANK)


# ---- Python ---------------------------------------------------------------------------------------------------------


def test_python_is_told_once_after_a_pause_in_typing(page):
    for text in ("1", "12", "12.5"):
        page.type("W_Q", 1, 0, text)
        page.wait(199)
    assert page.told == []
    page.wait(1)
    assert page.told == [{"W_Q": matrices_of(edited(BANK, W_Q={(1, 0): 12.5}))["W_Q"]}]
    page.wait(5000)
    assert len(page.told) == 1


def test_python_is_told_at_once_on_leaving_a_box(page):
    page.type("W_Q", 1, 0, "-4")
    page.leave("W_Q", 1, 0)
    assert page.told == [{"W_Q": matrices_of(edited(BANK, W_Q={(1, 0): -4}))["W_Q"]}]
    page.wait(5000)
    assert len(page.told) == 1


def test_python_is_told_of_all_that_was_edited_and_of_nothing_else(page):
    page.type("x", 0, 0, "7")
    page.type("W_V", 1, 1, "8")
    page.wait(200)
    after = matrices_of(edited(BANK, x={(0, 0): 7}, W_V={(1, 1): 8}))
    assert page.told == [{"x": after["x"], "W_V": after["W_V"]}]
    page.type("x", 0, 0, "7")  # the same again is no edit
    page.wait(200)
    assert len(page.told) == 1


def test_what_python_is_told_python_accepts(page):
    page.type("x", 2, 1, "0.5")
    page.wait(200)
    explorer = bank_matrices()
    explorer.set_state(page.told[0])
    assert page.stages() == shown(explorer.example)


def test_a_change_from_python_shows_and_is_not_sent_back(page):
    after = edited(BANK, W_K={(0, 1): 3})
    page.set_from_python("W_K", after.W_K)
    assert page.boxes() == matrices_of(after)
    assert page.stages() == shown(after)
    assert page.places("al-edited") == {("W_K", 0, 1)}
    page.wait(5000)
    assert page.told == []
    page.type("x", 0, 0, "2")
    page.wait(200)
    assert page.told == [{"x": matrices_of(edited(BANK, x={(0, 0): 2}))["x"]}]
    assert page.stages() == shown(edited(BANK, W_K={(0, 1): 3}, x={(0, 0): 2}))


def test_two_views_of_one_explorer_follow_each_other_and_tell_once(page):
    page.open_view()
    for view, value in ((0, 5), (1, 6)):
        page.view = view
        page.type("W_Q", 0, 0, str(value))
        page.wait(5000)
        page.view = 1 - view
        assert page.stages() == shown(edited(BANK, W_Q={(0, 0): value}))
    assert [said["W_Q"][0][0] for said in page.told] == [5, 6]


def test_a_view_that_is_closed_tells_what_it_has_not_yet_told_and_stops_listening(page):
    page.type("x", 0, 0, "7")
    page.close_view()
    assert page.told == [{"x": matrices_of(edited(BANK, x={(0, 0): 7}))["x"]}]
    assert page.ask("model.listeners") == []


def test_the_saved_page_replaces_its_tables_and_works_without_python():
    page = Page()
    script = page.open_saved(bank_matrices().html())
    for _ in range(2):  # a notebook may run the script of an output again
        page.engine.eval(script)
        assert [child.attributes["class"] for child in page.root.inside] == ["attention-lab-live", ""]
        assert page.stages() == shown(BANK)
        page.type("W_V", 0, 0, "6")
        page.leave("W_V", 0, 0)
        assert page.stages() == shown(edited(BANK, W_V={(0, 0): 6}))
        page.start_again()
        assert page.stages() == shown(BANK)
