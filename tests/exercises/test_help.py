"""Hints come one after the other, the solution last, and progress shows how all of it stands."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from attention_lab.exercises import check, diary, hint, progress, solution
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.catalogue import APPENDICES, EXERCISES, LESSONS


def unscaled(q, k):
    return q @ k.T


def swapped(q, k):
    return k @ q.T / np.sqrt(k.shape[-1])


def right(q, k):
    return q @ k.T / np.sqrt(k.shape[-1])


def test_hints_go_from_a_question_to_the_line_and_on_to_the_solution():
    check(unscaled, "scores")
    given = [hint("scores").text for _ in range(5)]
    hints = BY_CODE["scale-missing"].hints
    assert tuple(given[:3]) == hints
    assert given[0].endswith("?")
    assert given[3] == given[4] == f'{hints[2]} If that does not help, `solution("scores")` shows one way to do it.'


def test_hints_begin_again_when_the_mistake_changes():
    check(unscaled, "scores")
    hint("scores")
    hint("scores")
    check(swapped, "scores")
    assert hint("scores").text == BY_CODE["queries-keys-swapped"].hints[0]


def test_hints_go_on_when_the_mistake_stays():
    check(unscaled, "scores")
    hint("scores")
    check(lambda q, k: (k @ q.T).T, "scores")
    assert hint("scores").text == BY_CODE["scale-missing"].hints[1]


def test_hints_before_the_first_try_are_the_exercises_own():
    assert hint("scores").text == EXERCISES["scores"].hints[0]


def test_hints_are_never_counted():
    for name in EXERCISES:
        for _ in range(5):
            note = repr(hint(name))
            assert note.startswith("Hint. ")
            assert not re.search(r"\d of \d|\d/\d", note)


def test_the_solution_is_shown_and_remembered():
    note = solution("scores")
    assert EXERCISES["scores"].solution in repr(note)
    assert "it counts as *seen*" in note.text
    assert diary.read("scores").state == "seen"


def test_the_solution_of_what_is_right_changes_nothing():
    check(right, "scores")
    note = solution("scores")
    assert note.text == "One way to do it. It was right already."
    assert diary.read("scores").state == "right"


@pytest.mark.parametrize("ask", [hint, solution])
@pytest.mark.parametrize("name", ["score", "", 3, None, ["scores"], right])
def test_a_name_that_is_none_is_told_so(ask, name):
    assert "There is no exercise" in repr(ask(name))
    assert not diary.place().exists()


def test_progress_shows_every_exercise_of_the_lessons_that_are_there():
    shown = progress()
    names = [exercise.name for exercise in shown.shown]
    there = {*LESSONS, *APPENDICES}
    assert set(names) == {name for name, one in EXERCISES.items() if one.lesson in there and one.home}
    assert [EXERCISES[name].lesson for name in names] == sorted(EXERCISES[name].lesson for name in names)
    assert repr(shown).startswith(f'0 of {len(names)} right. Next: "{names[0]}", lesson')
    assert repr(shown).count("○ not tried yet") == len(names)


def test_progress_follows_what_is_done():
    check(unscaled, "scores")
    solution("attention")
    check({"the": 0, "bank": 0, "river": 0.5, "interest": 0.5}, "mix")
    shown = repr(progress())
    assert shown.startswith("1 of ")
    assert re.search(r"scores \(if you like\) +… not yet", shown)
    assert re.search(r"attention +◐ seen", shown)
    assert re.search(r"mix +✓ right", shown)


def test_progress_shows_a_sibling_once_it_was_asked_for():
    assert "scores-temperature" not in repr(progress())
    check(unscaled, "scores-temperature")
    assert "scores-temperature" in repr(progress())


def test_what_was_seen_is_not_the_next_one():
    core = [one for one in progress().shown if not one.optional]
    assert progress().next is core[0]
    solution(core[0].name)
    assert progress().next is core[1]


def test_what_is_optional_comes_after_what_is_not():
    shown = progress().shown
    for exercise in shown:
        diary.write(exercise.name, diary.Entry("" if exercise.optional else "right"))
    assert progress().next is next(exercise for exercise in shown if exercise.optional)
    assert "lesson 0" in repr(progress()).splitlines()[0]


def test_an_appendix_is_called_one():
    for exercise in progress().shown:
        diary.write(exercise.name, diary.Entry("" if exercise.name == "attention-gradient" else "right"))
    assert repr(progress()).splitlines()[0].endswith('Next: "attention-gradient", appendix gradient.')
    assert re.search(r"gradient +attention-gradient \(if you like\) +○ not tried yet", repr(progress()))


def test_where_all_that_is_left_was_seen_progress_says_what_to_do():
    for exercise in progress().shown:
        diary.write(exercise.name, diary.Entry("right"))
    solution("attention")
    diary.write("attention", diary.Entry("seen"))
    said = repr(progress())
    assert "All done" not in said
    assert 'Next: solution("attention") says how what was seen becomes right.' in said


@pytest.mark.parametrize(
    ("name", "solved", "own"),
    [("first-check", [0.0, 3.0], [0.0, 5.0]), ("unreachable", [0, 0.8, 0.0], [0.0, 0.79, 0.0])],
)
def test_where_many_answers_are_right_another_one_makes_up_for_the_solution(name, solved, own):
    assert "Another answer than this one" in repr(solution(name))
    assert check([float(number) for number in solved], name)
    assert diary.read(name).state == "seen"
    assert check(own, name)
    assert diary.read(name).state == "right"


def test_progress_ends_when_all_is_right_or_seen():
    for name in EXERCISES:
        diary.write(name, diary.Entry("right"))
    shown = progress()
    assert shown.next is None
    assert "All done." in repr(shown)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("show", [progress, lambda: hint("scores"), lambda: solution("scores")])
def test_html_says_the_same_in_tags_that_close(show):
    shown = show()
    tags = Tags()
    tags.feed(shown._repr_html_())
    assert not tags.open
    text = " ".join("".join(tags.text).split())
    plain = repr(shown).split("\n")[0].replace("`", "").replace("*", "")
    assert all(word in text for word in plain.split()), (text, plain)


def test_the_place_is_written_without_the_name_of_its_owner(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert "Kept in ~/progress.json; delete it to begin again." in repr(progress())


@pytest.mark.parametrize(
    ("typed", "exercise"), [("05-merge", "wrong-line-05-merge"), ("streaming", "order-streaming"), ("attention",) * 2]
)
def test_an_exercise_may_be_called_as_its_cell_calls_it(typed, exercise):
    assert hint(typed).text == EXERCISES[exercise].hints[0]
    assert diary.read(exercise).hints == 1
    solution(typed)
    assert diary.read(exercise).state == "seen"
