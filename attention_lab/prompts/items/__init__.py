"""Every question of the course, by lesson. Adding one is one entry; the tests pick it up."""

from attention_lab.prompts.item import Item, Written
from attention_lab.prompts.items import lesson_00, lesson_01, lesson_02, lesson_02_end

# By lesson: what is asked before an experiment, at the end, and at the beginning about earlier lessons.
PREDICTIONS: tuple[Item, ...] = (*lesson_00.ITEMS, *lesson_01.ITEMS, *lesson_02.ITEMS)
QUESTIONS: dict[str, tuple[Item | Written, ...]] = {"01": lesson_01.QUESTIONS, "02": lesson_02_end.QUESTIONS}
WARM_UPS: dict[str, tuple[Item, ...]] = {"02": lesson_02_end.WARM_UP}

ITEMS: dict[str, Item] = {
    item.name: item
    for items in (PREDICTIONS, *QUESTIONS.values(), *WARM_UPS.values())
    for item in items
    if isinstance(item, Item)
}
