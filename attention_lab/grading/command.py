"""``attention-lab``: list what can be assigned, and make an assignment of it."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attention_lab.grading import files
from attention_lab.grading.assignment import Assignment, choose
from attention_lab.grading.choosing import Choice, Refusal, chosen
from attention_lab.grading.listing import KINDS, listed
from attention_lab.grading.whole_lesson import lesson_notebook
from attention_lab.lessons import LessonError


def make_parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    parser = argparse.ArgumentParser(prog="attention-lab", description="Assign cells of the course to a class.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    listing = commands.add_parser("exercises", help="list what can be assigned, by kind")
    listing.add_argument("--kind", choices=KINDS, help="this kind only")
    listing.add_argument("--lesson", help="those of one lesson, such as 02")
    assign = commands.add_parser("assign", help="make a notebook to hand out, and one for nbgrader")
    assign.add_argument(
        "names", nargs="*", metavar="NAME", help="exercises, or a set such as hw1; with --lesson, what comes on top"
    )
    assign.add_argument("--lesson", help="a whole lesson, such as 02_ask_label_hand_over")
    assign.add_argument("--title", help='such as "Homework 1"')
    assign.add_argument("--points", help="one number for each name, such as 4,2,4")
    assign.add_argument("--out", type=Path, help="a new or empty folder; the title's, unless given")
    assign.add_argument("--secret", help="the class's own word: personal numbers are made with it")
    assign.add_argument("--variant", metavar="SEED", help="exercises that have a sibling: this one or that, by a seed")
    assign.add_argument("--predictions", action="store_true", help="points for committing to the lessons' predictions")
    assign.add_argument("--start-test", action="store_true", help="the ten questions before the course, first")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; 2 where it cannot be done."""
    asked = make_parser().parse_args(arguments)
    try:
        said = listed(asked.kind, asked.lesson) if asked.command == "exercises" else assigned(asked)
    except (Refusal, LessonError) as why:
        print(_printable(str(why), sys.stderr.encoding), file=sys.stderr)
        return 2
    print(_printable(said, sys.stdout.encoding))
    return 0


def assigned(asked: argparse.Namespace) -> str:
    """Make an assignment, and say what was made."""
    choice = chosen(asked)
    folder: Path = asked.out or Path(files.slug(choice.title))
    try:
        if files.is_taken(folder):
            raise Refusal(f"{folder} is there already and not empty: nothing was written. Choose another --out.")
        assignment = Assignment(
            title=choice.title, tasks=choose(choice.names, choice.points, asked.variant), secret=asked.secret or None
        )
        source, release = (_notebook(choice, assignment, solved=solved) for solved in (True, False))
        written = files.write(folder, choice.title, source=source, release=release)
    except OSError as error:
        raise Refusal(f"{folder} cannot be written: {error.strerror or error}.") from error
    return _said(assignment, choice, written)


def _notebook(choice: Choice, assignment: Assignment, *, solved: bool) -> dict[str, Any]:
    if choice.lesson:
        return lesson_notebook(choice.lesson, assignment, solved=solved)
    return assignment.notebook(solved=solved)


def _said(assignment: Assignment, choice: Choice, written: Sequence[Path]) -> str:
    named = ", ".join(f"{task.name} ({task.points})" for task in assignment.tasks)
    lines = [f"{assignment.title}: {named}; {assignment.points} points, about {assignment.minutes} minutes."]
    lines += map(str, written)
    if choice.varied and [task.name for task in assignment.tasks] == choice.names:
        lines.append("This variant is the exercises as you named them: another word after --variant gives another one.")
    if assignment.secret is None and any('"numbers"' in task.stub for task in assignment.tasks):
        lines.append("by-hand: with --secret WORD nobody outside your class can know the numbers beforehand.")
    return "\n".join(lines)


def _printable(text: str, encoding: str | None) -> str:
    """Write what a console cannot show in letters that it can."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")
