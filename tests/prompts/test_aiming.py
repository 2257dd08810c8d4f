"""``aim`` gives an explorer goals, answers anything else with a sentence, and keeps what was ticked."""

from html import escape

import pytest

from attention_lab.examples import INTEREST
from attention_lab.exercises import diary
from attention_lab.explorers import bank_matrices, mask_painter
from attention_lab.explorers.goals import GOALS
from attention_lab.masks import window_mask
from attention_lab.prompts.aiming import aim

HOW = "With -2 in W_Q, row 2, number 1: bank looks most at The (87.0%)."


MADE = {"bank_matrices": bank_matrices, "mask_painter": mask_painter}


@pytest.mark.parametrize("name", GOALS)
def test_untouched_a_goal_is_open_and_nothing_is_written(name):
    explorer = MADE[GOALS[name].explorer]()
    before = repr(explorer)
    assert aim(name, explorer) is explorer
    assert repr(explorer) == f"{before}\n○ open: {GOALS[name].text}"
    assert not diary.place().exists()


def test_several_goals_come_in_one_call_or_in_many_and_none_comes_twice():
    names = ["bank-looks-at-The", "bank-looks-evenly", "each-word-at-itself"]
    explorer, other = aim(names, bank_matrices()), bank_matrices()
    for name in [*names, *names]:
        aim(name, other)
    assert [goal.name for goal in explorer.goals] == [goal.name for goal in other.goals] == names
    assert explorer.html() == other.html()


def test_a_goal_met_from_python_is_kept_once():
    explorer = aim("bank-looks-at-The", aim("bank-looks-at-The", bank_matrices()))
    explorer.W_Q = [[2, 0], [-2, 3]]
    entry = diary.read("aim bank-looks-at-The")
    assert (entry.state, entry.tries, entry.answer) == ("right", 1, HOW)
    again = aim("bank-looks-at-The", bank_matrices())
    again.W_Q = [[2, 0], [-3, 3]]
    assert diary.read("aim bank-looks-at-The") == entry
    assert set(diary.read_all()) == {"aim bank-looks-at-The"}


def test_run_again_what_was_met_is_ticked_and_nothing_else_is():
    names = ["bank-looks-at-The", "bank-looks-evenly", "each-word-at-itself"]
    aim(names, bank_matrices()).set_state({"done": {"bank-looks-at-The": HOW, "each-word-at-itself": "Right."}})
    kept = diary.read_all()
    again = aim(names, bank_matrices())
    assert again.done == {"bank-looks-at-The": HOW, "each-word-at-itself": "Right."}
    assert [line[:8] for line in repr(again).splitlines()[1:]] == ["✓ met: b", "○ open: ", "✓ imposs"]
    assert escape(f"{HOW} {GOALS['bank-looks-at-The'].because}") in again.still().split("<details>")[0]
    assert again.x.tolist() == bank_matrices().x.tolist()
    assert diary.read_all() == kept
    assert aim("bank-looks-evenly", bank_matrices()).done == {}  # only the goals that it has


def test_what_is_met_now_is_said_rather_than_how_it_was_met_before():
    aim("bank-looks-at-The", bank_matrices()).W_Q = [[2, 0], [-2, 3]]
    explorer = bank_matrices()
    explorer.W_Q = [[2, 0], [-3, 3]]
    assert aim("bank-looks-at-The", explorer).done["bank-looks-at-The"].startswith("With -3 in W_Q")


@pytest.mark.parametrize("entry", [diary.Entry("not yet", 1, answer=HOW), diary.Entry("right", 1), diary.Entry()])
def test_a_diary_without_how_a_goal_was_met_ticks_nothing(entry):
    diary.write("aim bank-looks-at-The", entry)
    assert aim("bank-looks-at-The", bank_matrices()).done == {}


def test_what_the_page_ticked_is_kept_the_impossible_too():
    explorer = aim(["bank-looks-at-The", "each-word-at-itself"], bank_matrices())
    explorer.set_state({"W_Q": [[2, 0], [-2, 3]], "done": {"bank-looks-at-The": HOW}})
    explorer.set_state({"done": {"bank-looks-at-The": HOW, "each-word-at-itself": "Right.", "nonsense": "x"}})
    kept = diary.read_all()
    assert set(kept) == {"aim bank-looks-at-The", "aim each-word-at-itself"}
    assert all(entry.state == "right" and entry.tries == 1 for entry in kept.values())


@pytest.mark.parametrize("name", ["bank-looks-at-river", "", None, ..., 3, ["bank-looks-at-The", "nonsense"]])
def test_an_unknown_goal_is_answered_with_a_sentence_and_adds_nothing(name):
    explorer = bank_matrices()
    assert repr(aim(name, explorer)).startswith("Goal. There is no goal ")
    assert explorer.goals == []


@pytest.mark.parametrize("explorer", [..., None, "bank", bank_matrices])
def test_what_is_no_explorer_is_answered_with_a_sentence(explorer):
    for name, call in {
        "bank-looks-at-The": 'aim("bank-looks-at-The", bank_matrices())',
        "paint-window": 'aim("paint-window", mask_painter())',
        "nonsense": 'aim("bank-looks-at-The", bank_matrices())',
    }.items():
        assert repr(aim(name, explorer)) == f"Goal. An explorer is needed: `{call}`."


def test_an_explorer_of_other_numbers_is_answered_with_a_sentence():
    said = repr(aim("bank-looks-at-The", bank_matrices(INTEREST)))
    assert said.startswith('Goal. The goal "bank-looks-at-The" starts from The, bank, river')


def test_a_goal_of_another_explorer_is_answered_with_a_sentence_and_adds_nothing():
    for name, made in (("paint-prefix", bank_matrices), ("bank-looks-evenly", mask_painter)):
        explorer = made()
        said = f'Goal. The goal "{name}" belongs to {GOALS[name].explorer}(), which is another explorer.'
        assert repr(aim(name, explorer)) == said
        assert explorer.goals == []


def test_a_mask_that_was_painted_is_kept_and_ticked_when_the_cell_is_run_again():
    aim(["paint-window", "paint-prefix"], mask_painter()).mask = window_mask(6, width=2)
    assert diary.read("aim paint-window").answer == "16 of 36 cells are open."
    again = aim(["paint-window", "paint-prefix"], mask_painter())
    assert again.done == {"paint-window": "16 of 36 cells are open."}
    assert again.mask.all()
