"""``start_test`` and ``end_test`` ask the same ten ideas with new numbers, and ``gain`` compares."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attention_lab.exercises import diary
from attention_lab.exercises.help import kept_where, table_row
from attention_lab.exercises.letters import typed_letters
from attention_lab.exercises.report import Note, box, rich
from attention_lab.prompts.item import Item
from attention_lab.prompts.items import TESTS, TWICE
from attention_lab.prompts.rounds import Round, Shown, as_answered, as_asked, as_typed, read_letters

UNKNOWN = "?-"  # either is "I do not know"
HEAD = ("idea", "before", "after", "go back to")


def start_test(*answers: Any) -> Round | Note:
    """Ask about ten ideas of the course before it starts; what is right is not said yet.

    The first answers count; `gain("forget")` deletes them.

    Parameters
    ----------
    *answers : str
        A letter for each question, such as "A C ? B ...", in one text or in several, with a ? for "I do not know";
        `...` only asks.

    Returns
    -------
    Round or Note
        The questions; once all are answered, that the answers were kept.
    """
    items, typed = TESTS["start"], as_typed(answers)
    if typed is ...:
        said = f"{_how()} It takes about 5 minutes, and you may skip it. Nothing is sent anywhere."
        return Round("Start test.", [as_asked(item) for item in items], said)
    letters = read_letters(items, typed, UNKNOWN)
    if letters is None:
        return Note("prediction", "Start test.", _wanted("start", typed))
    if _kept("start"):
        said = 'It was taken before, and the first answers count. `gain("forget")` deletes them.'
        return Note("prediction", "Start test.", said)
    _keep("start", letters)
    lasts = "" if diary.is_in_file() else f" {kept_where()}"
    return Note("prediction", "Start test.", f"Kept. The same ten ideas come back at the end of the course.{lasts}")


def end_test(*answers: Any) -> Round | Note:
    """Ask about the ten ideas of the start test once more, with new numbers, and say what is right and why.

    The first answers count, since those after them were told.

    Parameters
    ----------
    *answers : str
        A letter for each question, such as "A C ? B ...", in one text or in several, with a ? for "I do not know";
        `...` only asks.

    Returns
    -------
    Round
        The questions; once all are answered, what is right and why.
    """
    items, typed = TESTS["end"], as_typed(answers)
    if typed is ...:
        folded = [as_answered(item, item.key) for item in items]
        return Round("End test.", [as_asked(item) for item in items], _how(), folded=folded)
    letters = read_letters(items, typed, UNKNOWN)
    if letters is None:
        return Note("prediction", "End test.", _wanted("end", typed))
    again = bool(_kept("end"))
    if not again:
        _keep("end", letters)
    right = sum(item.key == letter for item, letter in zip(items, letters, strict=True))
    after = "Your first answers count: `gain()` shows them." if again else "`gain()` shows before and after."
    answered = [_answered(item, letter) for item, letter in zip(items, letters, strict=True)]
    return Round("End test.", answered, f"{right} of {len(items)} right. {after}", right=right)


@dataclass(frozen=True, repr=False)
class Gain:
    """The ten ideas before the course and after it.

    Attributes
    ----------
    rows : sequence of (str, str, str, str)
        Each idea: how it stood before and after, and which lesson to go back to.
    said : str
        How many were right.
    """

    rows: Sequence[tuple[str, str, str, str]]
    said: str

    def __repr__(self) -> str:
        table = ["{:28}{:14}{:14}{}".format(*row).rstrip() for row in (HEAD, *self.rows)]
        return "\n".join([self.said, *table, _kept_where()])

    def _repr_html_(self) -> str:
        rows = "".join(table_row("td", row) for row in self.rows)
        table = f'<table style="margin: 0.6em 0"><thead>{table_row("th", HEAD)}</thead><tbody>{rows}</tbody></table>'
        return box("progress", "Before and after.", f"{html.escape(self.said)}{table}{rich(_kept_where())}")


def gain(do: Any = "") -> Gain | Note:
    """Show the ten ideas of the start and end tests, before and after.

    Parameters
    ----------
    do : str
        "forget" deletes the answers of both tests, and nothing else.

    Returns
    -------
    Gain or Note
        A table, which a notebook shows; a sentence where there are not two tests to compare yet.

    Examples
    --------
    >>> gain()
    Before and after. No test was taken yet: `start_test()` is in lesson 00, and `end_test()` in the last one.
    """
    if not isinstance(do, str) or do not in ("", "forget"):
        return Note("progress", "Before and after.", '`gain()` shows both tests, and `gain("forget")` deletes them.')
    if do:
        return _forget()
    before, after = _kept("start"), _kept("end")
    if not after:  # what was right in the start test is not told before the end
        said = "No test was taken yet: `start_test()` is in lesson 00, and `end_test()` in the last one."
        if before:
            said = f"Only the start test was taken: `end_test()`, in the last lesson, has the answers. {_kept_where()}"
        return Note("progress", "Before and after.", said)
    rows = [
        (
            idea.about,
            _stands(before.get(idea.name)),
            _stands(after.get(idea.name)),
            "" if idea.name in after and after[idea.name].state == "right" else f"lesson {idea.lesson}",
        )
        for idea in TWICE
    ]
    first = _count(before, "before") if before else "The start test was not taken"
    return Gain(rows, f"{first}, {_count(after, 'after')}.")


def _count(kept: dict[str, diary.Entry], when: str) -> str:
    return f"{sum(entry.state == 'right' for entry in kept.values())} of {len(TWICE)} right {when}"


def _stands(entry: diary.Entry | None) -> str:
    """Say how an idea stood, by a sign and in words."""
    if entry is None:
        return "– not asked"
    if entry.state == "right":
        return "✓ right"
    return "? not known" if entry.answer == UNKNOWN[0] else "… not yet"


def _kept_where() -> str:
    return f'{kept_where()} `gain("forget")` deletes the two tests alone.'


def _how() -> str:
    n = len(TWICE)
    return f'Type {n} letters, in quotes, in place of the dots: "A C B A ...", with a ? for what you do not know.'


def _wanted(when: str, answers: Any) -> str:
    """Say what is wrong with what was typed."""
    typed, n = typed_letters(answers), len(TWICE)
    said = f"There are {len(typed)}."
    if len(typed) == n:
        bad = next(i for i in range(n) if read_letters(TESTS[when][i : i + 1], typed[i], UNKNOWN) is None)
        said = f"Number {bad + 1} is none of them."
    return f"{n} letters are expected, in quotes, each A, B or C, or a ? for what you do not know. {said}"


def _answered(item: Item, letter: str) -> Shown:
    """Say of one answer whether it is right, and why; of one that was not known, what is right."""
    if letter not in UNKNOWN:
        return as_answered(item, letter)
    measured = item.measure()
    key, right = item.right(measured)
    return item.text, [f"? So {key}: {right.text}. {item.says(measured)} {right.because}"]


def _key(when: str, name: str) -> str:
    return f"test {when} {name}"


def _keep(when: str, letters: Sequence[str]) -> None:
    """Keep how each idea stands: letters alone would mean something else once a question is written anew."""
    entries = {}
    for idea, item, letter in zip(TWICE, TESTS[when], letters, strict=True):
        known = letter not in UNKNOWN
        code = item.shown[letter].code if known else ""
        entry = diary.read(_key(when, idea.name))
        entry.keep(letter if known else UNKNOWN[0], [code] if code else [])
        entry.state = "right" if letter == item.key else "not yet"
        entries[_key(when, idea.name)] = entry
    diary.write_all(entries)


def _kept(when: str) -> dict[str, diary.Entry]:
    """Return what was answered in a test, by idea; nothing where it was not taken, or was forgotten."""
    kept = diary.read_all()
    entries = {idea.name: kept.get(_key(when, idea.name), diary.Entry()) for idea in TWICE}
    return entries if all(entry.state for entry in entries.values()) else {}


def _forget() -> Note:
    """Empty the entries of both tests."""
    diary.write_all({_key(when, name): diary.Entry() for when in TESTS for name in _kept(when)})
    said = "The answers of both tests are deleted. The rest of your progress stays."
    if diary.place() and not diary.is_in_file():
        said = f"Forgotten until this kernel ends; the file stays as it was. {kept_where()}"
    return Note("progress", "Before and after.", said)
