"""What a command line chooses: names, points, a title, a lesson. Or why it cannot be, in one sentence."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attention_lab.exercises.catalogue import EXERCISES, LESSONS, closest
from attention_lab.grading.lesson_parts import FOLDER, around
from attention_lab.grading.sets import PLANNED, missing, ready
from attention_lab.grading.tasks import START_TEST, Task, tasks
from attention_lab.lessons import find_lesson, lessons

HIGHEST = 1000  # points of one exercise


class Refusal(Exception):
    """Why nothing was made, in one sentence."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What shall be made.

    Attributes
    ----------
    title : str
    names : list of str
        Exercises, predictions and questions, in order.
    points : dict
        For those that have others than usual.
    lesson : Path or None
        Where it is a whole lesson.
    varied : bool
        Whether siblings may take the place of exercises.
    """

    title: str
    names: list[str]
    points: dict[str, int]
    lesson: Path | None
    varied: bool


def chosen(asked: Namespace) -> Choice:
    """Read what a command line asks for.

    Raises
    ------
    Refusal, LessonError
        With a sentence for the instructor.
    """
    if not lessons(FOLDER):
        raise Refusal(
            "The lessons are not here: use the attention-lab of a checkout of the course, with its notebooks/."
        )
    lesson = find_lesson(asked.lesson, FOLDER) if asked.lesson else None
    if lesson and asked.variant is not None:
        raise Refusal("--variant and --lesson do not go together: a lesson has its own exercises.")
    names, title, points = _names(asked.names)
    names = [*_of_lesson(lesson, names), *names] if lesson else names
    if asked.points is not None:
        points = dict(zip(names, _points(asked.points, names), strict=True))
    names = _extended(names, asked)
    if not names:
        raise Refusal("Name the exercises, a set such as hw1, or a --lesson; `attention-lab exercises` lists them.")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Refusal(f'"{twice}" is named twice.')
    _check_lessons(names)
    title = (
        (asked.title or title or (lesson.stem.replace("_", " ") if lesson else "")).encode("utf-8", "replace").decode()
    )
    if not title.strip():
        raise Refusal('Give it a --title, such as "Homework 1".')
    return Choice(title=title.strip(), names=names, points=points, lesson=lesson, varied=asked.variant is not None)


def _names(typed: Sequence[str]) -> tuple[list[str], str, dict[str, int]]:
    """Read the names, sets among them; the title and the points that a set brings."""
    known, sets = tasks(), ready(tasks())
    names: list[str] = []
    points: dict[str, int] = {}
    title = ""
    for name in typed:
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
    return names, title, points


def _points(typed: str, names: Sequence[str]) -> list[int]:
    given = [one.strip() for one in typed.split(",")]
    if len(given) != len(names):
        raise Refusal(f"--points {typed} does not fit: {', '.join(names)} need {len(names)} numbers.")
    if not all(one.isascii() and one.isdecimal() and len(one) < 5 and 0 < int(one) <= HIGHEST for one in given):
        raise Refusal(f"Points are whole numbers from 1 to {HIGHEST}, such as 4,2,4, not {typed:.40}.")
    return [int(one) for one in given]


def _of_lesson(path: Path, named: Sequence[str]) -> list[str]:
    """List the exercises that a lesson cannot be finished without, but for those that are named anyway."""
    number = path.stem.split("_")[0]
    names = [one.name for one in EXERCISES.values() if one.lesson == number and one.home and not one.optional]
    return [name for name in names if name not in named]


def _extended(names: Sequence[str], asked: Namespace) -> list[str]:
    """Add the predictions of the lessons in question, and the ten questions before the course."""
    known = tasks()
    numbers = {known[name].lesson for name in names}
    predictions = [task.name for task in known.values() if _is_prediction(task) and task.lesson in numbers]
    start = [START_TEST] if asked.start_test and START_TEST not in names else []
    return [*start, *(name for name in predictions if asked.predictions and name not in names), *names]


def _is_prediction(task: Task) -> bool:
    return task.kind == "predict" and task.name.startswith(task.lesson)


def _check_lessons(names: Sequence[str]) -> None:
    """See to it that exercises come with what their lesson says: a notebook may be damaged."""
    for name in names:
        exercise = EXERCISES.get(name)
        if exercise and exercise.home and exercise.lesson in LESSONS and not around(name)[1]:
            raise Refusal(f'"{name}" does not stand in its lesson, {exercise.lesson}: is its notebook damaged?')
