"""A saved lesson as the rules see it, and the numbers that the rules hold it to."""

import ast
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from nbformat import NotebookNode

from tests.run_notebooks import LIVE, read, tags

# Budgets of a core lesson (the design of the learning path, "Budgets a test can hold").
MINUTES = {"00": (10, 15)}  # the first lesson is short; a lesson with a reason to differ gets its own line
MINUTES_OF_OTHERS = (20, 40)
WORDS_A_MINUTE = 180
WORDS_BEFORE_FIRST_ACTION = 80
WORDS_BETWEEN_CODE = 150  # appendices, too
WORDS_IN_ALL = 1100
CELLS_TO_READ = 12
PREDICTIONS = 3
EXPLORERS = 1
EXERCISE_MINUTES = {"02": 20, "04": 20}  # their explorers are stretch
EXERCISE_MINUTES_OF_OTHERS = 16

# Cells (the design of the house, "Lessons").
LINES_OF_A_CELL = 15
TYPICAL_LINES = 4  # the median; three are meant
SENTENCE = (40, 250)  # characters of a picture's sentence
TAGS = {
    "exercise",  # a stub, its check and hints; metadata "minutes" says how long it takes; "stretch" where it is no core
    "stretch",
    "predict",
    "explain",  # the answer to a prediction
    "explorer",
    "warm-up",
    "questions",  # the four at the end
    "own-code",  # defines a function that does not belong in the package
    LIVE,
    "raises-exception",
    "hide-output",  # the site folds it
}
ALT = re.compile(r"""\balt=(["'])(.*?)\1""", re.DOTALL)  # of a picture in HTML; its text is the second group
HEADINGS = {"Recap", "Four questions", "Check your understanding", "Next"}  # the others are questions


@dataclass(frozen=True)
class Lesson:
    """A notebook and its file."""

    path: Path
    text: str
    notebook: NotebookNode

    @classmethod
    def open(cls, path: Path) -> "Lesson":
        """The lesson in a file."""
        return cls(path, path.read_text(encoding="utf-8"), read(path))

    @property
    def number(self) -> str:
        """`02` of `02_ask_label_hand_over`."""
        return self.path.stem[:2]

    @property
    def core(self) -> bool:
        """Whether it is no appendix."""
        return re.match(r"\d\d_", self.path.stem) is not None

    @cached_property
    def code(self) -> list["Cell"]:
        """The code cells."""
        return [cell for cell in self.cells if cell.kind == "code"]

    @cached_property
    def cells(self) -> list["Cell"]:
        """All cells."""
        return [Cell(position, node) for position, node in enumerate(self.notebook.cells, start=1)]


@dataclass(frozen=True)
class Cell:
    """A cell and its place, counted from 1 as a reader does."""

    position: int
    node: NotebookNode

    @property
    def kind(self) -> str:
        """`code`, `markdown` or `raw`."""
        return str(self.node.cell_type)

    @property
    def source(self) -> str:
        """What the author wrote."""
        return str(self.node.source)

    @property
    def lines(self) -> list[str]:
        """The lines that are not blank."""
        return [line for line in self.source.splitlines() if line.strip()]

    @property
    def tags(self) -> set[str]:
        """Its tags."""
        return set(tags(self.node))

    @property
    def compared(self) -> bool:
        """Whether its output is the same everywhere."""
        return LIVE not in self.tags

    @property
    def tree(self) -> ast.Module | None:
        """The parsed code; None where it is no plain Python."""
        try:
            return ast.parse(self.source)
        except SyntaxError:
            return None

    @property
    def imports_only(self) -> bool:
        """Whether it is the import cell."""
        body = self.tree.body if self.tree else []
        return bool(body) and all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in body)

    @property
    def words(self) -> int:
        """Words of prose."""
        return len(prose(self.source)) if self.kind == "markdown" else 0

    def shown(self) -> Iterator[str]:
        """Every text that its outputs show; scripts, styles and encoded pictures are cut out of HTML."""
        for output in self.node.get("outputs", []):
            yield output.get("text", "")
            yield f"{output.get('ename', '')}: {output.get('evalue', '')}"
            for kind, data in output.get("data", {}).items():
                if kind == "text/html":
                    yield html.unescape(re.sub(r"<(script|style)\b.*?</\1>|data:[^\"'\s]+", "", data, flags=re.DOTALL))
                elif kind.startswith("text/") or kind == "image/svg+xml":
                    yield data


def prose(markdown: str) -> list[str]:
    """The words of a text as they are read; a formula in a line counts as one, a displayed formula or code as none."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$|<!--.*?-->|<[^>]+>", " ", markdown, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "] ", text)  # where a link leads
    text = re.sub(r"\$[^$\n]+\$", " formula ", text)
    return re.findall(r"[^\W_]+(?:['’.,/-][^\W_]+)*", text)


def broken_links(markdown: str, folder: Path) -> list[str]:
    """The relative links of a text, seen from its folder, that lead to no file; other addresses are left alone."""
    text = re.sub(r"^(```|~~~).*?^\1|(`+).+?\2|<!--.*?-->", " ", markdown, flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(\s*<?([^\s)>]+)", text) + re.findall(r"^\[[^\]]+\]:\s+(\S+)", text, re.MULTILINE)
    links += re.findall(r"""<(?:a|img)\b[^>]*?\b(?:href|src)=["']([^"']+)""", text)
    files = {link: unquote(link.partition("#")[0].partition("?")[0]) for link in links}
    return [link for link, file in files.items() if not _ADDRESS.match(link) and file and not (folder / file).exists()]


_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)  # https:, mailto:, attachment:
