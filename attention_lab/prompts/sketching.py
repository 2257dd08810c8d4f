"""``sketch``: the learner draws a line before seeing it. It blocks nothing."""

from collections.abc import Sequence
from typing import Any

from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import closest, named
from attention_lab.exercises.report import Note
from attention_lab.exercises.typed import numbers, written
from attention_lab.explorers.sketch import Sketch, times
from attention_lab.prompts.items.sketches import SKETCHES, Growth


def sketch(name: str, guess: Any = ...) -> Sketch | Note:
    """Let a learner draw how something grows, then lay the measured line over theirs.

    Parameters
    ----------
    name : str
        The question's name.
    guess : list of numbers, ``(n_points,)`` or ``(n_points - 1,)``
        The same without a mouse: a number for each place of the line, with or without the first, to which the others
        are relative; `...` shows the handles.

    Returns
    -------
    Sketch or Note
        The handles; for typed numbers, the guess beside what was measured, with the reason.

    Examples
    --------
    >>> sketch("07-scores", ...)
    A text of n words attends to itself. What becomes of the count of its scores as n grows?
    Move the handles to the line that you expect, then press Show.
    """
    growth = named(name, SKETCHES)
    if growth is None:
        return Note("prediction", "Sketch.", closest(name, SKETCHES, "sketch"))
    if guess is ...:
        return _drawn(growth)
    line = _read(growth, guess)
    if line is None:
        low, high = growth.ends
        example = [2 + i % 2 for i in range(len(growth.x) - 1)]
        said = f"{len(example)} numbers are expected, such as {example}, each from {low:g} to {high:g} times the first"
        return Note("prediction", "Sketch.", f"{said}; yours is {written(guess)}.")
    return _answered(growth, line)


def _drawn(growth: Growth) -> Sketch:
    """Make the handles; a line is kept when Show is pressed."""
    widget = Sketch(
        question=growth.text,
        x_label=growth.x_label,
        y_label=growth.y_label,
        answer=growth.answer,
        otherwise=growth.reason(None),
        x=growth.x,
        ends=growth.ends,
        measured=growth.measured,
        readings=[{"power": power.power, "says": growth.reason(power)} for power in growth.ordered],
    )

    def keep(change: dict[str, Any]) -> None:
        if change["new"]:
            _remember(growth, widget.guess)

    widget.observe(keep, names="shown")
    return widget


def _read(growth: Growth, guess: Any) -> list[float] | None:
    """Read a line relative to its first place; None for what is none, or does not fit on the axis."""
    n = len(growth.x)
    for length in (n, n - 1):
        try:
            typed = numbers("guess", guess, (length,)).tolist()
        except ValueError:
            continue
        first = typed[0] if length == n else 1.0
        line = [value / first for value in typed[length - n + 1 :]] if first > 0 else []
        low, high = growth.ends
        return [1.0, *line] if line and all(low <= value <= high for value in line) else None
    return None


def _answered(growth: Growth, line: Sequence[float]) -> Note:
    _remember(growth, line)
    power = growth.nearest(line)
    rows = [(growth.x_label, "you drew", "measured")]
    rows += [(str(x), times(mine), times(true)) for x, mine, true in zip(growth.x, line, growth.measured, strict=True)]
    table = "\n".join("  ".join(f"{cell:>8}" for cell in row) for row in rows)
    return Note("right" if power is growth.ordered[0] else "not yet", growth.says(line), growth.reason(power), table)


def _remember(growth: Growth, line: Sequence[float]) -> None:
    """Keep a line, and the misconception that it stands for, if any; a changed one counts as another try."""
    power = growth.nearest(line)
    entry = diary.read(f"predict {growth.name}")
    entry.keep(", ".join(map(times, line)), [power.code] if power and power.code else [])
    diary.write(f"predict {growth.name}", entry)
