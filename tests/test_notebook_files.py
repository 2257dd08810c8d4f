"""Notebooks as files: anything can be read, running leaves nothing behind, and a write is whole or not there."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from attention_lab.notebook_files import cleared, hash_of_words, read_json, read_notebook, write_json


def code(source: str | list[str], **metadata: Any) -> dict[str, Any]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": "2"}]
    return {"cell_type": "code", "source": source, "metadata": metadata, "execution_count": 3, "outputs": outputs}


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


# Reading


def test_a_notebook_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = notebook(code("print('√')"), {"cell_type": "markdown"})
    write_json(tmp_path / "a.ipynb", written)
    assert read_notebook(tmp_path / "a.ipynb") == written


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"<<<<<<< HEAD", b"[" * 100_000])
def test_what_is_no_json_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.ipynb").write_bytes(content)
    assert read_json(tmp_path / "a.ipynb") is None
    assert read_notebook(tmp_path / "a.ipynb") is None


def test_a_missing_file_and_a_folder_are_none(tmp_path: Path) -> None:
    assert read_json(tmp_path / "nowhere") is None
    assert read_json(tmp_path) is None


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"metadata": {}},
        {"cells": {}},
        {"cells": [1]},
        {"cells": [], "metadata": []},
        {"cells": [{"source": 5}]},
        {"cells": [{"metadata": None}]},
    ],
)
def test_json_that_is_no_notebook_is_none(tmp_path: Path, content: object) -> None:
    write_json(tmp_path / "a.ipynb", content)
    assert read_notebook(tmp_path / "a.ipynb") is None


# What running leaves behind


def test_cleared_takes_only_what_running_left_behind() -> None:
    content = notebook(code("1", execution={"a": 1}, tags=["t"]), {"cell_type": "markdown", "source": "#", "id": "b"})
    content["metadata"]["widgets"] = {}
    before = copy.deepcopy(content)
    fresh = cleared(content)
    assert content == before
    assert fresh["metadata"] == {"language_info": {"name": "python"}}
    assert (
        fresh["cells"][0] | {"outputs": [], "execution_count": None, "metadata": {"tags": ["t"]}} == fresh["cells"][0]
    )
    assert (fresh["cells"][1], fresh["nbformat"]) == (content["cells"][1], 4)
    assert fresh["cells"][0]["source"] == "1"


def test_running_is_no_change_of_words() -> None:
    before = notebook(code("x = 1\nx + 1"))
    after = notebook(code(["x = 1\n", "x + 1"], execution={"a": 1}) | {"outputs": []}, code("  \n"))
    assert hash_of_words(after) == hash_of_words(before)


@pytest.mark.parametrize(
    "other",
    [
        notebook(code("x = 1")),
        notebook(code("x = 1\nx + 1"), code("x")),
        notebook(code("x = 1\n"), code("x + 1")),
        notebook(code("x = 1\nx + 1") | {"cell_type": "markdown"}),
    ],
    ids=["edited", "added", "split", "turned into text"],
)
def test_other_words_have_another_hash(other: dict[str, Any]) -> None:
    assert hash_of_words(other) != hash_of_words(notebook(code("x = 1\nx + 1")))


def test_tags_count_only_where_they_are_asked_for() -> None:
    plain, tagged = notebook(code("1")), notebook(code("1", tags=["exercise"]))
    assert hash_of_words(plain) == hash_of_words(tagged)
    assert hash_of_words(plain, with_tags=True) != hash_of_words(tagged, with_tags=True)


# Writing


def test_a_file_is_written_for_people_and_alike_everywhere(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"a": "ö"})
    assert (tmp_path / "a.json").read_bytes() == '{\n "a": "ö"\n}\n'.encode()


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("in use")

    write_json(tmp_path / "a.json", 1)
    with pytest.raises(TypeError):
        write_json(tmp_path / "a.json", {1j})
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        write_json(tmp_path / "a.json", 2)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == 1
