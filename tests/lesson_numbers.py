"""Every number in a lesson's prose is written in, or shown by, a cell; arithmetic in prose is computed again.

Checked in every Markdown cell, details and answers too, against the numbers in the lesson's code and compared outputs
(an explorer's saved tables and a picture's alt are outputs; a comment is none, nor is what a live cell printed):

* decimals, percentages, numbers with a sign, and whole numbers from 10 on; decimals and percentages agree when the
  shown number, rounded to the digits in the prose, is the number in the prose (98.2% is 0.982 and 0.9825; 11% is 0.11);
  whole numbers must be equal (10 is 10.0);
* `[1.98, 1.97]`, and a row of three or more such as 1, 4, 6: as a whole, in that order;
* the right-hand side of every "=", whatever its size; and "1·1 + 3·1 = 4" must be so. Sums of products of decimals
  without "=" must come to a number that is shown.

Left out: unsigned whole numbers below 10 (mostly counts, "two rows of 3") unless one of the last two rules reads them;
numbers in words; shapes such as (2, 3); headings, code spans, blocks of code, where links lead, numbers of list items;
"lesson 07", "00"; "25 minutes"; years after "in", "around", "since", "until" or in brackets; the course's map; products
of vectors. The whole lesson counts, so a number may come from a cell far away. What no cell can print (a wrong answer
in a question, an edit to try in an explorer) stands in the cell's metadata, as it is written: `"numbers": ["80%"]`;
an entry that is not needed is a fault.
"""

import ast
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.lesson import ALT, Cell, Lesson
from tests.lesson_rules import Rule

_NUMBER = r"(?<![\w.])(?:(?<![\w)\]%])[-−])?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?(?:e[-+]?\d+)?(?: ?%)?(?!\w|\.\d)"
NUMBER = re.compile(_NUMBER)
RUN = re.compile(rf"{_NUMBER}(?:[,\s]\s*{_NUMBER})*")  # what stands between brackets, words and cells of a table
VECTOR = re.compile(rf"\[\s*{_NUMBER}(?:,?\s+{_NUMBER}|,{_NUMBER})+\s*\](?!\()")
SHAPE = re.compile(r"(\(\d+),( \d+\))")  # a pair in round brackets is no vector
ROW = re.compile(rf"{_NUMBER}(?:, {_NUMBER}){{2,}}(?:,? (?:and|or) {_NUMBER})?|{_NUMBER}, {_NUMBER},? and {_NUMBER}")
EQUATION = re.compile(rf"(?P<left>[\d√(][\d.,·×+*/^()√ −-]*)?[=≈]\s*(?P<right>{_NUMBER})(?!\s*[·×*/+^−]|\s+-\s)")
_PRODUCT = r"\d+\.\d+(?: ?[·×] ?\d+(?:\.\d+)?)+"
PRODUCTS = re.compile(rf"(?<![\w.]){_PRODUCT}(?: [+−-] {_PRODUCT})*")
SMALL = 10

_YEAR = r"(?:19|20)\d\d\b(?![.,]\d|%)"
LEFT_OUT = [
    re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE),  # blocks of code
    re.compile(r"<!--.*?-->|<[^<>]+>", re.DOTALL),
    re.compile(r"(`+).+?\1", re.DOTALL),  # code spans
    re.compile(r"^\| lesson \|.*\n(?:\|.*\n?)*", re.MULTILINE),  # the course's map
    re.compile(r"^#{1,6} .*$", re.MULTILINE),
    re.compile(r"^[ >]*\d+\. ", re.MULTILINE),  # numbers of list items
    re.compile(r"(?<=\])\([^)]*\)|https?://\S+"),  # where links lead
    re.compile(r"\blessons? \d\d(?:(?:,| and| to) \d\d\b)*|(?<![\w.,])0\d(?![\w.%]|,\d)", re.IGNORECASE),
    re.compile(r"\b\d+(?: ?(?:-|to) ?\d+)? minutes?\b"),
    re.compile(rf"\b(?:in|around|since|until) {_YEAR}|\((?:[^()\n]+,? )?{_YEAR}\)", re.IGNORECASE),
]


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.text.endswith("%")

    @property
    def value(self) -> float:
        """Its value; 98.2 of 98.2%."""
        return float(self.text.rstrip("% ").replace(",", "").replace("−", "-"))

    @property
    def decimals(self) -> int:
        """How many digits stand behind its point."""
        mantissa, _, exponent = self.text.rstrip("% ").partition("e")
        return len(mantissa.partition(".")[2]) - int(exponent or 0)

    def is_of(self, value: float) -> bool:
        """Whether a value, rounded to the digits of this number, is this number."""
        return abs(self.value - value) <= 0.5 * 10**-self.decimals + 1e-9

    def agrees(self, shown: "Number") -> bool:
        """Whether a number that is shown is this number of the prose, rounded alike."""
        if self.percent and not shown.percent:
            return "." in shown.text and abs(shown.value) <= 1 and self.is_of(100 * shown.value)
        if self.percent or shown.percent:
            return (self.percent or "." in self.text) and self.is_of(shown.value / (1 if self.percent else 100))
        return self.is_of(shown.value) if self.decimals > 0 else self.value == shown.value


def numbers(text: str) -> list[Number]:
    """The numbers of a text, in order."""
    return [Number(found) for found in NUMBER.findall(text)]


