"""The gate bites: every kind of stale output, made on purpose, is caught, and nothing else is.

All samples are cells of one notebook, so that one kernel judges them all: cell k is sample k, changed its own way.
"""

import base64
import copy
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from tests.pictures import PNG_IN_HTML
from tests.run_notebooks import LIVE, ROOT, run
from tests.strict_nbval import compare_pixels, pinned_matplotlib

DRAW = """
import base64, io, sys, time
from IPython.display import HTML, SVG, Image, Markdown, display
from matplotlib.figure import Figure
import ipywidgets

def png(weight, inches=2):
    figure, file = Figure(figsize=(inches, inches), dpi=50), io.BytesIO()
    figure.subplots().imshow([[weight, 0.2], [0.3, 0.7]], vmin=0, vmax=1)
    figure.savefig(file)
    return file.getvalue()

class Picture:
    def __init__(self, weight, inches=2):
        self.weight, self.png = weight, base64.b64encode(png(weight, inches)).decode()
    def __repr__(self):
        return "Heat map of the weights of two words; the first is shown by its colour."
    def _repr_html_(self):
        return f'<img alt="{self!r}" src="data:image/png;base64,{self.png}">'
"""
PICTURE, PNG = "Picture(0.50)", "Image(data=png(0.50))"

Change = Callable[[NotebookNode], None]


def replace(old: str, new: str) -> Change:
    """Edit every text in the saved outputs."""

    def change(cell: NotebookNode) -> None:
        for output in cell.outputs:
            texts, keys = (output, ["text"]) if "text" in output else (output.data, list(output.data))
            for key in keys:
                texts[key] = texts[key].replace(old, new)

    return change


def repaint(paint: Callable[[str], str]) -> Change:
    """Put another PNG in the place of every saved one."""

    def change(cell: NotebookNode) -> None:
        for output in cell.outputs:
            if "image/png" in output.data:
                output.data["image/png"] = paint(output.data["image/png"])
            html = output.data.get("text/html", "")
            if html:
                output.data["text/html"] = PNG_IN_HTML.sub(lambda png: png[0].replace(png[1], paint(png[1])), html)

    return change


def drawn_by(source: str) -> Change:
    """The saved picture is the one that another source drew: OTHER[source] is filled by the fixture."""
    return repaint(lambda _: OTHER[source])


def compress_less(encoded: str) -> str:
    """The same pixels in other bytes."""
    file = io.BytesIO()
    Image.open(io.BytesIO(base64.b64decode(encoded))).save(file, "PNG", compress_level=1)
    assert base64.b64encode(file.getvalue()).decode() != encoded
    return base64.b64encode(file.getvalue()).decode()


def clear_outputs(cell: NotebookNode) -> None:
    """Clear what a reader sees, and keep the count."""
    cell.outputs = []


def clear_all(cell: NotebookNode) -> None:
    """What "Clear outputs" of JupyterLab does."""
    cell.outputs, cell.execution_count = [], None


def add_picture(cell: NotebookNode) -> None:
    """One more picture than the cell shows, in an output that nbval does not look into."""
    cell.outputs.append(new_output("display_data", data={"image/png": OTHER[PICTURE]}))


def nothing(_: NotebookNode) -> None:
    """Leave the cell as it was saved."""


OTHER: dict[str, str] = {}
# name: source, change of the saved cell, tags
CAUGHT: dict[str, tuple[str, Change, list[str]]] = {
    "a changed digit on stdout": ("print(0.9825)", replace("0.9825", "0.9826"), []),
    "a changed digit in text/plain": ("0.9825", replace("0.9825", "0.9826"), []),
    "a changed digit in text/html": ("HTML('<b>0.9825</b>')", replace("0.9825", "0.9826"), []),
    "a changed digit in text/markdown": ("Markdown('**0.9825**')", replace("0.9825", "0.9826"), []),
    "a changed digit in an SVG": ("SVG('<svg><text>0.98</text></svg>')", replace("0.98", "0.97"), []),
    "a changed sentence of a picture": (PICTURE, replace("two words", "six words"), []),
    "a changed alt alone": (PICTURE, replace('alt="Heat', 'alt="Hot'), []),
    "outputs cleared": ("print(0.9825)", clear_outputs, []),
    "outputs and count cleared": ("print(0.9825)", clear_all, []),
    "count cleared where nothing is shown": ("x = 1", clear_all, []),
    "a live cell cleared": ("time.time()", clear_outputs, [LIVE]),
    "a live cell never run": ("time.time()", clear_all, [LIVE]),
    "a warning that was saved, too": ("print('old', file=sys.stderr)", nothing, []),
}
CAUGHT_BY_PIXEL: dict[str, tuple[str, Change, list[str]]] = {
    "one number changed in a picture in text/html": (PICTURE, drawn_by("Picture(0.51)"), []),
    "one number changed in image/png": (PNG, drawn_by("Picture(0.51)"), []),
    "another size of a picture": (PICTURE, drawn_by("Picture(0.50, 3)"), []),
    "a picture that cannot be read": (PICTURE, repaint(lambda encoded: encoded[:40]), []),
}
PASSED: dict[str, tuple[str, Change, list[str]]] = {
    "nothing changed": ("print(0.9825)\n0.9825", nothing, []),
    "a picture in text/html": (PICTURE, nothing, []),
    "an image/png": (PNG, nothing, []),
    "the same pixels in other bytes in text/html": (PICTURE, repaint(compress_less), []),
    "the same pixels in other bytes in image/png": (PNG, repaint(compress_less), []),
    "a closing semicolon": ("0.9825;", nothing, []),
    "what an Output widget takes": ("with ipywidgets.Output():\n    print('inside')\nprint('outside')", nothing, []),
    "a widget": ("ipywidgets.IntSlider()", nothing, []),
    "an expected error": ("1 / 0", nothing, ["raises-exception"]),
    "a live cell": ("time.time()", nothing, [LIVE]),
    "one thread": (
        "import os\nassert os.environ['OMP_NUM_THREADS'] == os.environ['OPENBLAS_NUM_THREADS'] == '1'",
        nothing,
        [],
    ),
}
ALL = {**CAUGHT, **CAUGHT_BY_PIXEL, **PASSED, "one picture more": ("Image(data=png(0.50))", add_picture, [])}
SAMPLES = list(ALL)


