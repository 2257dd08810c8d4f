"""``questions`` at the end of a lesson, ``warm_up`` at its beginning: a few questions answered in one go."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import closest, named
from attention_lab.exercises.letters import typed_letters
from attention_lab.exercises.report import Note, box, rich
from attention_lab.prompts.asking import read_letter, remember
from attention_lab.prompts.item import Item, Written
from attention_lab.prompts.items import QUESTIONS, WARM_UPS

Items = Sequence[Item | Written]
Shown = tuple[str, list[str]]  # a question or an answer, and the lines below it


@dataclass(frozen=True, repr=False)
class Round:
    """Several questions, and, once letters were typed, their answers.

    Attributes
    ----------
    title, said : str
        What stands above them, and below.
    shown, folded : of (str, list of str)
        Each question or answer with the lines below it; those that a page shows only when asked.
    right : int or None
        How many letters were right; None where there are none yet.
    """

    title: str
    shown: Sequence[Shown]
    said: str
    folded: Sequence[Shown] = ()
    right: int | None = None

    def __bool__(self) -> bool:
        """Tell whether they were answered, rightly or not."""
        return self.right is not None

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


def _list(shown: Sequence[Shown]) -> str:
    # Many in a row need air, and letters that stand apart from numbers.
    style = ' style="margin-bottom: 0.6em; white-space: pre-wrap"' if len(shown) > 4 else ""
    items = "".join(f"<li{style}>{'<br>'.join(rich(line) for line in (text, *below))}</li>" for text, below in shown)
    return f'<ol style="margin: 0.3em 0">{items}</ol>'


def as_asked(item: Item | Written) -> Shown:
    """Write a question, and its options if it has any."""
    options = item.shown if isinstance(item, Item) else {}
    return item.text, [f"{letter}  {option.text}" for letter, option in options.items()]


def as_answered(item: Item, letter: str) -> Shown:
    """Say of one answer whether it is right, and why."""
    measured = item.measure()
    key, right = item.right(measured)
    chosen = item.shown[letter]
    if chosen is right:
        return item.text, [f"✓ {letter}: {right.text}. {item.says(measured)} {right.because}"]
    said = f"… You said {letter}: {chosen.text}. {item.says(measured)} {chosen.because}"
    return item.text, [said, f"So {key}: {right.text}."]


def as_typed(answers: tuple[Any, ...]) -> Any:
    """Give back what was typed: one text, of several or of a list, too; `...` where nothing was.

    >>> as_typed(()), as_typed(("A C",)), as_typed(("A", "C")), as_typed((["A", "C"],))
    (Ellipsis, 'A C', 'A C', 'A C')
    """
    if not answers:
        return ...
    typed = answers[0] if len(answers) == 1 else answers
    texts = isinstance(typed, list | tuple) and all(isinstance(part, str) for part in typed)
    return " ".join(typed) if texts else typed


def read_letters(items: Sequence[Item], answers: Any, unknown: str = "") -> list[str] | None:
    """Read a letter for each question, or one of the signs for "I do not know"; None unless each has one."""
    typed = typed_letters(answers)
    read = [
        letter if letter in unknown else read_letter(item, letter) for item, letter in zip(items, typed, strict=False)
    ]
    letters = [letter for letter in read if letter is not None]
    return letters if len(typed) == len(letters) == len(items) else None


def questions(lesson: str, *answers: Any) -> Round | Note:
    """Ask the questions at the end of a lesson: three with letters, and one to answer in words of one's own.

    Parameters
    ----------
    lesson : str
        Its number: "02".
    *answers : str
        A letter for each question that has them, such as "A C B", in one text or in several; `...` only asks.

    Returns
    -------
    Round
        The questions; once letters were typed, what is right and why, and a model answer for the words.
    """
    return _round("Check your understanding.", QUESTIONS, lesson, answers)


def warm_up(lesson: str, *answers: Any) -> Round | Note:
    """Ask three questions about earlier lessons: two fixed ones, and one about what the learner got wrong.

    Parameters
    ----------
    lesson : str
        Its number: "02".
    *answers : str
        A letter for each question, such as "A C B", in one text or in several; `...` only asks.

    Returns
    -------
    Round
        The questions; once letters were typed, what is right and why.
    """
    fixed = named(lesson, WARM_UPS)
    rounds = {**WARM_UPS, lesson: _with_own(lesson, fixed)} if fixed else WARM_UPS
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


def _round(title: str, rounds: Mapping[str, Items], lesson: Any, answers: tuple[Any, ...]) -> Round | Note:
    items = named(lesson, rounds)
    if items is None:
        return Note("prediction", title, closest(lesson, rounds, "lesson"))
    asked = [item for item in items if isinstance(item, Item)]
    models = [(item.text, [f"One answer: {item.model}"]) for item in items if isinstance(item, Written)]
    keys = [item.key for item in asked]
    typed = as_typed(answers)
    letters = read_letters(asked, typed)
    if letters is None:
        example = f'such as "{" ".join("ABC"[: len(asked)])}"'
        which = "each" if len(asked) == len(items) else "each question that has them"
        said = f"Type a letter for {which}, {example}, in place of the dots."
        said = said if typed is ... else f"{len(asked)} letters are expected, {example}."
        # A page without a kernel has the answers, too: folded.
        folded = [*map(as_answered, asked, keys), *models]
        return Round(title, [as_asked(item) for item in items], said, folded=folded)
    for item, letter in zip(asked, letters, strict=True):
        remember(item, letter)
    right = sum(map(str.__eq__, keys, letters))
    return Round(title, [*map(as_answered, asked, letters), *models], f"{right} of {len(asked)} right.", right=right)
