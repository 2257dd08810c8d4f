"""A .venv: made once, completed, mended, never deleted where somebody else made it; no network is needed here."""

import os
import sys
from pathlib import Path

import pytest

import lab_venv

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for the repository: a folder with a space and an umlaut, nothing installed."""
    folder = tmp_path / "my cöurse"
    folder.mkdir()
    (folder / "requirements.txt").write_text("# pinned\nnumpy==2.4.6\nnbval==0.11.0  # x\n", encoding="utf-8")
    project = {"dependencies": ["numpy>=2.0", "matplotlib >= 3.9, <4"], "optional-dependencies": {"test": [], "ci": []}}
    monkeypatch.setattr(lab_venv, "ROOT", folder)
    monkeypatch.setattr(lab_venv, "PROJECT", project)
    return folder


class Programs:
    """Stands in for `venv`, `pip` and the probe of an interpreter; remembers what was asked of them."""

    def __init__(self, root: Path) -> None:
        self.root, self.whole = root, False
        self.calls: list[tuple[str, str]] = []
        self.fails: dict[str, tuple[int, str]] = {}
        self.lacks: set[str] = set()  # modules that the interpreter does not have, though it starts

    def __call__(self, *command: object) -> tuple[int, str]:
        words = " ".join(map(str, command))
        kinds = {"-m venv": "venv", "-m pip": "pip", "-m ensurepip": "ensurepip"}
        kind = next((kind for sign, kind in kinds.items() if sign in words), "probe")
        self.calls.append((kind, words))
        if kind == "probe":
            return (0 if self.whole and not any(f"'{name}'" in words for name in self.lacks) else 1), ""
        if kind not in self.fails:
            self.whole = self.whole or kind == "venv"
            self.lacks -= {"pip"} if kind == "ensurepip" else set()
        return self.fails.get(kind, (0, ""))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.calls if kind != "probe"]


@pytest.fixture
def programs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    stand_in = Programs(root)
    monkeypatch.setattr(lab_venv, "quietly", stand_in)
    return stand_in


def prepare(*extras: str) -> Path:
    return lab_venv.prepare(".venv", list(extras), lab_venv.LEARNERS)


def make_theirs(folder: Path) -> Path:
    """A .venv that lab.py did not make."""
    folder.mkdir()
    (folder / "pyvenv.cfg").touch()
    (folder / "theirs").touch()
    return folder


def test_a_venv_is_made_once_and_then_left_alone(
    root: Path, programs: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    python = prepare()
    assert programs.kinds == ["venv", "pip"]
    assert capsys.readouterr().out == "Making .venv (about a minute, once) ...\n"
    assert (prepare(), programs.kinds) == (python, ["venv", "pip"])
    assert capsys.readouterr().out == ""
    assert python.parent.parent == root / ".venv"


def test_pip_is_told_what_to_install(programs: Programs) -> None:
    prepare()
    assert programs.calls[-1][1].endswith("-r requirements.txt --editable .")
    prepare("test", "ci")
    assert programs.calls[-1][1].endswith("-r requirements.txt --editable .[ci,test]")


def test_other_packages_or_extras_bring_the_venv_up_to_date(
    root: Path, programs: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare()
    prepare("test")
    prepare()  # a start after a test takes nothing away
    assert programs.kinds == ["venv", "pip", "pip"]
    (root / "requirements.txt").write_text("numpy==2.5.0\n", encoding="utf-8")
    prepare()
    lab_venv.PROJECT["dependencies"].append("anywidget>=0.9")
    prepare()
    assert programs.kinds == ["venv", "pip", "pip", "pip", "pip"]
    assert programs.calls[-1][1].endswith(".[test]")
    assert capsys.readouterr().out.count("Bringing .venv up to date") == 3


@pytest.mark.parametrize("case", ["interrupted", "no interpreter", "moved", "no pip", "nonsense"])
def test_half_a_venv_of_ours_is_made_anew_with_one_sentence(
    root: Path, programs: Programs, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    prepare()
    stamp = root / ".venv" / lab_venv.STAMP
    (root / ".venv" / "half").touch()
    if case in ("interrupted", "nonsense"):
        stamp.write_text("{}" if case == "interrupted" else "[[", encoding="utf-8")
    elif case == "moved":
        stamp.write_text(stamp.read_text(encoding="utf-8").replace("my c", "your c"), encoding="utf-8")
    elif case == "no pip":
        programs.lacks = {"pip"}
    programs.whole = case != "no interpreter"
    programs.calls.clear()
    capsys.readouterr()
    prepare()
    assert programs.kinds == ["venv", "pip"]
    assert capsys.readouterr().out == "Mending the unfinished or broken .venv (about a minute, once) ...\n"
    assert [path.name for path in root.glob(".venv*")] == [".venv"]
    assert not (root / ".venv" / "half").exists()


@pytest.mark.parametrize("pip", ["has pip", "no pip"])
def test_a_venv_that_somebody_made_is_completed_not_deleted(root: Path, programs: Programs, pip: str) -> None:
    venv = make_theirs(root / ".venv")
    programs.whole, programs.lacks = True, {"pip"} if pip == "no pip" else set()  # uv makes them without
    for _ in range(2):  # once is enough
        assert prepare() == venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        assert programs.kinds == (["ensurepip", "pip"] if pip == "no pip" else ["pip"])
    assert (venv / "theirs").exists()


@pytest.mark.parametrize("case", ["a file", "a folder", "no interpreter", "no venv", "no ensurepip", "a dead link"])
def test_what_lab_did_not_make_and_cannot_use_is_left_alone_with_one_sentence(
    root: Path, programs: Programs, case: str
) -> None:
    venv = root / ".venv"
    if case == "a file":
        venv.touch()
    elif case == "a folder":
        venv.mkdir()
    elif case == "a dead link":
        venv.symlink_to(root / "nowhere")
    else:
        make_theirs(venv)
    programs.whole = case in ("no venv", "no ensurepip")
    if case == "no venv":  # pip would install outside of it
        (venv / "pyvenv.cfg").unlink()
    if case == "no ensurepip":
        programs.lacks, programs.fails = {"pip"}, {"ensurepip": (1, "No module named ensurepip")}
    before = {path.name for path in root.rglob("*")}
    with pytest.raises(SystemExit, match=r"rename or delete `\.venv` yourself, then run the same again\.$") as trouble:
        prepare()
    assert "\n" not in str(trouble.value.code)
    assert {path.name for path in root.rglob("*")} == before
    assert set(programs.kinds) <= {"ensurepip"}


def test_a_completed_venv_is_still_somebody_elses(root: Path, programs: Programs) -> None:
    venv = make_theirs(root / ".venv")
    programs.whole = True
    prepare()
    programs.whole = False  # their Python has gone
    with pytest.raises(SystemExit, match="rename or delete"):
        prepare()
    assert (venv / "theirs").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")
def test_a_link_to_the_venv_of_another_checkout_is_replaced_and_that_one_left_alone(
    root: Path, programs: Programs
) -> None:
    other = make_theirs(root / "other")
    (other / lab_venv.STAMP).write_text('{"home": "Python 3.11 in /elsewhere"}', encoding="utf-8")
    (root / ".venv").symlink_to(other)
    prepare()
    assert programs.kinds == ["venv", "pip"]
    assert sorted(path.name for path in root.glob(".venv*")) == [".venv"]
    assert not (root / ".venv").is_symlink()
    assert (other / "theirs").exists()


def test_an_interrupted_pip_leaves_no_finished_stamp(root: Path, programs: Programs) -> None:
    programs.fails["pip"] = (1, "ERROR: no")
    with pytest.raises(SystemExit):
        prepare()
    assert (root / ".venv" / lab_venv.STAMP).read_text(encoding="utf-8") == "{}"


def test_a_failed_update_keeps_what_worked(root: Path, programs: Programs) -> None:
    prepare()
    before = (root / ".venv" / lab_venv.STAMP).read_text(encoding="utf-8")
    programs.fails["pip"] = (1, "Max retries exceeded")
    with pytest.raises(SystemExit):
        prepare("test")
    assert (root / ".venv" / lab_venv.STAMP).read_text(encoding="utf-8") == before
    assert programs.kinds == ["venv", "pip", "pip"]


@pytest.mark.parametrize(
    ("program", "output", "said"),
    [
        ("venv", "because ensurepip is not\navailable", r"\(its ensurepip is missing\): on Debian .*python3-venv`\.$"),
        ("venv", "first\nNo module named venv", r"\(No module named venv\): on Debian or Ubuntu run"),
        ("pip", "ERROR: Could not find a version (from versions: none)", r"^The packages .* check the network"),
        ("pip", "x\nERROR: the disk is full", r"^pip could not install the packages: put right what its lines above"),
    ],
)
def test_what_fails_is_said_in_one_sentence(
    programs: Programs, capsys: pytest.CaptureFixture[str], program: str, output: str, said: str
) -> None:
    programs.fails[program] = (1, output)
    with pytest.raises(SystemExit, match=said) as trouble:
        prepare()
    assert "\n" not in str(trouble.value.code)
    assert ("the disk is full" in capsys.readouterr().out) == ("disk" in output)


def test_a_probe_looks_without_importing() -> None:
    assert lab_venv.works(Path(sys.executable), "json", "this")
    assert not lab_venv.works(Path(sys.executable), "json", "no_such_module")
    assert not lab_venv.works(ROOT / "no_such_python", "json")


def test_the_tools_run_with_one_thread_and_without_a_window(capfd: pytest.CaptureFixture[str]) -> None:
    script = "import os; print(*map(os.environ.get, ['OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'MPLBACKEND', 'X']))"
    assert lab_venv.run(sys.executable, "-c", script, X="y") == 0
    assert capfd.readouterr().out.split() == ["1", "1", "agg", "y"]
    assert lab_venv.run(sys.executable, "-c", "raise SystemExit(5)") == 5
