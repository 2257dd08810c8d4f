"""Rules for the text and the time of a lesson. Each returns what is wrong, one sentence for each fault."""

import re
from collections.abc import Iterator

from tests.lesson import (
    CELLS_TO_READ,
    EXERCISE_MINUTES,
    EXERCISE_MINUTES_OF_OTHERS,
    EXPLORERS,
    HEADINGS,
    MINUTES,
    MINUTES_OF_OTHERS,
    PREDICTIONS,
    WORDS_A_MINUTE,
    WORDS_BEFORE_FIRST_ACTION,
    WORDS_BETWEEN_CODE,
    WORDS_IN_ALL,
    Cell,
    Lesson,
)
from tests.lesson_rules import Rule

NOT_READ = {"exercise", "predict", "explain", "explorer", "warm-up", "questions"}


def the_title_stands_first(lesson: Lesson) -> Iterator[str]:
    """One `# ` heading, in the first line of the first cell."""
    found = [(cell, text) for cell, level, text in headings(lesson) if level == 1]
    if len(found) != 1:
        yield f"there are {len(found)} titles: {[text for _, text in found]}"
    if not lesson.cells or lesson.cells[0].kind != "markdown" or not lesson.cells[0].source.startswith("# "):
        yield "the first cell does not start with the title"


def headings_are_in_order(lesson: Lesson) -> Iterator[str]:
    """No level is left out: a screen reader's reader walks by them."""
    above = 1  # that the title stands first is a rule of its own
    for cell, level, text in headings(lesson):
        if level > above + 1:
            yield f"cell {cell.position}: {'#' * level} {text!r} follows a heading of level {above}"
        above = level


def section_headings_are_questions(lesson: Lesson) -> Iterator[str]:
    """A finding in a heading would give the answer away."""
    for cell, level, text in headings(lesson):
        if level == 2 and not text.endswith("?") and text not in HEADINGS:
            yield f"cell {cell.position}: the heading {text!r} is not a question"


def the_first_action_comes_soon(lesson: Lesson) -> Iterator[str]:
    """A learner does something before they have read much."""
    words = 0
    for cell in lesson.cells:
        if cell.kind == "code" and not cell.imports_only:
            break
        words += cell.words
    if lesson.core and words > WORDS_BEFORE_FIRST_ACTION:
        yield f"{words} words stand before the first action; {WORDS_BEFORE_FIRST_ACTION} are the most"


def prose_is_broken_by_code(lesson: Lesson) -> Iterator[str]:
    """No long reading between two code cells."""
    words, seen_code = 0, False
    for cell in lesson.cells:
        if cell.kind != "code":
            words += cell.words
            continue
        if seen_code and words > WORDS_BETWEEN_CODE:
            yield f"{words} words stand before cell {cell.position}; {WORDS_BETWEEN_CODE} are the most"
        words, seen_code = 0, True


def core_prose_is_short(lesson: Lesson) -> Iterator[str]:
    """What does not fit belongs in an appendix."""
    words = sum(cell.words for cell in lesson.cells)
    if lesson.core and words > WORDS_IN_ALL:
        yield f"it has {words} words of prose; {WORDS_IN_ALL} are the most"


def a_core_lesson_asks_no_more_than_it_may(lesson: Lesson) -> Iterator[str]:
    """Counts of what takes a learner's time."""
    most = {
        "code cells to read": CELLS_TO_READ,
        "predictions": PREDICTIONS,
        "core explorers": EXPLORERS,
        "minutes of core exercises": EXERCISE_MINUTES.get(lesson.number, EXERCISE_MINUTES_OF_OTHERS),
    }
    for name, count in counts(lesson).items():
        if lesson.core and count > most.get(name, count):
            yield f"it has {count:g} {name}; {most[name]} are the most"


def exercises_say_their_minutes(lesson: Lesson) -> Iterator[str]:
    """An exercise without minutes would cost nothing in the time model."""
    exercises = [cell for cell in lesson.code if "exercise" in cell.tags]
    if exercises and not any(cell.node.metadata.get("minutes") for cell in exercises):
        yield f"no exercise (cell {exercises[0].position} is the first) says its minutes in the metadata"


def a_core_lesson_takes_its_minutes(lesson: Lesson) -> Iterator[str]:
    """By the time model, not by a learner: nobody was timed."""
    low, high = MINUTES.get(lesson.number, MINUTES_OF_OTHERS)
    if lesson.core and not low <= minutes(lesson) <= high:
        yield f"it takes {explained_minutes(lesson)}; {low} to {high} are meant"


def headings(lesson: Lesson) -> Iterator[tuple[Cell, int, str]]:
    """Cell, level and text of every heading; a `#` in a block of code is none."""
    for cell in lesson.cells:
        if cell.kind == "markdown":
            text = re.sub(r"^(```|~~~).*?^\1", "", cell.source, flags=re.DOTALL | re.MULTILINE)
            for marks, title in re.findall(r"^(#{1,6}) +(.+?)[ #]*$", text, re.MULTILINE):
                yield cell, len(marks), title


def counts(lesson: Lesson) -> dict[str, float]:
    """What the time model adds up."""
    core = [cell for cell in lesson.cells if "stretch" not in cell.tags]
    to_read = [cell for cell in core if cell.kind == "code" and not cell.tags & NOT_READ and not cell.imports_only]
    tagged = {tag: [cell for cell in core if tag in cell.tags] for tag in NOT_READ}
    return {
        "words": sum(cell.words for cell in lesson.cells),
        "code cells to read": len(to_read),
        "predictions": len(tagged["predict"]),
        "core explorers": len(tagged["explorer"]),
        "warm-ups": bool(tagged["warm-up"]),
        "rounds of end questions": bool(tagged["questions"]),
        "minutes of core exercises": sum(cell.node.metadata.get("minutes", 0) for cell in tagged["exercise"]),
    }


MINUTES_EACH = {
    "words": 1 / WORDS_A_MINUTE,
    "code cells to read": 0.5,
    "predictions": 1.5,
    "core explorers": 4,
    "warm-ups": 2,
    "rounds of end questions": 3,
    "minutes of core exercises": 1,
}


def minutes(lesson: Lesson) -> float:
    """How long the lesson takes by the time model."""
    return sum(MINUTES_EACH[name] * count for name, count in counts(lesson).items())


def explained_minutes(lesson: Lesson) -> str:
    """The minutes with their parts."""
    parts = [f"{count:g} {name} {MINUTES_EACH[name] * count:.1f}" for name, count in counts(lesson).items() if count]
    return f"{minutes(lesson):.1f} minutes ({', '.join(parts)})"


BUDGET_RULES: list[Rule] = [
    the_title_stands_first,
    headings_are_in_order,
    section_headings_are_questions,
    the_first_action_comes_soon,
    prose_is_broken_by_code,
    core_prose_is_short,
    a_core_lesson_asks_no_more_than_it_may,
    exercises_say_their_minutes,
    a_core_lesson_takes_its_minutes,
]
