"""Every rule for lessons can fail: one good lesson keeps them all, and each way to spoil it breaks the rule named."""

import copy
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.lesson import Lesson, prose
from tests.lesson_budgets import explained_minutes, minutes
from tests.run_notebooks import LIVE, text_of
from tests.test_notebooks import RULES

SENTENCE = "Heat map of the weights of three words; bank looks most at river, 0.98."
PICTURE = {"text/plain": SENTENCE, "text/html": f'<img alt="{SENTENCE}" src="data:image/png;base64,0x7f12345678">'}


def code(source: str, *outputs: NotebookNode, **metadata: object) -> NotebookNode:
    """A code cell as the runner saves it, but for the count."""
    return new_code_cell(source, outputs=list(outputs), metadata=metadata, id="x")


def text(source: str, **metadata: object) -> NotebookNode:
    """A cell of prose."""
    return new_markdown_cell(source, metadata=metadata, id="x")


def printed(line: str, name: str = "stdout") -> NotebookNode:
    """What `print` leaves."""
    return new_output("stream", name=name, text=f"{line}\n")


def shown(data: dict[str, str]) -> NotebookNode:
    """What `display` leaves."""
    return new_output("display_data", data=data)


HOLDS = code("assert slope < 2.5", claims=["cost"])  # what follows a live cell
GOOD = [
    text("# Scale the scores\n\nWhy does everybody divide by a root?"),
    code("import numpy as np"),
    code("warm_up('03')", printed("Three questions."), tags=["warm-up"]),
    text("## How large do scores get?\n\n" + "word " * 100),
    code("predict('03-spread', ...)", printed("A, B or C?"), tags=["predict"]),
    code("print(4.0, 0.5, -0.05)", printed("4.0 0.5 -0.05")),
    code("picture", shown(PICTURE)),
    code("np.time_it()", printed("12:30:59, 4321 rows"), tags=[LIVE]),
    HOLDS,
    code("def my_softmax(scores):\n    ...", tags=["exercise"], minutes=12),
    code("explorer", printed("An explorer."), tags=["explorer"]),
    text("## Four questions"),
    code("questions('03')", printed("Four questions."), tags=["questions"]),
]


def saved(cells: list[NotebookNode], path: Path) -> Lesson:
    """A lesson with these cells, in a file that the runner could have written."""
    cells = [copy.deepcopy(cell) for cell in cells]
    for position, cell in enumerate(cells, start=1):
        cell.id = f"cell-{position:02}"
    for count, cell in enumerate((cell for cell in cells if cell.cell_type == "code"), start=1):
        cell.execution_count = count
    path.write_text(text_of(new_notebook(cells=cells)), encoding="utf-8")
    return Lesson.open(path)


def broken_rules(lesson: Lesson) -> set[str]:
    """The names of the rules that find a fault."""
    return {rule.__name__ for rule in RULES if list(rule(lesson))}


def more(*cells: NotebookNode) -> list[NotebookNode]:
    """The good lesson with more cells before its four questions."""
    return [*GOOD[:-2], *cells, *GOOD[-2:]]


def error(name: str) -> NotebookNode:
    """What a raised exception leaves."""
    return new_output("error", ename=name, evalue="", traceback=[])


