"""Is everything here that the lessons need? Installed packages and the checkout are stand-ins."""

import sys
from importlib import metadata

import pytest

from attention_lab import installation
from attention_lab.installation import check_installation

NEEDS = ['"numpy>=2.0"', '"matplotlib>=3.9,<4"', "\"tomli>=2; python_version < '3.0'\""]


class World:
    """What is installed, and what the package says that it needs."""

    def __init__(self, monkeypatch, folder):
        self.versions = {"numpy": "2.5.1", "matplotlib": "3.9"}
        self.needs_as_installed = ["numpy>=2.0", "matplotlib>=3.9", 'pytest>=9; extra == "test"']
        self.pyproject = folder / "pyproject.toml"
        self.write(NEEDS)
        monkeypatch.setattr(installation, "__file__", str(folder / "attention_lab" / "installation.py"))
        monkeypatch.setattr(metadata, "version", self.version)
        monkeypatch.setattr(metadata, "requires", self.requires)

    def write(self, needs):
        """Write the checkout's pyproject.toml."""
        lines = ["[project]", 'name = "attention-lab"', f"dependencies = [{', '.join(needs)}]  # é"]
        self.pyproject.write_text("\n".join(lines), encoding="utf-8")

    def version(self, name):
        if name not in self.versions:
            raise metadata.PackageNotFoundError(name)
        return self.versions[name]

    def requires(self, name):
        assert name == "attention-lab"
        return self.needs_as_installed


@pytest.fixture
def world(monkeypatch, tmp_path):
    (tmp_path / "attention_lab").mkdir()
    return World(monkeypatch, tmp_path)


# By hand


def test_what_is_here_is_listed(world):
    assert check_installation() == "Everything is here: numpy, matplotlib."


def test_a_missing_package_is_named_with_the_python_that_lacks_it_and_what_to_do(world):
    del world.versions["numpy"]
    assert check_installation() == (
        f"numpy is missing. (Python is {sys.executable}.) "
        "Close JupyterLab and start it with: python3 lab.py (py lab.py on Windows)."
    )


def test_a_version_that_is_too_old_is_named_with_the_one_that_is_needed(world):
    world.versions["numpy"] = "1.26.4"
    assert check_installation().startswith("numpy is version 1.26.4, but the lessons need >=2.0. (Python is ")


def test_a_version_that_is_too_new_is_named_too(world):
    world.versions["matplotlib"] = "4.0"
    assert check_installation().startswith("matplotlib is version 4.0, but the lessons need <4,>=3.9. (Python is ")


def test_everything_that_is_wrong_is_said_and_what_to_do_only_once(world):
    world.versions = {"numpy": "1.26.4"}
    answer = check_installation()
    assert answer.startswith("numpy is version 1.26.4, but the lessons need >=2.0. matplotlib is missing. (Python is ")
    assert answer.count("Close JupyterLab") == answer.count("Python is") == 1


# Law


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        ("2.0", True),
        ("2.0.0", True),
        ("2.0.post1", True),
        ("2.1.0rc1", True),
        ("3.0.0.dev0+git20260101", True),
        ("10.0", True),
        ("2.0.0rc1", False),
        ("1.99", False),
    ],
)
def test_versions_are_compared_as_versions_and_those_before_a_release_count(world, version, enough):
    world.versions["numpy"] = version
    answer = check_installation()
    assert answer.startswith("Everything is here") == enough
    assert enough or f"numpy is version {version}, but" in answer


def test_a_package_without_a_least_version_need_only_be_here(world):
    world.write(['"numpy"'])
    world.versions = {"numpy": "0.1a1"}
    assert check_installation() == "Everything is here: numpy."
    world.versions = {}
    assert check_installation().startswith("numpy is missing.")


def test_the_checkout_says_what_is_needed_even_if_an_older_package_is_installed(world):
    world.needs_as_installed = ["numpy>=1.0"]
    world.versions["numpy"] = "1.26.4"
    assert check_installation().startswith("numpy is version 1.26.4")


def test_without_a_checkout_the_installation_says_it_and_what_only_tests_need_is_left_out(world):
    world.pyproject.unlink()
    assert check_installation() == "Everything is here: numpy, matplotlib."
    del world.versions["matplotlib"]
    assert check_installation().startswith("matplotlib is missing.")
    world.needs_as_installed = None  # what importlib says of a package that needs nothing
    assert check_installation() == "Everything is here: ."


def test_a_folder_copied_without_the_rest_of_the_course_says_what_to_do(world, monkeypatch):
    world.pyproject.unlink()

    def nowhere(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", nowhere)
    assert "is not installed. Close JupyterLab and start it with: python3 lab.py" in check_installation()
