"""An assignment's folder."""

import json

import pytest

from attention_lab.grading.files import is_taken, slug, write

EMPTY = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Homework 1", "homework-1"),
        ("  A/B: c ", "a-b-c"),
        ("Übung", "bung"),
        ("作业", "assignment"),
        ("!", "assignment"),
    ],
)
def test_a_title_becomes_a_name_for_files(title, name):
    assert slug(title) == name


def test_a_long_title_fits_into_every_file_system():
    assert len(slug("a very long title " * 30)) <= 60
    assert not slug("x" * 59 + " y").endswith("-")


def test_a_new_or_empty_folder_is_free_and_anything_else_is_taken(tmp_path):
    assert not is_taken(tmp_path)
    assert not is_taken(tmp_path / "new")
    (tmp_path / "file").touch()
    assert is_taken(tmp_path)
    assert is_taken(tmp_path / "file")


def test_both_copies_the_settings_and_a_page_that_explains_are_written(tmp_path):
    paths = write(tmp_path / "a" / "b", "Homework 1", source={**EMPTY, "metadata": {"is": "source"}}, release=EMPTY)
    assert [str(path.relative_to(tmp_path / "a" / "b")) for path in paths] == [
        "homework-1.ipynb",
        "source/homework-1/homework-1.ipynb",
        "nbgrader_config.py",
        "README.txt",
    ]
    assert json.loads(paths[0].read_text(encoding="utf-8")) == EMPTY
    assert json.loads(paths[1].read_text(encoding="utf-8"))["metadata"] == {"is": "source"}
    assert "nbgrader autograde homework-1" in paths[3].read_text(encoding="utf-8")


def test_the_settings_name_a_whole_path_and_keep_grading_out_of_the_diary(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_LAB_PROGRESS", "")
    import os
    from types import SimpleNamespace

    _, _, settings, _ = write(tmp_path, "x", source=EMPTY, release=EMPTY)
    parts = {name: SimpleNamespace() for name in ("CourseDirectory", "ClearSolutions", "OverwriteCells", "Execute")}
    exec(
        compile(settings.read_text(encoding="utf-8"), settings, "exec"),
        {"get_config": lambda: SimpleNamespace(**parts), "__file__": str(settings)},
    )
    assert parts["CourseDirectory"].root == str(tmp_path.resolve())
    assert parts["OverwriteCells"].add_missing_cells is True
    assert parts["Execute"].timeout == 120
    assert os.environ["ATTENTION_LAB_PROGRESS"] == "off"
