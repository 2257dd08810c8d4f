"""``check``: look at an answer, say what it computes, and never raise."""

import ast
import hashlib
import warnings
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from attention_lab.exercises import diary
from attention_lab.exercises.accusing import accusation
from attention_lab.exercises.assembling import program
from attention_lab.exercises.calling import call, is_untouched, look, within_limits
from attention_lab.exercises.catalogue import EXERCISES, closest, named
from attention_lab.exercises.diagnose import Guess, Run, diagnose, right_answer, right_state, same
from attention_lab.exercises.evidence import evidence, evidence_of_parts, shape_seen
from attention_lab.exercises.exercise import (
    Arguments,
    Exercise,
    Finding,
    FunctionExercise,
    OrderExercise,
    ValueExercise,
    WrongLineExercise,
    start,
)
from attention_lab.exercises.letters import typed_letters
from attention_lab.exercises.limits import is_running
from attention_lab.exercises.mistake import FITTED
from attention_lab.exercises.probes import several
from attention_lab.exercises.report import Report
from attention_lab.exercises.returned import Trouble
from attention_lab.exercises.second_look import second_look
from attention_lab.exercises.steps import RIGHT, Array, State, run, side_by_side
from attention_lab.exercises.wording import hints_of, message

NO_NAME = 'The second argument is the name of the exercise, in quotes: `check(my_attention, "attention")`.'
PROBES = 3  # sets of random arguments for each check


def check(answer: Any = ..., name: str = "") -> Report:
    """Check an answer to an exercise.

    A function is called with fresh random arguments. Where its answers are wrong, they are compared with what each
    known mistake would give. It gets copies, prints nothing, and is stopped after 2 seconds; on Windows only you can
    stop it (the square button above the notebook).

    Parameters
    ----------
    answer : function, value, or dict of values
        `...` in its place, or in a function's body, is an exercise that was not tried yet.
    name : str
        The exercise's name.

    Returns
    -------
    Report
        True only when the answer is right. It carries `verdict`, `mistakes`, `mistake`, `message` and `hints`.

    Examples
    --------
    >>> import numpy as np
    >>> def my_scores(q, k):
    ...     return q @ k.T / np.sqrt(k.shape[-1])
    >>> bool(check(my_scores, "scores"))
    True
    >>> check(lambda q, k: q @ k.T, "scores").mistakes
    ('scale-missing',)
    """
    exercise = named(name, EXERCISES)
    if exercise is None:
        said = closest(name) if isinstance(name, str) and name else NO_NAME
        return Report(name if isinstance(name, str) else "", "not tried yet", message=said)
    if is_running():  # the learner's function checks itself
        return Report(name, "not yet", message="A check is running: call `check` outside of the function.")
    return _report(exercise, answer)


def _report(exercise: Exercise, answer: Any) -> Report:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():  # of what the check itself computes
            warnings.simplefilter("ignore")
            finding = find(exercise, answer)
            if finding.verdict == "not tried yet":
                return Report(exercise.name, finding.verdict, message=finding.seen)
            entry = _remember(exercise, finding, fingerprint(answer))
            said, hints = message(exercise, finding, entry), hints_of(exercise, finding.mistakes)
            return Report(exercise.name, finding.verdict, finding.mistakes, said, hints)
    except KeyboardInterrupt:
        return Report(exercise.name, "not yet", message="You stopped it before it came to an end.")
    except Exception as error:  # a fault of ours must not stop a learner
        said = f"The check itself failed with {type(error).__name__}: please report it."
        return Report(exercise.name, "not yet", message=said)


def find(exercise: Exercise, answer: Any) -> Finding:
    """Look at an answer, without remembering anything."""
    if answer is ... or answer is None:
        return Finding("not tried yet", seen=exercise.asks)
    if isinstance(exercise, ValueExercise | WrongLineExercise):
        at = exercise.look if isinstance(exercise, ValueExercise) else partial(accusation, exercise)
        try:
            return look(at, answer)
        except Trouble as trouble:
            return Finding("not yet", seen=str(trouble))
    if isinstance(exercise, OrderExercise):
        try:
            finding = _find_in_function(_function_exercise(exercise.of), program(exercise, answer))
        except ValueError as error:
            return Finding("not yet", seen=str(error))
        too_many = finding.verdict == "right" and len(typed_letters(answer)) > (enough := len(exercise.lines))
        return (
            Finding("not yet", seen=f"The numbers are right, and {enough} lines are enough.") if too_many else finding
        )
    assert isinstance(exercise, FunctionExercise)
    return Finding("not tried yet", seen=exercise.asks) if is_untouched(answer) else _find_in_function(exercise, answer)


def _function_exercise(name: str) -> FunctionExercise:
    exercise = EXERCISES[name]
    assert isinstance(exercise, FunctionExercise)
    return exercise


