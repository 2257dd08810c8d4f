"""An explorer's page without a browser: the script runs in MiniRacer on the small document of explorers_dom.js.

What a test reads and does is what a reader sees and does: tables by the name in their caption, boxes and numbers by
their place in them, keys, a pointer, and the change that Python is told of.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from py_mini_racer import MiniRacer

from attention_lab.attention import attention_scores, scaled_dot_product_attention
from attention_lab.examples import BANK, Example
from attention_lab.explorers import BankMatrices
from attention_lab.explorers.goals import GOALS
from attention_lab.explorers.script import source
from attention_lab.plotting.words import number, share

DOCUMENT = (Path(__file__).parent / "explorers_dom.js").read_text(encoding="utf-8")
SCRIPT = "\n".join([BankMatrices._script, source("edit_goals.js"), source("goals.js")])  # as a live explorer has it
TAUGHT = ("x", "W_Q", "W_K", "W_V")
STAGES = ("q", "k", "v", "scores", "scaled", "weights", "output")


def matrices_of(example: Example) -> dict[str, Any]:
    return {name: np.asarray(getattr(example, name)).tolist() for name in TAUGHT}


def edited(example: Example, **changes: Any) -> Example:
    """The example with other numbers: ``edited(BANK, x={(0, 1): 5})``."""
    matrices = {name: np.array(matrix, float) for name, matrix in matrices_of(example).items()}
    for name, places in changes.items():
        for place, value in places.items():
            matrices[name][place] = value
    return Example(example.words, *matrices.values())


def computed(example: Example) -> dict[str, np.ndarray]:
    """Every stage, as the package computes it."""
    attention = scaled_dot_product_attention(example.q, example.k, example.v)
    return {
        "q": example.q,
        "k": example.k,
        "v": example.v,
        "scores": attention_scores(example.q, example.k, scale=1.0),
        "scaled": attention.scores,
        "weights": attention.weights,
        "output": attention.output,
    }


def shown(example: Example) -> dict[str, list[list[str]]]:
    """Every stage as the package writes its numbers."""
    return {
        name: [[share(value) if name == "weights" else number(value) for value in row] for row in matrix]
        for name, matrix in computed(example).items()
    }


# Every box of examples.BANK: its matrix, row and column.
BOXES = [
    (name, i, j) for name, matrix in matrices_of(BANK).items() for i, row in enumerate(matrix) for j in range(len(row))
]


class Element:
    """An element as it is now, with all in it."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.tag: str = described["tag"]
        self.number: int = described["number"]
        self.attributes: dict[str, str] = described["attributes"]
        self.style: dict[str, str] = described["style"]
        self.tab_index: int = described["tabIndex"]
        self.value: str = described["value"]
        self.text: str = described["text"]
        self.inside = [Element(child) for child in described["inside"]]

    def all(self, *tags: str) -> list["Element"]:
        """All elements inside with one of these tags (or any), in order."""
        deeper = [element for child in self.inside for element in [child, *child.all()]]
        return [element for element in deeper if not tags or element.tag in tags]

    def one(self, name: str) -> "Element":
        """The only element inside of this class."""
        (found,) = (element for element in self.all() if element.has(name))
        return found

    def has(self, name: str) -> bool:
        """Whether it is of a class."""
        return name in self.attributes.get("class", "").split()


class Cell:
    """A notebook's cell around a page's first view; it hears every key that nobody inside kept for themselves.

    In JupyterLab a cell takes the focus, in a page without a kernel it does not.
    """

    def __init__(self, page: Any, *, takes_focus: bool = True) -> None:
        self.engine = page.engine
        self.engine.eval(
            'const cell = document.createElement("div"), heard = []; cell.setAttribute("class", "jp-Cell");'
            'cell.append(views[0]); cell.addEventListener("keydown", (e) => e.target === cell && heard.push(e));'
        )
        if takes_focus:
            self.engine.eval("cell.tabIndex = 0")

    @property
    def has_focus(self) -> bool:
        return bool(self.engine.eval("document.activeElement === cell"))

    @property
    def heard(self) -> list[str]:
        """The keys that came to the cell, with what JupyterLab reads of them: "Shift Enter 13"."""
        named = '`${["shift", "ctrl", "alt", "meta"].filter((m) => e[`${m}Key`]).join(" ")} ${e.key} ${e.keyCode}`'
        heard: list[str] = json.loads(self.engine.eval(f"JSON.stringify(heard.map((e) => {named}))"))
        return heard


