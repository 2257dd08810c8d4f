"""Goals: the page and Python judge alike, counts are found by trying, the list ticks itself (on explorers_dom.js)."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab.examples import BANK, Example
from attention_lab.explorers import bank_matrices
from attention_lab.explorers.edit_goals import EDIT_GOALS, EditGoal, edits_between, holds, met, ways
from tests.explorer_page import SCRIPT, TAUGHT, Page, computed, edited, matrices_of

GOALS = {goal.name: goal for goal in EDIT_GOALS}
AT_THE, ITSELF, EVENLY = (GOALS[name] for name in ("bank-looks-at-The", "bank-looks-at-itself", "bank-looks-evenly"))
NONE = GOALS["each-word-at-itself"]
every_goal = pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)


@pytest.fixture
def page() -> Page:
    return Page(goals=GOALS)


@pytest.fixture(scope="module")
def engine() -> MiniRacer:
    engine = MiniRacer()
    engine.eval(SCRIPT)
    engine.eval(
        f"const [words, start] = [{json.dumps(BANK.words)}, {json.dumps(matrices_of(BANK))}];"
        "const look = (now) => seenIn({ get: (name) => ({ words, start, ...now })[name] });"
        "const judge = (goal, seen) => ({ holds: RULES[goal.rule](goal, seen), met: isMet(goal, seen),"
        " how: seen.edits.length === 1 ? howMet(goal, seen) : null, edits: seen.edits });"
    )
    return engine


def with_edits(*edits: tuple[str, int, int, float]) -> Example:
    changes: dict[str, dict[tuple[int, int], float]] = {}
    for name, i, j, value in edits:
        changes.setdefault(name, {})[i, j] = value
    return edited(BANK, **changes)


def every_single_edit(values=range(-4, 7)):
    for name, matrix in matrices_of(BANK).items():
        for i, j in np.ndindex(np.shape(matrix)):
            yield from ((name, i, j, float(value)) for value in values if value != matrix[i][j])


# ---- judging --------------------------------------------------------------------------------------------------------


def random_edits(rng: np.random.Generator):
    places = [(name, i, j) for name, matrix in matrices_of(BANK).items() for i, j in np.ndindex(np.shape(matrix))]
    for _ in range(400):
        some = rng.choice(len(places), size=rng.integers(0, 4), replace=False)
        whole = rng.random() < 0.7
        yield [(*places[n], float(rng.integers(-9, 10) if whole else rng.normal() * 5)) for n in some]


def test_the_page_judges_and_says_what_python_does(engine):
    judged = [*GOALS.values(), replace(AT_THE, edits=("W_K",))]
    goals, reached = [goal.as_data() for goal in judged], dict.fromkeys(GOALS, 0)
    tiny = [[("W_V", 0, 0, 1e-12)], [("x", 1, 1, 1e-3)], [("x", 1, 1, 1e-12)], [("x", 0, 0, 1 + 1e-7)]]
    states = [*([one] for one in every_single_edit()), *random_edits(np.random.default_rng(3)), *tiny]
    for edits in states:
        now = with_edits(*edits)
        seen = engine.eval(
            f"JSON.stringify({json.dumps(goals)}.map((g) => judge(g, look({json.dumps(matrices_of(now))}))))"
        )
        for goal, page in zip(judged, json.loads(seen), strict=True):
            said = met(goal, now, BANK)
            assert page["holds"] == holds(goal, now, BANK), (goal.name, edits)
            assert page["met"] == bool(said), (goal.name, edits)
            assert [tuple(place) for place in page["edits"]] == [edit[:3] for edit in edits_between(now, BANK)]
            assert not said or page["how"] == said
            reached[goal.name] += page["holds"]
    assert all(count or name == NONE.name for name, count in reached.items())  # a goal that is never met tests nothing


def test_the_page_knows_the_rules_that_python_knows(engine):
    assert set(json.loads(engine.eval("JSON.stringify(Object.keys(RULES))"))) >= {goal.rule for goal in GOALS.values()}


def test_how_many_single_edits_reach_a_goal_is_as_the_learning_design_says():
    found = {name: len(ways(goal)) for name, goal in GOALS.items()}
    assert found == {
        "bank-looks-at-The": 21,
        "bank-looks-at-itself": 18,
        "bank-looks-evenly": 1,
        "three-favourites": 1,
        "each-word-at-itself": 0,
        "same-weights-other-output": 40,
    }
    assert ("W_Q", 1, 0, -2) in ways(AT_THE)
    assert ways(AT_THE)[0] == ("x", 0, 0, 3)  # the smallest edit is the example
    assert ways(EVENLY) == [("x", 1, 1, 0)]
    assert ways(GOALS["three-favourites"]) == [("x", 2, 0, -4)]
    assert {edit[0] for edit in ways(GOALS["same-weights-other-output"])} == {"W_V"}


@every_goal
def test_the_ways_are_those_that_are_met_one_by_one(goal):
    one_by_one = {edit for edit in every_single_edit() if met(goal, with_edits(edit), BANK)}
    assert set(ways(goal)) == one_by_one
    tried = sum(edit[0] in goal.edits for edit in every_single_edit())
    assert f"of {tried} single edits" in goal.counted


def test_no_single_number_of_any_size_lets_each_word_look_at_itself():
    values = [*np.arange(-40, 40, 0.25), *(sign * 10.0**power for sign in (-1, 1) for power in (-3, 2, 3, 5))]
    assert not any(holds(NONE, with_edits(edit), BANK) for edit in every_single_edit(values))
    assert holds(NONE, with_edits(("x", 0, 0, -1), ("W_Q", 1, 1, -2)), BANK)  # two can


@every_goal
def test_a_goal_does_not_hold_at_the_start_and_says_why_it_is_worth_reaching(goal):
    assert not holds(goal, BANK, BANK)
    assert met(goal, BANK, BANK) == ""
    assert re.fullmatch(r"[a-z]+(-[A-Za-z]+)+", goal.name)
    assert goal.because.endswith(".")
    assert not goal.text.endswith(".")
    assert goal.because in goal.answer()
    assert set(goal.edits) <= set(TAUGHT)


# What each text says of every way to meet its goal, in the walk's numbers before and after; The is 0, bank 1, river 2.
FACTS = {
    "bank-looks-at-The": (
        "One number was enough to make The's score the largest in bank's row.",
        lambda was, now: now["scores"][1].argmax() == 0,
    ),
    "bank-looks-at-itself": (
        "no label answers its question better than its own.",
        lambda was, now: now["scores"][1].argmax() == 1,
    ),
    "bank-looks-evenly": (
        "its question is [0, 0], each of its scores is 0, and softmax shares out evenly.",
        lambda was, now: not now["q"][1].any() and not now["scores"][1].any(),
    ),
    "three-favourites": (
        "river's label was long and won in every row. Turned round, it loses in the rows of The and bank. river's "
        "question turned with it, so river still looks at itself.",
        lambda was, now: (
            (was["scores"].argmax(1) == 2).all()
            and all(was[name][2] @ now[name][2] < 0 for name in "qk")
            and (now["scores"].argmax(1) == 2).tolist() == [False, False, True]
        ),
    ),
    "same-weights-other-output": (
        "W_V only makes what is handed over: who looks at whom does not depend on it.",
        lambda was, now: np.array_equal(was["scores"], now["scores"]) and not np.array_equal(was["v"], now["v"]),
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_what_a_goal_says_once_it_is_met_is_true_of_every_way_to_meet_it(name):
    (said, is_so), was, goal = FACTS[name], computed(BANK), GOALS[name]
    after = {edit: with_edits(edit) for edit in every_single_edit(np.arange(-12, 12, 0.25))}
    reached = {edit: now for edit, now in after.items() if met(goal, now, BANK)}
    assert goal.because.endswith(said)
    assert set(ways(goal)) <= set(reached)
    assert [edit for edit, now in reached.items() if not is_so(was, computed(now))] == []


def test_the_lists_head_asks_for_one_edit_on_the_page_and_without_scripts(page):
    assert "with one edit from the start" in page.root.one("al-goals").all("p")[0].text
    assert "with one edit from the start" in aimed("bank-looks-at-The").still()


def test_half_is_not_more_than_half():
    assert not holds(ITSELF, with_edits(("x", 1, 1, 5)), BANK)  # bank and river 50.0% each
    assert holds(ITSELF, with_edits(("x", 1, 1, 6)), BANK)


def test_an_edit_of_a_matrix_that_a_goal_leaves_out_does_not_count():
    now = with_edits(("W_Q", 1, 0, -2))
    assert met(AT_THE, now, BANK) == "With -2 in W_Q, row 2, number 1: bank looks most at The (87.0%)."
    assert met(replace(AT_THE, edits=("W_K",)), now, BANK) == ""
    assert replace(AT_THE, edits=("W_K",)).counted.startswith("2 of 40 single edits reach it (W_K, ")


def test_numbers_too_large_to_compute_with_meet_nothing():
    explorer = bank_matrices()
    for goal in GOALS.values():
        explorer.add_goal(goal)
    explorer.W_Q = [[2, 0], [1e300, 3]]
    explorer.x = [[1e300, 0], [0, 1], [2, 1]]
    assert explorer.done == {}


# ---- the page -------------------------------------------------------------------------------------------------------


def test_a_page_opens_with_every_goal_open(page):
    assert [page.goal(goal.text) for goal in GOALS.values()] == [["○ open", ""]] * len(GOALS)
    assert page.told == []
    assert page.root.one("al-goals").all("p")[0].text == f"Goals. {EditGoal.task}"


def test_without_goals_there_is_no_list_until_there_are_some():
    page = Page()
    assert page.root.all("li") == []
    for names in (["bank-looks-at-The"], ["bank-looks-at-The", "bank-looks-evenly"]):
        page.receive("goals", [GOALS[name].as_data() for name in names])
        assert [item.one("al-goal-text").text for item in page.root.all("li")] == [f"{GOALS[n].text}." for n in names]
    assert len([element for element in page.root.all() if element.has("al-goals")]) == 1


def test_a_goal_ticks_itself_once_typing_has_paused_and_python_hears_of_it_with_the_edit(page):
    page.type("W_Q", 1, 0, "-2")
    page.wait(199)
    assert page.goal(AT_THE.text) == ["○ open", ""]
    page.wait(1)
    how = "With -2 in W_Q, row 2, number 1: bank looks most at The (87.0%)."
    assert page.goal(AT_THE.text) == ["✓ met", f"{how} {AT_THE.because}"]
    assert page.told == [{"W_Q": [[2, 0], [-2, 3]], "done": {AT_THE.name: how}}]


def test_a_number_that_is_only_typed_through_ticks_nothing(page):
    page.type("W_Q", 1, 0, "-2")
    page.type("W_Q", 1, 0, "-")
    page.type("W_Q", 1, 0, "")
    page.type("W_Q", 1, 0, "1")
    page.wait(200)
    assert page.goal(AT_THE.text) == ["○ open", ""]


def test_what_is_ticked_stays_so(page):
    page.type("W_Q", 1, 0, "-2")
    page.leave("W_Q", 1, 0)
    met_at = page.goal(AT_THE.text)
    page.type("W_Q", 1, 0, "-3")
    page.leave("W_Q", 1, 0)
    page.start_again()
    assert page.goal(AT_THE.text) == met_at
    assert page.goal(ITSELF.text) == ["○ open", ""]


def test_with_more_edits_than_one_it_says_so_and_does_not_tick(page):
    page.type("W_V", 0, 0, "3")
    page.type("W_Q", 1, 0, "-2")
    page.wait(200)
    said = 'Reached with {} edits; one is asked for. "Start again" puts all back.'
    assert page.goal(AT_THE.text) == ["○ open", said.format(2)]
    page.set_from_python("W_K", [[1, 1], [2, -1]])
    assert page.goal(AT_THE.text) == ["○ open", said.format(3)]
    page.start_again()
    assert page.goal(AT_THE.text) == ["○ open", ""]


def test_impossible_is_right_where_no_edit_does_it(page):
    page.say_impossible(NONE.text)
    right = "Right: none of 140 single edits reaches it (x, W_Q or W_K, whole numbers from -4 to 6)."
    assert page.goal(NONE.text) == ["✓ impossible", f"{right} {NONE.because}"]
    assert page.told == [{"done": {NONE.name: right}}]
    page.say_impossible(NONE.text)
    assert len(page.told) == 1


@pytest.mark.parametrize("goal", [goal for goal in GOALS.values() if goal is not NONE], ids=lambda goal: goal.name)
def test_impossible_is_answered_with_the_count_where_it_can_be_done(page, goal):
    page.say_impossible(goal.text)
    assert page.goal(goal.text) == ["○ open", f"It can: {goal.counted}."]
    assert page.told == []
    name, i, j, value = ways(goal)[0]
    page.type(name, i, j, str(value))
    page.leave(name, i, j)
    assert page.goal(goal.text) == ["✓ met", f"{met(goal, with_edits(ways(goal)[0]), BANK)} {goal.because}"]
    page.say_impossible(goal.text)
    assert page.goal(goal.text)[0] == "✓ met"


def test_what_python_or_another_page_ticked_is_shown(page):
    page.open_view()
    page.set_from_python("x", [[1, 0], [0, 0], [2, 1]])
    assert page.goal(EVENLY.text) == ["○ open", ""]  # Python will say so
    page.receive("done", {EVENLY.name: "With 0 in x."})
    page.say_impossible(NONE.text)
    for view in (0, 1):
        page.view = view
        assert page.goal(EVENLY.text) == ["✓ met", f"With 0 in x. {EVENLY.because}"]
        assert page.goal(NONE.text)[0] == "✓ impossible"
    page.close_view()
    page.view = 0
    page.close_view()
    assert page.ask("model.listeners") == []


def test_goals_are_worked_by_keyboard_and_read_aloud(page):
    goals = page.root.one("al-goals")
    assert goals.attributes["aria-label"] == "Goals"
    texts = {item.one("al-goal-text").attributes["id"] for item in goals.all("li")}
    assert len(texts) == len(GOALS)
    for item in goals.all("li"):
        (button,) = item.all("button")
        assert button.attributes["aria-describedby"] == item.one("al-goal-text").attributes["id"]
        assert button.attributes["data-lm-suppress-shortcuts"] == "true"
        assert item.one("al-goal-said").attributes["aria-live"] == "polite"
        assert item.one("al-badge").inside[0].attributes["aria-hidden"] == "true"  # the sign; the word is read
    page.say_impossible(NONE.text)
    pressed = [button.attributes["aria-disabled"] for button in page.root.one("al-goals").all("button")]
    assert pressed == [str(goal is NONE).lower() for goal in GOALS.values()]


# ---- Python, and where no script runs -------------------------------------------------------------------------------


def aimed(*names: str):
    explorer = bank_matrices()
    for name in names:
        explorer.add_goal(GOALS[name])
    return explorer


def test_an_edit_from_python_ticks_a_goal_which_stays_so():
    explorer = aimed("bank-looks-at-The", "bank-looks-evenly")
    explorer.W_Q = [[2, 0], [-2, 3]]
    how = {AT_THE.name: "With -2 in W_Q, row 2, number 1: bank looks most at The (87.0%)."}
    assert explorer.done == how
    explorer.W_Q = [[2, 0], [-3, 3]]  # met again: how it was met first stays
    assert explorer.done == how
    explorer.x = [[1, 0], [0, 0], [2, 1]]  # a second edit: evenly, but with two
    assert explorer.done == how
    explorer.W_Q = BANK.W_Q
    assert set(explorer.done) == {AT_THE.name, EVENLY.name}


def test_what_a_page_says_is_ticked_is_taken_over_and_a_goal_that_comes_late_is_judged_at_once(page):
    page.type("W_Q", 1, 0, "-2")
    page.say_impossible(NONE.text)
    page.wait(200)
    explorer = aimed("each-word-at-itself", "bank-looks-at-The")
    for message in page.told:
        explorer.set_state(message)
    assert explorer.done == page.state["done"]
    late = bank_matrices()
    late.W_Q = [[2, 0], [-2, 3]]
    late.add_goal(AT_THE)
    assert set(late.done) == {AT_THE.name}


def test_a_goal_is_added_once_and_only_to_the_numbers_it_is_about():
    assert aimed("bank-looks-at-The", "bank-looks-at-The").goals == [AT_THE]
    with pytest.raises(ValueError, match=r"starts from The, bank, river and their numbers"):
        bank_matrices(edited(BANK, x={(0, 0): 5})).add_goal(AT_THE)


def test_as_text_each_goal_is_open_or_met_and_the_answers_are_folded():
    explorer = aimed("bank-looks-at-The", "each-word-at-itself")
    assert repr(explorer).splitlines()[1:] == [f"○ open: {AT_THE.text}", f"○ open: {NONE.text}"]
    assert explorer._repr_mimebundle_()[0]["text/plain"] == repr(explorer)
    shown, folded = explorer.still().split("<details>")
    assert f"<li>○ open: {AT_THE.text}.</li>" in shown
    assert "140 single edits" not in shown
    assert "21 of 140 single edits reach it" in folded
    assert "It cannot be done: none of 140 single edits reaches it" in folded
    explorer.W_Q = [[2, 0], [-2, 3]]
    explorer.done = {**explorer.done, NONE.name: "Right."}
    assert repr(explorer).splitlines()[1:] == [f"✓ met: {AT_THE.text}", f"✓ impossible: {NONE.text}"]
    assert "bank looks most at The (87.0%). A score is" in explorer.still().split("<details>")[0]


def test_a_page_without_goals_holds_nothing_of_them():
    assert "oals" not in re.sub(r"(?s)<img.*?>", "", bank_matrices().html())
    assert set(bank_matrices()._state()) == {"words", "start", *TAUGHT}


def test_the_saved_page_with_goals_works_without_python():
    page = Page()
    script = page.open_saved(aimed("bank-looks-at-The", "each-word-at-itself").html())
    page.engine.eval(script)
    assert page.goal(AT_THE.text) == ["○ open", ""]
    page.type("W_Q", 1, 0, "-2")
    page.leave("W_Q", 1, 0)
    page.say_impossible(NONE.text)
    assert page.goal(AT_THE.text)[0] == "✓ met"
    assert page.goal(NONE.text)[0] == "✓ impossible"
