"""The launcher: a .venv made once and mended, one address, one sentence for each trouble; no network is needed here."""

import ast
import json
import os
import re
import runpy
import socket
import stat
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import lab

ROOT = Path(__file__).resolve().parent.parent
SOURCE = (ROOT / "lab.py").read_text(encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for the repository: a folder with a space and an umlaut, two lessons, nothing installed."""
    folder = tmp_path / "my cöurse"
    (folder / "notebooks").mkdir(parents=True)
    for name in ("00_start_here", "02_ask_label_hand_over"):
        (folder / "notebooks" / f"{name}.ipynb").write_text('{"cells": [], "metadata": {}}', encoding="utf-8")
    (folder / "requirements.txt").write_text("# pinned\nnumpy==2.4.6\nnbval==0.11.0  # x\n", encoding="utf-8")
    monkeypatch.setattr(lab, "ROOT", folder)
    project = {"dependencies": ["numpy>=2.0", "matplotlib >= 3.9, <4"], "optional-dependencies": {"test": [], "ci": []}}
    monkeypatch.setattr(lab, "PROJECT", project)
    return folder


class Programs:
    """Stands in for `venv`, `pip` and the probe of an interpreter; remembers what was asked of them."""

    def __init__(self, root: Path) -> None:
        self.root, self.whole = root, False
        self.calls: list[tuple[str, str]] = []
        self.fails: dict[str, tuple[int, str]] = {}

    def __call__(self, *command: object) -> tuple[int, str]:
        words = " ".join(map(str, command))
        kind = "venv" if "-m venv" in words else "pip" if "-m pip" in words else "probe"
        self.calls.append((kind, words))
        if kind == "probe":
            return (0 if self.whole else 1), ""
        if kind == "venv" and not self.fails:
            self.whole = True
        return self.fails.get(kind, (0, ""))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.calls if kind != "probe"]


@pytest.fixture
def programs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    stand_in = Programs(root)
    monkeypatch.setattr(lab, "quietly", stand_in)
    return stand_in


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def prepare(*extras: str) -> Path:
    return lab.prepare(".venv", list(extras), lab.LEARNERS)


# The file itself


def test_an_old_python_can_read_the_file_and_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    ast.parse(SOURCE, feature_version=(3, 6))
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    with pytest.raises(SystemExit, match=r"^attention-lab needs Python 3\.11 or newer: .* start again\.$"):
        runpy.run_path(str(ROOT / "lab.py"))


def test_the_version_is_checked_before_anything_else_is_imported() -> None:
    statements = [type(node).__name__ for node in ast.parse(SOURCE).body[:4]]
    assert statements == ["Expr", "Import", "If", "Import"]  # the docstring, sys, the check, the rest


def test_nothing_but_the_standard_library_and_the_lessons_is_imported() -> None:
    nodes = list(ast.walk(ast.parse(SOURCE)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name for name in names if name.split(".")[0] not in sys.stdlib_module_names} == {"attention_lab.lessons"}


def test_the_file_stays_short() -> None:
    assert SOURCE.count("\n") < 250
    functions = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.FunctionDef)]
    assert max(node.end_lineno - node.lineno + 1 for node in functions if node.end_lineno) < 40


def test_ci_runs_one_command() -> None:
    script = ROOT / ".ci" / "run"
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")
    assert script.read_text(encoding="utf-8").splitlines()[-1].startswith("exec python3 lab.py test --ci")
    assert os.name == "nt" or script.stat().st_mode & stat.S_IXUSR


# .venv


def test_a_venv_is_made_once_and_then_left_alone(
    root: Path, programs: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    python = prepare()
    assert programs.kinds == ["venv", "pip"]
    assert capsys.readouterr().out == "Making .venv (about a minute, once) ...\n"
    assert (prepare(), programs.kinds) == (python, ["venv", "pip"])
    assert capsys.readouterr().out == ""
    assert python.parent.parent == root / ".venv"


def test_jupyter_asks_nothing_about_news_and_keeps_explorers_in_saved_lessons(root: Path, programs: Programs) -> None:
    prepare()
    settings = json.loads((root / ".venv/share/jupyter/lab/settings/overrides.json").read_text(encoding="utf-8"))
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"]["saveState"] is True


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
    lab.PROJECT["dependencies"].append("anywidget>=0.9")
    prepare()
    assert programs.kinds == ["venv", "pip", "pip", "pip", "pip"]
    assert programs.calls[-1][1].endswith(".[test]")
    assert capsys.readouterr().out.count("Bringing .venv up to date") == 3


@pytest.mark.parametrize("case", ["interrupted", "no interpreter", "moved", "a file", "no pip", "nonsense"])
def test_half_a_venv_is_made_anew_with_one_sentence(
    root: Path, programs: Programs, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    venv = root / ".venv"
    if case == "a file":
        venv.touch()
    else:
        prepare()
    stamp = venv / lab.STAMP
    if case in ("interrupted", "nonsense"):
        stamp.write_text("{}" if case == "interrupted" else "[[", encoding="utf-8")
    elif case == "moved":
        stamp.write_text(stamp.read_text(encoding="utf-8").replace("my c", "your c"), encoding="utf-8")
    elif case == "no pip":
        stamp.unlink()
    programs.whole = case not in ("no interpreter", "no pip", "a file")
    programs.calls.clear()
    capsys.readouterr()
    prepare()
    assert programs.kinds == ["venv", "pip"]
    assert capsys.readouterr().out == "Mending the unfinished or broken .venv (about a minute, once) ...\n"


def test_a_venv_that_somebody_made_is_completed_not_deleted(root: Path, programs: Programs) -> None:
    (root / ".venv").mkdir()
    (root / ".venv" / "theirs").touch()
    programs.whole = True
    prepare()
    assert (programs.kinds, (root / ".venv" / "theirs").exists()) == (["pip"], True)


def test_an_interrupted_pip_leaves_no_finished_stamp(root: Path, programs: Programs) -> None:
    programs.fails["pip"] = (1, "ERROR: no")
    with pytest.raises(SystemExit):
        prepare()
    assert (root / ".venv" / lab.STAMP).read_text(encoding="utf-8") == "{}"


def test_a_failed_update_keeps_what_worked(root: Path, programs: Programs) -> None:
    prepare()
    before = (root / ".venv" / lab.STAMP).read_text(encoding="utf-8")
    programs.fails["pip"] = (1, "Max retries exceeded")
    with pytest.raises(SystemExit):
        prepare("test")
    assert (root / ".venv" / lab.STAMP).read_text(encoding="utf-8") == before
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
    assert lab.works(Path(sys.executable), "json", "this")
    assert not lab.works(Path(sys.executable), "json", "no_such_module")
    assert not lab.works(ROOT / "no_such_python", "json")


def test_no_permission_is_one_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(SystemExit, match=r"^Permission denied \(.*my_lessons\): .*a folder of your own.* again\.$"):
        lab.main(["lessons"])


# The port and JupyterLab


def test_a_taken_port_is_one_sentence_and_exit_code_2(
    root: Path, programs: Programs, capsys: pytest.CaptureFixture[str], taken: int
) -> None:
    assert not lab.is_free(taken)
    assert lab.main(["--no-browser", "--port", str(taken)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"Port {taken} is in use or not allowed: choose another one with `--port`.\n")
    assert programs.calls == []  # said before a minute was spent
    assert lab.main(["--no-browser", "--port", "99999"]) == 2


def test_without_a_wish_the_first_free_port_is_taken(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    asked: list[int] = []
    monkeypatch.setattr(lab, "is_free", lambda port: asked.append(port) or port == 8890)
    monkeypatch.setattr(lab, "prepare", lambda *_: sys.exit("far enough"))
    with pytest.raises(SystemExit, match="far enough"):
        lab.main([])
    assert asked == [8888, 8889, 8890, 8890]


SERVER = """
import http.server, os, signal, sys
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self): self.send_response(200); self.end_headers()
port = int([word for word in sys.argv if "port=" in word][0].split("=")[1])
open("seen.txt", "w").write(os.environ["JUPYTER_TOKEN"] + " " + " ".join(sys.argv))
http.server.HTTPServer(("localhost", port), Page).serve_forever()
"""


def press_ctrl_c(_: str) -> None:
    """As Ctrl-C does; a real signal would be ignored where the tests run in the background of a shell."""
    raise KeyboardInterrupt


@pytest.fixture
def jupyter(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for JupyterLab: a server that answers, and notes how it was called."""
    (root / "jupyterlab.py").write_text(SERVER, encoding="utf-8")
    (root / ".venv").mkdir()
    monkeypatch.setattr(lab, "prepare", lambda *_: Path(sys.executable))
    monkeypatch.setattr(lab.webbrowser, "open", press_ctrl_c)
    monkeypatch.setenv("BROWSER", "any")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    return root


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_a_start_prints_the_address_and_ctrl_c_ends_it(jupyter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert lab.main(["--port", str(port)]) == 0  # the browser that opens presses Ctrl-C
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["my_lessons/: 2 new lessons.", "Starting JupyterLab ..."]
    address = re.fullmatch(
        rf"JupyterLab: http://localhost:{port}/lab/tree/my_lessons/00_start_here.ipynb\?token=(\w{{48}})", said[2]
    )
    assert address
    assert said[-1] == "Stopping JupyterLab ..."
    token, *arguments = (jupyter / "seen.txt").read_text(encoding="utf-8").split(" ")
    assert token == address[1]
    assert token not in " ".join(arguments)  # others on the machine can read a command line
    assert f"--ServerApp.root_dir={jupyter}" in " ".join(arguments)
    assert ("--allow-root" in arguments) == (os.geteuid() == 0)
    with pytest.raises(OSError, match="refused"):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://localhost:{port}/")


def test_a_proxy_is_not_asked_about_this_machine() -> None:
    script = "import lab; print(*(type(handler).__name__ for handler in lab.LOCAL.handlers))"
    environment = {**os.environ, "http_proxy": "http://127.0.0.1:9"}
    handlers = subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, env=environment, text=True)
    assert "HTTPHandler" in handlers.split()
    assert "ProxyHandler" not in handlers.split()


