"""Is everything here that the lessons need, and what to do if not."""

import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

_WHAT_TO_DO = "Close JupyterLab and start it with: python3 lab.py (py lab.py on Windows)."


def check_installation() -> str:
    """Compare what is installed with what the package needs.

    Returns
    -------
    str
        "Everything is here: ...", or one sentence for each thing that is missing or too old, and what to do.

    Examples
    --------
    >>> check_installation()
    'Everything is here: numpy, matplotlib, ...'
    """
    try:
        needed = _needed()
    except metadata.PackageNotFoundError:  # a folder that was copied without the rest of the course
        return f"attention_lab is used from {Path(__file__).parent}, but is not installed. {_WHAT_TO_DO}"
    wrong = [problem for requirement in needed if (problem := _problem(requirement))]
    if wrong:
        return " ".join([*wrong, f"(Python is {sys.executable}.)", _WHAT_TO_DO])
    return f"Everything is here: {', '.join(requirement.name for requirement in needed)}."


def _needed() -> list[Requirement]:
    """Read what the package needs: from the checkout it lies in, else from its installation."""
    pyproject = Path(__file__).resolve().parent.parent / "pyproject.toml"
    if pyproject.is_file():
        lines = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]["dependencies"]
    else:
        lines = metadata.requires("attention-lab") or []
    requirements = map(Requirement, lines)
    return [one for one in requirements if one.marker is None or one.marker.evaluate({"extra": ""})]


def _problem(requirement: Requirement) -> str:
    """Say in a sentence what is wrong with one package; nothing, if nothing is."""
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is missing."
    if requirement.specifier.contains(version, prereleases=True):
        return ""
    return f"{requirement.name} is version {version}, but the lessons need {requirement.specifier}."
