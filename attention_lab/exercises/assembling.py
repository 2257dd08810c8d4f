"""Make a program of lines of the catalogue: of those that were picked and put in order, or as they stand."""

import ast
import linecache
from collections.abc import Callable, Iterable
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
    return as_function(
        _called(exercise), exercise.takes, [exercise.shown[letter] for letter in letters], exercise.gives
    )


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
    return function_of(_called(exercise), source(exercise, answer), f"<{exercise.name}>")


def _called(exercise: OrderExercise) -> str:
    return f"my_{exercise.of.replace('-', '_')}"


def as_function(name: str, takes: Iterable[str], lines: Iterable[str], gives: str) -> str:
    """Write lines as a function."""
    return "\n".join([f"def {name}({', '.join(takes)}):", *(f"    {line}" for line in lines), f"    return {gives}"])


def function_of(name: str, code: str, file: str) -> Callable[..., Any]:
    """Make the function that is written there; `file` is the name that a traceback has for it."""
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)  # to show the line that stops
    names: dict[str, Any] = {"np": np, "softmax": softmax}
    exec(compile(code, file, "exec"), names)  # nothing but lines of the catalogue
    function: Callable[..., Any] = names[name]
    return function
