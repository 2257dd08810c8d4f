"""The pages beside the lessons say what is there: versions, links, the words for shapes, the rooms of the house."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from attention_lab import __version__
from tests.lesson import broken_links
from tests.run_notebooks import ROOT

PACKAGE = ROOT / "attention_lab"
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]
AXIS = re.compile(r"\b[nd]_[a-z_]+\b")


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def trees() -> Iterator[ast.Module]:
    """The parsed modules of the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield ast.parse(text_of(path))


def texts_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The pieces of text in code."""
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def axes_that_are_bound() -> set[str]:
    """The words in specs such as "... n_keys d_k", wherever the package writes them."""
    nodes = [node for tree in trees() for node in ast.walk(tree)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "bind"]
    bound = {text for call in calls for text in texts_in(ast.walk(call))}
    written = {text for text in texts_in(nodes) if " " in text and AXIS.search(text)}
    specs = [text.split() for text in bound | written]
    specs = [words for words in specs if all(word in {"...", "d"} or AXIS.fullmatch(word) for word in words)]
    return {word for words in specs for word in words} - {"..."}


def words_of(text: str) -> set[str]:
    """The words for axes in a page's code spans."""
    return {word for span in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"\bd\b|[nd]_[a-z_]+", span)}


def names_in_first_column(page: str) -> set[str]:
    """What the first column of the rooms' table names in code spans."""
    table = page.partition("| room | holds |")[2].partition("\n\n")[0]
    first = "\n".join(line.split("|")[1] for line in table.splitlines() if line.startswith("|"))
    return {name.removeprefix("attention_lab/") for name in re.findall(r"`([\w./]+)`", first)}


def rooms() -> set[str]:
    """The modules and folders of the package."""
    modules = {path.name for path in PACKAGE.glob("*.py")} - {"__init__.py"}
    return modules | {f"{path.parent.name}/" for path in PACKAGE.glob("*/__init__.py")}


def test_the_version_is_the_same_in_the_package_the_citation_and_the_changes() -> None:
    cited = re.search(r"^version: (\S+)$", text_of(ROOT / "CITATION.cff"), re.MULTILINE)
    newest = re.search(r"^## \[?([^\s\]]+)", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert cited is not None
    assert newest is not None
    assert (cited[1], newest[1]) == (__version__, __version__)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    assert broken_links(text_of(page), page.parent) == []


@pytest.mark.parametrize(
    ("markdown", "broken"),
    [
        ("[a](there.md#part), [b](#part), [c](https://x.org/y), ![d](mailto:me@x.org) and `[e](gone.md)`", []),
        ("[a](gone.md#part)", ["gone.md#part"]),
        ('![a picture](gone%20too.png "title")', ["gone%20too.png"]),
        ("[![badge](https://x.org/badge.svg)](gone.md)", ["gone.md"]),
        ("```\n[a](gone.md)\n```\n[b](sub/there.md)", ["sub/there.md"]),
        ('<img alt="a" src="gone.png">', ["gone.png"]),
    ],
)
def test_a_link_to_nowhere_is_found(markdown: str, broken: list[str], tmp_path: Path) -> None:
    (tmp_path / "there.md").touch()
    assert broken_links(markdown, tmp_path) == broken


def test_every_word_for_a_shape_on_the_notation_page_is_used_in_the_package() -> None:
    sources = "\n".join(text_of(path) for path in PACKAGE.rglob("*.py"))
    words = words_of(text_of(DOCS / "notation.md"))
    assert {"n_queries", "d_k"} <= words
    assert [word for word in sorted(words) if not re.search(rf"\b{word}\b", sources)] == []


def test_every_axis_that_the_package_binds_is_a_word_of_the_notation_page() -> None:
    bound = axes_that_are_bound()
    assert {"n_queries", "d_k", "n_kv_heads", "d_context"} <= bound  # the specs are found
    assert sorted(bound - words_of(text_of(DOCS / "notation.md"))) == []


def test_the_design_page_names_every_room_of_the_package() -> None:
    assert sorted(rooms() - names_in_first_column(text_of(DOCS / "design.md"))) == []


def test_every_room_and_module_that_the_design_page_names_is_there() -> None:
    page = text_of(DOCS / "design.md")
    places = [ROOT, PACKAGE, *(path.parent for path in PACKAGE.glob("*/__init__.py")), ROOT / "tests"]
    named = names_in_first_column(page) | set(re.findall(r"`([\w./*]+(?:\.py|/))`", page))
    learners = {"my_lessons/"}  # made by lab.py
    assert {"shapes.py", "plotting/", "style.py", "lesson*.py"} <= named
    assert [name for name in sorted(named - learners) if not any([*place.glob(name)] for place in places)] == []
