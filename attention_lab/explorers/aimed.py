"""An explorer with goals: they tick themselves on the page, in Python, and stand as a list where no script runs."""

from html import escape
from typing import Any

import traitlets

from attention_lab.examples import Example
from attention_lab.explorers.goals import TAUGHT, Goal, answer, as_data, met, ways
from attention_lab.explorers.script import Explorer, given, source

_TASK = "Reach each with one edit from the start, or say that it cannot be done."
_ANSWERS = "The answers, for reading without running"


def aimed_script(script: str) -> str:
    """Add the goals to an explorer's script, as a module for anywidget."""
    return f"{script}\n{source('goals.js')}\nexport default {{ render: renderWithGoals }};\n"


def _as_data(goals: list[Goal], _: Any) -> list[dict[str, Any]]:
    return [as_data(goal) for goal in goals]


class AimedExplorer(Explorer):
    """An explorer of an example's numbers, which can be given goals.

    A page without goals is left as it is: the script of the goals is not even in it. A live explorer always has it,
    since goals may come after it was shown.

    Attributes
    ----------
    goals : list of Goal
        What to reach; `add_goal` adds one.
    done : dict
        By name: how a goal was met, in a sentence, or that it was rightly said to be impossible.
    """

    _css = source("shared.css") + source("goals.css")

    goals: Any = traitlets.List(read_only=True).tag(sync=True, to_json=_as_data)
    done = traitlets.Dict(traitlets.Unicode()).tag(sync=True)
    start = given(traitlets.Dict)

    @property
    def example(self) -> Example:
        """The words with the matrices as they are now."""
        raise NotImplementedError

    def add_goal(self, goal: Goal) -> None:
        """Give the explorer a goal; one that it has already is not added again.

        Raises
        ------
        ValueError
            If the explorer starts with other numbers than those that the goal is about.
        """
        about = {name: getattr(goal.example, name).tolist() for name in TAUGHT}
        if self.start != about or self.example.words != goal.example.words:
            words = ", ".join(goal.example.words)
            raise ValueError(
                f'The goal "{goal.name}" starts from {words} and their numbers; this explorer starts elsewhere.'
            )
        if goal not in self.goals:
            self.set_trait("goals", [*self.goals, goal])

    @traitlets.observe("goals", *TAUGHT)
    def _tick(self, _: Any) -> None:
        """Tick the goals that are met now; what is ticked stays so."""
        said = {goal.name: met(goal, self.example, goal.example) for goal in self.goals if goal.name not in self.done}
        new = {name: sentence for name, sentence in said.items() if sentence}
        if new:
            self.done = {**self.done, **new}

    def _stands(self, goal: Goal) -> str:
        if goal.name not in self.done:
            return "○ open"
        return "✓ met" if ways(goal) else "✓ impossible"

    def __repr__(self) -> str:
        return "\n".join([self.sentence, *(f"{self._stands(goal)}: {goal.text}" for goal in self.goals)])

    def still_goals(self) -> list[str]:
        """Write the goals and, folded, their answers, as HTML; nothing where there are no goals."""
        if not self.goals:
            return []
        shown = [" ".join([f"{self._stands(goal)}: {goal.text}.", *self._learned(goal)]) for goal in self.goals]
        answers = _list([f"{goal.text}: {answer(goal)}" for goal in self.goals])
        folded = f"<details><summary>{_ANSWERS}</summary>\n{answers}</details>"
        return [f"<p><strong>Goals.</strong> {_TASK}</p>\n{_list(shown)}{folded}"]

    def _learned(self, goal: Goal) -> list[str]:
        return [self.done[goal.name], goal.because] if goal.name in self.done else []

    def _state(self) -> dict[str, Any]:
        goals = {"goals": _as_data(self.goals, self), "done": dict(self.done)} if self.goals else {}
        return {**super()._state(), **goals}

    def _in_page(self) -> tuple[str, str, str]:
        if not self.goals:
            return Explorer._css, self._script, "render"
        return self._css, f"{self._script}\n{source('goals.js')}", "renderWithGoals"


def _list(texts: list[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>\n" for text in texts)
    return f"<ul>\n{items}</ul>\n"
