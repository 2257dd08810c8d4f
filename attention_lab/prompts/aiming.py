"""``aim``: a goal in an explorer, which ticks itself and then says why."""

from collections.abc import Sequence
from typing import Any

from attention_lab.exercises import diary
from attention_lab.exercises.catalogue import closest, named
from attention_lab.exercises.report import Note
from attention_lab.explorers.aimed import AimedExplorer
from attention_lab.explorers.goals import GOALS


def aim(name: str | Sequence[str], explorer: Any) -> AimedExplorer | Note:
    """Give an explorer a goal: a line in a list below it, which ticks itself once it is reached.

    A goal that cannot be reached is ticked by the button "It cannot be done". What is ticked is kept in the learner's
    own small file, with everything else that they did, and is ticked again when the cell is run again.

    Parameters
    ----------
    name : str, or list of str
        The goal's name, or several.
    explorer : explorer
        What ``bank_matrices()`` or ``mask_painter()`` gave; each has goals of its own. Aiming at the same goal again
        changes nothing.

    Returns
    -------
    explorer
        The same, which a notebook shows with its goals.

    Examples
    --------
    >>> from attention_lab.explorers import bank_matrices
    >>> aim("bank-looks-at-The", bank_matrices())
    The looks most at river (93.2%), bank at river (98.2%), river at river (100.0%).
    ○ open: bank gives The more than 50%
    >>> aim("bank-looks-at-the", bank_matrices())
    Goal. There is no goal "bank-looks-at-the"; did you mean "bank-looks-at-The"?
    """
    names: list[Any] = list(name) if isinstance(name, list | tuple) else [name]
    known = [goal for one in names if (goal := named(one, GOALS))]
    if not isinstance(explorer, AimedExplorer):
        first = next(iter(known or GOALS.values()))
        return Note("prediction", "Goal.", f'An explorer is needed: `aim("{first.name}", {first.explorer}())`.')
    unknown = [one for one in names if named(one, GOALS) is None]
    if unknown:
        return Note("prediction", "Goal.", closest(unknown[0], GOALS, "goal"))
    explorer.observe(_keep, "done")  # the same function again is no second listener
    try:
        for goal in known:
            explorer.add_goal(goal)
    except ValueError as error:
        return Note("prediction", "Goal.", str(error))
    explorer.done = {**_kept(names), **explorer.done}
    return explorer


def _kept(names: Sequence[str]) -> dict[str, str]:
    """Read how goals were met before; nothing of those that were not."""
    entries = {name: diary.read(_key(name)) for name in names}
    return {name: entry.answer for name, entry in entries.items() if entry.state == "right" and entry.answer}


def _keep(change: Any) -> None:
    """Keep what was ticked, on the page or from Python, in the diary."""
    for name, how in change.new.items():
        entry = diary.read(_key(name))
        if name in GOALS and entry.state != "right":
            entry.state = "right"
            entry.keep(how, [])
            diary.write(_key(name), entry)


def _key(name: str) -> str:
    return f"aim {name}"
