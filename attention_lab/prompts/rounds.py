"""``questions`` at the end of a lesson, ``warm_up`` at its beginning: a few questions answered in one go."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import closest
from attention_lab.exercises.report import Note, box, rich
from attention_lab.prompts.asking import read_letter, remember
from attention_lab.prompts.item import Item, Written
from attention_lab.prompts.items import QUESTIONS, WARM_UPS

Shown = tuple[str, list[str]]  # a question or an answer, and the lines below it


class Round:
    """Several questions, and, once letters were typed, their answers.

    Attributes
    ----------
    right : int or None
        How many letters were right; None where there are none yet.
    """

    def __init__(self, title: str, items: Sequence[Item | Written], letters: list[str], said: str) -> None:
        self.title, self.said = title, said
        self.asked = [item for item in items if isinstance(item, Item)]
        keys = [item.right(item.measure())[0] for item in self.asked]
        self.right = sum(map(str.__eq__, keys, letters)) if letters else None
        asked = [_answered(item, letter) for item, letter in zip(self.asked, letters, strict=False)]
        self.shown = asked or [(item.text, _options(item)) for item in self.asked]
        written = [item for item in items if isinstance(item, Written)]
        self.shown += [(item.text, [f"One answer: {item.model}"] if letters else []) for item in written]
        # Folded where nothing was typed yet: a page without a kernel has the answers, too.
        self.folded: list[Shown] = []
        if not letters:
            self.folded = [_answered(item, key) for item, key in zip(self.asked, keys, strict=True)]
            self.folded += [(item.text, [f"One answer: {item.model}"]) for item in written]

    def __repr__(self) -> str:
        lines = [self.title]
        for number, (text, below) in enumerate(self.shown, start=1):
            lines += [f"{number}. {text}", *(f"   {line}" for line in below)]
        return "\n".join([*lines, self.said])

    def _repr_html_(self) -> str:
        folded = ""
        if self.folded:
            answers = _list([(" ".join(below), []) for _, below in self.folded])
            folded = f"<details><summary>The answers, for reading without running</summary>{answers}</details>"
        return box("prediction", self.title, f"{_list(self.shown)}{rich(self.said)}{folded}")


def _list(shown: list[Shown]) -> str:
    items = "".join(f"<li>{'<br>'.join(rich(line) for line in (text, *below))}</li>" for text, below in shown)
    return f'<ol style="margin: 0.3em 0">{items}</ol>'


def _options(item: Item) -> list[str]:
    return [f"{letter}  {option.text}" for letter, option in item.shown.items()]


def _answered(item: Item, letter: str) -> Shown:
    """Say of one answer whether it is right, and why."""
    measured = item.measure()
    key, right = item.right(measured)
    chosen = item.shown[letter]
    if chosen is right:
        return item.text, [f"✓ {letter}: {right.text}. {item.says(measured)} {right.because}"]
    said = f"… You said {letter}: {chosen.text}. {item.says(measured)} {chosen.because}"
    return item.text, [said, f"So {key}: {right.text}."]


def questions(lesson: str, answers: Any = ...) -> Round | Note:
    """Ask the questions at the end of a lesson: three with letters, and one to answer in words of one's own.

    Parameters
    ----------
    lesson : str
        Its number: "02".
    answers : str
        A letter for each question that has them, such as "A C B"; `...` only asks.

    Returns
    -------
    Round
        The questions; once letters were typed, what is right and why, and a model answer for the words.
    """
    return _round("Check your understanding.", QUESTIONS, lesson, answers)


def warm_up(lesson: str, answers: Any = ...) -> Round | Note:
    """Ask three questions about earlier lessons: two fixed ones, and one about what the learner got wrong.

    Parameters
    ----------
    lesson : str
        Its number: "02".
    answers : str
        A letter for each question, such as "A C B"; `...` only asks.

    Returns
    -------
    Round
        The questions; once letters were typed, what is right and why.
    """
    rounds = {lesson: _with_own(lesson, items) for lesson, items in WARM_UPS.items()}
    return _round("From earlier lessons.", rounds, lesson, answers)


def _with_own(lesson: str, fixed: tuple[Item, ...]) -> tuple[Item, ...]:
    """Put a question about the misconception that a learner met most often in earlier lessons in the last place."""
    met: Counter[str] = Counter()
    for name, entry in diary.read_all().items():
        if name.startswith("predict ") and name.removeprefix("predict ")[:2] < lesson:  # not what is asked here
            met.update(entry.mistakes)
    earlier = [item for number, items in QUESTIONS.items() if number < lesson for item in items]
    for code, _ in met.most_common():
        for item in earlier:
            if isinstance(item, Item) and code in item.codes:
                return (*fixed[:-1], item)
    return fixed


def _round(title: str, rounds: Any, lesson: Any, answers: Any) -> Round | Note:
    items = rounds.get(lesson) if isinstance(lesson, str) else None
    if items is None:
        return Note("prediction", title, closest(lesson, rounds, "lesson"))
    asked = [item for item in items if isinstance(item, Item)]
    example = " ".join("ABC"[: len(asked)])
    if answers is ...:
        return Round(title, items, [], f'Type a letter for each, such as "{example}", in place of the dots.')
    letters = answers.replace(",", " ").split() if isinstance(answers, str) else []
    letters = list(letters[0]) if len(letters) == 1 else letters
    read = [read_letter(item, letter) for item, letter in zip(asked, letters, strict=False)]
    if len(letters) != len(asked) or None in read:
        return Round(title, items, [], f'{len(asked)} letters are expected, such as "{example}".')
    typed = [letter for letter in read if letter is not None]
    for item, letter in zip(asked, typed, strict=True):
        remember(item, letter)
    answered = Round(title, items, typed, "")
    answered.said = f"{answered.right} of {len(asked)} right."
    return answered
