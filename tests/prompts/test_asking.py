"""A guess is kept, nothing blocks, and the reason that is shown is that of the option chosen."""

import json

import pytest

from attention_lab import explain, predict
from attention_lab.exercises import diary
from attention_lab.prompts.items import ITEMS

THE = ITEMS["02-the"]
MEASURED = THE.measure()
RIGHT, WRONG = THE.right(MEASURED)[0], next(letter for letter, option in THE.shown.items() if option.code)


def test_untouched_it_shows_the_question_and_writes_nothing():
    shown = repr(predict("02-the", ...))
    assert shown.startswith("Whom does *The* look at most?\n  A  ")
    assert shown.endswith("Type a letter, in quotes, in place of the dots, and run this cell again.")
    assert not diary.place().exists()


def test_without_a_guess_the_reason_is_shown_alone():
    shown = repr(explain("02-the", MEASURED))
    assert shown.startswith("Measured. *The* gives 1.3% to The")
    assert THE.right(MEASURED)[1].because in shown
    assert not diary.place().exists()


def test_a_wrong_guess_is_shown_beside_what_was_measured_with_its_own_reason():
    predict("02-the", WRONG)
    shown = repr(explain("02-the", MEASURED))
    assert shown.startswith(f"You said {WRONG}: {THE.shown[WRONG].text}.")
    assert THE.shown[WRONG].because in shown
    assert THE.shown[RIGHT].because in shown
    others = [option.because for letter, option in THE.shown.items() if letter not in (WRONG, RIGHT)]
    assert not any(because in shown for because in others)


def test_a_right_guess_is_confirmed():
    predict("02-the", RIGHT)
    assert repr(explain("02-the", MEASURED)).startswith("As you said.")


@pytest.mark.parametrize("typed", ["b", " B ", "(b)", "B.", "[B]"])
def test_a_letter_may_be_typed_as_people_type_it(typed):
    assert repr(predict("02-the", typed)).endswith(f"You say B: {THE.shown['B'].text}. Go on to the next cell.")


@pytest.mark.parametrize(("typed", "chosen"), [(..., False), ("Z", False), (None, False), (RIGHT, True), (WRONG, True)])
def test_a_prediction_is_true_once_a_letter_was_chosen_whichever_it_is(typed, chosen):
    assert bool(predict("02-the", typed)) is chosen


@pytest.mark.parametrize("typed", ["", "E", "river", "AB", 2, None, ["A"], b"A"])
def test_anything_else_is_answered_with_the_letters(typed):
    assert repr(predict("02-the", typed)).endswith("Type one of the letters A, B, C, D, in quotes.")
    assert not diary.place().exists()


def test_the_same_guess_again_is_no_new_try_and_another_one_is():
    for letter in (WRONG, WRONG, RIGHT):
        predict("02-the", letter)
    entry = diary.read("predict 02-the")
    assert (entry.tries, entry.answer, entry.mistakes) == (2, THE.shown[RIGHT].text, {THE.shown[WRONG].code: 1})
    assert json.loads(diary.place().read_text(encoding="utf-8"))["predict 02-the"]["tries"] == 2


def test_a_guess_whose_words_have_changed_since_is_none():
    predict("02-the", WRONG)
    entry = diary.read("predict 02-the")
    entry.answer = "what an older version of the course said"
    diary.write("predict 02-the", entry)
    assert repr(explain("02-the", THE.measure())).startswith("Measured.")


@pytest.mark.parametrize("measured", [None, "river", [], 7, {}, object()])
def test_a_measurement_that_is_none_is_answered_with_a_sentence(measured):
    said = "Measured. This is not what the question is about: did an earlier cell change?"
    for name in ITEMS:
        shown = repr(explain(name, measured))
        assert shown == said or shown.startswith("Measured. ")


@pytest.mark.parametrize("name", ["02-teh", "", None, 3, ["02-the"]])
def test_an_unknown_question_is_answered_with_a_sentence(name):
    assert "There is no question" in repr(predict(name, "A"))
    assert "There is no question" in repr(explain(name, 1))


def test_in_html_the_letters_and_the_words_stand_beside_the_sign():
    shown = predict("02-the", ...)._repr_html_()
    assert shown.count("<li>") == 4
    assert "<em>The</em>" in shown
    assert 'aria-hidden="true"' in shown
