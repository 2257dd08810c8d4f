"""One line lies: the bank of mistakes says which reason is right, and an accusation is answered."""

import re
from dataclasses import replace

import numpy as np
import pytest

from attention_lab.exercises import check, diary, hint, solution
from attention_lab.exercises.accusing import judged, named_by_the_bank
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.diagnose import single_ways
from attention_lab.exercises.exercise import WrongLineExercise
from attention_lab.exercises.lying import PREFIX, wrong_line
from tests.exercises.test_report import Words

ALL = [one for one in EXERCISES.values() if isinstance(one, WrongLineExercise)]
MERGE = EXERCISES["wrong-line-05-merge"]
every = pytest.mark.parametrize("exercise", ALL, ids=lambda one: one.name)


def letter_of(exercise, code):
    return next(letter for letter, reason in exercise.why.items() if reason.code == code)


def short(exercise):
    return exercise.name.removeprefix(PREFIX)


LIE, KEY = MERGE.lie[0], letter_of(MERGE, "merge-reshaped")
AVERAGED, IDENTICAL = letter_of(MERGE, "heads-averaged"), letter_of(MERGE, "heads-identical")


# --- The key comes from the bank ---


@every
def test_the_bank_names_the_lie_by_the_reason_that_is_right(exercise):
    codes = named_by_the_bank(EXERCISES[exercise.of], exercise.shown.values())
    assert codes == (exercise.why[exercise.key].code,)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("03-root", "scale-by-d_model"),
        ("04-mask", "mask-one-too-far"),
        ("05-merge", "merge-reshaped"),
        ("06-mask", "mask-on-queries"),
    ],
)
def test_each_lesson_has_the_mistake_that_it_is_about(name, code):
    exercise = EXERCISES[PREFIX + name]
    assert exercise.why[exercise.key].code == code


@every
def test_with_its_right_line_back_the_program_is_right(exercise):
    assert named_by_the_bank(EXERCISES[exercise.of], [line.code for line in exercise.lines]) == ()


@every
def test_no_other_line_is_shown_otherwise_than_it_should_be(exercise):
    number, text = exercise.lie
    shown = exercise.shown
    assert list(shown) == [1, 2, 3, 4, 5]
    assert [i for i, line in enumerate(exercise.lines, start=1) if shown[i] != line.code] == [number]
    assert shown[number] == text


@every
def test_each_reason_is_a_mistake_that_can_be_made_there(exercise):
    possible = {mistake.code for mistake, _ in single_ways(EXERCISES[exercise.of])}
    codes = [reason.code for reason in exercise.reasons]
    assert len(codes) == len(set(codes)) == len(exercise.why) == 4
    assert set(codes) <= possible


def test_with_another_lie_another_reason_is_the_key():
    other = replace(MERGE, lie=(3, "weights = softmax(scores, axis=-3)"))
    mended = judged(EXERCISES[MERGE.of], other)
    assert mended.why[mended.key].code == "softmax-over-heads"
    assert mended.solution == f'wrong_line("05-merge", 3, because="{mended.key}")' != MERGE.solution


@pytest.mark.parametrize(
    "lie",
    [
        MERGE.lines[3].code,  # no lie
        "joined = (weights @ v).transpose(1, 2, 0).reshape(len(x), -1)",  # another one
        f"{MERGE.lines[3].code} + 1",  # one that the bank does not know
    ],
)
def test_a_lie_that_no_reason_names_is_refused(lie):
    with pytest.raises(ValueError, match="which is not one of its reasons"):
        judged(EXERCISES[MERGE.of], replace(MERGE, lie=(4, lie)))


@every
def test_the_words_of_lines_and_reasons_are_of_the_usual_kind(exercise):
    assert len({line.does for line in exercise.lines}) == 5
    for line in exercise.lines:
        assert re.fullmatch(r"[a-z][^.]{10,60}[a-z1WO_]", line.does)
        assert len(line.code) <= 70
    for reason in exercise.reasons:
        assert re.fullmatch(r"(It|Its) [^.]{15,70}\.", reason.text)
        assert 40 <= len(reason.because) <= 220
        assert reason.because.endswith(".")


@every
def test_the_right_reason_does_not_stand_out_by_its_length(exercise):
    lengths = sorted(len(reason.text) for reason in exercise.reasons)
    right = len(exercise.why[exercise.key].text)
    assert right <= 1.25 * lengths[-2]


# --- What is answered ---


@every
def test_untouched_it_shows_lines_and_reasons_and_writes_nothing(exercise):
    shown = repr(wrong_line(short(exercise), ..., because=...))
    assert shown.startswith(f"Not tried yet. {exercise.asks}\n\n{exercise.task}")
    assert all(f"\n{number}      {line}" in shown for number, line in exercise.shown.items())
    assert all(f"\n  {letter}  {reason.text}" in shown for letter, reason in exercise.why.items())
    assert repr(wrong_line(short(exercise))) == shown
    assert not diary.place().exists()


@every
def test_line_and_reason_are_right_with_the_why_and_are_the_solution(exercise):
    name, line, letter = re.fullmatch(r'wrong_line\("(.+)", (\d), because="(.)"\)', exercise.solution).groups()
    found = wrong_line(name, int(line), because=letter)
    assert found
    assert found.report.message == f"Line {line} lies. {exercise.why[letter].text} {exercise.why[letter].because}"
    assert diary.read(exercise.name).state == "right"
    assert exercise.solution in repr(solution(exercise.name))
    assert exercise.stub == f'wrong_line("{short(exercise)}", ..., because=...)'


@every
def test_only_one_line_with_one_reason_is_right(exercise):
    right = [(i, a) for i in exercise.shown for a in exercise.why if check((i, a), exercise.name)]
    assert right == [(exercise.lie[0], exercise.key)]


