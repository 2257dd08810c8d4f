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
    appendix_of: str = ""

    @property
    def row(self) -> str:
        """A row of the map: a lesson, or an appendix below them."""
        name = self.stem.removeprefix("appendix_").replace("_", " ")
        link = f"| [{name}](notebooks/{self.stem}.ipynb) | {self.question} |"
        return f"{link} {self.appendix_of} |" if self.appendix_of else f"{link} {self.minutes} |"


def course_map() -> list[Entry]:
    """List the lessons, in order, and then the appendices; one without a question or its minutes is an error."""
    entries = []
    for path in lessons():
        lesson = Lesson.open(path)
        opening = lesson.cells[0].source
        question = re.search(r"\*\*The question:\*\* (.+?)\n", opening)
        minutes = re.search(r"(\d+) minutes", opening) if lesson.core else None
        appendix_of = re.search(r"appendix of \[?lesson (\d\d)", opening) if not lesson.core else None
        if not question or not (minutes or appendix_of):
            raise ValueError(f"{path.name} must open with its question, and its minutes or whose appendix it is")
        asked = question[1][0].upper() + question[1][1:]
        entries.append(Entry(path.stem, asked, minutes[1] if minutes else "", appendix_of[1] if appendix_of else ""))
    return sorted(entries, key=lambda entry: (entry.appendix_of, entry.stem))


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
    entries = course_map()
    rows = ["| lesson | question | minutes |", "| --- | --- | --- |"]
    rows += [entry.row for entry in entries if not entry.appendix_of]
    rows += ["", "Appendices, for who wants to know more; no lesson needs them:", ""]
    rows += ["| appendix | question | of lesson |", "| --- | --- | --- |"]
    rows += [entry.row for entry in entries if entry.appendix_of]
    return _MAP.sub(lambda _: "\n".join(rows) + "\n", readme)


if __name__ == "__main__":
    README.write_text(with_map(README.read_text(encoding="utf-8")), encoding="utf-8")
    example_picture().save(PICTURE)
    print("README.md and its picture are written")
