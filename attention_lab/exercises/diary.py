"""What a learner has done, in one small file of their own; nothing is sent anywhere.

It holds, for each exercise: how it stands, how often it was tried, the mistakes met, and how far the hints have gone.
Without a place to write, it is kept as long as the kernel runs.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from attention_lab.notebook_files import read_json, write_json

PLACE = "ATTENTION_LAB_PROGRESS"  # an environment variable: another file, or "off"
STATES = ("", "not yet", "seen", "right")
_in_memory: dict[str, Any] = {}  # what could not be written into the file


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
        The last answer, or a hash of it: giving the same one again is no new try.
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

    def keep(self, answer: str, codes: list[str]) -> None:
        """Count an answer and the codes found in it; the same one with the same codes is no new try."""
        if (self.answer, self.last) != (answer, codes):  # the same function can call another one that has changed
            self.again = bool(codes) and codes[0] in self.mistakes
            self.hints = self.hints if codes == self.last else 0
            self.tries += 1
            for code in codes:
                self.mistakes[code] = self.mistakes.get(code, 0) + 1
        self.answer, self.last = answer, codes


def place() -> Path | None:
    """Return the diary's file, or None where there shall be none."""
    wanted = os.environ.get(PLACE, "").strip()
    if wanted.lower() == "off":
        return None
    if wanted:
        return Path(os.path.expanduser(wanted))
    return platformdirs.user_data_path("attention-lab", appauthor=False) / "progress.json"


def is_in_file() -> bool:
    """Tell whether everything stands in the file; what could not be written there is lost with the kernel."""
    return place() is not None and not _in_memory


def read(name: str) -> Entry:
    """Return what is known of an exercise; a damaged diary is an empty one."""
    return read_all().get(name, Entry())


def read_all() -> dict[str, Entry]:
    """Return every exercise that was ever tried or looked at."""
    path = place()
    kept = {**((_in_file(path) or {}) if path else {}), **_in_memory}
    return {name: _entry(entry) for name, entry in kept.items()}


def write(name: str, entry: Entry) -> bool:
    """Keep what is known of an exercise; tell whether it went into the file."""
    return write_all({name: entry})


def write_all(entries: Mapping[str, Entry]) -> bool:
    """Keep several entries in one step: whoever interrupts finds all of them or none."""
    _in_memory.update({name: asdict(entry) for name, entry in entries.items()})
    path = place()
    if path is None:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = _in_file(path)  # again: another kernel may have written
        if kept is None:
            _put_aside(path)
        write_json(path.resolve(), {**(kept or {}), **_in_memory})  # behind a link, not in its place
    except (OSError, ValueError, RecursionError):  # a home that cannot be written: the kernel remembers
        return False
    _in_memory.clear()
    return True


def _in_file(path: Path) -> dict[str, Any] | None:
    """Return what the file holds, nothing where there is none; None where it holds something that is no diary."""
    kept = read_json(path)
    if isinstance(kept, dict):
        return kept
    try:
        return None if path.stat().st_size else {}
    except OSError:  # there is none
        return {}


def _put_aside(path: Path) -> None:
    """Rename a damaged diary, which may still be worth something to whoever wrote it; a folder stays where it is."""
    if path.is_dir():
        raise IsADirectoryError(path)
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    path.rename(aside)


def _entry(kept: Any) -> Entry:
    """Turn what a file holds into an entry, and leave out what makes no sense."""
    fresh = Entry()
    if isinstance(kept, dict):
        for name, value in asdict(fresh).items():
            if type(kept.get(name)) is type(value):
                setattr(fresh, name, kept[name])
    fresh.state = fresh.state if fresh.state in STATES else ""
    fresh.tries, fresh.hints = max(fresh.tries, 0), max(fresh.hints, 0)
    fresh.mistakes = {code: times for code, times in fresh.mistakes.items() if type(times) is int}
    fresh.last = [code for code in fresh.last if isinstance(code, str)]
    return fresh
