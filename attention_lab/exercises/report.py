"""What `check`, `hint` and `solution` answer with: words first, and the same words in HTML."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass

# A sign beside the words, never in place of them.
SIGNS = {
    "right": "✓",
    "not yet": "…",
    "not tried yet": "○",
    "hint": "?",
    "solution": "=",
    "progress": "≡",
    "prediction": "?",
    "measured": "=",
}
# Of the line at the side: seen well on white and on black. The names of a theme's colours, or a layout in columns, do
# not come through to a notebook that JupyterLab does not trust yet.
COLOURS = {"right": "#3a9a3f", "not yet": "#c77700", "hint": "#2f86d6"}
QUIET = "#888888"
CODE = (
    "margin: 0.5em 0; padding: 0.5em 0.8em; overflow-x: auto; "
    "font-family: monospace; background-color: rgba(128, 128, 128, 0.12)"
)


def rich(text: str) -> str:
    """Turn `code` and *stress* into HTML; everything else is escaped.

    >>> rich("each *column* of `a < b`")
    'each <em>column</em> of <code>a &lt; b</code>'
    """
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{html.escape(part[1:-1])}</code>"
        if part.startswith("`") and part.endswith("`") and len(part) > 1
        else re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", html.escape(part))
        for part in parts
    )


def box(kind: str, title: str, body: str) -> str:
    """Write a note with a line at its side, a sign and its title in words; the body is HTML already."""
    line = f"border-left: 4px solid {COLOURS.get(kind, QUIET)}"
    return (
        f'<div role="note" style="{line}; padding: 0.3em 0.9em; max-width: 46em; line-height: 1.5">'
        f'<strong aria-hidden="true">{SIGNS[kind]}</strong>&ensp;<strong>{html.escape(title)}</strong> {body}</div>'
    )


def block(code: str) -> str:
    """Write lines of code in HTML, below each other."""
    return f'<pre style="{CODE}">{html.escape(code)}</pre>'


def choices(options: Mapping[str, str]) -> str:
    """Write what can be chosen in HTML, each with its letter."""
    items = "".join(f"<li><strong>{letter}</strong>&ensp;{rich(text)}</li>" for letter, text in options.items())
    return f'<ul style="list-style: none; margin: 0.3em 0; padding-left: 0.5em">{items}</ul>'


class Note:
    """A few words that show well in a notebook, and a block of code below them.

    >>> Note("hint", "Hint.", "Who shares out: the row?")
    Hint. Who shares out: the row?
    """

    def __init__(self, kind: str, title: str, text: str, code: str = "") -> None:
        self.kind, self.title, self.text, self.code = kind, title, text, code

    def __repr__(self) -> str:
        return f"{self.title} {self.text}".strip() + (f"\n\n{self.code}" if self.code else "")

    def _repr_html_(self) -> str:
        return box(self.kind, self.title, rich(self.text) + (block(self.code) if self.code else ""))


@dataclass(frozen=True)
class Report:
    """What `check` found; true only when the answer is right.

    Attributes
    ----------
    exercise : str
        Its name.
    verdict : {"right", "not yet", "not tried yet"}
    mistakes : tuple of str
        Codes of the bank of mistakes; none where nothing known explains the answer.
    message : str
        What is shown below the verdict.
    hints : tuple of str
        What `hint` would say, one after the other.

    Examples
    --------
    >>> Report("attention", "not tried yet", message="Put your code in place of the dots.")
    Not tried yet. Put your code in place of the dots.
    """

    exercise: str
    verdict: str
    mistakes: tuple[str, ...] = ()
    message: str = ""
    hints: tuple[str, ...] = ()

    @property
    def mistake(self) -> str | None:
        """The first of the mistakes, or None."""
        return self.mistakes[0] if self.mistakes else None

    def __bool__(self) -> bool:
        return self.verdict == "right"

    def __repr__(self) -> str:
        return f"{self.verdict.capitalize()}. {self.message}".strip()

    def _repr_html_(self) -> str:
        return box(self.verdict, f"{self.verdict.capitalize()}.", rich(self.message))
