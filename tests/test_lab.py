"""The launcher: one address, one sentence for each trouble; no network is needed here."""

import ast
import json
import os
import re
import runpy
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import lab

ROOT = Path(__file__).resolve().parent.parent
SOURCE = (ROOT / "lab.py").read_text(encoding="utf-8")
BEFORE_INSTALLING = [  # the files that a bare Python runs
    "lab.py",
    "lab_venv.py",
    "attention_lab/__init__.py",
    "attention_lab/lessons.py",
    "attention_lab/notebook_files.py",
    "tests/__init__.py",
    "tests/run_all.py",
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for the repository: a folder with a space and an umlaut, two lessons."""
    folder = tmp_path / "my cöurse"
    (folder / "notebooks").mkdir(parents=True)
    for name in ("00_start_here", "02_ask_label_hand_over"):
        (folder / "notebooks" / f"{name}.ipynb").write_text('{"cells": [], "metadata": {}}', encoding="utf-8")
    monkeypatch.setattr(lab, "ROOT", folder)
    return folder


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


# The file itself


def test_an_old_python_can_read_the_file_and_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    ast.parse(SOURCE, feature_version=(3, 6))
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    with pytest.raises(SystemExit, match=r"^attention-lab needs Python 3\.11 or newer: .* start again\.$"):
        runpy.run_path(str(ROOT / "lab.py"))


def test_the_version_is_checked_before_anything_else_is_imported() -> None:
    statements = [type(node).__name__ for node in ast.parse(SOURCE).body[:4]]
    assert statements == ["Expr", "Import", "If", "Import"]  # the docstring, sys, the check, the rest


def imported_by(path: str) -> set[str]:
    nodes = list(ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def test_nothing_but_the_standard_library_and_each_other_is_imported_before_installing() -> None:
    own = {path.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in BEFORE_INSTALLING}
    files = [path for path in BEFORE_INSTALLING if path != "attention_lab/__init__.py"]  # it imports rooms when asked
    names = {name for path in files for name in imported_by(path)}
    assert {name for name in names if name.split(".")[0] not in sys.stdlib_module_names} <= own


@pytest.mark.parametrize("path", ["lab.py", "lab_venv.py", "tests/run_all.py"])
def test_the_file_and_its_functions_stay_short(path: str) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    assert source.count("\n") < 250
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    assert max(node.end_lineno - node.lineno + 1 for node in functions if node.end_lineno) < 40


def test_ci_runs_one_command() -> None:
    script = ROOT / ".ci" / "run"
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")
    assert script.read_text(encoding="utf-8").splitlines()[-1].startswith("exec python3 lab.py test --ci")
    assert os.name == "nt" or script.stat().st_mode & stat.S_IXUSR


# The port and JupyterLab


def test_a_taken_port_is_one_sentence_and_exit_code_2(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], taken: int
) -> None:
    monkeypatch.setattr(lab, "prepare", lambda *_: pytest.fail("a minute was spent before it was said"))
    assert not lab.is_free(taken)
    assert lab.main(["--no-browser", "--port", str(taken)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"Port {taken} is in use or not allowed: choose another one with `--port`.\n")
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
open("threads.txt", "w").write(os.environ["OPENBLAS_NUM_THREADS"])
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


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(("own", "used"), [(None, "1"), ("3", "3")])
def test_kernels_use_one_thread_unless_somebody_says_otherwise(
    jupyter: Path, port: int, monkeypatch: pytest.MonkeyPatch, own: str | None, used: str
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if own:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", own)
    assert lab.main(["--port", str(port)]) == 0
    assert (jupyter / "threads.txt").read_text(encoding="utf-8") == used


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_a_start_prints_the_address_and_ctrl_c_ends_it(
    jupyter: Path, port: int, capsys: pytest.CaptureFixture[str]
) -> None:
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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_the_browsers_command_line_does_not_hold_the_token(
    jupyter: Path, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[tuple[str, str, int]] = []
    page = jupyter / ".venv" / "open.html"
    page.write_text("left by a crash", encoding="utf-8")
    page.chmod(0o644)

    def browser(address: str) -> None:
        opened.append((address, page.read_text(encoding="utf-8"), stat.S_IMODE(page.stat().st_mode)))
        raise KeyboardInterrupt

    monkeypatch.setattr(lab.webbrowser, "open", browser)
    assert lab.main(["--port", str(port)]) == 0
    printed = re.search(r"http://\S+token=\w+", capsys.readouterr().out)
    assert printed
    address, content, mode = opened[0]
    assert address == page.as_uri()
    assert f'content="0; url={printed[0]}"' in content
    assert f'href="{printed[0]}"' in content
    assert mode == 0o600
    assert not page.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_without_a_lesson_the_folder_opens(jupyter: Path, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (jupyter / "notebooks").iterdir():
        path.unlink()
    assert lab.main(["--port", str(port)]) == 0
    assert f"http://localhost:{port}/lab/tree/my_lessons?token=" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_each_start_tells_jupyter_to_ask_nothing_and_keep_explorers(jupyter: Path, port: int) -> None:
    path = jupyter / ".venv/share/jupyter/lab/settings/overrides.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"theirs": {}, "@jupyter-widgets/jupyterlab-manager:plugin": {}}', encoding="utf-8")
    assert lab.main(["--port", str(port)]) == 0
    settings = json.loads(path.read_text(encoding="utf-8"))
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"]["saveState"] is True
    assert settings["theirs"] == {}
    written = path.stat().st_mtime_ns
    lab.write_settings(jupyter / ".venv")
    assert path.stat().st_mtime_ns == written
    path.unlink()
    lab.write_settings(jupyter / ".venv")
    assert json.loads(path.read_text(encoding="utf-8")) == lab.SETTINGS


def test_a_server_that_says_nothing_is_not_waited_for_forever(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    def silent(_: str, timeout: float | None = None) -> None:
        asked.append(timeout)
        raise TimeoutError

    monkeypatch.setattr(lab.LOCAL, "open", silent)
    assert not lab.answers(port)
    assert asked[0] is not None
    assert asked[0] <= 10


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


def test_no_permission_is_one_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(SystemExit, match=r"^Permission denied \(.*my_lessons\): .*a folder of your own.* again\.$"):
        lab.main(["lessons"])


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
    for path in (*BEFORE_INSTALLING, "pyproject.toml", "requirements.txt"):
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


def test_notebooks_and_mutants_call_their_runner_and_pass_its_code_on(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(lab, "prepare", lambda *asked: asked)
    monkeypatch.setattr(lab, "run", lambda *command: calls.append(command) or 7)
    for arguments in (["02"], ["--live", "07"], ["07", "--live"]):
        assert lab.main(["notebooks", *arguments]) == 7
    python = (".venv", ["test"], ["-r", "requirements.txt"])
    runner = (python, "-m", "tests.run_notebooks")
    assert calls == [(*runner, "02"), (*runner, "07", "--live"), (*runner, "07", "--live")]
    assert lab.main(["mutants", "masks", "scale"]) == 7
    assert calls[-1] == (python, "-m", "tests.mutants", "masks", "scale")
