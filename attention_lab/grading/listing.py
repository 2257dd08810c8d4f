"""The list of what can be assigned."""

from attention_lab.grading.choosing import Refusal
from attention_lab.grading.sets import ready
from attention_lab.grading.tasks import Task, tasks

KINDS = {
    "trace": "on paper, box by box",
    "reorder": "lines to put in order",
    "find": "which line lies, and why",
    "value": "a number, or a few",
    "write": "a function to write",
    "predict": "points for committing to an answer",
    "explain": "an answer in words, graded by a person with a rubric",
}


def listed(kind: str | None, lesson: str | None) -> str:
    """Write the table of what can be assigned, a section for each kind.

    Raises
    ------
    Refusal
        If a lesson has nothing.
    """
    known = list(tasks().values())
    if lesson is not None:
        number = lesson if any(task.lesson == lesson for task in known) else lesson.split("_")[0].zfill(2)
        known = [task for task in known if task.lesson == number]
    if not known:
        lessons = ", ".join(sorted({task.lesson for task in tasks().values()}))
        raise Refusal(f'Lesson "{lesson}" has nothing to assign; lessons: {lessons}.')
    lines = []
    for name, about in KINDS.items():
        rows = [task for task in known if task.kind == name and kind in (None, name)]
        if rows:
            lines += [f"{name}: {about}", f"  {'name':24} lesson  min  difficulty  points  what it trains"]
            lines += [*map(_row, rows), ""]
    sets = [f"set {name} ({one.title}): {', '.join(one.points)}" for name, one in ready(tasks()).items()]
    return "\n".join([*lines, *sets]).rstrip()


def _row(task: Task) -> str:
    numbers = f"{task.lesson:^6.6}  {task.minutes:3}  {task.difficulty:10}  {task.points:6}"
    return f"  {task.name:24} {numbers}  {task.trains}"
