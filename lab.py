"""Open the course, put a lesson back, test everything: standard library only, on Linux, macOS and Windows."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an old Python reads this file too: no syntax newer than 3.6
    sys.exit("attention-lab needs Python 3.11 or newer: get it from https://www.python.org/downloads/ and start again.")

import argparse
import contextlib
import errno
import functools
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attention_lab.lessons import LessonError, lessons, reset_copy, sentences, update_copies

ROOT = Path(__file__).resolve().parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LEARNERS = ["-r", "requirements.txt"]
STAMP = "attention_lab.json"  # inside a .venv: what is in it; "{}" until pip is done, so that half a .venv is known
QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}  # the tests' kernels inherit it
SETTINGS: dict[str, Any] = {"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}}  # explorers come back
SETTINGS["@jupyterlab/apputils-extension:notification"] = {"fetchNews": "false", "checkForUpdates": False}
NO_NETWORK = ("from versions: none", "Max retries exceeded", "timed out", "Could not fetch URL")
LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy would look on another machine
say = functools.partial(print, flush=True)  # at once: the programs started below write to the same place


def run(*command: object, **more: str) -> int:
    """Run a program that talks to the person itself; return its exit code."""
    return subprocess.run([*map(str, command)], cwd=ROOT, env={**os.environ, **QUIET, **more}).returncode


def quietly(*command: object) -> tuple[int, str]:
    """Run a program; return its exit code and what it wrote."""
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, errors="replace")
    return done.returncode, (done.stdout + done.stderr).strip()


def works(python: Path, *modules: str) -> bool:
    """Tell whether an interpreter starts, is new enough and has these modules (they are looked up, not imported)."""
    probe = "import sys; from importlib.util import find_spec as f; v = sys.version_info >= (3, 11)"
    with contextlib.suppress(OSError):
        return quietly(python, "-I", "-c", f"{probe}; sys.exit(not (v and all(map(f, {modules}))))")[0] == 0
    return False


def make_venv(venv: Path) -> None:
    """Make an empty .venv in place of whatever is there."""
    if os.path.lexists(venv):  # first out of the way, in one step: half a deletion must not pass for a .venv
        shutil.rmtree(venv.rename(f"{venv}-{secrets.token_hex(4)}"), ignore_errors=True)
    venv.mkdir()
    (venv / STAMP).write_text("{}", encoding="utf-8")
    code, text = quietly(sys.executable, "-m", "venv", venv)
    if code:
        why = "its ensurepip is missing" if "ensurepip" in text else text[text.rfind("\n") + 1 :]
        sys.exit(f"Python could not make {venv.name} ({why}): on Debian or Ubuntu run `sudo apt install python3-venv`.")
    settings = venv / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")


def install(python: Path, pins: list[str], extras: list[str]) -> None:
    """Let pip put the pinned packages, and this one as it stands here, into a .venv."""
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "3"]
    code, text = quietly(*pip, *pins, "--editable", f".[{','.join(extras)}]".replace("[]", ""))
    if code and any(sign in text for sign in NO_NETWORK):
        sys.exit("The packages could not be fetched: check the network connection, then run the same again.")
    if code:
        say(*text.splitlines()[-8:], sep="\n")
        sys.exit("pip could not install the packages: put right what its lines above say, then run the same again.")


def prepare(name: str, extras: list[str], pins: list[str]) -> Path:
    """Return the Python of a .venv that has all it should; make, complete or mend it first where needed."""
    venv = ROOT / name
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    found: dict[str, Any] = {}
    with contextlib.suppress(OSError, ValueError, TypeError):
        found = dict(json.loads((venv / STAMP).read_text(encoding="utf-8")))
    home = f"Python {sys.version_info[0]}.{sys.version_info[1]} in {ROOT}"  # a .venv can be moved to neither
    ours = found.get("home") == home
    extras = sorted({*extras, *(found["extras"] if ours else [])})  # a start after a test takes nothing away
    needs = [pins, PROJECT["dependencies"], PROJECT.get("scripts")]
    needs += [PROJECT["optional-dependencies"][extra] for extra in extras]
    needs.append((ROOT / "requirements.txt").read_text(encoding="utf-8") if pins == LEARNERS else "")
    packages = hashlib.sha256(json.dumps(needs, sort_keys=True).encode()).hexdigest()
    wanted = {"home": home, "extras": extras, "packages": packages}
    parts = ["pip", "attention_lab", "numpy", *(["jupyterlab"] if pins == LEARNERS else [])]
    whole = works(python, *parts) if ours else not (venv / STAMP).exists() and works(python, "pip")
    if whole and found == wanted:
        return python
    if whole:  # it lacks something, or somebody made it without lab.py: pip adds what is missing
        say(f"Bringing {name} up to date (up to a minute) ...")
    else:
        verb = "Mending the unfinished or broken" if os.path.lexists(venv) else "Making"
        say(f"{verb} {name} (about a minute, once) ...")
        make_venv(venv)
    install(python, pins, extras)
    (venv / STAMP).write_text(json.dumps(wanted), encoding="utf-8")
    return python


def is_free(port: int) -> bool:
    """Tell whether JupyterLab can have a port of this machine."""
    for family, *_, address in socket.getaddrinfo("localhost", None, type=socket.SOCK_STREAM):
        try:
            socket.create_server((str(address[0]), port), family=family).close()
        except OSError as error:  # a machine without that kind of address has no such port to take
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                return False
    return True


def make_copies() -> None:
    """Make or update the learner's copies, and say what was done."""
    lines = sentences(update_copies(ROOT / "notebooks", ROOT / "my_lessons"))
    say(*lines, sep="\n", end="\n" if lines else "")


