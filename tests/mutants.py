"""Break the mathematics in fixed, named ways and see that a test notices each: ``python -m tests.mutants [word ...]``.

Every mutant replaces one piece of source text in a copy of the package and runs the tests of its module there. None may
survive. Words choose mutants by module or name. All of them take about 15 minutes, so this is run by hand;
``test_mutants`` checks in a moment that each source text still occurs once.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests import (
    mutations,
    mutations_of_approximations,
    mutations_of_attention,
    mutations_of_diagnostics,
    mutations_of_exercises,
    mutations_of_reading,
    mutations_of_streaming,
)

ROOT = Path(__file__).resolve().parent.parent
TESTS = {
    "shapes": ["test_shapes", "test_numbers"],
    "masks": ["test_masks"],
    "tokens": ["test_tokens", "test_ownership"],
    "examples": ["test_examples", "test_ownership"],
    "attention": ["test_softmax", "test_attention", "test_attention_edges", "test_ownership"],
    "heads": ["test_split_heads", "test_heads", "test_ownership"],
    "summary": ["test_summary"],
    "diagnostics/entropy": ["test_diagnostics"],
    "diagnostics/leaks": ["test_leaks_and_numbers", "test_leaks"],
    "diagnostics/roles": ["test_diagnostics_roles"],
    "installation": ["test_installation"],
    "plotting/words": ["plotting/test_words"],
    "exercises/steps": ["exercises/test_steps"],
    "exercises/diagnose": ["exercises/test_learners", "exercises/test_confusion"],
    **mutations_of_approximations.TESTS,
    **mutations_of_reading.TESTS,
    **mutations_of_streaming.TESTS,
}
SECONDS = 120  # a mutant that runs longer is caught: it would not get through CI


class MutationError(Exception):
    """A mutation run that cannot tell anything."""


@dataclass(frozen=True)
class Mutant:
    """One way to break one module."""

    module: str
    name: str
    old: str
    new: str

    def mutate(self, source):
        """Break the source, or say why it cannot be broken."""
        if source.count(self.old) != 1:
            raise MutationError(
                f"{self.module}, {self.name!r}: the source has {source.count(self.old)} times\n{self.old}"
            )
        return source.replace(self.old, self.new)


_WAYS = mutations.MUTATIONS | mutations_of_attention.MUTATIONS | mutations_of_diagnostics.MUTATIONS
_WAYS |= mutations_of_exercises.MUTATIONS | mutations_of_reading.MUTATIONS | mutations_of_streaming.MUTATIONS
_WAYS |= mutations_of_approximations.MUTATIONS
MUTANTS = [Mutant(module, *way) for module, ways in _WAYS.items() for way in ways]


def source_of(module, root=ROOT):
    """Where the source of a module lies."""
    return root / "attention_lab" / f"{module}.py"


def run_tests(modules, root):
    """Run the tests of modules on the copy; give back whether all passed, and the first that failed."""
    files = [f"tests/{name}.py" for module in modules for name in TESTS[module]]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-xq",
        "--confcutdir=tests/pretrained",
        "-p",
        "no:cacheprovider",
        "-W",
        "error",
        *files,
    ]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "ATTENTION_LAB_MUTANT": "1"}
    environment["ATTENTION_LAB_PROGRESS"] = "off"  # without conftest.py, nothing else keeps a person's diary apart
    environment.pop("PYTHONPATH", None)  # the copy and nothing else
    try:
        run = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False, "took too long"
    if run.returncode not in (0, 1, 2):  # all passed, some failed, or a module did not even import
        raise MutationError(f"pytest ended with {run.returncode}:\n{run.stdout}\n{run.stderr}")
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return run.returncode == 0, failed[0].split("::")[-1].split(" - ")[0] if failed else ""


def run_mutant(mutant, root):
    """Break the copy, test it, mend it; give back whether a test noticed, and which."""
    path = source_of(mutant.module, root)
    source = path.read_text(encoding="utf-8")
    path.write_text(mutant.mutate(source), encoding="utf-8")
    try:
        passed, test = run_tests([mutant.module], root)
    finally:
        path.write_text(source, encoding="utf-8")
    return not passed, test


def copy_package(root):
    """Copy what the run needs, and see that its tests pass and import the copy."""
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in ("attention_lab", "tests"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignore)
    passed, test = run_tests(list(TESTS), root)
    if not passed:
        raise MutationError(f"The tests fail before anything is broken: {test}")


def main(words):
    """Run the chosen mutants and print one line each; give back how many survived."""
    chosen = [m for m in MUTANTS if not words or any(word == m.module or word in m.name for word in words)]
    for mutant in chosen:
        mutant.mutate(source_of(mutant.module).read_text(encoding="utf-8"))
    survived, start = 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        copy_package(Path(folder))
        for mutant in chosen:
            noticed, test = run_mutant(mutant, Path(folder))
            survived += not noticed
            verdict = "killed" if noticed else "SURVIVED"
            print(f"{verdict:8}  {mutant.module:14}  {mutant.name:58}  {test[:90]}", flush=True)
    minutes = (time.perf_counter() - start) / 60
    print(f"{len(chosen)} mutants, {len(chosen) - survived} killed, {survived} survived, {minutes:.1f} minutes")
    return survived


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
