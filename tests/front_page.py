"""The README's picture and map, made from the package and the lessons: ``python -m tests.front_page``."""

import re
from dataclasses import dataclass

from attention_lab.plotting import Picture
from tests.lesson import Lesson
from tests.run_notebooks import ROOT, lessons

README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "bank_looks_at_river.png"
_MAP = re.compile(r"(?<=<!-- map -->\n).*?(?=<!-- end of map -->)", re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A lesson as the map shows it; read from its first cell."""

    stem: str
    question: str
    minutes: str

    @property
    def name(self) -> str:
        """`02 ask label hand over`."""
        return self.stem.replace("_", " ")


def course_map() -> list[Entry]:
    """List the lessons, in order; one without a question or minutes is an error."""
    entries = []
    for path in lessons():
        opening = Lesson.open(path).cells[0].source
        question = re.search(r"\*\*The question:\*\* (.+?)\n", opening)
        minutes = re.search(r"(\d+) minutes", opening)
        if not question or not minutes:
            raise ValueError(f"{path.name} must open with its question and its minutes")
        entries.append(Entry(path.stem, question[1][0].upper() + question[1][1:], minutes[1]))
    return entries


def example_code() -> str:
    """The first block of Python in the README."""
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found, "the README has no Python block"
    return found[1]


def example_picture() -> Picture:
    """Run the README's example; the value of its last line is the picture."""
    lines = example_code().strip().splitlines()
    names: dict[str, object] = {}
    exec("\n".join(lines[:-1]), names)  # the project's own README
    picture = eval(lines[-1], names)
    assert isinstance(picture, Picture)
    return picture


def with_map(readme: str) -> str:
    """Put the course's map between its two marks."""
    rows = ["| lesson | question | minutes |", "| --- | --- | --- |"]
    rows += [f"| [{one.name}](notebooks/{one.stem}.ipynb) | {one.question} | {one.minutes} |" for one in course_map()]
    return _MAP.sub(lambda _: "\n".join(rows) + "\n", readme)


if __name__ == "__main__":
    README.write_text(with_map(README.read_text(encoding="utf-8")), encoding="utf-8")
    example_picture().save(PICTURE)
    print("README.md and its picture are written")