class Views:
    """Any explorer's views of one model, which a test looks at and lets things happen to.

    `state` is JSON; `exports` names what the tests call of the script, `render` among it.
    """

    def __init__(self, script: str, state: str, exports: str = "render", more: str = "") -> None:
        self.engine = MiniRacer()
        self.engine.eval(DOCUMENT + more)
        self.engine.eval(f'const explorer = (() => {{ "use strict"; {script}\nreturn {{ {exports} }}; }})();')
        self.engine.eval(f"const model = new browser.Model({state}), views = [], ends = [];")
        self.view = -1
        self.open_view()

    def open_view(self) -> None:
        """Show the same explorer once more, and look at that one."""
        self.engine.eval('views.push(document.createElement("div"))')
        self.engine.eval("ends.push(explorer.render({ model, el: views.at(-1) })); 0")
        self.view += 1

    def close_view(self) -> None:
        self.engine.eval(f"ends[{self.view}](); 0")

    def ask(self, code: str) -> Any:
        return json.loads(self.engine.eval(f"JSON.stringify({code} ?? null)"))

    @property
    def root(self) -> Element:
        return Element(self.ask(f"browser.describe(views[{self.view}])"))

    def fire(self, element: Element, event: str, **details: Any) -> bool:
        """Let something happen to an element; whether the browser then does what it does of itself."""
        return bool(self.engine.eval(f"browser.fire(browser.all[{element.number}], '{event}', {json.dumps(details)})"))

    def wait(self, milliseconds: int) -> None:
        self.engine.eval(f"browser.wait({milliseconds})")

    def receive(self, name: str, value: Any) -> None:
        """Hear from Python, or from another page, what something is now."""
        self.engine.eval(f"model.receive({json.dumps(name)}, {json.dumps(value)}); 0")

    @property
    def told(self) -> list[dict[str, Any]]:
        """What Python was told, save by save."""
        return self.ask("model.saved")

    def open_saved(self, html: str) -> str:
        """Lay out a saved page in place of the first view; give back its script, which is run by evaluating it."""
        self.engine.eval(
            "const part = (tag, name) => Object.assign(document.createElement(tag), { attributes: { class: name } });"
            'const place = part("div", "attention-lab-place"), script = part("script", "");'
            'place.append(part("div", "attention-lab-still"), script);'
            "document.currentScript = script; views[0] = place;"
        )
        found = re.search(r"(?s)<script>(.*)</script>", html)
        assert found
        return found[1]


def state_in(html: str) -> str:
    """What a saved page hands to its script, as JSON."""
    found = re.search(r"renderInPage\(\w+, (.*)\);\n", html)
    assert found
    return found[1]


