"""You draw it: a learner moves a line to where they expect it, and then sees the measured one laid over it."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import traitlets

from attention_lab.explorers.script import Explorer, explorer_script, given, html_table, source

FAR = 0.75  # doublings: a line that is farther than this from every known one is like none of them


def times(value: float) -> str:
    """Write how many times as much something is, as the page does.

    >>> times(4.01), times(16), times(0.25)
    ('4.0', '16', '0.25')
    """
    text = f"{value:.{2 if value < 1 else 1}f}"
    return text.removesuffix(".0") if float(text) >= 10 else text


class Sketch(Explorer):
    """A line to draw. All its values are relative to the first, which is 1 and stays where it is.

    Attributes
    ----------
    question, x_label, y_label : str
        What is asked, and the names of the axes.
    x : list of int, ``(n_points,)``
        Where the handles stand.
    ends : list of float, ``(2,)``
        The lowest and the highest place of a handle, powers of 4; the axis is logarithmic.
    measured : list of float, ``(n_points,)``
        What is shown at the end.
    readings : list of dict
        What a line is taken for: its ``power`` of x, and what the page ``says`` to a line that is nearest to it. Of two
        that are as near, the first counts.
    far : float
        A line that is farther from all of these is taken for none. In doublings: the root of the mean square of how far
        its places are off, without the first.
    otherwise : str
        What the page says to such a line.
    answer : str
        What is said where no line can be drawn.
    guess : list of float, ``(n_points,)``
        The learner's line as it was when they pressed Show.
    shown : bool
        Whether they did; `observe` it to be told.
    """

    _script, _esm = explorer_script("sketch_numbers.js", "sketch_picture.js", "sketch.js")
    _css = source("shared.css") + source("sketch.css")

    question = given(traitlets.Unicode)
    x_label = given(traitlets.Unicode)
    y_label = given(traitlets.Unicode)
    otherwise = given(traitlets.Unicode)
    far = given(traitlets.Float, FAR)
    x = given(traitlets.List, traitlets.Int())
    ends = given(traitlets.List, traitlets.Float())
    measured = given(traitlets.List, traitlets.Float())
    readings = given(traitlets.List, traitlets.Dict())
    guess = traitlets.List(traitlets.Float()).tag(sync=True, state=True)
    shown = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        *,
        question: str,
        x_label: str,
        y_label: str,
        answer: str,
        otherwise: str,
        x: Sequence[int],
        ends: Sequence[float],
        measured: Sequence[float],
        readings: Sequence[Mapping[str, Any]],
    ) -> None:
        super().__init__()
        axes = {"x_label": x_label, "y_label": y_label}
        self.answer = answer  # for a page where no script runs
        for name, text in {"question": question, **axes, "otherwise": otherwise}.items():
            self.set_trait(name, text)
        for name, values in {"x": x, "ends": ends, "measured": measured, "readings": readings}.items():
            self.set_trait(name, list(values))
        self.guess = [1.0] * len(x)

    @traitlets.validate("guess")
    def _is_a_line(self, proposal: Any) -> list[float]:
        guess: list[float] = proposal["value"]
        low, high = self.ends
        if len(guess) != len(self.x) or not all(low <= value <= high for value in guess):
            raise traitlets.TraitError(f"A line has {len(self.x)} numbers, each from {low:g} to {high:g}, not {guess}.")
        return guess

    @property
    def sentence(self) -> str:
        """The question, and what to do; never the answer."""
        return f"{self.question}\nMove the handles to the line that you expect, then press Show."

    def still(self) -> str:
        """Write the question, where the handles would stand, and, folded, what was measured."""
        table = html_table(
            f"{self.y_label}, times that at {self.x_label} = {self.x[0]}",
            rows=[f"{self.x_label} = {x}" for x in self.x],
            columns=["measured"],
            cells=[[times(value)] for value in self.measured],
        )
        places = ", ".join(map(str, self.x))
        return (
            f"<p><strong>{escape(self.question)}</strong></p>\n"
            f"<p>Where do you expect the line at {escape(self.x_label)} = {places}? Run this cell to draw it.</p>\n"
            f"<details><summary>What was measured, for reading without running</summary>\n{table}\n"
            f"<p>{escape(self.answer)}</p>\n</details>"
        )
