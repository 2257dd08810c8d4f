"""What `lab.py test` does. Standard library only: lab.py imports it before anything is installed.

Options alone (`-x`, `--lf`) go to every call of pytest. Arguments that choose tests (a path, `path::test`, `-k`, `-m`)
replace all steps by one call.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lab_venv import LEARNERS, PROJECT, ROOT, prepare, quietly, run, say

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
OPTIONS_WITH_A_VALUE = {"-c", "-o", "-p", "-W", "--basetemp", "--deselect", "--ignore", "--junitxml", "--rootdir"}
OLD_PACKAGES = ["-W", "default::DeprecationWarning"]  # they call what newer ones deprecate
NO_PIXELS = {"ATTENTION_LAB_PICTURES": "sentence"}  # pixels are compared on the pinned packages alone
# A missing PyTorch, nbgrader or distributed fails the tests that need it, and skips none.
NO_SKIPS = {f"ATTENTION_LAB_{name}": "required" for name in ("ORACLE", "NBGRADER", "CLUSTER")}


Packages = tuple[str, list[str], list[str]]  # a .venv's name, its extras, its pins


class Step(NamedTuple):
    """One run of Python: its name, what Python is given, the environment added, and which packages it runs with."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = {}
    oldest: bool = False


def chooses_tests(arguments: Sequence[str], root: Path) -> bool:
    """Tell whether arguments for pytest choose tests, and do not only say how to run all of them."""
    for before, word in zip(["", *arguments], arguments, strict=False):
        if before in OPTIONS_WITH_A_VALUE:
            continue
        if word.startswith(("-k", "-m")):
            return True
        if not word.startswith("-") and ("::" in word or (root / word).exists()):
            return True
    return False


def oldest_packages(needs: Sequence[str]) -> list[str]:
    """Pin each package that the project needs to the oldest version that it allows."""
    return [re.sub(r"\s*>=\s*([\w.]+).*", r"==\1", need) for need in needs]


def all_steps(ci: bool, options: Sequence[str]) -> list[Step]:
    """List every step in order; the options go to pytest."""
    pytest = ["-m", "pytest", *options]
    tests = Step("tests", pytest, NO_SKIPS if ci else {})
    notebooks = Step("notebooks", [*pytest, "--nbval", "notebooks"])
    if not ci:
        return [tests, notebooks]
    return [
        Step("ruff check", ["-m", "ruff", "check"]),
        Step("ruff format --check", ["-m", "ruff", "format", "--check"]),
        Step("mypy", ["-m", "mypy"]),
        Step("lint-imports", ["-c", LINT_IMPORTS]),
        Step("tests, oldest packages", [*pytest, *OLD_PACKAGES], NO_PIXELS, oldest=True),
        Step("notebooks, oldest packages", [*notebooks.command, *OLD_PACKAGES], NO_PIXELS, oldest=True),
        tests,
        notebooks,
    ]


def run_tests(ci: bool, arguments: Sequence[str]) -> int:
    """Run every step, also after one has failed; the last lines are the last runner's own.

    The oldest packages have a Python of their own, so their steps run beside the others and are shown when they end.
    """
    pinned = (".venv", ["ci", "cluster", "instructor", "test"] if ci else ["test"], LEARNERS)
    oldest = (".venv-oldest", ["test"], oldest_packages(PROJECT["dependencies"]))
    steps = all_steps(ci, arguments)
    if chooses_tests(arguments, ROOT):
        say("Only the tests that you chose: `lab.py test` without them runs everything.")
        steps = [Step("tests", ["-m", "pytest", *arguments])]
    prepare(*pinned)
    beside, (*here, last) = [step for step in steps if step.oldest], [step for step in steps if not step.oldest]
    failed: list[str] = []

    def show(step: Step, ended: Callable[[], tuple[int, str]]) -> None:
        say(f"\n{step.name}:")
        code, said = ended()
        if said:
            say(said)
        failed.extend([step.name] if code else [])

    lane, end = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
    try:
        running = [lane.submit(_done, step, oldest) for step in beside]
        for step in here:
            show(step, partial(_done, step, pinned, aloud=True))
        ended = end.submit(_done, last, pinned).result if beside else partial(_done, last, pinned, aloud=True)
        for step, old in zip(beside, running, strict=True):
            show(step, old.result)
        if failed:
            say(f"\nFailed before this last step: {', '.join(failed)}.")
        show(last, ended)
    finally:
        lane.shutdown(cancel_futures=True)  # after an interruption no further step begins
        end.shutdown(cancel_futures=True)
    return 1 if failed else 0


def _done(step: Step, packages: Packages, *, aloud: bool = False) -> tuple[int, str]:
    """Run a step and keep what it says, or let it talk to the person itself."""
    try:
        command = prepare(*packages), *step.command
        return (run(*command, **step.environment), "") if aloud else quietly(*command, **step.environment)
    except SystemExit as trouble:  # what it lacks could not be installed
        return 1, str(trouble.code)