def _find_in_function(exercise: FunctionExercise, function: Any) -> Finding:
    """Call a function, also with square tables where it stops at others, and name what it does."""
    try:
        runs, changed = _runs(exercise, function, square=False)
    except Trouble as trouble:
        return _find_in_square(exercise, function, trouble)
    guess = diagnose(exercise, runs)
    found = ("inputs-changed",) if changed else ()
    if guess is None:
        return Finding("not yet", found, _evidence(exercise, runs))
    if codes := (*guess.codes, *found):
        return Finding("not yet", codes, state=_three_words(exercise, guess))
    try:
        missing = second_look(exercise, function)
    except Trouble as trouble:
        missing = str(trouble)
    return Finding("not yet", seen=missing) if missing else Finding("right")


def _find_in_square(exercise: FunctionExercise, function: Any, trouble: Trouble) -> Finding:
    """Name the mistake of a function that runs only where all sizes are equal, or say where it stops."""
    if not trouble.stopped:
        return Finding("not yet", seen=str(trouble))
    try:
        runs, _ = _runs(exercise, function, square=True)
    except Trouble:
        return Finding("not yet", seen=str(trouble))
    guess = diagnose(exercise, runs)
    if guess is None or not guess.codes:
        return Finding("not yet", seen=f"{trouble} It runs only where all sizes are equal.")
    return Finding("not yet", guess.codes, "It runs only where all sizes are equal.", _three_words(exercise, guess))


def _runs(exercise: FunctionExercise, function: Any, *, square: bool) -> tuple[list[Run], bool]:
    rng = np.random.default_rng()
    many = several(exercise.inputs, rng, square, PROBES)
    answers, changed = call(function, many, exercise.gives)
    return [Run(given, _as_one(exercise, given, parts)) for given, parts in zip(many, answers, strict=True)], changed


def _as_one(exercise: FunctionExercise, arguments: Arguments, parts: tuple[Array, ...]) -> Array:
    """Make one array of all that came back; several ones must have their shapes for that."""
    if not exercise.gives:
        return parts[0]
    right = right_state(exercise, arguments)
    for name, part in zip(exercise.gives, parts, strict=True):
        if part.shape != (shape := getattr(right, name).shape):
            raise Trouble(shape_seen(f"Your {name}", part, shape, exercise.about))
    return side_by_side(*parts)


def _evidence(exercise: FunctionExercise, runs: list[Run]) -> str:
    """Say what is seen in the first wrong answer."""
    makes = RIGHT[exercise.program[-1]][0]
    for arguments, answer in runs:
        right = right_answer(exercise, arguments)
        if same(right, answer):
            continue
        if exercise.gives:
            return evidence_of_parts(exercise, answer, right_state(exercise, arguments))
        return evidence(exercise, answer, right, makes)
    return "It is right for some inputs, and wrong for others."


def _three_words(exercise: FunctionExercise, guess: Guess) -> State:
    """Compute the worked example with the mistakes of a guess."""
    state = start(exercise.example(), guess.hidden)
    if guess.fitted is not None:
        setattr(state, FITTED, guess.fitted)
    return run(exercise.program, state, guess.instead) or state


def fingerprint(answer: Any) -> str:
    """Hash what an answer says, so that the same one checked twice counts once."""
    if isinstance(answer, FunctionType | MethodType):
        what: Any = _code(answer.__code__)
    else:
        try:
            what = within_limits(lambda _: repr(answer))
        except BaseException:  # an object of the learner's own, which cannot even be printed
            what = type(answer).__name__
    return hashlib.sha256(repr(what).encode()).hexdigest()[:16]


def _code(code: CodeType) -> tuple[Any, ...]:
    inner = tuple(_code(const) if isinstance(const, CodeType) else repr(const) for const in code.co_consts)
    return code.co_code, code.co_names, inner


def _remember(exercise: Exercise, finding: Finding, answer: str) -> diary.Entry:
    """Write a try into the diary, and give back what stands there now."""
    entry = diary.read(exercise.name)
    entry.keep(answer, list(finding.mistakes))
    if entry.state != "seen" or (finding.verdict == "right" and _of_their_own(exercise, answer)):
        entry.state = "right" if finding.verdict == "right" else entry.state or "not yet"
    diary.write(exercise.name, entry)
    if entry.state == "right" and finding.verdict == "right":
        _redeem(exercise.name)
    return entry


def _of_their_own(exercise: Exercise, answer: str) -> bool:
    """Tell whether an answer is another one than the solution, where any of many is right."""
    if exercise.sibling or not exercise.home or not isinstance(exercise, ValueExercise):
        return False
    return answer != fingerprint(ast.literal_eval(exercise.solution.partition("= ")[2]))


def _redeem(name: str) -> None:
    """Count exercises as right whose solution was seen, now that their sibling is."""
    for elder in EXERCISES.values():
        if elder.sibling == name and (entry := diary.read(elder.name)).state == "seen":
            entry.state = "right"
            diary.write(elder.name, entry)
