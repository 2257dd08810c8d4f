"""Every question of the course, by lesson. Adding one is one entry; the tests pick it up."""

from attention_lab.questions.item import Item
from attention_lab.questions.items import lesson_00, lesson_01, lesson_02

ITEMS: dict[str, Item] = {item.name: item for item in (*lesson_00.ITEMS, *lesson_01.ITEMS, *lesson_02.ITEMS)}