def test_the_right_line_with_a_wrong_reason_is_told_why_that_is_none():
    found = wrong_line("05-merge", LIE, because=AVERAGED)
    assert not found
    said = "Line 4 blends and joins the heads. It lies, but not for that reason. "
    assert found.report.message == said + MERGE.why[AVERAGED].because
    assert found.report.mistakes == ("heads-averaged",)
    assert diary.read(MERGE.name).mistakes == {"heads-averaged": 1}


@pytest.mark.parametrize("letter", [KEY, AVERAGED])
@pytest.mark.parametrize("number", sorted(set(MERGE.shown) - {LIE}))
def test_a_wrong_line_is_told_what_that_line_does_and_not_which_one_lies(number, letter):
    found = wrong_line("05-merge", number, because=letter)
    assert found.report.message.startswith(f"Line {number} {MERGE.lines[number - 1].does}, and that is right.")
    assert set(re.findall(r"[Ll]ine (\d)", found.report.message)) == {str(number)}
    assert found.report.mistakes == (() if letter == KEY else ("heads-averaged",))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"line": 2}, "Line 2. And why? Type the letter of the reason, in quotes, too."),
        ({"because": "b"}, "Reason B. Of which line? Type its number, too."),
    ],
)
def test_one_of_the_two_alone_is_asked_for_the_other(given, said):
    found = wrong_line("05-merge", **given)
    assert (found.report.verdict, found.report.message) == ("not tried yet", said)
    assert not diary.place().exists()


@pytest.mark.parametrize("line", [0, 6, 9, -1, 4.0, True, "4", "four", None, [4], np.array([4, 4]), 10**30])
@pytest.mark.parametrize("because", [KEY, ...])
def test_a_line_that_is_none_is_answered_with_a_sentence(line, because):
    report = wrong_line("05-merge", line, because=because).report
    assert report.verdict == "not yet"
    assert report.message.startswith("The line is a number from 1 to 5, without quotes; yours is ")
    assert report.mistakes == ()


@pytest.mark.parametrize("because", ["E", "", "AB", "A B", "reshaped", 4, True, None, ["A"], np.array("A")])
@pytest.mark.parametrize("line", [LIE, ...])
def test_a_reason_that_is_none_is_answered_with_a_sentence(line, because):
    report = wrong_line("05-merge", line, because=because).report
    assert report.verdict == "not yet"
    assert report.message.startswith("The reason is one of the letters A, B, C, D, in quotes; yours is ")


@pytest.mark.parametrize("line", [LIE, np.int64(LIE)])
@pytest.mark.parametrize("because", [KEY, KEY.lower(), f" {KEY} "])
def test_numbers_and_letters_may_be_typed_as_people_type_them(line, because):
    assert wrong_line("05-merge", line, because=because)


def test_check_looks_at_an_accusation_too():
    assert check((LIE, KEY), MERGE.name)
    assert check([LIE, KEY], MERGE.name)
    assert check((..., ...), MERGE.name).verdict == check(..., MERGE.name).verdict == "not tried yet"
    for answer in (LIE, KEY, (LIE,), (LIE, KEY, 1), {LIE: KEY}):
        assert check(answer, MERGE.name).message.startswith("The number of a line and the letter of a reason")


def test_its_name_may_have_its_first_words_or_not():
    assert repr(wrong_line(MERGE.name)) == repr(wrong_line("05-merge"))
    unknown = 'Wrong line. There is no wrong line "05-merg"; did you mean "05-merge"?'
    assert repr(wrong_line("05-merg", 1, because="A")) == unknown
    for name in (None, 5, ..., ["05-merge"], "attention", "order-attention"):
        assert repr(wrong_line(name, 1, because="A")).startswith("Wrong line. There is no wrong line")


def test_hints_are_of_the_exercise_whatever_reason_was_believed():
    wrong_line("05-merge", LIE, because=IDENTICAL)
    assert [hint(MERGE.name).text for _ in range(3)] == list(MERGE.hints)
    assert check((LIE, IDENTICAL), MERGE.name).hints == MERGE.hints


def test_the_second_try_is_told_of_hints_and_gets_the_same_words():
    first = wrong_line("05-merge", LIE, because=IDENTICAL).report.message
    wrong_line("05-merge", LIE, because=AVERAGED)
    again = wrong_line("05-merge", LIE, because=IDENTICAL).report.message
    assert again == f'{first} `hint("wrong-line-05-merge")` asks the next question.'


def test_who_has_seen_the_solution_makes_up_for_it_with_the_sibling():
    solution(MERGE.name)
    assert 'do its sibling, `check(..., "merge-heads")`' in wrong_line("05-merge", LIE, because=KEY).report.message
    assert diary.read(MERGE.name).state == "seen"
    assert check(lambda heads: np.hstack(list(heads)), "merge-heads")
    assert diary.read(MERGE.name).state == "right"


@every
def test_a_sibling_is_a_function_of_the_same_lesson(exercise):
    sibling = EXERCISES[exercise.sibling]
    assert (sibling.kind, sibling.lesson) == ("write", exercise.lesson)
    assert exercise.why[exercise.key].code in {mistake.code for mistake, _ in single_ways(sibling)}


@every
def test_html_says_the_same_as_the_text(exercise):
    for given in ((..., ...), (1, "A"), (exercise.lie[0], exercise.key)):
        shown = wrong_line(short(exercise), *given)
        words = Words(shown._repr_html_())
        tags = {tag for tag, _ in words.tags}
        assert words.text().replace(" ", "") == re.sub(r"[`*\s]", "", repr(shown)).replace(" ", "")
        assert ("pre" in tags, "ul" in tags) == (True, not shown)
