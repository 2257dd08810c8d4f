"""The start test tells nothing, the end test tells why, and `gain` compares what was kept."""

import json
import re

import numpy as np
import pytest

from attention_lab.exercises import diary
from attention_lab.prompts.before_and_after import end_test, gain, start_test
from attention_lab.prompts.items import TESTS, TWICE
from attention_lab.prompts.rounds import warm_up

KEYS = {when: "".join(item.key for item in items) for when, items in TESTS.items()}
WRONG = {
    when: "".join(next(letter for letter in item.shown if letter != item.key) for item in items)
    for when, items in TESTS.items()
}
both = pytest.mark.parametrize(("ask", "when"), [(start_test, "start"), (end_test, "end")], ids=["start", "end"])


def becauses(when):
    return [option.because for item in TESTS[when] for option in item.options]


def in_file():
    return json.loads(diary.place().read_text(encoding="utf-8"))


@both
def test_untouched_it_asks_ten_questions_and_writes_nothing(ask, when):
    shown = repr(ask(...))
    assert shown == repr(ask())
    assert not ask(...)
    for item in TESTS[when]:
        assert item.text in shown
        assert all(f"{letter}  {option.text}" in shown for letter, option in item.shown.items())
    assert not any(because in shown for because in becauses(when))
    assert 'Type 10 letters, in quotes, in place of the dots: "A C B A ..."' in shown
    assert not diary.place().exists()


def test_a_page_without_a_kernel_folds_the_answers_of_the_end_test_and_has_none_of_the_start_test():
    assert "<details>" not in start_test(...)._repr_html_()
    page = end_test(...)._repr_html_()
    assert page.count("✓") == 10
    assert page.index("<details>") < page.index("✓")
    assert "<details>" not in end_test(KEYS["end"])._repr_html_()


@both
def test_an_answered_test_is_true_whatever_was_answered(ask, when):
    assert ask(" ".join("?" * 10))


@pytest.mark.parametrize("letters", [KEYS["start"], WRONG["start"], "?" * 10])
def test_the_start_test_does_not_tell_what_is_right(letters):
    said = repr(start_test(letters))
    assert said == "Start test. Kept. The same ten ideas come back at the end of the course."
    assert not re.search(r"✓|…|right", repr(gain()))


@pytest.mark.parametrize(
    "typed", ["A C ? B - A B C A B", "a,c,?,b,-,a,b,c,a,b", "AC?B-ABCAB", "(a) c. ? b - a b c a b"]
)
def test_letters_may_be_typed_as_people_type_them_with_a_sign_for_not_knowing(typed):
    start_test(typed)
    assert [in_file()[f"test start {idea.name}"]["answer"] for idea in TWICE] == list("AC?B?ABCAB")


@both
def test_letters_may_be_typed_one_by_one(ask, when):
    assert ask(*"ABC?BA-BCA")
    assert [in_file()[f"test {when} {idea.name}"]["answer"] for idea in TWICE] == list("ABC?BA?BCA")


@both
def test_too_few_letters_one_by_one_are_counted(ask, when):
    assert repr(ask("A", "B")).endswith("There are 2.")
    assert repr(ask("A", ...)).endswith("There are 0.")


@both
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "There are 0."),
        ("A C B", "There are 3."),
        ("A" * 11, "There are 11."),
        ("AAAZAAAAAA", "Number 4 is none of them."),
        ("A A A A A A A A A AA", "Number 10 is none of them."),
        (3, "There are 0."),
        (None, "There are 0."),
        (["A", 3], "There are 0."),
        (["A"] * 9, "There are 9."),
        (np.array(["A", "B"]), "There are 0."),
    ],
)
def test_anything_else_is_answered_with_what_is_expected(ask, when, typed, said):
    expected = f"10 letters are expected, in quotes, each A, B or C, or a ? for what you do not know. {said}"
    assert repr(ask(typed)).endswith(expected)
    assert not diary.place().exists()


def test_the_end_test_says_of_each_idea_what_is_right_and_why():
    letters = KEYS["end"][0] + "?" + WRONG["end"][2:]
    answered = end_test(letters)
    shown = repr(answered)
    for item, letter in zip(TESTS["end"], letters, strict=True):
        assert item.shown[letter if letter != "?" else item.key].because in shown
        assert f"{item.key}: {item.right(item.measure())[1].text}." in shown
    assert shown.count("✓") == 1
    assert shown.count("You said") == 8
    assert answered.right == 1
    assert shown.endswith("1 of 10 right. `gain()` shows before and after.")


def test_not_knowing_counts_as_not_right_and_has_no_misconception():
    start_test("?" * 10)
    end_test("-" * 10)
    for name, entry in in_file().items():
        assert name.startswith("test ")
        assert (entry["state"], entry["answer"], entry["last"], entry["mistakes"]) == ("not yet", "?", [], {})
    assert repr(gain()).count("? not known") == 20


def test_a_wrong_answer_is_kept_with_its_misconception():
    start_test(WRONG["start"])
    for idea, item, letter in zip(TWICE, TESTS["start"], WRONG["start"], strict=True):
        assert diary.read(f"test start {idea.name}").last == [item.shown[letter].code]


