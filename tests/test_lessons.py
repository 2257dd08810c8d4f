"""The learner's copies: new, updated, kept, put back; and nothing of a learner's is ever lost."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from attention_lab import lessons
from attention_lab.lessons import Change, LessonError, find_lesson, reset_copy, sentences, update_copies
from attention_lab.notebook_files import cleared

ROOT = Path(__file__).resolve().parent.parent
NAME = "02_ask_label_hand_over.ipynb"


def code(source: str | list[str], **metadata: Any) -> dict[str, Any]:
    output = {"output_type": "execute_result", "execution_count": 3, "metadata": {}, "data": {"text/plain": "2"}}
    return {
        "cell_type": "code",
        "id": "a",
        "source": source,
        "metadata": metadata,
        "execution_count": 3,
        "outputs": [output],
    }


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def write(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def sources(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in read(path)["cells"]]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    write(tmp_path / "notebooks" / "00_start_here.ipynb", notebook(code("1")))
    write(tmp_path / "notebooks" / NAME, notebook(code("x = 1\nx + 1")))
    write(tmp_path / "notebooks" / ".ipynb_checkpoints.ipynb", notebook())
    return tmp_path / "notebooks"


@pytest.fixture
def mine(course: Path) -> Path:
    folder = course.parent / "my_lessons"
    update_copies(course, folder)
    return folder


def test_a_new_lesson_is_copied_without_outputs(course: Path, tmp_path: Path) -> None:
    changes = update_copies(course, tmp_path / "mine")
    assert changes == [Change("00_start_here.ipynb", "new"), Change(NAME, "new")]
    assert read(tmp_path / "mine" / NAME) == cleared(read(course / NAME))
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [
        ".lessons.json",
        "00_start_here.ipynb",
        NAME,
    ]


def test_a_second_update_changes_nothing(course: Path, mine: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in mine.iterdir()}
    assert update_copies(course, mine) == []
    assert {path.name: path.stat().st_mtime_ns for path in mine.iterdir()} == before


def test_a_missing_course_folder_is_an_empty_course(tmp_path: Path) -> None:
    assert update_copies(tmp_path / "nowhere", tmp_path / "mine") == []


def test_an_untouched_copy_takes_over_the_course_s_update(course: Path, mine: Path) -> None:
    write(course / NAME, notebook(code("x = 2")))
    assert update_copies(course, mine) == [Change(NAME, "updated")]
    assert sources(mine / NAME) == ["x = 2"]
    assert update_copies(course, mine) == []


def test_a_copy_that_was_only_run_and_saved_counts_as_untouched(course: Path, mine: Path) -> None:
    ran = notebook(code(["x = 1\n", "x + 1"], execution={"started": "now"}), code(""), code([]))
    ran["metadata"]["kernelspec"] = {"name": "python3"}
    write(mine / NAME, ran)  # as JupyterLab saves it: a list of lines, and an empty cell at the end
    assert update_copies(course, mine) == []
    assert read(mine / NAME) == ran  # its outputs stay while the course stays
    write(course / NAME, notebook(code("x = 2")))
    assert update_copies(course, mine) == [Change(NAME, "updated")]


@pytest.mark.parametrize(
    "work",
    [
        notebook(code("x = 1\nx + 10")),
        notebook(code("x = 1\nx + 1"), code("print(x)")),
        notebook(code("x = 1\nx + 1"), {"cell_type": "markdown", "source": "my note", "metadata": {}}),
        notebook(code("")),
        notebook({"cell_type": "markdown", "source": "x = 1\nx + 1", "metadata": {}}),
    ],
    ids=["edited", "added", "noted", "emptied", "turned into text"],
)
def test_a_copy_with_the_learners_work_is_never_overwritten(course: Path, mine: Path, work: dict[str, Any]) -> None:
    write(mine / NAME, work)
    assert update_copies(course, mine) == []
    write(course / NAME, notebook(code("x = 2")))
    assert update_copies(course, mine) == [Change(NAME, "kept")]
    assert update_copies(course, mine) == [Change(NAME, "kept")]  # said at each start, until it is put back
    assert read(mine / NAME) == work


def test_a_course_run_anew_is_no_newer_version(course: Path, mine: Path) -> None:
    write(mine / NAME, notebook(code("my work")))
    again = notebook(code("x = 1\nx + 1", execution={"started": "now"}) | {"outputs": [], "id": "other"})
    again["metadata"]["language_info"]["version"] = "3.99"
    write(course / NAME, again)
    assert update_copies(course, mine) == []


def test_new_tags_reach_an_untouched_copy(course: Path, mine: Path) -> None:
    write(course / NAME, notebook(code("x = 1\nx + 1", tags=["exercise"])))
    assert update_copies(course, mine) == [Change(NAME, "updated")]
    assert read(mine / NAME)["cells"][0]["metadata"] == {"tags": ["exercise"]}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"cells": [1]}', '{"cells": [{"source": 5}]}', "\ufffe", "[" * 100_000]
)
def test_a_broken_copy_counts_as_work(course: Path, mine: Path, text: str) -> None:
    (mine / NAME).write_text(text, encoding="utf-16")
    (mine / "00_start_here.ipynb").write_text(text, encoding="utf-8")
    before = (mine / NAME).read_bytes(), (mine / "00_start_here.ipynb").read_bytes()
    write(course / NAME, notebook(code("x = 2")))
    assert update_copies(course, mine) == [Change(NAME, "kept")]
    assert ((mine / NAME).read_bytes(), (mine / "00_start_here.ipynb").read_bytes()) == before


@pytest.mark.parametrize("state", [None, "", "{", "[1]", '{"02_ask_label_hand_over.ipynb": 5}'])
def test_a_lost_memory_loses_no_work(course: Path, mine: Path, state: str | None) -> None:
    write(mine / NAME, notebook(code("my work")))
    if state is None:
        (mine / ".lessons.json").unlink()
    else:
        (mine / ".lessons.json").write_text(state, encoding="utf-8")
    assert update_copies(course, mine) == [Change(NAME, "kept")]
    assert update_copies(course, mine) == []
    assert sources(mine / NAME) == ["my work"]
    write(course / "00_start_here.ipynb", notebook(code("2")))
    assert update_copies(course, mine) == [Change("00_start_here.ipynb", "updated")]


def test_a_broken_copy_outlives_a_lost_memory(course: Path, mine: Path) -> None:
    (mine / ".lessons.json").unlink()
    (mine / NAME).write_text("half a noteb", encoding="utf-8")
    assert update_copies(course, mine) == [Change(NAME, "kept")]
    assert (mine / NAME).read_text(encoding="utf-8") == "half a noteb"


def test_a_copy_that_was_deleted_comes_back(course: Path, mine: Path) -> None:
    (mine / NAME).unlink()
    assert update_copies(course, mine) == [Change(NAME, "new")]


def test_a_damaged_lesson_of_the_course_changes_nothing(course: Path, mine: Path) -> None:
    before = (mine / NAME).read_bytes()
    (course / NAME).write_text("<<<<<<< HEAD", encoding="utf-8")
    assert update_copies(course, mine) == [Change(NAME, "unreadable")]
    with pytest.raises(LessonError, match="fetch the course's files again"):
        reset_copy("02", course, mine)
    assert (mine / NAME).read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file(course: Path, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("in use")

    before = {path.name: path.read_bytes() for path in mine.iterdir()}
    write(course / NAME, notebook(code("x = 2")))
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        update_copies(course, mine)
    assert {path.name: path.read_bytes() for path in mine.iterdir()} == before


def test_reset_puts_a_lesson_back_and_keeps_the_old_copy(course: Path, mine: Path) -> None:
    for number in (1, 2):
        write(mine / NAME, notebook(code(f"work {number}")))
        fresh, kept = reset_copy("02", course, mine)
        assert (fresh, kept) == (mine / NAME, mine / f"02_ask_label_hand_over_before_reset_{number}.ipynb")
        assert sources(mine / f"02_ask_label_hand_over_before_reset_{number}.ipynb") == [f"work {number}"]
        assert read(fresh) == cleared(read(course / NAME))
        write(course / NAME, notebook(code(f"x = {number}")))
    reset_copy("02", course, mine)
    write(course / NAME, notebook(code("x = 3")))
    assert update_copies(course, mine) == [Change(NAME, "updated")]  # it is an untouched copy again


def test_reset_works_where_there_is_no_copy_yet(course: Path, tmp_path: Path) -> None:
    assert reset_copy(NAME, course, tmp_path / "mine") == (tmp_path / "mine" / NAME, None)


@pytest.mark.parametrize(
    "lesson", ["02", "2", NAME, NAME.removesuffix(".ipynb"), f"my_lessons/{NAME}", "02_ask", "02_ask_label_ha"]
)
def test_a_lesson_has_a_number_a_name_a_beginning_and_a_file_name(course: Path, lesson: str) -> None:
    assert find_lesson(lesson, course) == course / NAME


def test_a_whole_name_is_no_beginning_and_a_number_no_beginning_of_another(course: Path) -> None:
    write(course / "02_ask.ipynb", notebook())
    write(course / "10_later.ipynb", notebook())
    assert find_lesson("02_ask", course).name == "02_ask.ipynb"
    with pytest.raises(LessonError, match='There is no lesson "1"'):
        find_lesson("1", course)


@pytest.mark.parametrize("lesson", ["17", "", "ask", "02_label", "03_"])
def test_an_unknown_lesson_lists_those_that_exist(course: Path, lesson: str) -> None:
    message = rf'^There is no lesson "{lesson}"; choose one of these: 00_start_here, 02_ask_label_hand_over\.$'
    with pytest.raises(LessonError, match=message):
        find_lesson(lesson, course)


@pytest.mark.parametrize("lesson", ["0", "00", "00_"])
def test_a_name_of_two_lessons_lists_both(course: Path, lesson: str) -> None:
    (course / "00_twin.ipynb").touch()
    message = rf'^More than one lesson is called "{lesson}"; choose one of these: 00_start_here, 00_twin\.$'
    with pytest.raises(LessonError, match=message):
        find_lesson(lesson, course)


def test_what_was_done_is_said_in_one_line_of_each_kind() -> None:
    done = [Change(f"{n}.ipynb", kind) for n, kind in enumerate(["new", "updated", "updated", "kept", "unreadable"])]
    assert sentences(done) == [
        "my_lessons/: 1 new lesson.",
        "my_lessons/: 2 updated lessons.",
        "The course has a newer version of 3; your work was kept, and `lab.py reset 3` brings the newer one.",
        "The course's 4 cannot be read: fetch the course's files again.",
    ]
    assert "`lab.py reset appendix_costs`" in sentences([Change("appendix_costs.ipynb", "kept")])[0]
    assert sentences([]) == []


def test_the_module_stays_short() -> None:
    assert Path(lessons.__file__).read_text(encoding="utf-8").count("\n") < 250


def test_the_module_needs_nothing_but_python() -> None:
    script = "import sys, attention_lab.lessons; sys.exit(bool({'numpy', 'matplotlib', 'IPython'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
    assert lessons.__doc__