def saved_notebook(path: Path) -> NotebookNode:
    """The samples, run and saved as lessons are; the last cells draw the other pictures."""
    others = ["Picture(0.51)", "Picture(0.50, 3)", PICTURE]
    sources = [(DRAW, []), *((source, tags) for source, _, tags in ALL.values()), *((source, []) for source in others)]
    cells = [new_code_cell(source, metadata={"tags": tags}) for source, tags in sources]
    nbformat.write(new_notebook(cells=cells), path)
    assert run(path)
    notebook = nbformat.read(path, as_version=4)
    for source, cell in zip(others, notebook.cells[-len(others) :], strict=True):
        OTHER[source] = PNG_IN_HTML.findall(cell.outputs[0].data["text/html"])[0]
    return notebook


def judge(path: Path, pictures: str) -> dict[str, str]:
    """What the gate says about every sample: "" or the message. One run, as CI calls it."""
    report = path.with_suffix(f".{pictures}.xml")
    options = ["-p", "tests.strict_nbval", "-p", "no:cacheprovider", "--color=no", f"--junitxml={report}"]
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", *options, "--nbval", str(path)]
    environment = {**os.environ, "ATTENTION_LAB_PICTURES": pictures}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    verdicts = [case.findtext("failure") or "" for case in ElementTree.parse(report).iter("testcase")]
    assert verdicts[0] == "", verdicts[0]
    return dict(zip(SAMPLES, verdicts[1:], strict=False))


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All samples, each changed its way."""
    path = tmp_path_factory.mktemp("gate") / "samples.ipynb"
    changed = copy.deepcopy(saved_notebook(path))
    for cell, (_, change, _) in zip(changed.cells[1:], ALL.values(), strict=False):
        change(cell)
    nbformat.write(changed, path)
    return path


@pytest.fixture(scope="module")
def by_pixel(notebook: Path) -> dict[str, str]:
    return judge(notebook, "pixels")


@pytest.fixture(scope="module")
def by_sentence(notebook: Path) -> dict[str, str]:
    return judge(notebook, "sentence")


@pytest.mark.parametrize("sample", [*CAUGHT, *CAUGHT_BY_PIXEL, "one picture more"])
def test_the_gate_catches(sample: str, by_pixel: dict[str, str]) -> None:
    assert "Notebook cell execution failed" in by_pixel[sample]


@pytest.mark.parametrize("sample", PASSED)
def test_the_gate_lets_pass(sample: str, by_pixel: dict[str, str]) -> None:
    assert by_pixel[sample] == ""


def test_the_message_says_how_a_picture_differs(by_pixel: dict[str, str]) -> None:
    message = by_pixel["one number changed in image/png"]
    assert re.search(r"picture 1 of 1: differs: RMS \d+\.\d+ of 255 \(limit 0\.1\), in \d+\.\d+% of its", message)
    assert "sizes differ: saved 150 x 150 pixels, new 100 x 100" in by_pixel["another size of a picture"]
    assert "number of pictures differs: saved 2, new 1" in by_pixel["one picture more"]


def test_on_another_stack_the_sentences_are_compared_and_the_pixels_are_not(by_sentence: dict[str, str]) -> None:
    caught = {name for name, message in by_sentence.items() if message}
    assert caught == {*CAUGHT, "one picture more"}


def test_pixels_are_compared_on_the_stack_that_drew_them_unless_asked_otherwise() -> None:
    pinned = pinned_matplotlib()
    assert compare_pixels({}, "linux", pinned)
    assert not compare_pixels({}, "darwin", pinned)
    assert not compare_pixels({}, "linux", "3.9.0")
    assert compare_pixels({"ATTENTION_LAB_PICTURES": "pixels"}, "darwin", "3.9.0")
    assert not compare_pixels({"ATTENTION_LAB_PICTURES": "sentence"}, "linux", pinned)
    with pytest.raises(pytest.UsageError, match="'pixels' or 'sentence', not 'pixel'"):
        compare_pixels({"ATTENTION_LAB_PICTURES": "pixel"}, "linux", pinned)


def test_a_plain_pytest_of_this_project_loads_the_gate(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("tests.strict_nbval")
