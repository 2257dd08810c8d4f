"""Rules for the exercises of a lesson: each has its home there, its stub as the catalogue has it, and no solution."""

import ast
import re
from collections.abc import Iterator

from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.exercise import Exercise, OrderExercise, WrongLineExercise
from tests.lesson import Cell, Lesson
from tests.lesson_rules import Rule


def key(lesson: Lesson) -> str:
    """How the catalogue calls a lesson: by its number, an appendix by its name."""
    return lesson.number if lesson.core else lesson.path.stem.removeprefix("appendix_")


def cells_of(lesson: Lesson) -> dict[str, list[Cell]]:
    """The cells that hold an exercise's stub, by the exercise's name."""
    found: dict[str, list[Cell]] = {}
    for cell in lesson.code:
        if name := cell.node.metadata.get("exercise"):
            found.setdefault(name, []).append(cell)
    return found


def homes(lesson: Lesson) -> list[Exercise]:
    """The exercises that belong into a lesson."""
    return [exercise for exercise in EXERCISES.values() if exercise.home and exercise.lesson == key(lesson)]


def every_exercise_has_its_home(lesson: Lesson) -> Iterator[str]:
    """Each exercise of the catalogue stands once in its lesson, and no other one does."""
    found = cells_of(lesson)
    for exercise in homes(lesson):
        if len(found.pop(exercise.name, [])) != 1:
            yield f"the exercise {exercise.name} does not stand here once: one cell's metadata must name it"
    for name, cells in found.items():
        yield f"cell {cells[0].position} names the exercise {name}, which the catalogue does not have for this lesson"


def a_stub_is_the_catalogues(lesson: Lesson) -> Iterator[str]:
    """The text to fill in stands once, in the catalogue; its minutes, too."""
    for name, cells in cells_of(lesson).items():
        exercise = EXERCISES.get(name)
        for cell in cells if exercise else ():
            if exercise.stub not in cell.source:
                yield f"cell {cell.position} does not hold the stub of {name} as the catalogue has it"
            if cell.node.metadata.get("minutes", exercise.minutes) != exercise.minutes:
                yield f"cell {cell.position} says other minutes than the catalogue ({exercise.minutes}) for {name}"
            if ("stretch" in cell.tags) != exercise.optional:
                yield f"cell {cell.position} and the catalogue disagree on whether {name} is optional (tag stretch)"
            if "exercise" not in cell.tags:
                yield f"cell {cell.position} holds {name} and lacks the tag exercise"


def an_exercise_is_checked_below_its_stub(lesson: Lesson) -> Iterator[str]:
    """With the name that the stub defines."""
    for name, cells in cells_of(lesson).items():
        if isinstance(EXERCISES.get(name), OrderExercise | WrongLineExercise):
            continue  # it looks at its answer itself
        mine = re.match(r"(?:def )?(\w+)", EXERCISES[name].stub) if name in EXERCISES else None
        line = f'check({mine[1]}, "{name}")' if mine else ""
        below = [cell.source for cell in lesson.code if cell.position >= cells[0].position]
        if not any(line in source for source in below):
            yield f"no cell from cell {cells[0].position} on has {line}"


def no_solution_stands_in_the_lesson(lesson: Lesson) -> Iterator[str]:
    """`solution` shows it on demand; a solution in sight is no exercise."""
    for exercise in homes(lesson):
        lines = [line.strip() for line in exercise.solution.splitlines() if line not in exercise.stub]
        for cell in lesson.cells:
            yield from (
                f"cell {cell.position} holds a line of the solution of {exercise.name}: {line}"
                for line in lines
                if len(line) > 12 and line in cell.source
            )


def what_a_report_recommends_is_imported(lesson: Lesson) -> Iterator[str]:
    """`check` points to `hint`, and `hint` to `solution`; nothing else is imported without being used."""
    trees = [part for cell in lesson.code for part in ast.walk(cell.tree or ast.Module([], []))]
    imported = {
        alias.asname or alias.name
        for part in trees
        if isinstance(part, ast.Import | ast.ImportFrom)
        for alias in part.names
    }
    used = {part.id for part in trees if isinstance(part, ast.Name)}
    if cells_of(lesson) and (missing := {"check", "hint", "progress", "solution"} - imported):
        yield f"it has exercises, and does not import {', '.join(sorted(missing))}"
    for name in sorted(imported - used - {"hint", "progress", "solution"}):
        yield f"it imports {name} and does not use it"


EXERCISE_RULES: list[Rule] = [
    what_a_report_recommends_is_imported,
    every_exercise_has_its_home,
    a_stub_is_the_catalogues,
    an_exercise_is_checked_below_its_stub,
    no_solution_stands_in_the_lesson,
]
