"""A bar for a training that takes long: how far it is, its loss, and how long it will still take."""

import sys
from math import inf
from time import monotonic
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display
from ipywidgets import HBox, IntProgress, Label

from attention_lab.shapes import whole_number

PAUSE = 0.1  # seconds at least from one change to the next


def duration(seconds: float) -> str:
    """Write a time for people.

    >>> duration(0.4), duration(59.6), duration(125)
    ('less than 1 s', '1 min 0 s', '2 min 5 s')
    """
    whole = round(seconds)
    if whole < 1:
        return "less than 1 s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class _Text:
    """One line of a terminal, written over; in a file only how it ended."""

    def __init__(self, _: int) -> None:
        self.before = 0

    def show(self, _: int, said: str) -> None:
        if sys.stdout.isatty():
            print(f"\r{said:{self.before}}", end="", flush=True)
            self.before = len(said)

    def finish(self, said: str) -> None:
        print(f"\r{said:{self.before}}" if self.before else said, flush=True)


class _Bar:
    """A bar in a notebook. At the end its words take its place: what is saved is text, not the state of a widget."""

    def __init__(self, steps: int) -> None:
        # A screen reader reads the text beside it; it is no live region, which would be read out all the time.
        self.bar, self.text = IntProgress(max=steps, description="training"), Label()
        self.box = HBox([self.bar, self.text])
        self.place: Any = display(self.box, display_id=True)  # type: ignore[no-untyped-call]

    def show(self, step: int, said: str) -> None:
        self.bar.value, self.text.value = step, said

    def finish(self, said: str) -> None:
        self.place.update({"text/plain": said}, raw=True)
        for widget in (self.box, self.bar, self.text):
            widget.close()


def _in_a_notebook() -> bool:
    shell = get_ipython()
    return shell is not None and type(shell).__name__ != "TerminalInteractiveShell"


class ProgressBar:
    """What ``progress_bar`` gives, to be called after each step."""

    def __init__(self, steps: int) -> None:
        if whole_number("steps", steps) < 1:
            raise ValueError(f"steps must be at least 1, not {steps}.")
        self.steps = int(steps)
        self._shown: _Bar | _Text | None = None
        self._step, self._began, self._drawn = 0, 0.0, 0.0

    def __call__(self, step: int, loss: float) -> None:
        """Show how far it is, but not more often than every `PAUSE` seconds; the last step is always shown."""
        if step > self.steps:
            return
        now = monotonic()
        if self._shown is None or step <= self._step:  # a new training, also after one that was interrupted
            self._shown = (_Bar if _in_a_notebook() else _Text)(self.steps)
            self._began, self._drawn = now, -inf
        done, self._step = step - 1, step  # since the clock runs, which is since the first step
        if step == self.steps:
            steps = "1 step" if step == 1 else f"{step} steps"
            self._shown.finish(f"{steps} in {duration(now - self._began)}, last loss {loss:.3f}")
            self._shown = None
        elif now - self._drawn >= PAUSE:
            self._drawn = now
            left = f", {duration((now - self._began) / done * (self.steps - step))} left" if done else ""
            self._shown.show(step, f"step {step} of {self.steps}, loss {loss:.3f}{left}")


def progress_bar(steps: int) -> ProgressBar:
    """Show how far a training is, its loss, and about how long it will still take.

    Where there is no notebook it is a line of text. It is for people: at the end one sentence is left of it.

    Parameters
    ----------
    steps : int
        How many steps there will be.

    Returns
    -------
    ProgressBar
        A function (step, loss), for ``train(..., progress=...)``; it can be used for one training after another.

    Raises
    ------
    ValueError
        For fewer steps than 1.
    TypeError
        If `steps` is not an integer.

    Examples
    --------
    >>> show = progress_bar(2)
    >>> show(1, 0.7)
    >>> show(2, 0.25)
    2 steps in less than 1 s, last loss 0.250
    """
    return ProgressBar(steps)
