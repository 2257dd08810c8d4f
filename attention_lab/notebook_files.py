"""Notebooks as files: read without ever failing, written in one step. Standard library only."""

import copy
import hashlib
import json
import os
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]


def read_json(path: Path) -> Any:
    """Return what a file holds, or None where it is missing, unreadable or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def read_notebook(path: Path) -> Notebook | None:
    """Return a notebook, or None for anything that is not one."""
    notebook = read_json(path)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("metadata", {}), dict):
        return None
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        return None
    sound = all(
        isinstance(cell.get("source", ""), str | list) and isinstance(cell.get("metadata", {}), dict) for cell in cells
    )
    return notebook if sound else None


def cleared(notebook: Notebook) -> Notebook:
    """Return a notebook without what running it left behind.

    Parameters
    ----------
    notebook : dict
        A notebook (format 4) as `json` reads it; it is not changed.

    Returns
    -------
    dict
        A copy without outputs, execution counts, run times and widget state; everything else is kept.

    Examples
    --------
    >>> cell = {"cell_type": "code", "source": "1 + 1", "metadata": {}, "execution_count": 7, "outputs": [{}]}
    >>> cleared({"cells": [cell], "metadata": {"widgets": {}}})["cells"][0]["outputs"]
    []
    """
    fresh = copy.deepcopy(notebook)
    fresh.get("metadata", {}).pop("widgets", None)
    for cell in fresh["cells"]:
        cell.get("metadata", {}).pop("execution", None)
        if cell.get("cell_type") == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return fresh


def hash_of_words(notebook: Notebook, *, with_tags: bool = False) -> str:
    """Return a hash of what a person wrote in the cells.

    JupyterLab writes a source as one string or as a list of lines, and adds an empty cell when the last one is run:
    neither is work.
    """
    words = []
    for cell in notebook["cells"]:
        text = "".join(map(str, cell.get("source", "")))
        if text.strip():
            words.append((str(cell.get("cell_type")), text, cell.get("metadata", {}) if with_tags else {}))
    return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()


def write_json(path: Path, content: object) -> None:
    """Write a file in one step: JupyterLab, or a power cut, never sees half of it."""
    half = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        half.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
        os.replace(half, path)
    finally:
        half.unlink(missing_ok=True)
