"""What a question is: its options, and how the right one follows from what is measured."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from attention_lab.exercises.letters import lettered


@dataclass(frozen=True, kw_only=True)
class Option:
    """One answer to choose.

    Attributes
    ----------
    text : str
        What is chosen.
    holds : function (measured) -> bool
        Whether it is the right one, given what was measured. The key is never typed.
    because : str
        Why it is right; for a wrong one: what many expect, and why it is not so.
    code : str
        The misconception behind a wrong option; "" for one that holds.
    """

    text: str
    holds: Callable[[Any], bool]
    because: str
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class Written:
    """A question that is answered in two sentences of one's own, and compared with a model answer.

    Attributes
    ----------
    name, text, model : str
    """

    name: str
    text: str
    model: str


@dataclass(frozen=True, kw_only=True)
class Item:
    """A question with options, which a learner answers before the answer is shown.

    Attributes
    ----------
    name : str
        The lesson's number and a word: "02-the".
    text : str
        The question.
    options : tuple of Option
        Shown in an order that follows from the name: the same for everybody.
    measure : function () -> Any
        What the lesson measures, computed with the package.
    says : function (measured) -> str
        What was measured, in words.
    """

    name: str
    text: str
    options: tuple[Option, ...]
    measure: Callable[[], Any]
    says: Callable[[Any], str]

    @property
    def codes(self) -> set[str]:
        """The misconceptions behind its wrong options."""
        return {option.code for option in self.options} - {""}

    @property
    def key(self) -> str:
        """The letter of the right option, by what the package measures."""
        return self.right(self.measure())[0]

    @property
    def shown(self) -> dict[str, Option]:
        """The options by their letters."""
        by_text = {option.text: option for option in self.options}
        return {letter: by_text[text] for letter, text in lettered(self.name, by_text).items()}

    def right(self, measured: Any) -> tuple[str, Option]:
        """Return the letter and the option that holds for what was measured.

        Raises
        ------
        ValueError
            If none holds, or several: then something else was measured than was asked for.
        """
        found = [(letter, option) for letter, option in self.shown.items() if option.holds(measured)]
        if len(found) != 1:
            raise ValueError(f"what was measured for {self.name} fits {len(found)} of its options")
        return found[0]


@dataclass(frozen=True, kw_only=True)
class Twice:
    """An idea that is asked twice, with other numbers: before the course and after it.

    Attributes
    ----------
    name, about : str
        A word, and a few words for it.
    lesson : str
        Where the idea is taught.
    ask : function (name, *numbers) -> Item
        Makes the question from numbers.
    start, end : tuple
        The numbers before the course, and those after it.
    """

    name: str
    about: str
    lesson: str
    ask: Callable[..., Item]
    start: tuple[Any, ...]
    end: tuple[Any, ...]

    def item(self, when: str) -> Item:
        """Make the question of the "start" or the "end"."""
        lesson, numbers = {"start": ("00", self.start), "end": ("09", self.end)}[when]
        return self.ask(f"{lesson}-{when}-{self.name}", *numbers)


def row(numbers: Iterable[float]) -> str:
    """Write numbers as a row.

    >>> row([2, 0.5])
    '[2, 0.5]'
    """
    return f"[{', '.join(f'{number:g}' for number in numbers)}]"
