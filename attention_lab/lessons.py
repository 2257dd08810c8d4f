"""The learner's own copies of the lessons: made, brought up to date, put back, and never overwritten once worked in.

Standard library only, because `lab.py` imports this module before anything is installed.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from attention_lab.notebook_files import Notebook, cleared, hash_of_words, read_json, read_notebook, write_json

Record = dict[str, str]

STATE = ".lessons.json"  # in the learner's folder: what was delivered, so that work can be told from an untouched copy


class LessonError(LookupError):
    """A lesson that the course does not have, said in one sentence."""


class Change(NamedTuple):
    """What became of one lesson.

    Parameters
    ----------
    lesson : str
        The notebook's file name.
    kind : {"new", "updated", "kept", "unreadable"}
        "new" (copied), "updated" (an untouched copy was replaced), "kept" (the course's lesson is another one,
        but the copy holds the learner's work) or "unreadable" (the course's own file is damaged).
    """

    lesson: str
    kind: str


def lessons(source: Path) -> list[Path]:
    """Return the notebooks of a folder in the order of their names; hidden files, or a missing folder, are none."""
    return sorted(path for path in source.glob("*.ipynb") if not path.name.startswith("."))


def find_lesson(lesson: str, source: Path) -> Path:
    """Return the notebook that a person means.

    Parameters
    ----------
    lesson : str
        Its number ("02" or "2"), its name, its file name with or without a folder, or how its name begins ("02_ask").
    source : Path
        The folder with the course's lessons.

    Returns
    -------
    Path
        The lesson's path.

    Raises
    ------
    LessonError
        When no lesson, or more than one, is called that; the message lists those to choose from.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "02_ask_label_hand_over.ipynb").touch()
    ...     print(find_lesson("02", Path(folder)).name)
    02_ask_label_hand_over.ipynb
    """
    wanted = Path(lesson).name.removesuffix(".ipynb")
    known = lessons(source)
    found = [path for path in known if path.stem == wanted]
    if wanted.isdecimal() and not found:
        found = [path for path in known if path.stem.split("_")[0] == wanted.zfill(2)]
    elif wanted and not found:
        found = [path for path in known if path.stem.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(path.stem for path in found or known) or "none yet"
    problem = f'More than one lesson is called "{lesson}"' if found else f'There is no lesson "{lesson}"'
    raise LessonError(f"{problem}; choose one of these: {names}.")


def update_copies(source: Path, target: Path) -> list[Change]:
    """Make the learner's copies, replace the untouched ones where the course has changed, and leave all others alone.

    A copy is untouched while its cells read as they were delivered: running cells, or an empty cell at the end, is not
    work yet. A copy that cannot be read counts as the learner's work.

    Parameters
    ----------
    source : Path
        The folder with the course's lessons.
    target : Path
        The learner's folder; it is made when missing.

    Returns
    -------
    list of Change
        One `Change` for each lesson where there is something to say, in the order of the lessons.

    Raises
    ------
    OSError
        When the folder cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     course, mine = Path(folder), Path(folder) / "my_lessons"
    ...     _ = (course / "00_start_here.ipynb").write_text('{"cells": [], "metadata": {}}')
    ...     print(update_copies(course, mine), update_copies(course, mine))
    [Change(lesson='00_start_here.ipynb', kind='new')] []
    """
    target.mkdir(parents=True, exist_ok=True)
    before = _read_state(target)
    after, changes = dict(before), []
    for lesson in lessons(source):
        kind, record = _update_copy(lesson, target / lesson.name, before.get(lesson.name, {}))
        if record:
            after[lesson.name] = record
        if kind:
            changes.append(Change(lesson.name, kind))
    if after != before:
        write_json(target / STATE, after)
    return changes


def reset_copy(lesson: str, source: Path, target: Path) -> tuple[Path, Path | None]:
    """Put one lesson back as the course has it, and keep the learner's old copy beside it.

    Parameters
    ----------
    lesson : str
        What `find_lesson` understands.
    source : Path
        The folder with the course's lessons.
    target : Path
        The learner's folder; it is made when missing.

    Returns
    -------
    (Path, Path or None)
        The fresh copy, and the old one under its new name (None where there was none).

    Raises
    ------
    LessonError
        When there is no such lesson, or the course's own file is damaged.
    OSError
        When the folder cannot be written.
    """
    path = find_lesson(lesson, source)
    notebook = read_notebook(path)
    if notebook is None:
        raise LessonError(f"{path.name} in {source.name}/ cannot be read: fetch the course's files again.")
    target.mkdir(parents=True, exist_ok=True)
    copy, kept = target / path.name, None
    if os.path.lexists(copy):
        kept = _free_name(copy)
        copy.rename(kept)
    write_json(copy, cleared(notebook))
    write_json(target / STATE, {**_read_state(target), path.name: _record(notebook)})
    return copy, kept


def sentences(changes: Iterable[Change]) -> list[str]:
    """Say what `update_copies` did.

    Parameters
    ----------
    changes : iterable of Change
        Its answer.

    Returns
    -------
    list of str
        At most one line for each kind of change.

    Examples
    --------
    >>> sentences([Change("00_start_here.ipynb", "new"), Change("01_blend_the_words.ipynb", "new")])
    ['my_lessons/: 2 new lessons.']
    """
    names: dict[str, list[str]] = {"new": [], "updated": [], "kept": [], "unreadable": []}
    for change in changes:
        names[change.kind].append(change.lesson.removesuffix(".ipynb"))
    lines = []
    for kind in ("new", "updated"):
        if count := len(names[kind]):
            lines.append(f"my_lessons/: {count} {kind} lesson{'s' if count > 1 else ''}.")
    if kept := names["kept"]:
        number = kept[0].split("_")[0]
        lines.append(
            f"The course has a newer version of {', '.join(kept)}; your work was kept, and "
            f"`lab.py reset {number if number.isdigit() else kept[0]}` brings the newer one."
        )
    if unreadable := names["unreadable"]:
        lines.append(f"The course's {', '.join(unreadable)} cannot be read: fetch the course's files again.")
    return lines


def _update_copy(lesson: Path, copy: Path, known: Record) -> tuple[str, Record]:
    """Bring one copy up to date; return what happened ("" for nothing) and what to remember."""
    notebook = read_notebook(lesson)
    if notebook is None:
        return "unreadable", known
    record = _record(notebook)
    if not os.path.lexists(copy):
        write_json(copy, cleared(notebook))
        return "new", record
    mine = read_notebook(copy)
    words = None if mine is None else hash_of_words(mine)
    if words is not None and words == known.get("words") and known.get("edition") != record["edition"]:
        write_json(copy, cleared(notebook))
        return "updated", record
    if words == record["words"]:  # the course's own words, however they came here
        return "", record
    if not known:  # the memory was lost: call it work from now on, and say so once
        return "kept", record
    return "" if known.get("edition") == record["edition"] else "kept", known


def _free_name(copy: Path) -> Path:
    """Return the first `..._before_reset_N` beside a copy that is not taken."""
    number = 1
    while os.path.lexists(kept := copy.with_name(f"{copy.stem}_before_reset_{number}.ipynb")):
        number += 1
    return kept


def _record(notebook: Notebook) -> Record:
    """Return what to remember of a delivered lesson: what its cells say, and that with their tags.

    What the notebook says of itself (the Python that ran it, the cells' ids) is no reason for a new copy.
    """
    return {"words": hash_of_words(notebook), "edition": hash_of_words(cleared(notebook), with_tags=True)}


def _read_state(target: Path) -> dict[str, Record]:
    """Return what was delivered; a damaged memory is an empty one."""
    state = read_json(target / STATE)
    if not isinstance(state, dict):
        return {}
    return {lesson: record for lesson, record in state.items() if isinstance(record, dict)}