def test_a_server_that_does_not_start_is_one_sentence(jupyter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (jupyter / "jupyterlab.py").write_text("raise SystemExit('broken')", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"JupyterLab did not start: see the end of \.venv/jupyterlab\.log"):
        lab.main([])
    assert "broken" in (jupyter / ".venv" / "jupyterlab.log").read_text(encoding="utf-8")


# The other commands


def test_reset_says_where_the_old_copy_is(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lab.main(["lessons"]) == 0
    assert lab.main(["reset", "02"]) == 0
    kept = "02_ask_label_hand_over_before_reset_1.ipynb"
    assert f"is the course's again; yours is now {kept}. " in capsys.readouterr().out.splitlines()[-1]
    assert (root / "my_lessons" / kept).exists()


def test_an_unknown_lesson_is_one_sentence_and_exit_code_2(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as trouble:
        lab.main(["reset", "17"])
    assert trouble.value.code == 2
    assert capsys.readouterr().err == (
        'There is no lesson "17"; choose one of these: 00_start_here, 02_ask_label_hand_over.\n'
    )


def test_lessons_needs_no_venv_and_any_working_directory(tmp_path: Path) -> None:
    clone = tmp_path / "a clöne"
    for path in (
        "lab.py",
        "pyproject.toml",
        "requirements.txt",
        "attention_lab/__init__.py",
        "attention_lab/lessons.py",
        "attention_lab/notebook_files.py",
    ):
        (clone / path).parent.mkdir(exist_ok=True, parents=True)
        (clone / path).write_bytes((ROOT / path).read_bytes())
    (clone / "notebooks").mkdir()
    (clone / "notebooks" / "00_start_here.ipynb").write_text('{"cells": []}', encoding="utf-8")
    done = subprocess.run([sys.executable, "-S", clone / "lab.py", "lessons"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout.decode().strip()) == (0, "my_lessons/: 1 new lesson.")
    assert (clone / "my_lessons" / "00_start_here.ipynb").exists()


def test_an_unknown_word_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as trouble:
        lab.main(["lessons", "--fast"])
    assert (trouble.value.code, "unknown: --fast" in capsys.readouterr().err) == (2, True)


class Runs:
    """Stands in for the tools of `lab.py test`: remembers the calls, fails those that it is told to."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.fails: set[str] = set()

    def __call__(self, *command: object, **more: str) -> int:
        self.calls.append(" ".join([*map(str, command), *more.values()]))
        print("ran", self.calls[-1])
        return int(any(word in self.calls[-1] for word in self.fails))


@pytest.fixture
def runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    stand_in = Runs()
    monkeypatch.setattr(lab, "run", stand_in)
    monkeypatch.setattr(lab, "prepare", lambda name, extras, pins: Path(",".join([name, *extras, *pins])) / "python")
    return stand_in


def test_test_runs_the_tests_and_then_the_notebooks(runs: Runs) -> None:
    python = ".venv,test,-r,requirements.txt/python"
    assert lab.main(["test"]) == 0
    assert runs.calls == [f"{python} -m pytest", f"{python} -m pytest --nbval notebooks"]


def test_arguments_choose_the_tests(runs: Runs) -> None:
    assert lab.main(["test", "-k", "mask and not leak", "tests/test_masks.py", "-x"]) == 0
    assert [call.split(" ", 1)[1] for call in runs.calls] == [
        "-m pytest -k mask and not leak tests/test_masks.py -x",
    ]


def test_ci_checks_style_types_imports_and_the_oldest_packages_too(runs: Runs) -> None:
    assert lab.main(["test", "--ci"]) == 0
    tools = [re.sub(r"^\S+? -m ", "", call) for call in runs.calls]
    assert tools[:3] == ["ruff check", "ruff format --check", "mypy"]
    assert runs.calls[3].endswith("lint-imports")
    old = ".venv-oldest,test,numpy==2.0,matplotlib==3.9/python"
    assert runs.calls[4] == f"{old} -m pytest -W default::DeprecationWarning sentence"
    assert tools[5:] == ["pytest", "pytest --nbval notebooks"]
    assert runs.calls[5].startswith(".venv,ci,test,")


@pytest.mark.parametrize("word", ["ruff check", "ruff format", "mypy", "lint-imports", "oldest", "--nbval"])
def test_every_step_runs_though_one_has_failed(runs: Runs, capsys: pytest.CaptureFixture[str], word: str) -> None:
    runs.fails = {word}
    assert lab.main(["test", "--ci"]) == 1
    assert len(runs.calls) == 7
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("ran ")  # the last lines are the last runner's own
    summary = [line for line in said if line.startswith("Failed before this last step: ")]
    assert len(summary) == (word != "--nbval")
    assert not summary or word in summary[0]


def test_oldest_packages_that_cannot_be_had_are_a_failed_step(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = lab.prepare
    monkeypatch.setattr(lab, "prepare", lambda name, *rest: sys.exit("none") if "old" in name else made(name, *rest))
    assert lab.main(["test", "--ci"]) == 1
    assert len(runs.calls) == 6
    assert "\nnone\n" in capsys.readouterr().out


def test_notebooks_calls_the_runner_and_passes_its_code_on(runs: Runs) -> None:
    runs.fails = {"run_notebooks"}
    assert lab.main(["notebooks", "02"]) == 1
    assert runs.calls == [".venv,test,-r,requirements.txt/python tests/run_notebooks.py 02"]


def test_the_tools_run_with_one_thread_and_without_a_window(capfd: pytest.CaptureFixture[str]) -> None:
    script = "import os; print(*map(os.environ.get, ['OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'MPLBACKEND', 'X']))"
    assert lab.run(sys.executable, "-c", script, X="y") == 0
    assert capfd.readouterr().out.split() == ["1", "1", "agg", "y"]
    assert lab.run(sys.executable, "-c", "raise SystemExit(5)") == 5


def test_the_real_oldest_packages_are_read_from_the_project_file() -> None:
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert needs == lab.PROJECT["dependencies"]
    assert all(re.fullmatch(r"[\w-]+>=[\d.]+", need) for need in needs)