def start(asked: int | None, with_browser: bool) -> int:
    """Open JupyterLab on the learner's copy of the first lesson, and stay until it ends."""
    port = asked or next(filter(is_free, range(8888, 8988)), 8888)
    if port not in range(1, 65536) or not is_free(port):
        print(f"Port {port} is in use or not allowed: choose another one with `--port`.", file=sys.stderr)
        return 2
    python = prepare(".venv", [], LEARNERS)
    make_copies()
    token = secrets.token_hex(24)  # given by the environment: other people on this machine can read a command line
    command = [str(python), "-m", "jupyterlab", "--no-browser", "-y", "--Application.log_level=WARN"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={ROOT}"]
    command += ["--allow-root"] if getattr(os, "geteuid", lambda: -1)() == 0 else []  # root, as in a container
    options: Any = {"cwd": ROOT, "env": {**os.environ, "JUPYTER_TOKEN": token}, "stdin": subprocess.DEVNULL}
    say("Starting JupyterLab ...")  # in a session of its own: Ctrl-C reaches it through us, once
    with (ROOT / ".venv" / "jupyterlab.log").open("w") as log:  # the kernels' warnings would only worry a newcomer
        server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **options)
    ready = False
    try:
        while server.poll() is None and not ready:
            time.sleep(0.2)
            with contextlib.suppress(OSError), LOCAL.open(f"http://localhost:{port}/api"):
                ready = True
        if not ready:
            sys.exit("JupyterLab did not start: see the end of .venv/jupyterlab.log, or delete .venv and start again.")
        first = lessons(ROOT / "notebooks")[0].name
        address = f"http://localhost:{port}/lab/tree/my_lessons/{first}?token={token}"
        say(f"JupyterLab: {address}\nIf no browser opens, open this address in one. Ctrl-C stops it; work is kept.")
        has_screen = sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & {*os.environ}
        if with_browser and has_screen:  # a browser for the terminal would take it over
            webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        say("\nStopping JupyterLab ...")
        return 0
    finally:
        server.terminate()  # not SIGINT, which a program started in the background ignores
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(timeout=10)
        server.kill()  # does nothing if it has ended


def run_tests(ci: bool, arguments: list[str]) -> int:
    """Run every check, also after one has failed; the last lines are the last runner's own."""
    python = prepare(".venv", ["ci", "test"] if ci else ["test"], LEARNERS)
    pytest = ["-m", "pytest", *arguments]
    steps: dict[str, Callable[[], int]] = {}
    if ci:
        oldest = [re.sub(r"\s*>=\s*([\w.]+).*", r"==\1", need) for need in PROJECT["dependencies"]]
        for tool in ("ruff check", "ruff format --check", "mypy"):
            steps[tool] = functools.partial(run, python, "-m", *tool.split())
        steps["lint-imports"] = lambda: run(python.with_name("lint-imports" + python.suffix))
        lenient = ["-W", "default::DeprecationWarning"]  # old packages call what newer ones deprecate
        old = {"ATTENTION_LAB_PICTURES": "sentence"}  # pixels are compared on the pinned packages alone
        steps["tests, oldest packages"] = lambda: run(
            prepare(".venv-oldest", ["test"], oldest), *pytest, *lenient, **old
        )
    steps["tests"] = lambda: run(python, *pytest)
    if not arguments:  # arguments choose their own tests
        steps["notebooks"] = lambda: run(python, *pytest, "--nbval", "notebooks")
    failed: list[str] = []
    for name, step in steps.items():
        if failed and name == list(steps)[-1]:
            say(f"\nFailed before this last step: {', '.join(failed)}.")
        say(f"\n{name}:")
        try:
            failed += [name] if step() else []
        except SystemExit as trouble:
            say(trouble.code)
            failed.append(name)
    return 1 if failed else 0


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it asks."""
    parser = argparse.ArgumentParser(prog="lab.py", description="Open the course in JupyterLab.", allow_abbrev=False)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--port", type=int, help="the port for JupyterLab (the first free one from 8888)")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("lessons", help="only make or update your copies in my_lessons")
    commands.add_parser("reset", help="put one of your copies back").add_argument("lesson", help="such as 02")
    commands.add_parser("notebooks", help="run the lessons and save their outputs").add_argument("name", nargs="*")
    test = commands.add_parser("test", help="run all tests; other arguments go to pytest", allow_abbrev=False)
    test.add_argument("--ci", action="store_true", help="style, types and the oldest packages too")
    asked, rest = parser.parse_known_args(arguments)
    if rest and asked.command != "test":
        parser.error(f"unknown: {' '.join(rest)}")
    try:
        if asked.command == "test":
            return run_tests(asked.ci, rest)
        if asked.command == "notebooks":
            return run(prepare(".venv", ["test"], LEARNERS), "tests/run_notebooks.py", *asked.name)
        if asked.command == "reset":
            fresh, kept = reset_copy(asked.lesson, ROOT / "notebooks", ROOT / "my_lessons")
            yours = f"; yours is now {kept.name}" if kept else ""
            say(f"my_lessons/{fresh.name} is the course's again{yours}. Close its tab without saving, if it is open.")
        elif asked.command == "lessons":
            make_copies()
        else:
            return start(asked.port, not asked.no_browser)
    except KeyboardInterrupt:
        say("\nStopped.")
        return 130
    except LessonError as error:
        parser.exit(2, f"{error}\n")
    except OSError as error:
        what = f"{error.strerror} ({error.filename})"
        sys.exit(f"{what}: close JupyterLab, or put the course into a folder of your own, then run the same again.")
    return 0


if __name__ == "__main__":
    for name in {"SIGTERM", "SIGHUP"} & {*dir(signal)}:  # a closed window ends JupyterLab too
        if signal.getsignal(getattr(signal, name)) == signal.SIG_DFL:
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    sys.exit(main())
