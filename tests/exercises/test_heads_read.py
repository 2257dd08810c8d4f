"""Six heads to sort, and a claim to break."""

import itertools

import pytest

from attention_lab import check
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.catalogue.heads_read import HEADS, KINDS, encoder, kinds
from attention_lab.prompts.items import lesson_08

NAMES = list(HEADS)


@pytest.mark.parametrize("name", NAMES)
def test_there_are_two_heads_of_each_kind_and_they_are_clear_cases(name):
    from attention_lab.diagnostics import head_doctor
    from attention_lab.exercises.catalogue.heads_read import TEXTS

    assert sorted(kinds(name).values()) == sorted(KINDS * 2)
    report = head_doctor(encoder().read(TEXTS[name]).weights)
    for letter, (layer, head) in HEADS[name].items():
        at = (layer - 1, head - 1)
        sharp, sink = report.entropy[at], report.sink_share[at]
        clear = {"specific": sharp < 0.3 and sink < 0.4, "flat": sharp > 0.85 and sink < 0.3, "sink": sink > 0.7}
        assert clear[kinds(name)[letter]], letter


@pytest.mark.parametrize("name", NAMES)
def test_who_takes_a_sharp_sink_for_specific_is_told_so(name):
    right = kinds(name)
    for letter, kind in right.items():
        report = check(right | {letter: "specific"}, name)
        assert report.mistakes == (("sharp-taken-for-specific",) if kind == "sink" else ())
        assert (report.verdict == "right") == (kind == "specific")


def test_of_all_answers_only_one_is_right():
    answers = itertools.product(KINDS, repeat=6)
    found = [answer for answer in answers if check(dict(zip("ABCDEF", answer, strict=True)), "sort-heads")]
    assert found == [tuple(kinds("sort-heads").values())]


def test_other_wrong_kinds_are_counted_and_none_is_given_away():
    answer = kinds("sort-heads") | {"B": "sink", "F": "sink"}
    assert check(answer, "sort-heads").message.startswith("4 of 6 are where they belong.")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"A": "sink"}, "A dict with the letters A, B, C, D, E, F is expected."),
        ("sink", "A dict with the letters"),
        (dict.fromkeys("ABCDEF", "blue"), "A: one of specific, flat, sink is expected; yours is 'blue'."),
        (dict.fromkeys("ABCDEF", 3), "A: one of specific, flat, sink is expected; yours is 3."),
        (dict.fromkeys("ABCDE", "sink") | {"F": ...}, "Still open: F."),
    ],
)
def test_an_answer_of_another_form_is_answered_with_a_sentence(answer, said):
    assert said in check(answer, "sort-heads").message


def test_capitals_and_spaces_make_no_difference():
    assert check({letter: f" {kind.upper()}" for letter, kind in kinds("sort-heads").items()}, "sort-heads")


@pytest.mark.parametrize(
    ("sentence", "right"),
    [
        ("The bank gave the loan of money to a river boat company.", True),
        ("The bank lends money to those who want to live near the river.", True),
        ("The river reached the bank.", False),
        ("The bank by the river raised its interest rate.", False),
    ],
)
def test_a_sentence_refutes_the_claim_if_river_gets_less_than_half(sentence, right):
    report = check(sentence, "break-it")
    assert bool(report) is right
    assert "speaks for the claim" in report.message or right


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (3, "A sentence is expected, in quotes; yours is 3."),
        ("The bank was steep.", 'The sentence needs "river" as a word, once'),
        ("A bank, a bank and a river.", 'The sentence needs "bank" as a word, once'),
        ("river bank " * 100, "this encoder reads at most 128"),
    ],
)
def test_what_is_no_such_sentence_is_answered_with_a_sentence(sentence, said):
    assert said in check(sentence, "break-it").message


def test_the_questions_of_the_lesson_are_about_the_same_sentence():
    tokens = encoder().read(lesson_08.STEEP).tokens
    assert [tokens[i] for i in (lesson_08.START, lesson_08.BANK, lesson_08.RIVER)] == ["[CLS]", "bank", "river"]
    assert encoder().read(lesson_08.RATE).tokens[lesson_08.RATE_AT] == "rate"
    assert EXERCISES["break-it"].optional
