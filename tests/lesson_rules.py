"""Rules for the cells of a lesson. Each returns what is wrong, one sentence for each fault."""

import ast
import html
import re
from collections.abc import Callable, Iterator
from statistics import median

from tests.lesson import ALT, LINES_OF_A_CELL, SENTENCE, TAGS, TYPICAL_LINES, Cell, Lesson, broken_links
from tests.run_notebooks import METADATA, text_of

Rule = Callable[[Lesson], Iterator[str]]

# Set-up that a learner would copy into every notebook of their own, and ways around the gate.
FORBIDDEN_CODE = {
    r"\bsys\.path\b": "sys.path",
    r"\bwarnings\.(filter|simplefilter|catch)": "a warning filter",
    r"^\s*[%!]|\bget_ipython\(": "a magic",
    r"NBVAL_|PYTEST_VALIDATE": "a comment that switches nbval off",
}
PLACES = re.compile(r"(?<![\w./])/(?:home|root|work|Users|tmp)/|\bC:\\")
ADDRESS = re.compile(r"\b0x[0-9a-f]{8,}", re.IGNORECASE)
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
TIME = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b\d\d?:\d\d:\d\d\b|\b(?:[01]\d|2[0-3]):[0-5]\d\b"
    rf"|\b\d\d? {MONTH} \d{{4}}\b|\b{MONTH} \d\d?, \d{{4}}\b"
)
NEGATIVE_ZERO = re.compile(r"(?<![\w.)\]])[-−]0\.0*(?![\d])")  # NumPy prints it as "-0." or "-0.00"
NOISE = re.compile(r"\de-1[5-9]\b")


def it_is_saved_as_the_runner_saves_it(lesson: Lesson) -> Iterator[str]:
    """`git diff` after a run is a gate only if an unchanged lesson is rewritten byte for byte."""
    for key in sorted({*METADATA, *lesson.notebook.metadata}):
        if lesson.notebook.metadata.get(key) != METADATA.get(key):
            yield f"the metadata {key!r} is not the fixed short form"
    if not lesson.text.endswith("}\n") or lesson.text != text_of(Lesson.open(lesson.path).notebook):
        yield "the file is not what tests/run_notebooks.py writes: run it on this lesson"


def it_was_run_from_the_top(lesson: Lesson) -> Iterator[str]:
    """Counts go 1, 2, 3 without a hole."""
    for count, cell in enumerate(lesson.code, start=1):
        if not cell.source.strip():
            yield f"cell {cell.position} is empty"
        elif cell.node.execution_count != count:
            yield f"cell {cell.position} has the count {cell.node.execution_count}, not {count}"


def every_value_is_shown(lesson: Lesson) -> Iterator[str]:
    """A cell that prints, or ends in a value, has an output."""
    for cell in lesson.code:
        body = cell.tree.body if cell.tree else []
        values = [statement.value for statement in body if isinstance(statement, ast.Expr)]
        prints = any(isinstance(value, ast.Call) and ast.unparse(value.func) == "print" for value in values)
        last = body[-1] if body else None
        quiet = cell.source.rstrip().endswith(";")
        # A call may return None, and so may a name be `...` or None; those cannot be told from here.
        ends_in_value = isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call | ast.Name) and not quiet
        if (prints or ends_in_value) and not cell.node.outputs:
            yield f"cell {cell.position} shows a value, but was saved without an output"


def nothing_warns_or_fails(lesson: Lesson) -> Iterator[str]:
    """No stderr and no error, but those that are meant."""
    for cell in lesson.code:
        for output in cell.node.outputs:
            if output.get("name") == "stderr":
                yield f"cell {cell.position} writes to stderr: {output.text.strip()[:80]}"
            if output.output_type == "error" and "raises-exception" not in cell.tags:
                yield f"cell {cell.position} ends in {output.ename}"


def nothing_belongs_to_one_machine(lesson: Lesson) -> Iterator[str]:
    """No address and no folder, in sources and in outputs."""
    for cell in lesson.cells:
        for text in (cell.source, *cell.shown()):
            for pattern, name in ((ADDRESS, "a memory address"), (PLACES, "a folder of one machine")):
                if pattern.search(text):
                    yield f"cell {cell.position} names {name}: {_around(pattern, text)}"


def numbers_are_the_same_everywhere(lesson: Lesson) -> Iterator[str]:
    """No time, no rounding noise, no sign of zero; live cells may."""
    named = ((TIME, "a date or time"), (NEGATIVE_ZERO, "a negative zero"), (NOISE, "rounding noise"))
    for cell in lesson.code:
        for text in cell.shown() if cell.compared else ():
            for pattern, name in named:
                if pattern.search(text):
                    yield f"cell {cell.position} prints {name}: {_around(pattern, text)}"


def cells_are_short(lesson: Lesson) -> Iterator[str]:
    """Few lines in each, and fewer in most."""
    lengths = {cell.position: len(cell.lines) for cell in lesson.code}
    for position, length in lengths.items():
        if length > LINES_OF_A_CELL:
            yield f"cell {position} has {length} lines; {LINES_OF_A_CELL} are the most"
    if lengths and median(lengths.values()) > TYPICAL_LINES:
        yield f"the median code cell has {median(lengths.values()):g} lines; {TYPICAL_LINES} are the most"


