"""Solved lessons: the solutions in place of the stubs, run as far as the exercises need, and never saved.

``python -m tests.solved_lessons FOLDER`` writes them there, for somebody who wants to look.
"""

import ast
import copy
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from attention_lab.exercises.catalogue import EXERCISES
from tests.run_notebooks import lessons, read, tags

ASKED = {"personal_numbers(...)": 'personal_numbers("Ada")'}  # dots that no stub holds


def solved(notebook: NotebookNode) -> NotebookNode:
    """A copy with every stub filled in, and without outputs."""
    fresh = copy.deepcopy(notebook)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            exercise = EXERCISES.get(cell.metadata.get("exercise"))
            if exercise:
                cell.source = cell.source.replace(exercise.stub, exercise.solution)
            for dots, typed in ASKED.items():
                cell.source = cell.source.replace(dots, typed)
    return fresh


def needed(notebook: NotebookNode) -> NotebookNode:
    """Only what the exercises need: themselves, and the cells that make what they use; no picture, no training."""
    kept, names = [], set()
    for cell in reversed([cell for cell in notebook.cells if cell.cell_type == "code"]):
        tree = ast.parse(cell.source)
        parts = list(ast.walk(tree))
        made = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        made |= {part.name for part in parts if isinstance(part, ast.FunctionDef)}
        made |= {alias.asname or alias.name for part in parts if hasattr(part, "names") for alias in imported(part)}
        if "exercise" in tags(cell) or made & names:
            kept.append(cell)
            names -= made
            names |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    fresh = copy.deepcopy(notebook)
    fresh.cells = kept[::-1]
    return fresh


def imported(part: ast.AST) -> list[ast.alias]:
    """The names that an import brings."""
    return part.names if isinstance(part, ast.Import | ast.ImportFrom) else []


def verdicts(notebook: NotebookNode) -> dict[str, str]:
    """What each `check` of a notebook that was run has answered, by the exercise's name."""
    said = {}
    for cell in notebook.cells:
        for name in EXERCISES:
            if f', "{name}")' in cell.source or (cell.metadata.get("exercise") == name and "check(" not in cell.source):
                texts = [output.get("data", {}).get("text/plain", "") for output in cell.outputs]
                said[name] = " ".join(texts)
    return said


if __name__ == "__main__":
    for path in lessons():
        target = Path(sys.argv[1]) / path.name
        nbformat.write(solved(read(path)), target)
        print(target)
