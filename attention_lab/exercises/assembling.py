"""Make a program of lines that were picked and put in order."""

import ast
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.attention import softmax
from attention_lab.exercises.exercise import OrderExercise
from attention_lab.exercises.letters import typed_letters


def source(exercise: OrderExercise, answer: Any) -> str:
    """Write the program that letters stand for.

    Raises
    ------
    ValueError
        With a sentence for the learner.
    """
    if not isinstance(answer, str):
        raise ValueError('The letters are expected in quotes, such as "C A F B".')
    letters = typed_letters(answer)
    for letter in letters:
        if letter not in exercise.shown:
            raise ValueError(f"There is no line {letter:.10}; the lines are {', '.join(exercise.shown)}.")
    if not letters:
        raise ValueError('Type the letters of the lines, in order, such as "C A F B".')
    _check_names(exercise, letters)
    body = [f"    {exercise.shown[letter]}" for letter in letters]
    return "\n".join([f"def my_{exercise.of}({', '.join(exercise.takes)}):", *body, f"    return {exercise.gives}"])


def _check_names(exercise: OrderExercise, letters: list[str]) -> None:
    """Say which line needs what no line before it makes."""
    made = {*exercise.takes, "np", "softmax"}
    for letter in letters:
        names = [part for part in ast.walk(ast.parse(exercise.shown[letter])) if isinstance(part, ast.Name)]
        for part in names:
            if isinstance(part.ctx, ast.Load) and part.id not in made:
                raise ValueError(f"Line {letter} needs `{part.id}`, which no line before it makes.")
        made |= {part.id for part in names if isinstance(part.ctx, ast.Store)}
    if exercise.gives not in made:
        raise ValueError(f"No line makes `{exercise.gives}`, which the function returns.")


def program(exercise: OrderExercise, answer: Any) -> Callable[..., Any]:
    """Make the function that letters stand for; `source` says what it raises."""
    code, file = source(exercise, answer), f"<{exercise.name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)  # to show the line that stops
    names: dict[str, Any] = {"np": np, "softmax": softmax}
    exec(compile(code, file, "exec"), names)  # nothing but lines of the catalogue
    function: Callable[..., Any] = names[f"my_{exercise.of}"]
    return function
