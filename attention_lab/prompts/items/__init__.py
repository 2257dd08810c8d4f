"""Every question of the course, by lesson. Adding one is one entry; the tests pick it up."""

from attention_lab.prompts.item import Item, Twice, Written
from attention_lab.prompts.items import (
    ideas_of_attention,
    ideas_of_models,
    lesson_00,
    lesson_01,
    lesson_02,
    lesson_02_end,
    lesson_03,
    lesson_03_end,
    lesson_04,
    lesson_04_end,
    lesson_05,
    lesson_05_end,
    lesson_06,
    lesson_06_end,
    lesson_07,
    lesson_07_end,
    lesson_08,
    lesson_08_end,
)

# By lesson: what is asked before an experiment, at the end, and at the beginning about earlier lessons.
PREDICTIONS: tuple[Item, ...] = (
    *lesson_00.ITEMS,
    *lesson_01.ITEMS,
    *lesson_02.ITEMS,
    *lesson_03.ITEMS,
    *lesson_04.ITEMS,
    *lesson_05.ITEMS,
    *lesson_06.ITEMS,
    *lesson_07.ITEMS,
    *lesson_08.ITEMS,
)
QUESTIONS: dict[str, tuple[Item | Written, ...]] = {
    "01": lesson_01.QUESTIONS,
    "02": lesson_02_end.QUESTIONS,
    "03": lesson_03_end.QUESTIONS,
    "04": lesson_04_end.QUESTIONS,
    "05": lesson_05_end.QUESTIONS,
    "06": lesson_06_end.QUESTIONS,
    "07": lesson_07_end.QUESTIONS,
    "08": lesson_08_end.QUESTIONS,
}
WARM_UPS: dict[str, tuple[Item, ...]] = {
    "02": lesson_02_end.WARM_UP,
    "03": lesson_03_end.WARM_UP,
    "04": lesson_04_end.WARM_UP,
    "05": lesson_05_end.WARM_UP,
    "06": lesson_06_end.WARM_UP,
    "07": lesson_07_end.WARM_UP,
    "08": lesson_08_end.WARM_UP,
}

ITEMS: dict[str, Item] = {
    item.name: item
    for items in (PREDICTIONS, *QUESTIONS.values(), *WARM_UPS.values())
    for item in items
    if isinstance(item, Item)
}

# The ideas of the tests before the course and after it; `predict` and `explain` do not know their questions.
TWICE: tuple[Twice, ...] = (*ideas_of_attention.IDEAS, *ideas_of_models.IDEAS)
TESTS: dict[str, tuple[Item, ...]] = {when: tuple(idea.item(when) for idea in TWICE) for when in ("start", "end")}
