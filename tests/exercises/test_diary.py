"""The diary keeps what it can, loses nothing without need, and is never in the way."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from attention_lab.exercises import check, diary, hint, progress, solution
from attention_lab.exercises.diary import Entry, is_in_file, place, read, read_all, write


def untouched(q, k): ...


def wrong(q, k):
    return q @ k.T


def others(path):
    """The other files beside the diary."""
    return sorted(file.name for file in path.parent.iterdir() if file != path)


def test_it_lies_where_the_system_keeps_such_files(monkeypatch):
    monkeypatch.delenv(diary.PLACE)
    assert place().name == "progress.json"
    assert place().parent.name == "attention-lab"


@pytest.mark.parametrize(("wanted", "path"), [("off", None), (" OFF ", None), ("here.json", Path("here.json"))])
def test_a_variable_puts_it_elsewhere(wanted, path, monkeypatch):
    monkeypatch.setenv(diary.PLACE, wanted)
    assert place() == path


def test_a_variable_may_begin_at_home(monkeypatch):
    monkeypatch.setenv(diary.PLACE, "~/here.json")
    assert place() == Path(os.path.expanduser("~")) / "here.json"


def test_what_was_written_is_read():
    entry = Entry("not yet", 2, {"scale-missing": 1}, ["scale-missing"], "abc", True, 1)
    assert write("scores", entry)
    assert read("scores") == entry
    assert read_all() == {"scores": entry}
    assert is_in_file()
    assert others(place()) == []


def test_nobody_else_is_asked_for():
    assert read("scores") == Entry()
    assert read_all() == {}


def test_folders_on_the_way_are_made(tmp_path, monkeypatch):
    monkeypatch.setenv(diary.PLACE, str(tmp_path / "a" / "b" / "progress.json"))
    assert write("scores", Entry("right"))
    assert read("scores").state == "right"


@pytest.mark.parametrize(
    "look",
    [progress, lambda: repr(progress()), lambda: check(untouched, "scores"), lambda: check(..., "mix")],
)
def test_looking_writes_nothing(look):
    look()
    check(untouched, "no such exercise")
    hint("no such exercise")
    solution("no such exercise")
    assert not place().exists()


def test_an_import_writes_nothing():
    subprocess.run([sys.executable, "-c", "import attention_lab.exercises"], check=True)
    assert not place().exists()


DAMAGED = {
    "half of it": '{"scores": {"state": "ri',
    "a list": "[1, 2]",
    "a number": "3",
    "not text": b"\xff\xfe\x00\x80",
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_diary_is_an_empty_one_and_is_kept_beside(what):
    content = DAMAGED[what]
    content = content if isinstance(content, bytes) else content.encode()
    for number in (1, 2):
        place().write_bytes(content)
        assert read_all() == {}
        assert place().read_bytes() == content, "reading changes nothing"
        assert check(wrong, "scores").mistakes == ("scale-missing",)
        assert read("scores").tries == 1
        assert others(place()) == [f"progress.damaged-{i}.json" for i in range(1, number + 1)]
        assert place().with_name(f"progress.damaged-{number}.json").read_bytes() == content


@pytest.mark.parametrize("content", ["", "{}"])
def test_an_empty_diary_is_not_kept(content):
    place().write_text(content)
    assert write("scores", Entry("right"))
    assert others(place()) == []


def test_a_diary_that_cannot_be_read_is_kept_beside(monkeypatch):
    """As root, which the tests may run as, every file can be read."""
    place().write_text(json.dumps({"mix": asdict(Entry("right"))}))
    real = Path.read_text

    def read_text(self, *args, **kwargs):
        if self == place():
            raise PermissionError(13, "no")
        return real(self, *args, **kwargs)

    with monkeypatch.context() as context:
        context.setattr(Path, "read_text", read_text)
        assert write("scores", Entry("right"))
    assert set(read_all()) == {"scores"}
    assert "mix" in json.loads(place().with_name("progress.damaged-1.json").read_text())


def test_a_folder_in_its_place_stays_and_the_kernel_remembers():
    place().mkdir()
    (place() / "mine.txt").write_text("mine")
    assert not write("scores", Entry("right"))
    assert read("scores").state == "right"
    assert (place() / "mine.txt").read_text() == "mine"
    assert not is_in_file()
    assert f"{place()} cannot be written" in repr(progress())


def test_a_home_that_cannot_be_written_is_remembered_and_written_later(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "read-only")

    write("mix", Entry("right"))
    with monkeypatch.context() as context:
        context.setattr(diary, "write_json", refuse)
        assert not write("scores", Entry("right"))
        assert {name: entry.state for name, entry in read_all().items()} == {"mix": "right", "scores": "right"}
        assert "cannot be written" in repr(progress())
    assert write("blend", Entry("right"))
    assert set(json.loads(place().read_text())) == {"mix", "scores", "blend"}
    assert is_in_file()


def test_a_file_in_place_of_a_folder_is_no_obstacle(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv(diary.PLACE, str(tmp_path / "file" / "progress.json"))
    assert check(wrong, "scores").mistakes == ("scale-missing",)
    assert read("scores").tries == 1
    assert (tmp_path / "file").read_text() == "mine"


def test_without_a_diary_the_kernel_remembers(monkeypatch):
    monkeypatch.setenv(diary.PLACE, "off")
    assert not write("scores", Entry("right"))
    assert read("scores").state == "right"
    assert "Kept until this kernel ends." in repr(progress())


def test_a_deleted_diary_begins_again():
    write("scores", Entry("right"))
    place().unlink()
    assert read_all() == {}
    write("mix", Entry("right"))
    assert set(read_all()) == {"mix"}


def test_two_kernels_in_turn_lose_nothing():
    program = "import sys; from attention_lab.exercises.diary import Entry, write; write(sys.argv[1], Entry('right'))"
    write("scores", Entry("right"))
    for name in ("mix", "blend"):
        subprocess.run([sys.executable, "-c", program, name], check=True)
        write(f"{name} here", Entry("seen"))
    assert set(read_all()) == {"scores", "mix", "blend", "mix here", "blend here"}


def test_what_another_version_keeps_stays():
    place().write_text(json.dumps({"of-tomorrow": {"state": "starred", "stars": 3}, "since": "2026"}))
    write("scores", Entry("right"))
    kept = json.loads(place().read_text())
    assert kept["of-tomorrow"] == {"state": "starred", "stars": 3}
    assert kept["since"] == "2026"
    assert read("of-tomorrow") == Entry()


NONSENSE = [
    3,
    None,
    ["right"],
    {"state": 3, "tries": "two", "mistakes": [], "last": {}, "answer": None, "again": 1, "hints": None},
    {"state": "perfect", "tries": -3, "mistakes": {"scale-missing": "often"}, "last": [1, None], "hints": -1},
    {"tries": True, "hints": 1.5, "mistakes": {"scale-missing": None}, "last": "scale-missing"},
]


@pytest.mark.parametrize("kept", NONSENSE)
def test_what_makes_no_sense_is_left_out(kept):
    place().write_text(json.dumps({"scores": kept}))
    assert read("scores") == Entry()
    assert check(wrong, "scores").mistakes == ("scale-missing",)
    assert hint("scores").text
    assert read("scores").mistakes == {"scale-missing": 1}


def test_a_code_that_nobody_knows_has_the_exercises_own_hints():
    place().write_text(json.dumps({"scores": {"last": ["of-tomorrow"]}}))
    assert hint("scores").text.endswith("?")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "cloud").mkdir()
    place().symlink_to(tmp_path / "cloud" / "kept.json")
    assert write("scores", Entry("right"))
    assert place().is_symlink()
    assert (tmp_path / "cloud" / "kept.json").exists()


def test_letters_that_cannot_be_encoded_are_no_obstacle():
    place().write_text(json.dumps({"mix": {"answer": "\ud800"}}))
    write("scores", Entry("right"))
    assert read("scores").state == "right"
