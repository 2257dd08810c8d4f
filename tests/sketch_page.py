"""A drawn line's page without a browser, on the small document of explorers_dom.js."""

import json

from attention_lab.explorers.sketch import Sketch, times
from attention_lab.prompts.sketching import sketch
from tests.explorer_page import Element, Views, state_in

# What a drawn line needs of a browser besides the other explorers: pictures, a switch for an attribute, a pointer. The
# picture is shown at its own size, with its corner at 0, 0.
MORE = """
document.createElementNS = (_, tag) => document.createElement(tag);
Object.assign(Object.getPrototypeOf(document.createElement("p")), {
  toggleAttribute(name, on) { if (on) this.attributes[name] = ""; else delete this.attributes[name]; },
  getBoundingClientRect: () => ({ left: 0, top: 0, width: 580, height: 354 }),
  setPointerCapture() {},
});
"""


class Page(Views):
    """A sketch that a test looks at, moves with keys and a pointer, and shows."""

    def __init__(self, name: str = "03-spread") -> None:
        super().__init__(Sketch._script, state_in(sketch(name, ...).html()), "render, placeX, placeY, times", MORE)

    @property
    def handles(self) -> list[Element]:
        return [element for element in self.root.all() if element.attributes.get("role") == "slider"]

    @property
    def said(self) -> list[str]:
        (status,) = (element for element in self.root.all() if element.attributes.get("role") == "status")
        return [line.text for line in status.inside]

    @property
    def guess(self) -> list[str]:
        """The line in words, the same at the handles, above them, and in the boxes."""
        words = [handle.attributes["aria-valuetext"].removesuffix(" times") for handle in self.handles]
        assert words == [box.value for box in self.root.all("input")]
        assert words == [times(float(handle.attributes["aria-valuenow"])) for handle in self.handles]
        above = [handle.one("al-value").text for handle in self.handles]
        assert above == ([""] * 4 if self.said[0] else words)
        return words

    @property
    def measured(self) -> list[str]:
        return [row.all("td")[1].text for row in self.root.all("tbody")[0].all("tr")]

    @property
    def ends(self) -> list[str]:
        """What stands at the ends of the lines."""
        return [element.text for element in self.root.all("text") if element.has("al-end")]

    def press(self, handle: int, key: str, **modifiers: bool) -> bool:
        """Press a key on a handle, counted from 1 as the first one is fixed; whether the page would scroll."""
        return self.fire(self.handles[handle - 1], "keydown", key=key, **modifiers)

    def type(self, handle: int, text: str) -> None:
        box = self.root.all("input")[handle - 1]
        self.engine.eval(f"browser.all[{box.number}].value = {json.dumps(text)}")
        self.fire(box, "input")

    def click(self, text: str) -> None:
        (button,) = (button for button in self.root.all("button") if button.text == text)
        self.fire(button, "click")

    def place(self, i: int, value: float) -> tuple[float, float]:
        x, y = self.ask(f"(view => [explorer.placeX(view, {i}), explorer.placeY(view, {value})])(model.state)")
        return x, y

    def stroke(self, *points: tuple[float, float], kind: str = "mouse") -> None:
        """Press at the first point, go along the others, and let go."""
        (picture,) = self.root.all("svg")
        for i, (x, y) in enumerate(points):
            event = "pointermove" if i else "pointerdown"
            self.fire(picture, event, clientX=x, clientY=y, button=0, pointerId=1, pointerType=kind)
        self.fire(picture, "pointerup")

    def draw(self, line: list[float]) -> None:
        """Type a line."""
        for i, value in enumerate(line[1:], start=1):
            self.type(i, repr(value))
        self.fire(self.root.all("input")[0], "change")
