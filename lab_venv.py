"""The folder `.venv`: made, completed and mended. Standard library only: `lab.py` uses it before all else is there."""

import contextlib
import functools
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from attention_lab.notebook_files import read_json, write_json

ROOT = Path(__file__).resolve().parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LEARNERS = ["-r", "requirements.txt"]
STAMP = "attention_lab.json"  # inside a .venv: what is in it; "{}" until pip is done, so that half a .venv is known
QUIET = {  # the tests' kernels inherit it; no test touches what a person has done in the exercises
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MPLBACKEND": "agg",
    "ATTENTION_LAB_PROGRESS": "off",
}
NO_NETWORK = ("from versions: none", "Max retries exceeded", "timed out", "Could not fetch URL")
say = functools.partial(print, flush=True)  # at once: the programs started below write to the same place


def run(*command: object, **more: str) -> int:
    """Run a program that talks to the person itself; return its exit code."""
    return subprocess.run([*map(str, command)], cwd=ROOT, env={**os.environ, **QUIET, **more}).returncode


def quietly(*command: object, **more: str) -> tuple[int, str]:
    """Run a program; return its exit code and what it wrote."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=ROOT,
        env={**os.environ, **QUIET, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return done.returncode, done.stdout.strip()


def works(python: Path, *modules: str) -> bool:
    """Tell whether an interpreter starts, is new enough and has these modules (they are looked up, not imported)."""
    probe = "import sys; from importlib.util import find_spec as f; v = sys.version_info >= (3, 11)"
    with contextlib.suppress(OSError):
        return quietly(python, "-I", "-c", f"{probe}; sys.exit(not (v and all(map(f, {modules}))))")[0] == 0
    return False


def make_venv(venv: Path) -> None:
    """Make an empty .venv in place of one that lab.py made before, if there is any."""
    if venv.is_symlink():  # the link alone: it may lead to the .venv of another checkout
        venv.unlink()
    elif venv.exists():  # first out of the way, in one step: half a deletion must not pass for a .venv
        shutil.rmtree(venv.rename(f"{venv}-{secrets.token_hex(4)}"), ignore_errors=True)
    venv.mkdir()
    (venv / STAMP).write_text("{}", encoding="utf-8")
    code, text = quietly(sys.executable, "-m", "venv", venv)
    if code:
        why = "its ensurepip is missing" if "ensurepip" in text else text[text.rfind("\n") + 1 :]
        sys.exit(f"Python could not make {venv.name} ({why}): on Debian or Ubuntu run `sudo apt install python3-venv`.")


def adopt_venv(venv: Path, python: Path) -> None:
    """See to it that a .venv that somebody else made has pip; nothing in it is ever deleted."""
    is_venv = (venv / "pyvenv.cfg").exists()  # without it, pip would install outside
    if is_venv and not works(python, "pip") and works(python):  # as uv makes them
        quietly(python, "-m", "ensurepip")
    if not (is_venv and works(python, "pip")):
        what = f"`{venv.name}`, which lab.py did not make, has no Python 3.11 or newer with pip"
        sys.exit(f"{what}: rename or delete `{venv.name}` yourself, then run the same again.")


def install(python: Path, pins: list[str], extras: list[str]) -> None:
    """Let pip put the pinned packages, and this one as it stands here, into a .venv."""
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "3"]
    code, text = quietly(*pip, *pins, "--editable", f".[{','.join(extras)}]".replace("[]", ""))
    if code and any(sign in text for sign in NO_NETWORK):
        sys.exit("The packages could not be fetched: check the network connection, then run the same again.")
    if code:
        say(*text.splitlines()[-8:], sep="\n")
        sys.exit("pip could not install the packages: put right what its lines above say, then run the same again.")


def hash_of_needs(extras: list[str], pins: list[str]) -> str:
    """Return what changes whenever pip has something to do."""
    needs = [pins, PROJECT["dependencies"], PROJECT.get("scripts")]
    needs += [PROJECT["optional-dependencies"][extra] for extra in extras]
    needs.append((ROOT / "requirements.txt").read_text(encoding="utf-8") if pins == LEARNERS else "")
    return hashlib.sha256(json.dumps(needs, sort_keys=True).encode()).hexdigest()


def prepare(name: str, extras: list[str], pins: list[str]) -> Path:
    """Return the Python of a .venv that has all it should; make, complete or mend it first where needed."""
    venv = ROOT / name
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = read_json(venv / STAMP)
    found: dict[str, Any] = stamp if isinstance(stamp, dict) else {}
    adopted = found.get("adopted", os.path.lexists(venv) and not (venv / STAMP).exists())
    home = f"Python {sys.version_info[0]}.{sys.version_info[1]} in {ROOT}"  # a .venv can be moved to neither
    if at_home := found.get("home") == home:  # a start after a test takes nothing away
        extras = sorted({*extras, *found.get("extras", [])})
    wanted = {"home": home, "adopted": adopted, "extras": extras, "packages": hash_of_needs(extras, pins)}
    parts = ["pip", "attention_lab", "numpy", *(["jupyterlab"] if pins == LEARNERS else [])]
    whole = at_home and works(python, *parts)
    if whole and found == wanted:
        return python
    if adopted:
        adopt_venv(venv, python)
    if whole or adopted:
        say(f"Bringing {name} up to date (up to a minute) ...")
    else:
        verb = "Mending the unfinished or broken" if os.path.lexists(venv) else "Making"
        say(f"{verb} {name} (about a minute, once) ...")
        make_venv(venv)
    install(python, pins, extras)
    write_json(venv / STAMP, wanted)
    return python
