import base64
import os
import re
import sys
import tomllib

import matplotlib
import pytest

from tests.front_page import PICTURE, README, ROOT, course_map, example_code, example_picture, with_map
from tests.lesson import Lesson
from tests.pictures import picture_difference
from tests.run_notebooks import NOTEBOOKS
from tests.strict_nbval import compare_pixels

TEXT = README.read_text(encoding="utf-8")
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]


def test_the_first_picture_stands_within_twenty_lines_with_its_sentence() -> None:
    image = re.search(
        r"!\[(.+?)\]\((.+?)\)", "\n".join(line for line in TEXT.splitlines()[:20] if PICTURE.name in line)
    )
    assert image is not None
    assert image[2] == f"docs/{PICTURE.name}"
    assert image[1] == example_picture().sentence


def test_three_lines_of_code_draw_the_picture() -> None:
    assert len([line for line in example_code().splitlines() if line]) == 3


@pytest.mark.skipif(
    not compare_pixels(os.environ, sys.platform, matplotlib.__version__),
    reason="pictures are compared by pixel on the pinned stack only",
)
def test_the_picture_is_what_the_code_draws() -> None:
    saved, new = (base64.b64encode(png).decode() for png in (PICTURE.read_bytes(), example_picture().png))
    assert picture_difference(saved, new) is None, "run python -m tests.front_page"


def test_the_map_is_made_from_the_lessons_that_exist() -> None:
    assert with_map(TEXT) == TEXT, "run python -m tests.front_page"


def test_the_map_in_the_first_lesson_has_the_same_rows() -> None:
    first = "\n".join(cell.source for cell in Lesson.open(NOTEBOOKS / "00_start_here.ipynb").cells)
    rows = re.findall(r"^\| \[?(\d\d) .*?\| (.+?) \| (\d+) \|$", first, re.MULTILINE)
    assert rows == [(one.stem[:2], one.question, one.minutes) for one in course_map() if one.stem[:2].isdigit()]


def test_the_repositorys_address_is_the_one_in_pyproject() -> None:
    owner_and_name = REPOSITORY.removeprefix("https://github.com/")
    assert f"mybinder.org/v2/gh/{owner_and_name}/" in TEXT
    other_files = [ROOT / "CITATION.cff", ROOT / "CONTRIBUTING.md", README]
    addresses = {found for path in other_files for found in re.findall(r"github\.com/[\w-]+/[\w-]+", path.read_text())}
    assert addresses <= {f"github.com/{owner_and_name}"}
