"""Run lessons from the top and save them the one way that CI accepts.

    python3 lab.py notebooks                 every lesson
    python3 lab.py notebooks 02 00_start_here
    python3 lab.py notebooks --live 07       takes over new outputs of live cells, too

Where nothing changed, the file stays the same, byte for byte. A live cell (tagged `nbval-ignore-output`: a timing, a
training) runs as well, but keeps the output that was saved for the reader unless `--live` asks for the new one.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError
from nbformat import NotebookNode

from attention_lab import lessons as course
from attention_lab.lessons import LessonError, find_lesson
from lab_venv import QUIET, ROOT

NOTEBOOKS = ROOT / "notebooks"
LIVE = "nbval-ignore-output"
CELL_TIMEOUT = 600  # seconds; the longest training of a lesson takes one minute
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {"kernelspec": {"display_name": "Python 3", "name": "python3"}, "language_info": {"name": "python"}}


class LessonFailure(Exception):
    """A lesson that does not run; the text is meant for the author."""


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))


def lessons(folder: Path = NOTEBOOKS) -> list[Path]:
    """The notebooks of a folder, which is this course's unless another is named, in their order."""
    return course.lessons(folder)


def read(path: Path) -> NotebookNode:
    """A notebook in which every cell has an id; nbformat alone would draw a random one."""
    data = json.loads(path.read_text(encoding="utf-8"))
    seen: set[str] = set()
    for position, cell in enumerate(data["cells"], start=1):
        if cell.get("id", "") in seen | {""}:
            ids = seen | {other.get("id", "") for other in data["cells"]}
            name = f"cell-{position:02}"
            cell["id"] = next(new for new in (name, *(f"{name}-{n}" for n in range(2, 999))) if new not in ids)
        seen.add(cell["id"])
    data["nbformat_minor"] = 5  # the first version with ids
    return nbformat.reads(json.dumps(data), as_version=4)


def text_of(notebook: NotebookNode) -> str:
    """The text of the file, without what differs from run to run."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # time stamps
        if cell.cell_type == "code":
            cell.outputs = _tidy(cell.outputs)
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def _tidy(outputs: list[NotebookNode]) -> list[NotebookNode]:
    tidy: list[NotebookNode] = []
    for output in outputs:
        if "data" in output:
            output.data.pop(WIDGET_VIEW, None)  # a saved view has no model behind it: it opens as an error
            if not output.data:
                continue
        if output.output_type == "error":  # the frames name folders of this machine
            output.traceback = [f"{output.ename}: {output.evalue}"]
        last = tidy[-1] if tidy else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text  # where the kernel splits a stream depends on the clock
        else:
            tidy.append(output)
    return tidy


@contextlib.contextmanager
def kernel_environment() -> Iterator[None]:
    """What kernels inherit: this checkout, one BLAS thread, and no settings of the user's own."""
    with tempfile.TemporaryDirectory(prefix="ipython-", ignore_cleanup_errors=True) as profile:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        changes = {
            **QUIET,
            "PYTHONPATH": path,  # an installed copy of the package may be an old one
            "IPYTHONDIR": profile,  # no start-up files, and no lesson code in the user's history
            "JUPYTER_PREFER_ENV_PATH": "1",  # "python3" is this environment, not a kernel in the home folder
        }
        before = {name: os.environ.get(name) for name in changes}
        os.environ.update(changes)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run every cell in a fresh kernel, in place. Raises LessonFailure at the first cell that fails."""
    started: list[tuple[int, NotebookNode]] = []
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=CELL_TIMEOUT,
        record_timing=False,
        on_cell_start=lambda cell, cell_index: started.append((cell_index + 1, cell)),
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # its warnings are for servers, not for authors
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        with kernel_environment():
            client.execute()
    except (CellControlSignal, DeadKernelError) as error:
        position, cell = started[-1]
        first_line = cell.source.strip().splitlines()[0]
        if hasattr(error, "ename"):
            reason = f"{error.ename}: {(error.evalue.strip().splitlines() or [''])[-1]}"
        else:
            reason = str(error).strip().splitlines()[0]
        raise LessonFailure(f"cell {position}, `{first_line}`: {reason}") from error


def run(path: Path, *, live: bool = False) -> bool:
    """Run one lesson and save it. Returns whether the file changed."""
    notebook = read(path)
    kept = {}
    if not live:
        cells = [cell for cell in notebook.cells if cell.cell_type == "code" and LIVE in tags(cell)]
        kept = {cell.id: cell.outputs for cell in cells if cell.outputs}
    try:
        execute(notebook, path.parent)
    except LessonFailure as error:
        raise LessonFailure(f"{path.name}, {error}") from error
    for cell in notebook.cells:
        if cell.get("id") in kept:
            cell.outputs = kept[cell.id]
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = cell.execution_count
    text = text_of(notebook)
    changed = path.read_text(encoding="utf-8") != text
    if changed:
        path.write_text(text, encoding="utf-8", newline="\n")
    return changed


def main(arguments: Sequence[str] | None = None, folder: Path = NOTEBOOKS) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Run lessons from the top and save them.")
    parser.add_argument("names", nargs="*", metavar="LESSON", help="its number, its name, or how that begins")
    parser.add_argument("--live", action="store_true", help="take over the new outputs of live cells, too")
    options = parser.parse_args(arguments)
    try:
        paths = [find_lesson(name, folder) for name in options.names] or lessons(folder)
        for path in paths:
            print(f"{path.name}: {'changed' if run(path, live=options.live) else 'same'}", flush=True)
    except (LessonError, LessonFailure) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
