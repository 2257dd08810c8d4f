"""An explorer with goals: they tick themselves on the page, in Python, and stand as a list where no script runs."""

from html import escape
from typing import Any, ClassVar

import traitlets

from attention_lab.explorers.goal import Goal
from attention_lab.explorers.script import Explorer, source

_ANSWERS = "The answers, for reading without running"


def aimed_script(script: str, kind: type[Goal]) -> str:
    """Add a kind of goals to an explorer's script, as a module for anywidget."""
    return f"{_with_goals(script, kind)}\nexport default {{ render: renderWithGoals }};\n"


def _with_goals(script: str, kind: type[Goal]) -> str:
    return "\n".join([script, source(kind.script), source("goals.js")])


def aimed_style(css: str) -> str:
    """Add the look of goals to an explorer's own."""
    return css + source("goals.css")


def _as_data(goals: list[Goal], _: Any) -> list[dict[str, Any]]:
    return [goal.as_data() for goal in goals]


class AimedExplorer(Explorer):
    """An explorer which can be given goals of one kind; it calls `tick` whenever what they look at has changed.

    A page without goals is left as it is: the script of the goals is not even in it. A live explorer always has it,
    since goals may come after it was shown.

    A subclass sets ``_esm`` as ``aimed_script`` gives it, ``_kind``, and, where it has a style of its own, that as
    ``_plain_css`` and ``_css`` as ``aimed_style`` gives it.

    Attributes
    ----------
    goals : list of Goal
        What to reach; `add_goal` adds one.
    done : dict
        By name: how a goal was met, in a sentence, or that it was rightly said to be impossible.
    """

    _kind: ClassVar[type[Goal]]
    _plain_css = Explorer._css
    _css = aimed_style(_plain_css)

    goals: Any = traitlets.List(read_only=True).tag(sync=True, to_json=_as_data)
    done = traitlets.Dict(traitlets.Unicode()).tag(sync=True)

    def add_goal(self, goal: Goal) -> None:
        """Give the explorer a goal; one that it has already is not added again.

        Raises
        ------
        ValueError
            If the goal belongs to another explorer, or starts from something else.
        """
        if not isinstance(goal, self._kind):
            raise ValueError(f'The goal "{goal.name}" belongs to {goal.explorer}(), which is another explorer.')
        if not goal.begins_in(self):
            raise ValueError(f'The goal "{goal.name}" starts from {goal.begins}; this explorer starts elsewhere.')
        if goal not in self.goals:
            self.set_trait("goals", [*self.goals, goal])
            self.tick()

    def tick(self) -> None:
        """Tick the goals that are met now; what is ticked stays so."""
        said = {goal.name: goal.met_in(self) for goal in self.goals if goal.name not in self.done}
        new = {name: sentence for name, sentence in said.items() if sentence}
        if new:
            self.done = {**self.done, **new}

    def _stands(self, goal: Goal) -> str:
        if goal.name not in self.done:
            return "○ open"
        return "✓ met" if goal.possible else "✓ impossible"

    def __repr__(self) -> str:
        return "\n".join([self.sentence, *(f"{self._stands(goal)}: {goal.text}" for goal in self.goals)])

    def still_goals(self) -> list[str]:
        """Write the goals and, folded, their answers, as HTML; nothing where there are no goals."""
        if not self.goals:
            return []
        shown = [" ".join([f"{self._stands(goal)}: {goal.text}.", *self._learned(goal)]) for goal in self.goals]
        answers = _list([f"{goal.text}: {goal.answer()}" for goal in self.goals])
        folded = f"<details><summary>{_ANSWERS}</summary>\n{answers}</details>"
        return [f"<p><strong>Goals.</strong> {self._kind.task}</p>\n{_list(shown)}{folded}"]

    def _learned(self, goal: Goal) -> list[str]:
        return [self.done[goal.name], goal.because] if goal.name in self.done else []

    def _state(self) -> dict[str, Any]:
        goals = {"goals": _as_data(self.goals, self), "done": dict(self.done)} if self.goals else {}
        return {**super()._state(), **goals}

    def _in_page(self) -> tuple[str, str, str]:
        if not self.goals:
            return self._plain_css, self._script, "render"
        return self._css, _with_goals(self._script, self._kind), "renderWithGoals"


def _list(texts: list[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>\n" for text in texts)
    return f"<ul>\n{items}</ul>\n"
