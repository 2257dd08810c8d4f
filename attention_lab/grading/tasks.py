"""What can be assigned: exercises, predictions to commit to, answers in words; all alike, for a notebook."""

import ast
from dataclasses import dataclass
from functools import cache

from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.exercise import Exercise
from attention_lab.grading.written import ASSIGNED
from attention_lab.prompts.item import Item, Written
from attention_lab.prompts.items import PREDICTIONS, QUESTIONS

POINTS_A_STEP = 2  # of difficulty, unless an instructor or a set says otherwise
TRACE = "trace"  # by hand: the numbers differ by name and secret already, so that no sibling is needed
START_TEST = "start-test"
FOR_COMMITTING = 1  # to a prediction: never for being right
MINUTES_TO_PREDICT, MINUTES_TO_WRITE = 1, 8


@dataclass(frozen=True, kw_only=True)
class Task:
    """One thing to do in an assignment.

    Attributes
    ----------
    name, kind, lesson : str
    minutes, difficulty, points : int
    trains, text : str
        What it is for; what is to be done.
    stub : str
        What a learner fills in; "" for an answer in words.
    solved : str
        Lines that follow the stub in the instructor's copy.
    shown : str
        Lines after that, in the same cell.
    look : str
        What looks at the answer; "" where `shown` does already.
    proof : str
        An expression that is true for an answer that earns the points; "" for one that a person grades.
    model : str
        An answer in words, for the grader.
    """

    name: str
    kind: str
    lesson: str
    minutes: int
    difficulty: int
    points: int
    trains: str
    text: str
    stub: str = ""
    solved: str = ""
    shown: str = ""
    look: str = ""
    proof: str = ""
    model: str = ""


@cache
def tasks() -> dict[str, Task]:
    """Return everything that can be assigned, by name."""
    found = [_of_exercise(one) for one in EXERCISES.values() if one.home or one.kind != TRACE]
    found += [
        _ten_ideas("start", "00", "ten ideas before the course, to be asked again at its end"),
        _ten_ideas("end", "09", "the ten ideas of the start test, with other numbers"),
        *map(_of_prediction, PREDICTIONS),
    ]
    written = [*QUESTIONS.items(), *ASSIGNED.items()]
    found += [_of_written(item, lesson) for lesson, items in written for item in items if isinstance(item, Written)]
    return {task.name: task for task in found}


def variants(name: str) -> list[str]:
    """List the siblings that can stand in an exercise's place: those of the same kind.

    >>> variants("attention")
    ['attention-temperature']
    """
    exercise = EXERCISES.get(name)
    sibling = EXERCISES.get(exercise.sibling) if exercise else None
    if exercise is None or sibling is None or sibling.kind != exercise.kind or exercise.kind == TRACE:
        return []
    return [sibling.name]


def _of_exercise(exercise: Exercise) -> Task:
    make = {"reorder": _order, "find": _find}.get(exercise.kind, _typed)
    stub, solved, shown, look, proof = make(exercise)
    return Task(
        name=exercise.name,
        kind=exercise.kind,
        lesson=exercise.lesson,
        minutes=exercise.minutes,
        difficulty=exercise.difficulty,
        points=POINTS_A_STEP * exercise.difficulty,
        trains=exercise.trains,
        text=exercise.task,
        stub=stub,
        solved=solved,
        shown=shown,
        look=look,
        proof=proof,
    )


Parts = tuple[str, str, str, str, str]


def _typed(exercise: Exercise) -> Parts:
    """For a function or a value: the stub and the solution as they stand in the catalogue."""
    head, _, body = exercise.solution.partition("\n")
    is_function = head == exercise.stub.partition("\n")[0] and head.startswith("def ")
    called = head.removeprefix("def ").replace("(", " ").split()[0]
    if exercise.kind != "write":  # lines before the answer may prepare it
        called = exercise.stub.split()[0]
    check = f'check({called}, "{exercise.name}")'
    return exercise.stub, body if is_function else exercise.solution, "", check, check


def _order(exercise: Exercise) -> Parts:
    """For lines to put in order: the letters get a name, so that they can be graded."""
    (_, letters), _ = _arguments(exercise.solution)
    called = exercise.name.replace("-", "_")
    short = exercise.name.removeprefix("order-")
    proof = f'check({called}, "{exercise.name}")'
    return f"{called} = ...", f'{called} = "{letters}"', f'order("{short}", {called})', "", proof


def _find(exercise: Exercise) -> Parts:
    """For a line that lies: the line and the reason get names."""
    (_, line), reasons = _arguments(exercise.solution)
    short = exercise.name.removeprefix("wrong-line-")
    called = short.replace("-", "_")
    pair = f"line_{called}, because_{called}"
    shown = f'wrong_line("{short}", line_{called}, because=because_{called})'
    proof = f'check(({pair}), "{exercise.name}")'
    return f"{pair} = ..., ...", f'{pair} = {line}, "{reasons["because"]}"', shown, "", proof


def _arguments(call: str) -> tuple[list[object], dict[str, object]]:
    """Read what stands between the parentheses of a call in text."""
    (statement,) = ast.parse(call).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    keywords = {one.arg or "": ast.literal_eval(one.value) for one in statement.value.keywords}
    return [ast.literal_eval(one) for one in statement.value.args], keywords


def _of_prediction(item: Item) -> Task:
    called = f"guess_{item.name.replace('-', '_')}"
    shown = f'predict("{item.name}", {called})'
    return Task(
        name=item.name,
        kind="predict",
        lesson=item.name[:2],
        minutes=MINUTES_TO_PREDICT,
        difficulty=1,
        points=FOR_COMMITTING,
        trains=item.text,
        text=f"The question stands in lesson {item.name[:2]}, which says what it is about: type your letter, here and "
        "there, before you run the next cell there. A wrong guess earns the same.",
        stub=f"{called} = ...",
        solved=f'{called} = "{item.key}"',
        shown=shown,
        proof=shown,
    )


def _of_written(item: Written, lesson: str) -> Task:
    return Task(
        name=item.name,
        kind="explain",
        lesson=lesson,
        minutes=MINUTES_TO_WRITE,
        difficulty=2,
        points=POINTS_A_STEP * 2,
        trains="saying in words what was computed",
        text=item.text,
        model=item.model,
    )


def _ten_ideas(when: str, lesson: str, trains: str) -> Task:
    """Make a task of the start test, or of the end test."""
    return Task(
        name=f"{when}-test",
        kind="predict",
        lesson=lesson,
        minutes=5,
        difficulty=1,
        points=FOR_COMMITTING,
        trains=trains,
        text="Ten questions. The point is for answering, not for being right: type ? where you have no idea.",
        stub=f"{when}_answers = ...",
        solved=f'{when}_answers = "? ? ? ? ? ? ? ? ? ?"',
        shown=f"{when}_test({when}_answers)",
        proof=f"{when}_test({when}_answers)",
    )