def test_gain_shows_every_idea_before_and_after_and_where_to_go_back():
    start_test("".join(KEYS["start"][:4]) + "?" + WRONG["start"][5:])
    end_test(KEYS["end"][:8] + "?" + WRONG["end"][9])
    shown = repr(gain()).splitlines()
    assert shown[0] == "4 of 10 right before, 8 of 10 right after."
    stands = [(line[:28].strip(), *re.split(r"\s{2,}", line[28:])) for line in shown[2:12]]
    assert stands[0] == (TWICE[0].about, "✓ right", "✓ right")
    assert stands[4] == (TWICE[4].about, "? not known", "✓ right")
    assert stands[5] == (TWICE[5].about, "… not yet", "✓ right")
    assert stands[8] == (TWICE[8].about, "… not yet", "? not known", f"lesson {TWICE[8].lesson}")
    assert stands[9] == (TWICE[9].about, "… not yet", "… not yet", f"lesson {TWICE[9].lesson}")
    assert [row[0] for row in stands] == [idea.about for idea in TWICE]
    assert len(shown) == 13


def test_in_html_it_is_a_table_whose_heads_are_heads():
    start_test(KEYS["start"])
    end_test(KEYS["end"])
    page = gain()._repr_html_()
    assert page.count("<tr>") == 11
    assert page.count("<th ") == 4
    assert page.count("✓ right") == 20


def test_with_one_test_alone_it_says_so():
    assert "No test was taken yet" in repr(gain())
    start_test(KEYS["start"])
    assert "Only the start test was taken" in repr(gain())
    gain("forget")
    end_test(KEYS["end"])
    assert repr(gain()).startswith("The start test was not taken, 10 of 10 right after.")
    assert repr(gain()).count("– not asked") == 10


def test_the_first_answers_of_the_start_test_count_until_they_are_forgotten():
    start_test(WRONG["start"])
    assert "the first answers count" in repr(start_test(KEYS["start"]))
    end_test(WRONG["end"])
    assert repr(gain()).startswith("0 of 10 right before, 0 of 10 right after.")
    gain("forget")
    start_test(KEYS["start"])
    end_test(WRONG["end"])
    assert repr(gain()).startswith("10 of 10 right before, 0 of 10 right after.")


def test_the_first_answers_of_the_end_test_count_since_it_tells_what_is_right():
    end_test(WRONG["end"])
    again = end_test(KEYS["end"])
    assert again.right == 10
    assert repr(again).endswith("Your first answers count: `gain()` shows them.")
    assert repr(gain()).startswith("The start test was not taken, 0 of 10 right after.")


def test_what_is_kept_does_not_depend_on_letters_that_a_new_wording_would_move():
    start_test(KEYS["start"])
    end_test(KEYS["end"])
    kept = in_file()
    for entry in kept.values():
        entry["answer"] = "Z"
    diary.place().write_text(json.dumps(kept), encoding="utf-8")
    assert repr(gain()).startswith("10 of 10 right before, 10 of 10 right after.")


def test_it_is_said_where_the_answers_are_and_both_ways_to_delete_them():
    start_test(KEYS["start"])
    for taken in (repr(gain()), (end_test(KEYS["end"]), repr(gain()))[1]):
        assert str(diary.place()) in taken
        assert "delete it to begin again" in taken
        assert '`gain("forget")` deletes the two tests alone.' in taken
    diary.place().unlink()
    assert "No test was taken yet" in repr(gain())


def test_forgetting_deletes_both_tests_and_nothing_else():
    diary.write("attention", diary.Entry(state="right", tries=2))
    start_test(WRONG["start"])
    end_test(WRONG["end"])
    assert "deleted" in repr(gain("forget"))
    assert "No test was taken yet" in repr(gain())
    assert not any(
        entry["answer"] or entry["mistakes"] for name, entry in in_file().items() if name.startswith("test ")
    )
    assert diary.read("attention").state == "right"
    assert "Kept." in repr(start_test(KEYS["start"]))


def test_what_cannot_be_deleted_from_the_file_is_not_called_deleted(monkeypatch):
    start_test(KEYS["start"])

    def refuse(*_):
        raise OSError("read-only")

    monkeypatch.setattr(diary, "write_json", refuse)
    said = repr(gain("forget"))
    assert "until this kernel ends" in said
    assert "are deleted" not in said


@pytest.mark.parametrize("do", ["forgte", 3, None, ["forget"], np.zeros(3)])
def test_anything_else_deletes_nothing_and_is_answered_with_a_sentence(do):
    start_test(KEYS["start"])
    before = in_file()
    assert repr(gain(do)) == 'Before and after. `gain()` shows both tests, and `gain("forget")` deletes them.'
    assert in_file() == before


@pytest.mark.parametrize(
    "kept",
    [
        "no diary",
        "[1, 2]",
        '{"test end gaps": 3}',
        '{"test end gaps": {"state": "seen", "answer": 7, "last": "x"}}',
        '{"test end gaps": {"state": "great"}, "test start gaps": {"state": ["right"]}}',
        '{"test end nothing": {"state": "right"}}',
    ],
)
def test_a_damaged_diary_stops_nothing(kept):
    diary.place().write_text(kept, encoding="utf-8")
    assert repr(gain())
    assert repr(start_test(KEYS["start"]))
    assert repr(end_test(KEYS["end"]))
    assert repr(gain())
    assert gain()._repr_html_()
    assert repr(gain("forget"))


def test_the_start_test_leaves_the_warm_ups_as_they_are():
    before = repr(warm_up("02", ...))
    start_test(WRONG["start"])
    assert repr(warm_up("02", ...)) == before
