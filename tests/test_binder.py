import os
import re

from tests.run_notebooks import ROOT

BINDER = ROOT / "binder"


def pins(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w-]+)==([\w.]+)$", text, re.MULTILINE))


def test_each_pin_is_the_one_that_was_tested() -> None:
    on_binder, tested = (pins((folder / "requirements.txt").read_text(encoding="utf-8")) for folder in (BINDER, ROOT))
    assert on_binder
    assert on_binder.items() <= tested.items()


def test_binder_has_nothing_that_a_learner_does_not_need() -> None:
    assert {path.name for path in BINDER.iterdir()} == {"requirements.txt", "runtime.txt", "postBuild"}
    assert "nbval" not in (BINDER / "requirements.txt").read_text(encoding="utf-8")


def test_its_python_is_one_that_the_package_runs_on() -> None:
    major, minor = re.fullmatch(r"python-(\d+)\.(\d+)\n", (BINDER / "runtime.txt").read_text(encoding="utf-8")).groups()
    assert (int(major), int(minor)) >= (3, 11)


def test_the_build_makes_the_copies_that_the_badge_opens() -> None:
    build = (BINDER / "postBuild").read_text(encoding="utf-8")
    assert "lab.py lessons" in build
    assert "--no-deps" in build
    assert "urlpath=lab/tree/my_lessons/00_start_here.ipynb" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_build_script_may_be_executed() -> None:
    assert os.name == "nt" or os.access(BINDER / "postBuild", os.X_OK)
