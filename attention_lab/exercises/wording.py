"""What a report says of a finding, and of an exercise whose solution was seen."""

from attention_lab.exercises import diary
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.catalogue import EXERCISES
from attention_lab.exercises.exercise import Exercise, Finding, FunctionExercise, ValueExercise, WrongLineExercise


def message(exercise: Exercise, finding: Finding, entry: diary.Entry) -> str:
    """Say what was found; at the second time, with the mistake's name."""
    if finding.verdict == "right":
        if entry.state == "seen":
            return as_seen(exercise)
        return finding.seen or ("It agrees on fresh random inputs." if isinstance(exercise, FunctionExercise) else "")
    ask = f'`hint("{exercise.name}")` asks the next question.' if entry.tries > 1 or not finding.mistakes else ""
    known = [BY_CODE[code] for code in finding.mistakes]
    if not known or isinstance(exercise, WrongLineExercise):  # whose mistakes are what was believed, not what was made
        return f"{finding.seen} {ask}".strip()
    if entry.again:
        names = " and ".join(mistake.name for mistake in known)
        fact = known[0].seen(finding.state) if isinstance(exercise, ValueExercise) else ""
        said = [f"Again: {names}.", fact, known[0].why]
    else:
        said = [f"{len(known)} things at once."] if len(known) > 1 else []
        said += [mistake.seen(finding.state) for mistake in known]
    return " ".join(part for part in (finding.seen, *said, ask) if part)


def as_seen(exercise: Exercise) -> str:
    """Say what a look at the solution means, and what makes up for it."""
    sibling = EXERCISES.get(exercise.sibling)
    after = " Another answer than this one makes it count as *right*."
    if sibling:
        after = f' To make it count as *right*, do its sibling, `check(..., "{sibling.name}")`: {sibling.task}'
    elif not exercise.home:
        after = ""
    return f"You have looked at the solution, so it counts as *seen*.{after}"


def hints_of(exercise: Exercise, mistakes: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return the hints for the first of the mistakes, or the exercise's own."""
    if isinstance(exercise, WrongLineExercise) or not mistakes:
        return exercise.hints
    known = BY_CODE.get(mistakes[0])  # another version's diary may have codes of its own
    return known.hints if known else exercise.hints
