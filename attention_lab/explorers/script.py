"""What all explorers share: one script used three ways.

1. With a kernel: an anywidget, whose state Python sees.
2. Without one, in a page that runs scripts: the same script stands in the saved ``text/html``, and needs nothing from
   the network.
3. Where no script runs (GitHub, a notebook that is not trusted): a picture and tables with the numbers of the moment of
   saving, which the script replaces elsewhere.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import NDArray

_FOLDER = Path(__file__).parent


class NotAChoice(traitlets.TraitError, ValueError):
    """What is set cannot be shown.

    A `ValueError` for people; a `TraitError`, too, since for no other one is a message of the page taken back.
    """


def source(file_name: str) -> str:
    """Read a file of this folder: a script or a style sheet."""
    return (_FOLDER / file_name).read_text(encoding="utf-8")


class Explorer(anywidget.AnyWidget):
    """An explorer: its script, its state, and how it shows itself wherever a notebook is read.

    A subclass sets ``_script`` and ``_esm``, as ``explorer_script`` gives them, tags the traits that its script reads
    with ``sync=True, state=True`` (``given`` does), and defines ``sentence`` and ``still``.
    """

    _script = ""
    _css = source("shared.css")

    @property
    def sentence(self) -> str:
        """What the explorer shows now, in one sentence."""
        raise NotImplementedError

    def still(self) -> str:
        """Write what is shown where no script runs, as HTML: every number of now, in tables, and a picture."""
        raise NotImplementedError

    def html(self) -> str:
        """Write the explorer for a page without a kernel; the same state gives the same text, byte for byte."""
        css, script, render = self._in_page()
        as_json = json.dumps(self._state()).replace("<", "\\u003c")  # "</script>" in a word would end the script
        return "\n".join(
            [
                f'<div class="attention-lab-place">\n<style>\n{css}</style>',
                f'<div class="attention-lab-still">\n{self.still()}\n</div>',
                f'<script>\n(() => {{\n"use strict";\n{script}',
                f"renderInPage({render}, {as_json});\n}})();\n</script>\n</div>",
            ]
        )

    def _state(self) -> dict[str, Any]:
        """Collect what the script reads."""
        return {
            name: trait.metadata.get("to_json", _as_it_is)(getattr(self, name), self)
            for name, trait in sorted(self.traits(state=True).items())
        }

    def _in_page(self) -> tuple[str, str, str]:
        """Give the style and the script of a page without a kernel, and the name of the function that draws it."""
        return self._css, self._script, "render"

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Give the live view for a kernel, the page for no kernel, and the words."""
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        return {**data, "text/html": self.html(), "text/plain": repr(self)}, metadata


def _as_it_is(value: Any, _: Explorer) -> Any:
    return value


def given(kind: Any, *parts: Any) -> Any:
    """Make a trait of a kind that the page reads and nobody changes."""
    return kind(*parts, read_only=True).tag(sync=True, state=True)


def moved(value: Any) -> Any:
    """Make a trait that the page, or Python, sets; the explorer has a method that looks at it."""
    kind: Any = traitlets.TraitType  # unlike traitlets.Any, it asks about None as well
    return kind(value).tag(sync=True, state=True)


class _Array(traitlets.TraitType[Any, Any]):
    """An array that is looked at whenever it is set, from the page or from Python."""

    def __init__(self, looked_at: Callable[[str, Any, NDArray[Any] | None], NDArray[Any]]) -> None:
        super().__init__()
        self.looked_at = looked_at

    def validate(self, explorer: Any, value: Any) -> NDArray[Any]:
        """Take it over, or raise what says in words what is wrong with it."""
        before = explorer._trait_values.get(self.name)
        return self.looked_at(str(self.name), value, before if isinstance(before, np.ndarray) else None)


def array(looked_at: Callable[[str, Any, NDArray[Any] | None], NDArray[Any]]) -> Any:
    """Make a trait that is a read-only array in Python and nested lists on the page.

    `looked_at` gets its name, what it is set to, and what it was before (None at first); it returns the array, or
    raises what is wrong.
    """
    return _Array(looked_at).tag(sync=True, state=True, to_json=_as_lists)


def _as_lists(values: NDArray[Any], _: Explorer) -> Any:
    return values.tolist()


def explorer_script(*file_names: str) -> tuple[str, str]:
    """Join an explorer's files to one script: as it stands in a page, and as a module for anywidget."""
    script = "\n".join(map(source, ["shared.js", *file_names]))
    return script, script + "\nexport default { render };\n"


def html_table(caption: str, *, rows: Sequence[str], columns: Sequence[str], cells: Iterable[Iterable[str]]) -> str:
    """Write a plain table with a caption and headers, which can be read without any style.

    >>> print(html_table("weights", rows=["bank"], columns=["river"], cells=[["98.2%"]]))
    <table><caption>weights</caption>
    <thead><tr><td></td><th scope="col">river</th></tr></thead>
    <tbody>
    <tr><th scope="row">bank</th><td>98.2%</td></tr>
    </tbody></table>
    """
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    lines = [
        f'<tr><th scope="row">{escape(row)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in line)}</tr>'
        for row, line in zip(rows, cells, strict=True)
    ]
    body = "\n".join(lines)
    return (
        f"<table><caption>{escape(caption)}</caption>\n<thead><tr><td></td>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table>"
    )
