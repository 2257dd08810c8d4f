"""Lines that are picked and put in order are run, and named by the same bank of mistakes."""

import pytest

from attention_lab import check, order, solution
from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.exercise import OrderExercise

ORDERS = [one for one in EXERCISES.values() if isinstance(one, OrderExercise)]
ATTENTION = EXERCISES["order-attention"]
COMPARE, SCALE, WEIGH, BLEND = ATTENTION.lines
SWAPPED, BY_D_K, BY_COLUMN, SCALE_AFTER, BLEND_KEYS = ATTENTION.wrong

MASKED = EXERCISES["order-masked"]
_, _, HIDE, _, _ = MASKED.lines
HIDE_WITH_0, HIDE_INVERTED, ADD_MASK, HIDE_LATE = MASKED.wrong


def letters(*lines, among=ATTENTION):
    return " ".join(next(letter for letter, line in among.shown.items() if line == wanted) for wanted in lines)


@pytest.mark.parametrize("exercise", ORDERS, ids=lambda one: one.name)
def test_the_right_lines_in_order_are_right_and_are_the_solution(exercise):
    name, right = exercise.name.removeprefix("order-"), exercise.solution.split('"')[3]
    assert order(name, right)
    assert [exercise.shown[letter] for letter in right.split()] == list(exercise.lines)
    assert right in repr(solution(exercise.name))


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ((COMPARE, WEIGH, BLEND), ("scale-missing",)),
        ((COMPARE, BY_D_K, WEIGH, BLEND), ("scale-by-d_k",)),
        ((COMPARE, SCALE, BY_COLUMN, BLEND), ("softmax-over-queries",)),
        ((COMPARE, SCALE, WEIGH, BLEND_KEYS), ("values-replaced",)),
        ((COMPARE, WEIGH, SCALE_AFTER, BLEND), ("scale-after-softmax",)),
        ((SWAPPED, SCALE, WEIGH, BLEND), ("queries-keys-swapped",)),
        ((COMPARE, BY_COLUMN, BLEND), ("scale-missing", "softmax-over-queries")),
    ],
)
def test_wrong_lines_are_named(lines, codes):
    ordered = order("attention", letters(*lines))
    assert (bool(ordered), ordered.report.mistakes) == (False, codes)


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ((COMPARE, SCALE, WEIGH, BLEND), ("mask-missing",)),
        ((COMPARE, SCALE, WEIGH, HIDE_LATE, BLEND), ("mask-after-softmax",)),
        ((COMPARE, SCALE, HIDE_WITH_0, WEIGH, BLEND), ("mask-zeroes-scores",)),
        ((COMPARE, SCALE, HIDE_INVERTED, WEIGH, BLEND), ("mask-inverted",)),
        ((COMPARE, SCALE, ADD_MASK, WEIGH, BLEND), ("mask-added-as-numbers",)),
        ((COMPARE, HIDE, WEIGH, BLEND), ("scale-missing",)),
        ((COMPARE, SCALE, WEIGH, HIDE, BLEND), ("mask-missing",)),
        ((COMPARE, HIDE, SCALE, WEIGH, BLEND), ()),
    ],
)
def test_lines_that_hide_otherwise_are_named(lines, codes):
    ordered = order("masked", letters(*lines, among=MASKED))
    assert (bool(ordered), ordered.report.mistakes) == (not codes, codes)


def test_a_program_is_called_by_a_name_that_python_can_read():
    shown = repr(order("masked", letters(*MASKED.lines, among=MASKED)))
    assert "\n\ndef my_masked_attention(q, k, v, mask):\n" in shown


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (letters(WEIGH, COMPARE), f"Line {letters(WEIGH)} needs `scores`, which no line before it makes."),
        (letters(COMPARE, BLEND), f"Line {letters(BLEND)} needs `weights`, which no line before it makes."),
        (letters(COMPARE, SCALE, WEIGH), "No line makes `output`, which the function returns."),
        ("Z", "There is no line Z; the lines are A, B"),
        ("scores", "There is no line S; the lines are A, B"),
        ("", "Type the letters of the lines, in order"),
        (3, "The letters are expected in quotes"),
        (["A"], "The letters are expected in quotes"),
    ],
)
def test_what_makes_no_program_is_answered_with_a_sentence(answer, said):
    ordered = order("attention", answer)
    assert ordered.report.verdict == "not yet"
    assert ordered.report.message.startswith(said)


@pytest.mark.parametrize(
    ("name", "typed", "enough"),
    [
        ("attention", letters(*ATTENTION.lines, COMPARE), 4),
        ("attention", letters(COMPARE, SCALE, WEIGH, SCALE, BLEND), 4),  # scaling what nobody uses again
        ("masked", letters(COMPARE, SCALE, HIDE, WEIGH, HIDE_LATE, BLEND, among=MASKED), 5),
    ],
)
def test_a_line_that_changes_nothing_is_one_too_many(name, typed, enough):
    report = order(name, typed).report
    assert report.verdict == "not yet"
    assert report.message.startswith(f"The numbers are right, and {enough} lines are enough.")


@pytest.mark.parametrize("join", ["{0} {1} {2} {3}", "{0}{1}{2}{3}", "{0}, {1}, {2}, {3}", " {0}  {1} {2} {3} "])
def test_letters_may_be_typed_as_people_type_them(join):
    assert order("attention", join.format(*letters(*ATTENTION.lines).lower().split()))


def test_untouched_it_shows_every_line_and_writes_nothing():
    shown = repr(order("attention", ...))
    assert shown.startswith("Not tried yet. Type letters in place of the dots")
    assert all(f"  {letter}  {line}" in shown for letter, line in ATTENTION.shown.items())
    assert not diary.place().exists()


def test_afterwards_it_shows_the_program_that_was_made():
    shown = order("attention", letters(COMPARE, WEIGH, BLEND))
    assert repr(shown).endswith(
        f"def my_attention(q, k, v):\n    {COMPARE}\n    {WEIGH}\n    {BLEND}\n    return output"
    )
    assert "<pre" in shown._repr_html_()


def test_the_right_lines_do_not_stand_in_their_order():
    places = ["ABCDEFGHIJKL".index(letter) for letter in letters(*ATTENTION.lines).split()]
    assert places != sorted(places)


def test_check_looks_at_an_order_too():
    assert check(letters(*ATTENTION.lines), "order-attention")
    assert check("A", "order-attention").verdict == "not yet"


def test_an_unknown_order_is_answered_with_a_sentence():
    assert repr(order("atention", "A")) == 'Order. There is no order "atention"; did you mean "attention"?'
    assert "There is no order" in repr(order(None, "A"))
