"""What a learner has done, in one small file of their own; nothing is sent anywhere.

It holds, for each exercise: how it stands, how often it was tried, the mistakes met, and how far the hints have gone.
Without a place to write, it is kept as long as the kernel runs.
"""

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from attention_lab.notebook_files import read_json, write_json

PLACE = "ATTENTION_LAB_PROGRESS"  # an environment variable: another file, or "off"
_in_memory: dict[str, Any] = {}


@dataclass
class Entry:
    """One exercise in the diary.

    Attributes
    ----------
    state : {"", "not yet", "seen", "right"}
        "seen" after a look at the solution, until a sibling is right.
    tries : int
        How many different answers were checked.
    mistakes : dict
        How often each code was met, in different answers.
    last : list of str
        The codes of the last answer.
    answer : str
        A hash of the last answer: checking the same one again is no new try.
    again : bool
        Whether the last answer's first mistake had been met before.
    hints : int
        How many hints were given for the last answer's mistake.
    """

    state: str = ""
    tries: int = 0
    mistakes: dict[str, int] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)
    answer: str = ""
    again: bool = False
    hints: int = 0


def place() -> Path | None:
    """Return the diary's file, or None where there shall be none."""
    wanted = os.environ.get(PLACE)
    if wanted == "off":
        return None
    return Path(wanted) if wanted else platformdirs.user_data_path("attention-lab", appauthor=False) / "progress.json"


def read(name: str) -> Entry:
    """Return what is known of an exercise; a damaged diary is an empty one."""
    return _entry(_all().get(name))


def read_all() -> dict[str, Entry]:
    """Return every exercise that was ever tried or looked at."""
    return {name: _entry(kept) for name, kept in _all().items()}


def write(name: str, entry: Entry) -> bool:
    """Keep what is known of an exercise; tell whether it went into the file."""
    everything = {**_all(), name: asdict(entry)}
    _in_memory.clear()
    _in_memory.update(everything)
    path = place()
    if path is None:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, everything)
    except OSError:  # a home that cannot be written: the kernel remembers
        return False
    return True


def _all() -> dict[str, Any]:
    path = place()
    kept = read_json(path) if path else None
    if path and path.exists() and isinstance(kept, dict):
        return kept
    return dict(_in_memory) if path is None or not path.parent.exists() else {}


def _entry(kept: Any) -> Entry:
    """Turn what a file holds into an entry, and leave out what makes no sense."""
    fresh = Entry()
    if isinstance(kept, dict):
        for name, value in asdict(fresh).items():
            if type(kept.get(name)) is type(value):
                setattr(fresh, name, kept[name])
    return fresh
