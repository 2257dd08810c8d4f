"""Open the course, put a lesson back, test everything: standard library only, on Linux, macOS and Windows."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an old Python reads this file too: no syntax newer than 3.6
    sys.exit("attention-lab needs Python 3.11 or newer: get it from https://www.python.org/downloads/ and start again.")

import argparse
import contextlib
import errno
import html
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.request
import webbrowser
from pathlib import Path
from typing import Any

from attention_lab.lessons import LessonError, lessons, reset_copy, sentences, update_copies
from attention_lab.notebook_files import read_json, write_json
from lab_venv import LEARNERS, ROOT, prepare, run, say
from tests.run_all import run_tests

SETTINGS = {
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},  # explorers come back in a saved lesson
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy would look on another machine


def write_settings(venv: Path) -> None:
    """Tell the JupyterLab of a .venv what this course wants, beside what somebody else has told it."""
    path = venv / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    before = read_json(path)
    after = {**(before if isinstance(before, dict) else {}), **SETTINGS}
    if after != before:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, after)


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


def start_server(python: Path, port: int, token: str) -> subprocess.Popen[bytes]:
    """Start JupyterLab; its messages go to a file, because the kernels' warnings would only worry a newcomer."""
    command = [str(python), "-m", "jupyterlab", "--no-browser", "-y", "--Application.log_level=WARN"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={ROOT}"]
    if getattr(os, "geteuid", lambda: -1)() == 0:  # root, as in a container
        command.append("--allow-root")
    # The course's matrices are small: several threads get in each other's way, above all on a busy machine.
    environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ, "JUPYTER_TOKEN": token}
    options: Any = {"cwd": ROOT, "env": environment, "stdin": subprocess.DEVNULL}
    with (ROOT / ".venv" / "jupyterlab.log").open("w") as log:  # a session of its own: Ctrl-C reaches it through us
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **options)


def answers(port: int) -> bool:
    """Tell whether JupyterLab has started."""
    with contextlib.suppress(OSError), LOCAL.open(f"http://localhost:{port}/api", timeout=5):
        return True
    return False


def open_browser(address: str, page: Path) -> None:
    """Open an address by a page that only this person can read: others can see what a browser's command line says."""
    page.unlink(missing_ok=True)
    page.touch(mode=0o600, exist_ok=False)
    there = html.escape(address)
    refresh = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={there}">'
    page.write_text(f'<!DOCTYPE html>{refresh}<a href="{there}">JupyterLab</a>\n', encoding="utf-8")
    webbrowser.open(page.as_uri())


def start(asked: int | None, with_browser: bool) -> int:
    """Open JupyterLab on the learner's copy of the first lesson, and stay until it ends."""
    port = asked or next(filter(is_free, range(8888, 8988)), 8888)
    if port not in range(1, 65536) or not is_free(port):
        print(f"Port {port} is in use or not allowed: choose another one with `--port`.", file=sys.stderr)
        return 2
    python = prepare(".venv", [], LEARNERS)
    write_settings(ROOT / ".venv")
    make_copies()
    say("Starting JupyterLab ...")
    token = secrets.token_hex(24)  # never on a command line, which other people on this machine can read
    page = ROOT / ".venv" / "open.html"
    server = start_server(python, port, token)
    try:
        while server.poll() is None and not answers(port):
            time.sleep(0.2)
        if server.poll() is not None:
            sys.exit("JupyterLab did not start: see the end of .venv/jupyterlab.log, or delete .venv and start again.")
        first = [path.name for path in lessons(ROOT / "notebooks")[:1]]  # none: the folder itself opens
        address = f"http://localhost:{port}/lab/tree/{'/'.join(['my_lessons', *first])}?token={token}"
        say(f"JupyterLab: {address}\nIf no browser opens, open this address in one. Ctrl-C stops it; work is kept.")
        has_screen = sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & {*os.environ}
        if with_browser and has_screen:  # a browser for the terminal would take it over
            open_browser(address, page)
        return server.wait()
    except KeyboardInterrupt:
        say("\nStopping JupyterLab ...")
        return 0
    finally:
        server.terminate()  # not SIGINT, which a program started in the background ignores
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(timeout=10)
        server.kill()  # does nothing if it has ended
        with contextlib.suppress(OSError):  # on Windows, while a browser reads it
            page.unlink(missing_ok=True)


def make_parser() -> argparse.ArgumentParser:
    """Say what the command line understands."""
    parser = argparse.ArgumentParser(prog="lab.py", description="Open the course in JupyterLab.", allow_abbrev=False)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--port", type=int, help="the port for JupyterLab (the first free one from 8888)")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("lessons", help="only make or update your copies in my_lessons")
    commands.add_parser("reset", help="put one of your copies back").add_argument("lesson", help="such as 02")
    notebooks = commands.add_parser("notebooks", help="run the lessons and save their outputs")
    notebooks.add_argument("name", nargs="*", help="such as 02; all lessons without one")
    notebooks.add_argument("--live", action="store_true", help="take over new outputs of live cells, too")
    mutants = commands.add_parser("mutants", help="break the mathematics in fixed ways: a test must notice each")
    mutants.add_argument("word", nargs="*", help="only those of this module, or with this word in their name")
    test = commands.add_parser("test", help="run all tests; other arguments go to pytest", allow_abbrev=False)
    test.add_argument("--ci", action="store_true", help="style, types and the oldest packages too")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it asks."""
    parser = make_parser()
    asked, rest = parser.parse_known_args(arguments)
    if rest and asked.command != "test":
        parser.error(f"unknown: {' '.join(rest)}")
    try:
        if asked.command == "test":
            return run_tests(asked.ci, rest)
        if asked.command == "notebooks":
            command = ["-m", "tests.run_notebooks", *asked.name, *(["--live"] if asked.live else [])]
            return run(prepare(".venv", ["test"], LEARNERS), *command)
        if asked.command == "mutants":
            return run(prepare(".venv", ["test"], LEARNERS), "-m", "tests.mutants", *asked.word)
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