# (the rule that breaks, the cells)
SPOILED: list[tuple[str, list[NotebookNode]]] = [
    ("it_was_run_from_the_top", more(code(""))),
    ("every_value_is_shown", more(code("x[0]"))),
    ("every_value_is_shown", more(code("print(x)\ny = 1"))),
    ("nothing_warns_or_fails", more(code("f()", printed("old", "stderr")))),
    ("nothing_warns_or_fails", more(code("f()", error("ValueError")))),
    ("nothing_belongs_to_one_machine", more(code("f", shown({"text/plain": "<function f at 0x7f3a12345678>"})))),
    ("nothing_belongs_to_one_machine", more(code("f()", printed("/home/ann/lesson.py"), tags=[LIVE]), HOLDS)),
    ("nothing_belongs_to_one_machine", more(code("load(r'C:\\lessons')"))),
    ("numbers_are_the_same_everywhere", more(code("f()", printed("done at 2031-02-03")))),
    ("numbers_are_the_same_everywhere", more(code("f()", printed("done at 12:30:59")))),
    ("numbers_are_the_same_everywhere", more(code("f()", printed("done on 3 March 2031")))),
    ("numbers_are_the_same_everywhere", more(code("f()", printed("[-0.  1.]")))),
    ("numbers_are_the_same_everywhere", more(code("f()", shown({"text/html": "<td>-0.00</td>"})))),
    ("numbers_are_the_same_everywhere", more(code("f()", printed("2.2e-16")))),
    ("cells_are_short", more(code("x = 1\n" * 16))),
    ("cells_are_short", [*GOOD, *(code("x = 1\n" * 5, tags=["explain"]) for _ in range(12))]),
    ("code_is_plain", more(code("import sys\nsys.path.append('..')"))),
    ("code_is_plain", more(code("warnings.filterwarnings('ignore')"))),
    ("code_is_plain", more(code("%matplotlib inline"))),
    ("code_is_plain", more(code("!pip install numpy"))),
    ("code_is_plain", more(code("# NBVAL_SKIP\nf()"))),
    ("code_is_plain", more(code("def softmax(x):\n    return x"))),
    ("code_is_plain", more(code("class Softmax:\n    pass", tags=["own-code"]))),
    ("tags_are_known", more(code("f()", tags=["nbval-skip"]))),
    ("every_picture_has_its_sentence", more(code("f()", shown({"image/png": "iVBO", "text/plain": SENTENCE})))),
    ("every_picture_has_its_sentence", more(code("f()", shown({**PICTURE, "text/plain": SENTENCE + "!"})))),
    ("every_picture_has_its_sentence", more(code("f()", shown({"text/plain": "map", "text/html": '<img alt="map">'})))),
    ("every_picture_has_its_sentence", more(code("f()", shown({**PICTURE, "text/html": "<img src='data:x'>"})))),
    *(
        ("a_live_cell_is_followed_by_what_holds_everywhere", more(code("f()", tags=[LIVE]), *after))
        for after in (
            [],
            [code("f()", tags=[LIVE]), HOLDS],
            [code("print(1)", printed("1")), HOLDS],
            [code("assert True")],
            [code("assert (fast, 'slow')")],
            [code("def f():\n    assert fast", tags=["own-code"])],
        )
    ),
    ("a_claim_stands_where_it_is_shown", more(code("import numpy as np", claims=["cost"]))),
    ("a_claim_stands_where_it_is_shown", more(code("f()", printed("2"), tags=[LIVE], claims=["cost"]), HOLDS)),
    ("a_claim_stands_where_it_is_shown", more(code("x = 1", claims=["cost"]))),
    ("a_claim_stands_where_it_is_shown", more(text("So it is.", claims=["cost"]))),
    ("links_lead_to_a_file", more(text("See [lesson 09](09_gone.ipynb#top)."))),
    ("links_lead_to_a_file", more(text("![a map](../docs/gone.png)"))),
    ("links_lead_to_a_file", more(text("See <a href='gone.html'>there</a>, or [here][it].\n\n[it]: 03_scale.ipynb"))),
    ("every_number_in_prose_is_shown", more(text("Without the scale it gets 99.9%."))),
    ("arithmetic_in_prose_is_right", more(text("For *The*: 1·1 + 4·1 = 4."))),
    ("the_title_stands_first", GOOD[1:]),
    ("the_title_stands_first", more(text("# Another title"))),
    ("headings_are_in_order", more(text("#### A detail?"))),
    ("section_headings_are_questions", more(text("## Scores grow with the width"))),
    ("the_first_action_comes_soon", [GOOD[0], text("word " * 80), *GOOD[1:]]),
    ("prose_is_broken_by_code", more(text("word " * 151))),
    (
        "core_prose_is_short",
        more(*(cell for _ in range(8) for cell in (text("word " * 140), code("f()", tags=["explain"])))),
    ),
    ("a_core_lesson_asks_no_more_than_it_may", more(*(code("f()") for _ in range(12)))),
    ("a_core_lesson_asks_no_more_than_it_may", more(*(code("f()", tags=["predict"]) for _ in range(3)))),
    ("a_core_lesson_asks_no_more_than_it_may", more(code("f()", tags=["explorer"]))),
    ("a_core_lesson_asks_no_more_than_it_may", more(code("f()", tags=["exercise"], minutes=5))),
    ("a_core_lesson_takes_its_minutes", [cell for cell in GOOD if "exercise" not in cell.metadata.get("tags", [])]),
]


