"""``attention-lab``: list what can be assigned, and make an assignment of it."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attention_lab.exercises.catalogue import EXERCISES, closest
from attention_lab.grading import files
from attention_lab.grading.assignment import Assignment, choose
from attention_lab.grading.lesson_parts import FOLDER
from attention_lab.grading.sets import PLANNED, missing, ready
from attention_lab.grading.tasks import START_TEST, Task, tasks
from attention_lab.grading.whole_lesson import lesson_notebook
from attention_lab.lessons import LessonError, find_lesson

KINDS = {
    "trace": "on paper, box by box",
    "reorder": "lines to put in order",
    "find": "which line lies, and why",
    "value": "a number, or a few",
    "write": "a function to write",
    "predict": "points for committing to an answer",
    "explain": "an answer in words, graded by a person with a rubric",
}


class Refusal(Exception):
    """Why nothing was made, in one sentence."""


def make_parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    parser = argparse.ArgumentParser(prog="attention-lab", description="Assign cells of the course to a class.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    listing = commands.add_parser("exercises", help="list what can be assigned, by kind")
    listing.add_argument("--kind", choices=KINDS, help="this kind only")
    listing.add_argument("--lesson", help="those of one lesson, such as 02")
    assign = commands.add_parser("assign", help="make a notebook to hand out, and one for nbgrader")
    assign.add_argument("names", nargs="*", metavar="NAME", help="exercises, or a set such as hw1")
    assign.add_argument("--lesson", help="a whole lesson, such as 02_ask_label_hand_over")
    assign.add_argument("--title", help='such as "Homework 1"')
    assign.add_argument("--points", help="one number for each name, such as 4,2,4")
    assign.add_argument("--out", type=Path, help="a new or empty folder; the title's, unless given")
    assign.add_argument("--secret", help="the class's own word: personal numbers are made with it")
    assign.add_argument("--variant", metavar="SEED", help="exercises that have a sibling: this one or that, by a seed")
    assign.add_argument("--predictions", action="store_true", help="points for committing to the lessons' predictions")
    assign.add_argument("--start-test", action="store_true", help="the ten questions before the course come first")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; 2 where it cannot be done."""
    asked = make_parser().parse_args(arguments)
    try:
        print(listed(asked.kind, asked.lesson) if asked.command == "exercises" else assigned(asked))
    except (Refusal, LessonError) as why:
        print(why, file=sys.stderr)
        return 2
    return 0


def listed(kind: str | None, lesson: str | None) -> str:
    """Write the table of what can be assigned, a section for each kind."""
    number = lesson and lesson.split("_")[0].zfill(2)
    known = [task for task in tasks().values() if number in (None, task.lesson)]
    if not known:
        raise Refusal(f'Lesson "{lesson}" has nothing to assign; {_lessons()}.')
    lines = []
    for name, about in KINDS.items():
        rows = [task for task in known if task.kind == name and kind in (None, name)]
        if rows:
            lines += [f"{name}: {about}", f"  {'name':24} lesson  min  difficulty  points  what it trains"]
            lines += [_row(task) for task in rows]
            lines.append("")
    for name, one in ready(tasks()).items():
        lines.append(f"set {name} ({one.title}): {', '.join(one.points)}")
    return "\n".join(lines).rstrip()


def _row(task: Task) -> str:
    numbers = f"{task.lesson:^6.6}  {task.minutes:3}  {task.difficulty:10}  {task.points:6}"
    return f"  {task.name:24} {numbers}  {task.trains}"


def _lessons() -> str:
    return "lessons: " + ", ".join(sorted({task.lesson for task in tasks().values()}))


def assigned(asked: argparse.Namespace) -> str:
    """Make an assignment, and say what was made."""
    path = find_lesson(asked.lesson, FOLDER) if asked.lesson else None
    if path and asked.variant is not None:
        raise Refusal("--variant and --lesson do not go together: a lesson has its own exercises.")
    names, title, points = _names(asked, path)
    title = asked.title or title
    if not files.slug(title):
        raise Refusal('Give it a --title with letters or digits in it, such as "Homework 1".')
    folder: Path = asked.out or Path(files.slug(title))
    if files.is_taken(folder):
        raise Refusal(f"{folder} is there already and not empty: nothing was written. Choose another --out.")
    chosen = choose(_extended(names, asked), points, asked.variant)
    assignment = Assignment(title=title, tasks=chosen, secret=asked.secret)
    source, release = (
        lesson_notebook(path, assignment, solved=solved) if path else assignment.notebook(solved=solved)
        for solved in (True, False)
    )
    try:
        written = files.write(folder, title, source=source, release=release)
    except OSError as error:
        raise Refusal(f"{folder} cannot be written: {error.strerror or error}.") from error
    return _said(assignment, written)


def _said(assignment: Assignment, written: Sequence[Path]) -> str:
    chosen = ", ".join(f"{task.name} ({task.points})" for task in assignment.tasks)
    lines = [
        f"{assignment.title}: {chosen}; {assignment.points} points, about {assignment.minutes} minutes.",
        *map(str, written),
    ]
    if assignment.secret is None and any('"numbers"' in task.stub for task in assignment.tasks):
        lines.append("by-hand: with --secret WORD nobody outside your class can know the numbers beforehand.")
    return "\n".join(lines)


def _names(asked: argparse.Namespace, path: Path | None) -> tuple[list[str], str, dict[str, int]]:
    """Read the names, sets among them; a title, if a set or a lesson brings one; and the points."""
    known, sets = tasks(), ready(tasks())
    names: list[str] = []
    points: dict[str, int] = {}
    title = path.stem.replace("_", " ") if path else ""
    for name in asked.names:
        if name in sets:
            points |= sets[name].points
            title = title or sets[name].title
            names += sets[name].points
        elif name in known:
            names.append(name)
        elif name in PLANNED:
            raise Refusal(f"{name} cannot be made yet: {', '.join(missing(name, known))} will come with later lessons.")
        else:
            raise Refusal(closest(name, [*known, *sets]))
    if path and not names:
        names = _of_lesson(path)
    if not names:
        raise Refusal("Name the exercises, a set such as hw1, or a --lesson; `attention-lab exercises` lists them.")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Refusal(f'"{twice}" is named twice.')
    if asked.points is not None:
        points = dict(zip(names, _points(asked.points, names), strict=True))
    return names, title, points


def _points(typed: str, names: Sequence[str]) -> list[int]:
    given = typed.split(",")
    if len(given) != len(names):
        raise Refusal(f"--points {typed} does not fit: {len(names)} exercises need {len(names)} numbers.")
    if not all(one.strip().isdecimal() and int(one) > 0 for one in given):
        raise Refusal(f"Points are whole numbers above 0, such as 4,2,4, not {typed}.")
    return [int(one) for one in given]


def _of_lesson(path: Path) -> list[str]:
    """List the exercises that a lesson cannot be finished without."""
    number = path.stem.split("_")[0]
    names = [one.name for one in EXERCISES.values() if one.lesson == number and one.home and not one.optional]
    if not names:
        raise Refusal(f"{path.stem} has no exercises to assign.")
    return names


def _extended(names: list[str], asked: argparse.Namespace) -> list[str]:
    """Add the predictions of the lessons in question, and the ten questions before the course."""
    known = tasks()
    lessons = {known[name].lesson for name in names}
    wanted = [task.name for task in known.values() if task.kind == "predict" and task.lesson in lessons]
    predictions = [name for name in wanted if asked.predictions and name not in names]
    start = [START_TEST] if asked.start_test and START_TEST not in names else []
    return [*start, *predictions, *names]