class Page(Views):
    """The explorer of lesson 02, which a test types into, walks through, and sets from Python."""

    def __init__(self, example: Example = BANK, goals: Iterable[str] = (), **now: Any) -> None:
        start = matrices_of(example)
        aims = {"goals": [GOALS[name].as_data() for name in goals], "done": {}}
        state = {"words": list(example.words), "start": start, **aims, **start, **now}
        super().__init__(SCRIPT, json.dumps(state), "render: renderWithGoals")

    # ---- what a reader sees ----

    def table(self, name: str) -> Element:
        """The table with a name in its caption: ``W_Q``, ``q``, ``weights``, ..."""
        captions = {"x": "x: embeddings", "W_Q": "ask: W_Q", "W_K": "label: W_K", "W_V": "hand over: W_V"}
        begins = captions.get(name, f"{name} = ")
        (table,) = (table for table in self.root.all("table") if table.all("caption")[0].text.startswith(begins))
        return table

    def cells(self, name: str) -> list[list[Element]]:
        """The boxes or computed numbers of a table."""
        rows = self.table(name).all("tbody")[0].all("tr")
        return [row.all("input") if name in TAUGHT else row.all("td") for row in rows]

    def cell(self, name: str, i: int, j: int) -> Element:
        return self.cells(name)[i][j]

    def boxes(self) -> dict[str, list[list[float]]]:
        """What stands in the boxes."""
        return {name: [[float(box.value) for box in row] for row in self.cells(name)] for name in TAUGHT}

    def stages(self) -> dict[str, list[list[str]]]:
        """What stands in the computed numbers."""
        return {name: [[cell.text for cell in row] for row in self.cells(name)] for name in STAGES}

    def places(self, class_name: str) -> set[tuple[str, int, int]]:
        """The boxes and numbers that are of a class."""
        return {
            (name, i, j)
            for name in (*TAUGHT, *STAGES)
            for i, row in enumerate(self.cells(name))
            for j, cell in enumerate(row)
            if cell.has(class_name)
        }

    @property
    def sum(self) -> str:
        return self.root.one("al-sum").text

    @property
    def status(self) -> list[str]:
        """The sentence, and what the last edit did."""
        (status,) = (element for element in self.root.all() if element.attributes.get("role") == "status")
        return [line.text for line in status.inside]

    def goal(self, text: str) -> list[str]:
        """A goal's line by its text: how it stands, and what is said below it."""
        item = self._goal(text)
        return [item.one("al-badge").text, item.one("al-goal-said").text]

    def _goal(self, text: str) -> Element:
        (item,) = (item for item in self.root.all("li") if item.one("al-goal-text").text == f"{text}.")
        return item

    @property
    def focused(self) -> int | None:
        return self.ask("document.activeElement?.number")

    # ---- what a reader does ----

    def type(self, name: str, i: int, j: int, text: str) -> None:
        """Go to a box and have this text in it."""
        box = f"browser.all[{self.cell(name, i, j).number}]"
        self.engine.eval(f'{box}.focus(); {box}.value = {json.dumps(text)}; browser.fire({box}, "input")')

    def leave(self, name: str, i: int, j: int) -> None:
        """Leave a box after typing."""
        self.fire(self.cell(name, i, j), "change")

    def point(self, name: str, i: int, j: int) -> None:
        cell = self.cell(name, i, j)
        self.fire(cell, "mouseover")
        self.fire(cell, "mouseenter", bubbles=False)

    def focus(self, name: str, i: int, j: int) -> None:
        self.engine.eval(f"browser.all[{self.cell(name, i, j).number}].focus(); 0")

    def press(self, key: str, **modifiers: bool) -> bool:
        """Press a key where the focus is; whether the page would scroll."""
        details = {"key": key, "ctrlKey": False, "metaKey": False, "altKey": False, "shiftKey": False, **modifiers}
        return bool(self.engine.eval(f"browser.fire(document.activeElement, 'keydown', {json.dumps(details)})"))

    def start_again(self) -> None:
        (button,) = (button for button in self.root.all("button") if button.text == "Start again")
        self.fire(button, "click")

    def say_impossible(self, text: str) -> None:
        """Press "It cannot be done" beside a goal."""
        (button,) = self._goal(text).all("button")
        self.fire(button, "click")

    # ---- Python ----

    def set_from_python(self, name: str, matrix: Any) -> None:
        self.receive(name, np.asarray(matrix).tolist())

    @property
    def state(self) -> dict[str, Any]:
        """What the model holds now."""
        return self.ask("model.state")