def test_a_good_lesson_keeps_every_rule(tmp_path: Path) -> None:
    assert broken_rules(saved(GOOD, tmp_path / "99_scale.ipynb")) == set()


@pytest.mark.parametrize(("rule", "cells"), SPOILED, ids=[f"{i}-{rule}" for i, (rule, _) in enumerate(SPOILED)])
def test_a_spoiled_lesson_breaks_its_rule_alone(rule: str, cells: list[NotebookNode], tmp_path: Path) -> None:
    broken = broken_rules(saved(cells, tmp_path / "99_scale.ipynb"))
    assert rule in broken
    assert broken <= {rule, "a_core_lesson_takes_its_minutes"}


def test_an_exercise_without_minutes_is_found(tmp_path: Path) -> None:
    cells = [*GOOD[:-4], code("def f():\n    ...", tags=["exercise"])]
    assert "exercises_say_their_minutes" in broken_rules(saved(cells, tmp_path / "99_scale.ipynb"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.rstrip("\n"),
        lambda text: text.replace('"display_name": "Python 3"', '"display_name": "my kernel"'),
        lambda text: text.replace('"metadata": {},', '"metadata": {"execution": {"iopub": "now"}},', 1),
        lambda text: text.replace('"id": "cell-02"', '"id": "cell-01"'),
        lambda text: text.replace("\n ", "\n  "),
    ],
)
def test_a_file_that_the_runner_would_write_otherwise_is_found(spoil: Callable[[str], str], tmp_path: Path) -> None:
    lesson = saved(GOOD, tmp_path / "99_scale.ipynb")
    lesson.path.write_text(spoil(lesson.text), encoding="utf-8")
    assert "it_is_saved_as_the_runner_saves_it" in broken_rules(Lesson.open(lesson.path))


def test_a_hole_in_the_counts_is_found(tmp_path: Path) -> None:
    lesson = saved(GOOD, tmp_path / "99_scale.ipynb")
    lesson.path.write_text(lesson.text.replace('"execution_count": 4', '"execution_count": 5'), encoding="utf-8")
    assert "it_was_run_from_the_top" in broken_rules(Lesson.open(lesson.path))


def test_an_appendix_has_no_budget_of_minutes_and_words(tmp_path: Path) -> None:
    cells = [GOOD[0], *(cell for _ in range(8) for cell in (text("word " * 140), code("f()")))]
    assert broken_rules(saved(cells, tmp_path / "appendix_scaling.ipynb")) == set()


def test_the_time_model_adds_up(tmp_path: Path) -> None:
    lesson = saved(GOOD, tmp_path / "99_scale.ipynb")
    # 117 words, four cells to read, a prediction, an explorer, the warm-up, the questions, 12 minutes of exercises
    assert minutes(lesson) == pytest.approx(117 / 180 + 4 * 0.5 + 1.5 + 4 + 2 + 3 + 12)
    assert "minutes (117 words 0.7, 4 code cells to read 2.0, 1 predictions 1.5, " in explained_minutes(lesson)


def test_words_are_counted_as_they_are_read() -> None:
    assert len(prose("Scores *grow*: $q k^T$ is 2.5 at d_k, [see](https://x.org/a-b).")) == 9
    assert prose("a\n```python\nx = 1\n```\nb $$x = y$$ <b>c</b>") == ["a", "b", "c"]
