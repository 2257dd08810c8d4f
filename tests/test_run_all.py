"""`lab.py test`: options keep every step, a choice of tests replaces them, and a step that fails stops none."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

import lab
from tests import run_all

ROOT = Path(__file__).resolve().parent.parent


class Runs:
    """Stands in for the tools of `lab.py test`: remembers the calls, fails those that it is told to."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.fails: set[str] = set()

    def __call__(self, *command: object, **more: str) -> int:
        self.calls.append(" ".join([*map(str, command), *map("=".join, more.items())]))
        print("ran", self.calls[-1])
        return self.code(self.calls[-1])

    def code(self, call: str) -> int:
        return int(any(word in call for word in self.fails))

    def quietly(self, *command: object, **more: str) -> tuple[int, str]:
        call = " ".join([*map(str, command), *map("=".join, more.items())])
        self.calls.append(call)
        return self.code(call), f"ran {call}"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    stand_in = Runs()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").touch()
    monkeypatch.setattr(run_all, "ROOT", tmp_path)
    monkeypatch.setattr(run_all, "PROJECT", {"dependencies": ["numpy>=2.0", "matplotlib >= 3.9, <4"]})
    monkeypatch.setattr(run_all, "run", stand_in)
    monkeypatch.setattr(run_all, "quietly", stand_in.quietly)
    monkeypatch.setattr(
        run_all, "prepare", lambda name, extras, pins: Path(",".join([name, *extras, *pins])) / "python"
    )
    return stand_in


def without_python(calls: list[str]) -> list[str]:
    return [call.split(" ", 1)[1] for call in calls]


def test_test_runs_the_tests_and_then_the_notebooks(runs: Runs) -> None:
    python = ".venv,test,-r,requirements.txt/python"
    assert lab.main(["test"]) == 0
    assert runs.calls == [f"{python} -m pytest", f"{python} -m pytest --nbval notebooks"]


@pytest.mark.parametrize(
    "options",
    [
        ["-x"],
        ["--lf", "--maxfail=2"],
        ["-W", "error"],
        ["--junitxml", "notebooks"],
        ["--ignore", "a.py::b"],
        ["nowhere"],
    ],
    ids=" ".join,
)
def test_options_alone_keep_every_step(runs: Runs, options: list[str]) -> None:
    words = " ".join(options)
    assert lab.main(["test", *options]) == 0
    assert without_python(runs.calls) == [f"-m pytest {words}", f"-m pytest {words} --nbval notebooks"]
    runs.calls.clear()
    assert lab.main(["test", "--ci", *options]) == 0
    assert len(runs.calls) == 8


@pytest.mark.parametrize(
    "arguments",
    [
        ["-x", "-k", "mask and not leak"],
        ["-kmask"],
        ["-m", "slow"],
        ["notebooks", "-x"],
        ["-x", "notebooks/00_start_here.ipynb"],
        ["tests/test_masks.py::test_a"],
    ],
    ids=" ".join,
)
def test_arguments_that_choose_tests_run_those_alone(
    runs: Runs, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    for ci in ([], ["--ci"]):
        runs.calls.clear()
        assert lab.main(["test", *ci, *arguments]) == 0
        assert without_python(runs.calls) == [" ".join(["-m pytest", *arguments])]
        assert capsys.readouterr().out.startswith("Only the tests that you chose: ")


def test_ci_checks_style_types_imports_and_the_oldest_packages_beside_them(runs: Runs) -> None:
    assert lab.main(["test", "--ci"]) == 0
    old = ".venv-oldest,test,numpy==2.0,matplotlib==3.9/python"
    lenient = "-W default::DeprecationWarning ATTENTION_LAB_PICTURES=sentence"
    beside = [call for call in runs.calls if "oldest" in call]
    assert beside == [f"{old} -m pytest {lenient}", f"{old} -m pytest --nbval notebooks {lenient}"]
    pinned = [call for call in runs.calls if "oldest" not in call]
    assert all(call.startswith(".venv,ci,cluster,instructor,test,") for call in pinned)
    tools = without_python(pinned)
    assert tools[:3] == ["-m ruff check", "-m ruff format --check", "-m mypy"]
    assert "lint_imports" in tools[3]
    required = "ATTENTION_LAB_ORACLE=required ATTENTION_LAB_NBGRADER=required ATTENTION_LAB_CLUSTER=required"
    assert tools[4:] == [f"-m pytest {required}", "-m pytest --nbval notebooks"]


def test_an_interruption_begins_no_further_step(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*command: object, **more: str) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_all, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_all.run_tests(True, [])
    assert len(runs.calls) <= 2  # of the steps beside, those that had begun
    assert all("oldest" in call for call in runs.calls)


@pytest.mark.parametrize("word", ["ruff check", "ruff format", "mypy", "lint_imports", "oldest", "--nbval"])
def test_every_step_runs_though_one_has_failed(runs: Runs, capsys: pytest.CaptureFixture[str], word: str) -> None:
    runs.fails = {word}
    assert lab.main(["test", "--ci"]) == 1
    assert len(runs.calls) == 8
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("ran ")  # the last lines are the last runner's own
    summary = [line for line in said if line.startswith("Failed before this last step: ")]
    assert len(summary) == 1
    assert {"lint_imports": "lint-imports", "--nbval": "notebooks, oldest"}.get(word, word) in summary[0]


def test_oldest_packages_that_cannot_be_had_are_a_failed_step(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = run_all.prepare
    monkeypatch.setattr(
        run_all, "prepare", lambda name, *rest: sys.exit("none") if "old" in name else made(name, *rest)
    )
    assert lab.main(["test", "--ci"]) == 1
    assert len(runs.calls) == 6
    assert "\nnone\n" in capsys.readouterr().out


def test_the_real_oldest_packages_are_read_from_the_project_file() -> None:
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert needs == run_all.PROJECT["dependencies"]
    assert all(re.fullmatch(r"[\w-]+>=[\d.]+", need) for need in needs)