def code_is_plain(lesson: Lesson) -> Iterator[str]:
    """No set-up magic, and no function that belongs in the package."""
    for cell in lesson.code:
        for pattern, name in FORBIDDEN_CODE.items():
            if re.search(pattern, cell.source, re.MULTILINE):
                yield f"cell {cell.position} has {name}"
        if cell.tree is None:
            yield f"cell {cell.position} is not plain Python"
        for part in ast.walk(cell.tree or ast.Module([], [])):
            if isinstance(part, ast.ClassDef):
                yield f"cell {cell.position} defines the class {part.name}: it belongs in the package"
            own = cell.tags & {"exercise", "own-code"}
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and not own:
                yield f"cell {cell.position} defines {part.name}: put it in the package, or tag the cell own-code"


def tags_are_known(lesson: Lesson) -> Iterator[str]:
    """A misspelt tag would take a cell out of a rule, and `nbval-skip` out of them all."""
    for cell in lesson.cells:
        for tag in sorted(cell.tags - TAGS):
            yield f"cell {cell.position} has the unknown tag {tag!r}"


def every_picture_has_its_sentence(lesson: Lesson) -> Iterator[str]:
    """The sentence stands as text/plain and as the picture's alt; an explorer's picture has one of its own."""
    for cell in lesson.code:
        for output in cell.node.outputs:
            yield from _picture_faults(cell, output.get("data", {}))


def a_live_cell_is_followed_by_what_holds_everywhere(lesson: Lesson) -> Iterator[str]:
    """What a live cell shows is compared by nobody, so the next cell asserts what is true of it on every machine."""
    for cell, after in zip(lesson.code, [*lesson.code[1:], None], strict=True):
        if not cell.compared and not (after and after.compared and _asserts(after)):
            yield f"cell {cell.position} is live, and the next code cell asserts nothing that is compared"


def a_claim_stands_where_it_is_shown(lesson: Lesson) -> Iterator[str]:
    """A claim's id on an import, on prose, on a live cell or on a cell that shows nothing would show it to nobody."""
    for cell in lesson.cells:
        shows = cell.kind == "code" and (bool(cell.node.outputs) or _asserts(cell))
        why = "is prose" if cell.kind != "code" else "only imports" if cell.imports_only else ""
        why = why or ("is live" if not cell.compared else "" if shows else "shows and asserts nothing")
        if cell.node.metadata.get("claims") and why:
            yield f"cell {cell.position} carries claims, but {why}"


def links_lead_to_a_file(lesson: Lesson) -> Iterator[str]:
    """Relative links only; what is on the network today may be gone tomorrow."""
    for cell in lesson.cells:
        for link in broken_links(cell.source, lesson.path.parent) if cell.kind == "markdown" else ():
            yield f"cell {cell.position} links to {link}, which is not there"


def _asserts(cell: Cell) -> bool:
    """Whether it asserts something that can fail, outside of a function that may never be called."""
    inside: list[ast.AST] = list(cell.tree.body if cell.tree else [])
    while inside:
        part = inside.pop()
        if isinstance(part, ast.Assert) and not isinstance(part.test, ast.Constant | ast.Tuple):
            return True
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inside += ast.iter_child_nodes(part)
    return False


def _picture_faults(cell: Cell, data: dict[str, str]) -> Iterator[str]:
    if {"image/png", "image/jpeg"} & set(data):
        yield f"cell {cell.position} shows a bare image, which JupyterLab gives no alt: show it as text/html"
    images = re.findall(r"<img\b[^>]*>", data.get("text/html", ""))
    plain = data.get("text/plain", "")
    plain = plain.partition("\n")[0] if "explorer" in cell.tags else plain  # its goals stand below
    low, high = SENTENCE
    if images and not low <= len(plain) <= high:
        yield f"cell {cell.position}: the sentence has {len(plain)} characters, not {low} to {high}: {plain[:60]}"
    for image in images:
        alt = ALT.search(image)
        sentence = html.unescape(alt[2] if alt else "")
        if sentence != plain and not ("explorer" in cell.tags and low <= len(sentence) <= high):
            yield f"cell {cell.position}: the alt of the picture is not its text/plain"


def _around(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    start = found.start() if found else 0
    return text[max(0, start - 20) : start + 30].replace("\n", " ")


CELL_RULES: list[Rule] = [
    it_is_saved_as_the_runner_saves_it,
    it_was_run_from_the_top,
    every_value_is_shown,
    nothing_warns_or_fails,
    nothing_belongs_to_one_machine,
    numbers_are_the_same_everywhere,
    cells_are_short,
    code_is_plain,
    tags_are_known,
    every_picture_has_its_sentence,
    a_live_cell_is_followed_by_what_holds_everywhere,
    a_claim_stands_where_it_is_shown,
    links_lead_to_a_file,
]