def every_number_in_prose_is_shown(lesson: Lesson) -> Iterator[str]:
    """What a reader reads is what a cell says; and an allowance that nobody needs is taken back."""
    texts = (SHAPE.sub(r"\1 ¦ \2", text) for text in shown_texts(lesson))
    runs = [numbers(run[0]) for text in texts for run in RUN.finditer(text)]
    for cell in lesson.cells:
        allowed = set(cell.node.metadata.get("numbers", []))
        faults = dict(_not_shown(cell, runs)) if cell.kind == "markdown" else {}
        for text in sorted(faults.keys() - allowed):
            yield f"cell {cell.position}: {text} {faults[text]}"
        for text in sorted(allowed - faults.keys()):
            yield f"cell {cell.position}: its metadata allows {text}, which need not be allowed"


def arithmetic_in_prose_is_right(lesson: Lesson) -> Iterator[str]:
    """Arithmetic that is written out comes to what is written, or to what is shown."""
    shown = [number for text in shown_texts(lesson) for number in numbers(text)]
    for cell in lesson.cells:
        text = prose_with_numbers(cell.source) if cell.kind == "markdown" else ""
        for found in EQUATION.finditer(text):
            value = _computed(found["left"] or "")
            right = Number(found["right"])
            if value is not None and not right.is_of(100 * value if right.percent else value):
                yield f"cell {cell.position}: {found[0].strip().rstrip('.')} is not so: it is {value:.6g}"
        for found in PRODUCTS.finditer(text):
            value = _computed(found[0])
            close = (number for number in shown if number.decimals >= 2 or number.value == value)
            ends_in_equals = text[found.end() :].lstrip()[:1] in {"=", "≈"}
            if value is not None and not ends_in_equals and not any(number.is_of(value) for number in close):
                yield f"cell {cell.position}: {found[0]} is {value:.6g}, which no cell shows"


def prose_with_numbers(markdown: str) -> str:
    """The text without what the module's first lines leave out."""
    for pattern in LEFT_OUT:
        markdown = pattern.sub(" ¦ ", markdown)  # a bar: what stands on its two sides is no row
    return html.unescape(markdown)


def shown_texts(lesson: Lesson) -> Iterator[str]:
    """Every text of the lesson whose numbers count as shown."""
    for cell in lesson.code:
        if cell.tree:
            yield from (text.replace("_", "") for text in _written(cell.tree, cell.source))
        for text in cell.shown() if cell.compared else ():
            yield from (alt[2] for alt in ALT.finditer(text))
            yield re.sub(r"</?[a-z][^>]*>", " ¦ ", text)


def _written(node: ast.AST, source: str) -> Iterator[str]:
    """Each number, list of numbers and piece of text in code; no comment, index of several axes or format."""
    if _is_number(node) or _is_vector(node):
        text = ast.get_source_segment(source, node) or ""
        yield text if isinstance(node, ast.List) or _is_number(node) else f"({text.strip('()')})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for part in (node.value, *node.slice.elts):
            yield from _written(part, source)
    elif isinstance(node, ast.FormattedValue):
        yield from _written(node.value, source)
    else:
        for part in ast.iter_child_nodes(node):
            yield from _written(part, source)


def _is_vector(node: ast.AST) -> bool:
    return isinstance(node, ast.List | ast.Tuple) and bool(node.elts) and all(map(_is_number, node.elts))


def _is_number(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def _not_shown(cell: Cell, runs: list[list[Number]]) -> Iterator[tuple[str, str]]:
    """What the cell's prose says and no run of shown numbers does, with the reason."""
    text = prose_with_numbers(cell.source)
    for pattern in (VECTOR, ROW):
        for found in pattern.finditer(text):
            wanted = numbers(found[0])
            if not any(_agree(wanted, run) for run in runs):
                text_of_it = re.sub(r"\s+", " ", found[0]).rstrip(".").replace("−", "-")
                yield text_of_it, "stands as a whole in no cell's code or output"
        text = pattern.sub(" ¦ ", text)
    shown = [number for run in runs for number in run]
    right_hand = {found.start("right") for found in EQUATION.finditer(text)}
    for found in NUMBER.finditer(text):
        number = Number(found[0].rstrip("."))
        if (_is_checked(number) or found.start() in right_hand) and not any(map(number.agrees, shown)):
            yield number.text.replace("−", "-"), "stands in no cell's code or output"


def _is_checked(number: Number) -> bool:
    return number.percent or "." in number.text or number.value >= SMALL or number.text[0] in "-−"


def _agree(wanted: list[Number], run: list[Number]) -> bool:
    return len(wanted) == len(run) and all(mine.agrees(shown) for mine, shown in zip(wanted, run, strict=True))


def _computed(arithmetic: str) -> float | None:
    """The value of arithmetic as prose writes it; None where it is a number alone, or no arithmetic."""
    python = re.sub(r"√(\d+(?:\.\d+)?|\([^()]*\))", r"(\1)**0.5", arithmetic.strip())
    for sign, operator in {"·": "*", "×": "*", "−": "-", "^": "**", ",": ""}.items():
        python = python.replace(sign, operator)
    try:
        tree = ast.parse(python, mode="eval").body
        simple = all(isinstance(part, ast.expr | ast.operator | ast.unaryop) for part in ast.walk(tree))
        plain = isinstance(tree, ast.BinOp) and simple and re.fullmatch(r"[\d.+*/() -]+", python)
        return float(eval(python, {"__builtins__": {}})) if plain else None
    except (SyntaxError, ArithmeticError, TypeError):
        return None


NUMBER_RULES: list[Rule] = [every_number_in_prose_is_shown, arithmetic_in_prose_is_right]
