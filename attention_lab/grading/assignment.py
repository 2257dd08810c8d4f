"""An assignment: the tasks that were chosen, as a notebook for instructors and as one for learners."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import attention_lab
from attention_lab.grading import cells
from attention_lab.grading.cells import Cell
from attention_lab.grading.lesson_parts import Part, around
from attention_lab.grading.names import names_in
from attention_lab.grading.tasks import TRACE, Task, tasks, variants
from attention_lab.grading.written import HOW_TO_GRADE, RUBRIC

PERSONAL = "personal_numbers(...)"  # the one cell before a stub in which something is typed
HOW_TO = (
    "Put your answers in place of the dots. `check` tells you what an answer computes, and `hint` helps; use both as "
    "often as you like. Leave the cells with points as they are. Before you hand in: *Kernel*, *Restart Kernel and Run "
    "All Cells*."
)
HELP = ("check", "hint", "progress", "solution")  # what a report points to


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """What is asked of a class.

    Attributes
    ----------
    title : str
    tasks : of Task
        In order, with their points.
    secret : str or None
        The class's own word, for personal numbers.
    """

    title: str
    tasks: tuple[Task, ...]
    secret: str | None = None

    @property
    def points(self) -> int:
        """All points together."""
        return sum(task.points for task in self.tasks)

    @property
    def minutes(self) -> int:
        """The minutes of all its tasks."""
        return sum(task.minutes for task in self.tasks)

    def notebook(self, *, solved: bool) -> dict[str, Any]:
        """Write it as a notebook: with solutions for nbgrader and the instructor, without for learners."""
        title = cells.prose("title", f"# {self.title}\n\n{self.told()}")
        return cells.notebook([title, *self.body("imports", solved=solved)])

    def body(self, imports_name: str, *, solved: bool) -> list[Cell]:
        """Write the tasks one after the other, below a cell with what they import."""
        body: list[Cell] = []
        imports: dict[str, str] = {}
        for number, task in enumerate(self.tasks, start=1):
            told, importing = around(task.name)
            body += self._task(number, task, told, solved=solved)
            for part in importing:
                imports = names_in(part.source).imports | imports
        return [cells.code(imports_name, _import_lines(_wanted(self.tasks, body), imports)), *body]

    def told(self) -> str:
        """Tell a learner what is asked, and for how many points."""
        rows = [f"| {task.name} | {task.kind} | {task.minutes} | {task.points} |" for task in self.tasks]
        table = "\n".join(["| task | kind | minutes | points |", "| --- | --- | --- | --- |", *rows])
        return f"{HOW_TO}\n\n{table}\n\nAbout {self.minutes} minutes, {self.points} points."

    def _task(self, number: int, task: Task, told: Sequence[Part], *, solved: bool) -> list[Cell]:
        """Write one task: its text, what its lesson says and gives, the stub, a free check, the points."""
        out = [cells.prose(f"text-{task.name}", f"## {number}. {task.name}\n\n{task.text}")]
        for i, part in enumerate((part for part in told if part.source), start=1):
            name = f"given-{task.name}-{i}"
            if PERSONAL in part.source:
                out.append(cells.answer(f"{task.name}-{i}", self.personal(part.source, solved=solved)))
            else:
                out.append(cells.prose(name, part.source) if part.kind == "markdown" else cells.code(name, part.source))
        if not task.proof:
            return [*out, *_in_words(task, solved=solved)]
        out.append(cells.answer(task.name, cells.filled(task, solved=solved)))
        if task.look:
            out.append(cells.code(f"check-{task.name}", task.look))
        return [*out, self.proof(task)]

    def proof(self, task: Task) -> Cell:
        """Make the locked cell of a task; where the class has a secret, hand traces must have used it."""
        also = ""
        if self.secret is not None and task.kind == TRACE and '"numbers"' in task.stub:
            said = f"Use personal_numbers with secret={json.dumps(self.secret)}."
            numbers = f'{task.stub.split()[0]}["numbers"]'
            also = f"assert {numbers}.secret == {json.dumps(self.secret)}, {json.dumps(said)}"
        return cells.proof(task.name, task.proof, task.points, also)

    def personal(self, source: str, *, solved: bool) -> str:
        """Put the class's secret into the cell that makes personal numbers."""
        secret = "" if self.secret is None else f", secret={json.dumps(self.secret)}"
        first, _, rest = source.replace(PERSONAL, f"personal_numbers(...{secret})").partition("\n")
        solution = [cells.BEGIN, first.replace("(...", '("Ada"', 1), cells.END] if solved else []
        return "\n".join([first, *solution, rest])


def _in_words(task: Task, *, solved: bool) -> list[Cell]:
    """Write a task that is answered in words, with the rubric."""
    model = f"{cells.BEGIN}\n{task.model}\n\n{HOW_TO_GRADE}\n{cells.END}"
    return [
        cells.prose(f"rubric-{task.name}", f"{RUBRIC}\n\nThe four lines count alike; {task.points} points in all."),
        cells.words(task.name, model if solved else "*Your answer here.*", task.points),
    ]


def choose(names: Iterable[str], points: Mapping[str, int], variant: str | None = None) -> tuple[Task, ...]:
    """Return the tasks of that name with their points; a variant takes siblings in place of some of them."""
    known, names = tasks(), list(names)
    chosen = []
    for name in names:
        one = known[name]
        if variant is not None:
            others = [name, *(other for other in variants(name) if other not in names)]
            pick = hashlib.sha256(f"{variant}\n{name}".encode()).digest()[0] % len(others)
            one = known[others[pick]]
        chosen.append(replace(one, points=points.get(name, one.points)))
    return tuple(chosen)


def _wanted(chosen: Iterable[Task], body: Iterable[Cell]) -> set[str]:
    """List the names that an assignment needs and does not make; a solution's too, for it may be a learner's."""
    sources = ["".join(cell["source"]) for cell in body if cell["cell_type"] == "code"]
    sources += [task.solved if not task.stub.startswith("def") else f"{task.stub}\n{task.solved}" for task in chosen]
    found = [names_in(source) for source in sources]
    made = {name for names in found for name in names.made}
    return {name for names in found for name in names.used} - made | set(HELP)


def _import_lines(wanted: set[str], imports: Mapping[str, str]) -> str:
    """Write the imports of some names, as the lessons have them; the package's own where no lesson has them."""
    lines: dict[str, list[str]] = {"attention_lab": []}
    plain = ["import numpy as np"]
    for name in sorted(wanted):
        line = imports.get(name, "")
        if line.startswith("from ") and name not in attention_lab.__all__:
            lines.setdefault(line.split()[1], []).append(name)
        elif name in attention_lab.__all__:
            lines["attention_lab"].append(name)
        elif line and line not in plain:
            plain.append(line)
    froms = [f"from {module} import {', '.join(names)}" for module, names in sorted(lines.items()) if names]
    return "\n".join(plain) + "\n\n" + "\n".join(froms)
