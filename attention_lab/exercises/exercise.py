"""What an exercise is: what is asked, and how an answer is looked at."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from attention_lab.exercises.letters import lettered
from attention_lab.exercises.steps import HIDING, State

Arguments = dict[str, Any]  # what a learner's function is called with, by name


class Finding(NamedTuple):
    """What was found in an answer.

    Parameters
    ----------
    verdict : {"right", "not yet", "not tried yet"}
    mistakes : tuple of str
        Codes of the bank.
    seen : str
        What can be said of the answer without giving the right one away; "" where the mistakes say it.
    state : State
        The three words, computed with the same mistakes.
    """

    verdict: str
    mistakes: tuple[str, ...] = ()
    seen: str = ""
    state: State = State()


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """What all exercises have.

    Attributes
    ----------
    name, lesson : str
        The lesson's number, or the name of an appendix; a sibling has its elder's.
    kind : {"write", "reorder", "find", "trace", "value"}
    task : str
        What to do, in one or two sentences that need no lesson around them.
    trains : str
        What it is for.
    minutes : int
    difficulty : {1, 2, 3}
    stub, solution : str
        The text that stands in the lesson, and the same text with the answer in it.
    hints : three of str
        A question, the rule, the line; for an answer that matches no known mistake.
    sibling : str
        Another exercise that shows the same skill, for who has seen the solution; "" for none.
    home : bool
        Whether it stands in its lesson; a sibling stands nowhere, until it is asked for.
    optional : bool
        Whether its lesson can be finished without it.
    asks : str
        What is said where nothing was typed yet.
    """

    name: str
    lesson: str
    kind: str
    task: str
    trains: str
    minutes: int
    difficulty: int
    stub: str
    solution: str
    hints: tuple[str, str, str]
    sibling: str = ""
    home: bool = True
    optional: bool = False
    asks: str = "Type your answer in place of the dots."


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """An exercise whose answer is a function of arrays.

    Attributes
    ----------
    program : of str
        The steps of the right answer.
    inputs : function (rng, square) -> dict
        Random arguments, by name and in their order. All sizes differ, since a square table hides a missing transpose;
        `square` makes them equal, for a function that stops at anything else.
    example : function () -> dict
        The arguments on the three words.
    about : str
        What the answer's axes mean, such as "one row for each query, d_v numbers each".
    gives : of str
        The names of the tables that the function returns, where there are several, as its program makes them; the
        program's last step lays them side by side, since all of them are compared as one. None for a single array.
    holds : function (function) -> str, optional
        Looks at a function whose numbers are right, where the random arguments do not go, and says what is missing.
    """

    program: tuple[str, ...]
    inputs: Callable[[np.random.Generator, bool], Arguments]
    example: Callable[[], Arguments]
    about: str
    gives: tuple[str, ...] = ()
    holds: Callable[[Callable[..., Any]], str] | None = None
    kind: str = field(default="write")
    asks: str = "Put your code in place of the dots, run its cell, and then this one."


@dataclass(frozen=True, kw_only=True)
class ValueExercise(Exercise):
    """An exercise whose answer is a value, or a dict of values.

    Attributes
    ----------
    look : function (answer) -> Finding
        It is called only where something was typed in place of the dots; it may raise ValueError or TypeError with a
        sentence for the learner.
    """

    look: Callable[[Any], Finding]
    kind: str = field(default="value")


@dataclass(frozen=True, kw_only=True)
class OrderExercise(Exercise):
    """An exercise whose answer is an order of lines that are given, some of them wrong.

    Attributes
    ----------
    lines : of str
        The right ones, in a right order.
    wrong : of str
        Those mixed in.
    of : str
        The function exercise whose arguments it takes and whose steps it is judged by.
    takes : of str
        The names of the arguments.
    gives : str
        The name that is returned.
    """

    lines: tuple[str, ...]
    wrong: tuple[str, ...]
    of: str
    takes: tuple[str, ...]
    gives: str = "output"
    kind: str = field(default="reorder")
    asks: str = 'Type letters in place of the dots, such as "A B C D": these lines, in this order.'

    @property
    def shown(self) -> dict[str, str]:
        """The lines by their letters."""
        return lettered(self.name, (*self.lines, *self.wrong))


class Line(NamedTuple):
    """A line of a program, and what it is there for: "compares every query with every key"."""

    code: str
    does: str


class Reason(NamedTuple):
    """What is held against a line.

    Parameters
    ----------
    code : str
        The mistake, by its code in the bank.
    text : str
        What a line with that mistake would do.
    because : str
        Why it is so; of the reasons that are wrong: why it is not so.
    """

    code: str
    text: str
    because: str


@dataclass(frozen=True, kw_only=True)
class WrongLineExercise(Exercise):
    """An exercise whose answer is the one line of a program that lies, and the reason.

    Attributes
    ----------
    lines : of Line
        All of them right.
    lie : (int, str)
        The number of the line that is shown otherwise, counted from 1, and what is shown.
    reasons : of Reason
        One of them is right.
    of : str
        The function exercise whose arguments it takes and whose steps it is judged by.
    takes : of str
        The names of the arguments.
    key : str
        The letter of the right reason. It is not typed: `judged` asks the bank, and fills in the rest that follows.
    """

    lines: tuple[Line, ...]
    lie: tuple[int, str]
    reasons: tuple[Reason, ...]
    of: str = ""
    takes: tuple[str, ...] = ()
    key: str = ""
    solution: str = ""
    kind: str = field(default="find")
    asks: str = "Type the number of the line that lies, and the letter of the reason in quotes, in place of the dots."

    @property
    def shown(self) -> dict[int, str]:
        """The lines by their numbers, one of them lying."""
        return {number: line.code for number, line in enumerate(self.lines, start=1)} | dict([self.lie])

    @property
    def why(self) -> dict[str, Reason]:
        """The reasons by their letters."""
        by_text = {reason.text: reason for reason in self.reasons}
        return {letter: by_text[text] for letter, text in lettered(self.name, by_text).items()}


def start(arguments: Mapping[str, Any], hidden: Any = HIDING[0]) -> State:
    """Turn the arguments of a function, and a way of hiding, into the state that its program starts from."""
    state = State(**arguments, hidden=hidden)
    if "x" in arguments and "context" not in arguments:
        state.context = state.x  # self-attention: the words that look are looked at
    if "x" in arguments:
        state.n_tokens, state.d_model = state.x.shape[-2:]
    if "heads" in arguments:
        state.output = state.heads  # what each head found
    if "lengths" in arguments and "k" in arguments:
        state.n_keys = state.k.shape[-2]
    return state
