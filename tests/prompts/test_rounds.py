"""Questions at a lesson's end and warm-ups: asked in a fixed text, answered in one go, each with its own reason."""

import numpy as np
import pytest

from attention_lab import predict, questions, warm_up
from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import LESSONS
from attention_lab.prompts.item import Item, Written
from attention_lab.prompts.items import ITEMS, QUESTIONS, WARM_UPS

ROUNDS = [(questions, lesson, items) for lesson, items in QUESTIONS.items()]
ROUNDS += [(warm_up, lesson, items) for lesson, items in WARM_UPS.items()]
every_round = pytest.mark.parametrize(
    ("ask", "lesson", "items"), ROUNDS, ids=lambda x: getattr(x, "__name__", str(x)[:2])
)


def keys(items):
    return [item.right(item.measure())[0] for item in items if isinstance(item, Item)]


def wrong(items):
    asked = [item for item in items if isinstance(item, Item)]
    return [
        next(letter for letter in item.shown if letter != key) for item, key in zip(asked, keys(items), strict=True)
    ]


@every_round
def test_untouched_it_asks_everything_and_writes_nothing(ask, lesson, items):
    shown = repr(ask(lesson, ...))
    assert all(item.text in shown for item in items)
    assert all(
        f"{letter}  {option.text}" in shown
        for item in items
        if isinstance(item, Item)
        for letter, option in item.shown.items()
    )
    assert not any(item.model in shown for item in items if isinstance(item, Written))
    assert not diary.place().exists()
    assert ask(lesson, ...).right is None
    assert not ask(lesson, ...)


@every_round
def test_the_right_letters_are_all_right(ask, lesson, items):
    answered = ask(lesson, " ".join(keys(items)))
    assert answered.right == len(keys(items))
    assert answered
    assert repr(answered).endswith(f"{answered.right} of {answered.right} right.")


@every_round
def test_letters_may_be_typed_one_by_one(ask, lesson, items):
    assert ask(lesson, *keys(items)).right == ask(lesson, list(keys(items))).right == len(keys(items))


@every_round
def test_a_wrong_letter_gets_its_own_reason_and_the_right_one(ask, lesson, items):
    shown, letters = repr(ask(lesson, ",".join(wrong(items)))), wrong(items)
    asked = [item for item in items if isinstance(item, Item)]
    for item, letter, key in zip(asked, letters, keys(items), strict=True):
        assert f"You said {letter}: {item.shown[letter].text}." in shown
        assert item.shown[letter].because in shown
        assert f"So {key}: {item.shown[key].text}." in shown
        assert diary.read(f"predict {item.name}").last == [item.shown[letter].code]


@every_round
def test_the_model_answer_comes_once_letters_were_typed(ask, lesson, items):
    shown = repr(ask(lesson, "".join(keys(items)).lower()))
    assert all(f"One answer: {item.model}" in shown for item in items if isinstance(item, Written))


@pytest.mark.parametrize("typed", ["", "A", "A B C D", "A B Z", "river", 3, None, ["A", "B", 3], np.array(["A", "B"])])
def test_anything_else_is_answered_with_what_is_expected(typed):
    assert repr(questions("02", typed)).endswith('3 letters are expected, such as "A B C".')
    assert not diary.place().exists()


@every_round
def test_a_page_without_a_kernel_has_the_answers_folded(ask, lesson, items):
    page = ask(lesson, ...)._repr_html_()
    assert page.index("<details>") < page.index("One answer" if ask is questions else "✓")
    assert "<details>" not in ask(lesson, " ".join(keys(items)))._repr_html_()


@pytest.mark.parametrize("lesson", ["77", "", None, 2, ["02"]])
def test_a_lesson_without_questions_is_answered_with_a_sentence(lesson):
    assert "There is no lesson" in repr(questions(lesson, ...))
    assert "There is no lesson" in repr(warm_up(lesson, ...))


def test_four_questions_at_the_end_one_of_them_old_and_one_in_words():
    for items in QUESTIONS.values():
        assert [isinstance(item, Written) for item in items] == [False, False, False, True]
        assert sum(item.text.startswith("From lesson ") for item in items) == 1
    assert all(len(items) == 3 for items in WARM_UPS.values())
    assert set(QUESTIONS) >= set(LESSONS[1:])
    assert set(WARM_UPS) >= set(LESSONS[2:])


def wrong_letter(name, code):
    return next(letter for letter, option in ITEMS[name].shown.items() if option.code == code)


def test_a_warm_up_ends_with_what_the_learner_got_wrong():
    fixed = WARM_UPS["02"]
    assert fixed[2].text in repr(warm_up("02", ...))
    predict("01-meaning", wrong_letter("01-meaning", "copy-not-blend"))
    shown = repr(warm_up("02", ...))
    assert ITEMS["01-end-new"].text in shown
    assert all(item.text in shown for item in fixed[:2])
    assert fixed[2].text not in shown


def test_what_is_met_in_the_warm_up_itself_does_not_change_it():
    before = repr(warm_up("02", ...))
    warm_up("02", " ".join(wrong(WARM_UPS["02"])))
    predict("02-the", wrong_letter("02-the", "near-attends"))
    assert repr(warm_up("02", ...)) == before
