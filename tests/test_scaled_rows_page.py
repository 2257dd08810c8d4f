"""The page of one row, unscaled and scaled: two sliders move it, and Python hears (on explorers_dom.js)."""

import re

import pytest

from attention_lab.attention import softmax
from attention_lab.explorers.scaled_rows import SIZES, TEMPERATURES, ScaledRows, scaled_rows
from attention_lab.plotting.words import number, share
from tests.explorer_page import Element, Views, state_in


class Page(Views):
    """Two rows of weights that a test looks at and moves."""

    def __init__(self) -> None:
        super().__init__(ScaledRows._script, state_in(scaled_rows().html()))

    @property
    def sliders(self) -> list[Element]:
        return self.root.all("input")

    @property
    def panels(self) -> list[Element]:
        return [element for element in self.root.all() if element.has("al-panel")]

    @property
    def sentence(self) -> str:
        (status,) = (element for element in self.root.all() if element.attributes.get("role") == "status")
        return status.text

    def move(self, slider: int, step: int) -> None:
        """What a browser does of itself when an arrow key is pressed on a slider."""
        moved = self.sliders[slider]
        self.engine.eval(f"browser.all[{moved.number}].value = {step}")
        self.fire(moved, "input")

    def start_again(self) -> None:
        (button,) = self.root.all("button")
        self.fire(button, "click")


@pytest.fixture
def page() -> Page:
    return Page()


def explorer_at(d_k: int, temperature: float) -> ScaledRows:
    explorer = scaled_rows()
    explorer.d_k, explorer.temperature = d_k, temperature
    return explorer


def assert_shows(page: Page, d_k: int, temperature: float) -> None:
    """Everything on the page is what the package computes for a d_k and a temperature."""
    explorer = explorer_at(d_k, temperature)
    assert page.sentence == explorer.sentence
    words = re.search(r"looks at ([\d.]+) of 32 words, scaled at ([\d.]+)\.$", explorer.sentence).groups()
    assert [slider.attributes["aria-valuetext"] for slider in page.sliders] == [
        f"d_k = {d_k}",
        f"temperature = {temperature:g}",
    ]
    cells = [[cell.text for cell in row.all("td")] for row in page.root.all("tbody")[0].all("tr")]
    for i, (panel, scale) in enumerate(zip(page.panels, (1, d_k**0.5), strict=True)):
        scores = explorer.scores / scale / temperature
        weights = softmax(scores)
        top = f"key {weights.argmax() + 1}: {share(weights.max())}"
        assert panel.one("al-top").text == top
        assert panel.one("al-plot").attributes["aria-label"].endswith(f"; the largest is {top}")
        bars = [float(bar.style["height"].removesuffix("%")) for bar in panel.all() if bar.has("al-bar")]
        assert bars == pytest.approx(100 * weights, abs=0.006)
        assert panel.one("al-words").text == f"looks at {words[i]} of 32 words"
        facts = [fact.all("b")[0].text for fact in panel.all() if fact.has("al-fact")]
        assert facts == [number(scores.std()), share(weights.max()), words[i]]
        assert [row[2 * i] for row in cells] == [number(score) for score in scores]
        assert [row[2 * i + 1] for row in cells] == [share(weight) for weight in weights]


# ---- moving ---------------------------------------------------------------------------------------------------------


def test_a_page_opens_at_d_k_64_and_temperature_1(page):
    assert_shows(page, 64, 1)
    assert page.told == []


@pytest.mark.parametrize("step", range(len(SIZES)))
def test_the_first_slider_sets_d_k_and_everything_follows_at_once(page, step):
    page.move(0, step)
    assert_shows(page, SIZES[step], 1)


@pytest.mark.parametrize("step", [0, 1, 10, 13, 19, 30, 40])
def test_the_second_slider_divides_both_rows_once_more(page, step):
    page.move(1, step)
    assert_shows(page, 64, TEMPERATURES[step])
    page.move(0, 0)
    assert_shows(page, 2, TEMPERATURES[step])


