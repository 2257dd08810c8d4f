"""The runner: the same lesson gives the same bytes, and a lesson that fails is left alone."""

import json
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from attention_lab import lessons as course
from tests import run_notebooks
from tests.run_notebooks import LIVE, main, read, text_of

VIEW = "application/vnd.jupyter.widget-view+json"


def write(path: Path, *cells: tuple[str, list[str]]) -> Path:
    """An unrun lesson as an editor without ids saves it: nbformat would draw random ones."""
    notebook = new_notebook(cells=[new_code_cell(source, metadata={"tags": tags}) for source, tags in cells])
    for cell in notebook.cells:
        del cell["id"]
    path.write_text(json.dumps({**notebook, "nbformat_minor": 4}), encoding="utf-8")
    return path


def test_a_second_run_changes_nothing_and_a_live_cell_keeps_its_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    widget = "import ipywidgets\nprint('a', flush=True)\nprint('b', flush=True)\nipywidgets.IntSlider()"
    path = write(
        tmp_path / "01_blend.ipynb", (widget, []), ("import time\ntime.time()", [LIVE]), ("", []), ("1 + 1", [])
    )
    assert main(["01"], tmp_path) == 0
    first = path.read_text(encoding="utf-8")
    assert main(["01_blend"], tmp_path) == 0
    assert path.read_text(encoding="utf-8") == first
    assert main(["01_blend.ipynb", "--live"], tmp_path) == 0
    assert path.read_text(encoding="utf-8") != first
    said = [f"01_blend.ipynb: {verdict}\n" for verdict in ("changed", "same", "changed")]
    assert capsys.readouterr().out == "".join(said)
    cells = read(path).cells
    assert [cell.id for cell in cells] == ["cell-01", "cell-02", "cell-03", "cell-04"]
    assert [cell.execution_count for cell in cells] == [1, 2, None, 3]
    assert cells[0].outputs[0].text == "a\nb\n"
    assert cells[0].outputs[1].data == {"text/plain": "IntSlider(value=0)"}
    assert "execution" not in cells[0].metadata


def test_a_lesson_that_raises_is_named_and_not_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "02_ask.ipynb", ("x = 1", []), ("weights = x / 0\nprint(weights)", []))
    before = path.read_text(encoding="utf-8")
    assert main(["02"], tmp_path) == 1
    said = capsys.readouterr().err
    assert said == "02_ask.ipynb, cell 2, `weights = x / 0`: ZeroDivisionError: division by zero\n"
    assert path.read_text(encoding="utf-8") == before


def test_an_unknown_lesson_is_answered_with_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("02_ask", "02_ask_more"):
        write(tmp_path / f"{name}.ipynb")
    assert main(["03"], tmp_path) == 1
    assert capsys.readouterr().err == 'There is no lesson "03"; choose one of these: 02_ask, 02_ask_more.\n'
    assert main(["02"], tmp_path) == 1
    assert capsys.readouterr().err.startswith('More than one lesson is called "02"; choose one of')


def test_a_lesson_is_found_as_everywhere_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "02_ask_label.ipynb")
    write(tmp_path / ".hidden.ipynb")
    assert main(["2", "02_ask"], tmp_path) == 0
    assert main([], tmp_path) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["02_ask_label.ipynb"] * 3
    assert run_notebooks.find_lesson is course.find_lesson
    assert run_notebooks.LessonError is course.LessonError


def test_saved_views_and_frames_are_dropped() -> None:
    view = new_output("display_data", data={VIEW: {"model_id": "1"}})
    error = new_output("error", ename="ValueError", evalue="no", traceback=["File /a/b.py", "ValueError: no"])
    notebook = new_notebook(cells=[new_code_cell("x", outputs=[view, error], id="a")], metadata={"widgets": {}})
    data = json.loads(text_of(notebook))
    assert [output["output_type"] for output in data["cells"][0]["outputs"]] == ["error"]
    assert data["cells"][0]["outputs"][0]["traceback"] == ["ValueError: no"]
    assert set(data["metadata"]) == {"kernelspec", "language_info"}


def test_ids_are_kept_and_never_used_twice(tmp_path: Path) -> None:
    cells = [{"cell_type": "raw", "metadata": {}, "source": "", "id": id_} for id_ in ("cell-02", "", "cell-02", "own")]
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    assert [cell.id for cell in read(path).cells] == ["cell-02", "cell-02-2", "cell-03", "own"]
