"""A line that lies: the bank of mistakes names what it does, and an accusation is looked at."""

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from attention_lab.exercises.assembling import as_function, function_of
from attention_lab.exercises.diagnose import Run, diagnose
from attention_lab.exercises.exercise import Finding, FunctionExercise, WrongLineExercise
from attention_lab.exercises.letters import typed_letters
from attention_lab.exercises.probes import several
from attention_lab.exercises.typed import is_blank, written

SETS = 3  # of random arguments, as for a learner's function


def named_by_the_bank(of: FunctionExercise, lines: Iterable[str]) -> tuple[str, ...] | None:
    """Run lines as the function that an exercise asks for, and name their mistakes.

    Parameters
    ----------
    of : FunctionExercise
        It has the arguments, and the steps that are compared with.
    lines : iterable of str
        The last one makes `output`.

    Returns
    -------
    tuple of str, or None
        Codes of the bank, none where the lines are right; None where nothing known explains what they compute.
    """
    many = several(of.inputs, np.random.default_rng(0), False, SETS)
    function = function_of("lines", as_function("lines", many[0], lines, "output"), f"<lines of {of.name}>")
    with np.errstate(all="ignore"):
        guess = diagnose(of, [Run(arguments, np.asarray(function(**arguments))) for arguments in many])
    return None if guess is None else guess.codes


def judged(of: FunctionExercise, exercise: WrongLineExercise) -> WrongLineExercise:
    """Fill in what follows from the lines: the arguments, the reason that the bank names, and the solution.

    Raises
    ------
    ValueError
        Where the bank names something that is not one of the reasons.
    """
    codes = named_by_the_bank(of, exercise.shown.values())
    letters = [letter for letter, reason in exercise.why.items() if (reason.code,) == codes]
    if len(letters) != 1:
        raise ValueError(f"{exercise.name}: the bank names {codes}, which is not one of its reasons")
    asked = exercise.stub.replace("...", str(exercise.lie[0]), 1).replace("...", f'"{letters[0]}"')
    return replace(exercise, of=of.name, takes=tuple(of.example()), key=letters[0], solution=asked)


def accusation(exercise: WrongLineExercise, answer: Any) -> Finding:
    """Look at an answer: the number of a line, and the letter of a reason.

    Raises
    ------
    ValueError
        With a sentence for the learner.
    """
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise ValueError('The number of a line and the letter of a reason are expected, such as (1, "A").')
    number, letter = _number(exercise, answer[0]), _letter(exercise, answer[1])
    if number is None and letter is None:
        return Finding("not tried yet", seen=exercise.asks)
    if letter is None:
        return Finding("not tried yet", seen=f"Line {number}. And why? Type the letter of the reason, in quotes, too.")
    if number is None:
        return Finding("not tried yet", seen=f"Reason {letter}. Of which line? Type its number, too.")
    reason, does = exercise.why[letter], exercise.lines[number - 1].does
    codes = () if letter == exercise.key else (reason.code,)
    if number != exercise.lie[0]:
        return Finding("not yet", codes, f"Line {number} {does}, and that is right.")
    if codes:
        return Finding("not yet", codes, f"Line {number} {does}. It lies, but not for that reason. {reason.because}")
    return Finding("right", seen=f"Line {number} lies. {reason.text} {reason.because}")


def _number(exercise: WrongLineExercise, typed: Any) -> int | None:
    """Read the number of a line; None where dots still stand."""
    if is_blank(typed):
        return None
    if isinstance(typed, bool) or not isinstance(typed, Integral) or typed not in exercise.shown:
        raise ValueError(
            f"The line is a number from 1 to {len(exercise.lines)}, without quotes; yours is {written(typed)}."
        )
    return int(typed)


def _letter(exercise: WrongLineExercise, typed: Any) -> str | None:
    """Read the letter of a reason; None where dots still stand."""
    if is_blank(typed):
        return None
    letters = typed_letters(typed)
    if len(letters) != 1 or letters[0] not in exercise.why:
        raise ValueError(
            f"The reason is one of the letters {', '.join(exercise.why)}, in quotes; yours is {written(typed)}."
        )
    return letters[0]