def test_a_title_says_what_the_softmax_is_of(page):
    def titles() -> list[str]:
        return [panel.one("al-title").text for panel in page.panels]

    assert titles() == ["unscaled: softmax(q · k)", "scaled: softmax(q · k / √64)"]
    page.move(0, 0)
    page.move(1, TEMPERATURES.index(2.5))
    assert titles() == ["unscaled: softmax(q · k / 2.5)", "scaled: softmax(q · k / √2 / 2.5)"]


def test_start_again_puts_both_back_and_tells_python_at_once(page):
    page.move(0, 8)
    page.move(1, 0)
    page.start_again()
    assert_shows(page, 64, 1)
    assert page.told == [{"d_k": 64, "temperature": 1}]
    page.wait(500)
    assert len(page.told) == 1


# ---- Python, and other views ----------------------------------------------------------------------------------------


def test_python_is_told_when_the_slider_rests_or_is_left(page):
    page.move(0, 7)
    page.move(0, 8)
    page.wait(199)
    assert page.told == []
    page.wait(1)
    assert page.told == [{"d_k": 512}]
    page.move(1, 0)
    page.fire(page.sliders[1], "change")
    assert page.told == [{"d_k": 512}, {"temperature": 0.1}]
    page.wait(500)
    assert len(page.told) == 2


def test_what_python_sets_is_shown_also_between_two_steps(page):
    page.receive("d_k", 8)
    page.receive("temperature", 3.14)
    assert_shows(page, 8, 3.14)
    assert [slider.value for slider in page.sliders] == ["2", str(TEMPERATURES.index(3.2))]
    page.wait(500)
    assert page.told == []


def test_two_views_follow_each_other_until_one_is_closed(page):
    page.open_view()
    page.move(0, 0)
    page.view = 0
    assert_shows(page, 2, 1)
    page.close_view()
    assert page.told == [{"d_k": 2}]  # nothing is lost with a view
    page.view = 1
    page.move(0, 3)
    page.view = 0
    assert_shows(page, 2, 1)


# ---- for everyone ---------------------------------------------------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name_and_keeps_its_keys_from_jupyterlab(page):
    stops = page.root.all("input", "button", "summary")
    assert [stop.tag for stop in stops] == ["button", "input", "input", "summary"]
    assert not [element for element in page.root.all() if "tabindex" in element.attributes]
    assert all(stop.attributes.get("data-lm-suppress-shortcuts") == "true" for stop in stops)
    labels = {label.attributes["for"]: label.text for label in page.root.all("label")}
    names = [labels.get(stop.attributes.get("id"), stop.text) for stop in stops]
    assert names == [
        "Start again",
        "d_k: numbers in each key",
        "temperature: divides all scores",
        "All 32 keys in numbers",
    ]


def test_sliders_are_native_and_reach_every_step(page):
    for slider, steps in zip(page.sliders, (SIZES, TEMPERATURES), strict=True):
        of = slider.attributes
        assert (of["type"], of["min"], of["max"], of["step"]) == ("range", "0", str(len(steps) - 1), "1")


def test_both_panels_have_one_scale_a_name_and_32_bars(page):
    assert [panel.attributes["aria-label"] for panel in page.panels] == ["unscaled", "scaled"]
    for panel in page.panels:
        assert panel.attributes["role"] == "group"
        levels = [(level.text, level.style["bottom"]) for level in panel.all() if level.has("al-level")]
        assert levels == [("0%", "0%"), ("50%", "50%"), ("100%", "100%")]
        assert len([bar for bar in panel.all() if bar.has("al-bar")]) == 32
        assert panel.one("al-plot").attributes["role"] == "img"


def test_every_bar_stands_in_a_table_with_headers(page):
    (table,) = page.root.all("table")
    columns = [header.text for header in table.all("thead")[0].all("th")]
    assert columns == ["unscaled score", "unscaled weight", "scaled score", "scaled weight"]
    assert [header.text for header in table.all("tbody")[0].all("th")] == [f"key {i}" for i in range(1, 33)]
    assert table.all("caption")[0].text == "The scores that go into softmax, and the weights"
