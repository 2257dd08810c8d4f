"""What a lesson says around an exercise: the prose before it, and the cells that it needs."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from attention_lab.grading.names import names_in
from attention_lab.lessons import lessons
from attention_lab.notebook_files import read_notebook

FOLDER = Path(__file__).parents[2] / "notebooks"
NOT_ASSIGNED = r"^#|(?i:if you like)"  # headings; what is optional in a lesson is not in an assignment


class Part(NamedTuple):
    """A cell of a lesson.

    Parameters
    ----------
    kind : {"markdown", "code"}
    source : str
    metadata : dict
    """

    kind: str
    source: str
    metadata: dict[str, Any]

    @property
    def exercise(self) -> str:
        """The exercise whose stub it holds, or ""."""
        return str(self.metadata.get("exercise", ""))

    @property
    def is_exercise(self) -> bool:
        """Whether it belongs to an exercise: holds its stub, prepares it, or checks it."""
        return "exercise" in self.metadata.get("tags", [])


def parts_of(path: Path) -> list[Part]:
    """Read the cells of a lesson; a file that is no notebook has none."""
    notebook = read_notebook(path) or {"cells": []}
    return [
        Part(cell.get("cell_type", ""), "".join(cell.get("source", "")), cell.get("metadata", {}))
        for cell in notebook["cells"]
    ]


def around(exercise: str, folder: Path = FOLDER) -> tuple[list[Part], list[Part]]:
    """Return what comes before an exercise's stub in its lesson, and the lesson's cells that import.

    Before it come the cells that make what it uses; those that name it in their metadata (`given`); and those between
    its prose and its stub. Of the prose, the last paragraph above each. A sibling, which stands in no lesson, has only
    those that name it.
    """
    for path in lessons(folder):
        parts = parts_of(path)
        at = next((i for i, part in enumerate(parts) if part.exercise == exercise), None)
        first = len(parts) if at is None else _first(parts, at)
        told = [] if at is None else [_last_paragraph(part) for part in parts[first:at]]
        mine = [] if at is None else parts[first : at + 1]
        given = _given(parts[:first], mine, exercise)
        if at is not None or given:
            return [*given, *told], [part for part in parts if part.kind == "code" and names_in(part.source).imports]
    return [], []


def _first(parts: Sequence[Part], at: int) -> int:
    """Go back from a stub to where its exercise begins: over prose, and cells that prepare it."""
    first = at
    while first > 0:
        before = parts[first - 1]
        checks = re.search(r"\bcheck\(", before.source)
        if before.kind == "code" and (not before.is_exercise or before.exercise or checks):
            break
        first -= 1
        if before.kind == "markdown" and not parts[first - 1].is_exercise:
            break
    return first


def _last_paragraph(part: Part) -> Part:
    """Leave out of prose what belongs to the cells before it."""
    if part.kind != "markdown":
        return part
    last = re.split(r"\n\s*\n", part.source.strip())[-1]
    return part._replace(source="" if re.search(NOT_ASSIGNED, last) else last)


def _given(before: Sequence[Part], mine: Sequence[Part], exercise: str) -> list[Part]:
    """Find the cells that make what an exercise uses, and those that name it in their metadata."""
    needed: set[str] = set()
    for part in reversed(mine):
        names = names_in(part.source)
        needed = (needed - names.made) | (names.used if part.kind == "code" else set())
    found: list[Part] = []
    for part in reversed([part for part in before if part.kind == "code"]):
        names = names_in(part.source)
        if not names.imports and (names.made & needed or exercise in part.metadata.get("given", [])):
            found.append(part)
            needed = (needed - names.made) | names.used
    return found[::-1]
