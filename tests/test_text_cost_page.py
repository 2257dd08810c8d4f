"""The page of what a text costs: a slider and buttons move it, and Python hears (on explorers_dom.js)."""

import pytest

from attention_lab.costs import MODELS
from attention_lab.explorers.text_cost import BYTES, LENGTHS, MEMORY, TextCost, amount, text_cost
from tests.explorer_page import Element, Views, state_in
from tests.test_text_cost import explorer_at


class Page(Views):
    """What a text costs, as a test looks at it and moves it."""

    def __init__(self) -> None:
        super().__init__(TextCost._script, state_in(text_cost().html()))

    @property
    def slider(self) -> Element:
        (slider,) = self.root.all("input")
        return slider

    @property
    def pressed(self) -> list[str]:
        return [button.text for button in self.root.all("button") if button.attributes.get("aria-pressed") == "true"]

    def move(self, step: int) -> None:
        """What a browser does of itself when an arrow key is pressed on the slider."""
        self.engine.eval(f"browser.all[{self.slider.number}].value = {step}")
        self.fire(self.slider, "input")

    def press(self, text: str) -> None:
        (button,) = (button for button in self.root.all("button") if button.text == text)
        self.fire(button, "click")


@pytest.fixture
def page() -> Page:
    return Page()


def assert_shows(page: Page, n_tokens: int, model: str, bytes_each: int) -> None:
    """Everything on the page is what the package counts."""
    root, explorer = page.root, explorer_at(n_tokens, model, bytes_each)
    (status,) = (element for element in root.all() if element.attributes.get("role") == "status")
    assert status.text == explorer.sentence
    assert page.slider.attributes["aria-valuetext"] == f"{n_tokens:,} tokens"
    assert page.slider.value == str(LENGTHS.index(n_tokens))
    each = f"{bytes_each} byte{'s' if bytes_each > 1 else ''}"
    assert page.pressed == [model, each]
    costs = [explorer_at(n, model, bytes_each).cost for n in LENGTHS]
    rows = [[cell.text for cell in row.all("td")] for row in root.all("tbody")[0].all("tr")]
    assert rows == [[amount(cost.score_bytes), amount(cost.cache_bytes)] for cost in costs]
    assert root.all("caption")[0].text == f"{model}, {each} a number"
    now = explorer.cost
    for name, n_bytes in (("scores", now.score_bytes), ("cache", now.cache_bytes)):
        more = f", more than {amount(MEMORY)}" if n_bytes > MEMORY else ""
        assert root.one(f"al-of-{name}").one("al-amount").text == amount(n_bytes) + more
    assert_marks(root, [(cost.score_bytes, cost.cache_bytes) for cost in costs], LENGTHS.index(n_tokens))


def assert_marks(root: Element, costs: list[tuple[int, int]], now: int) -> None:
    """A mark for each length stands at its height, from a megabyte to a petabyte; that of now is larger."""
    plot = root.one("al-plot")
    for j, name in enumerate(("scores", "cache")):
        marks = [element for element in plot.all() if element.has("al-mark") and element.has(f"al-{name}")]
        assert [mark.has("al-now") for mark in marks] == [i == now for i in range(len(LENGTHS))]
        bottoms = [float(mark.style["bottom"].removesuffix("%")) for mark in marks]
        decades = [bottom * 9 / 100 + 6 for bottom in bottoms]
        assert [10**decade for decade in decades] == pytest.approx([cost[j] for cost in costs], rel=0.002)


# ---- moving ---------------------------------------------------------------------------------------------------------


def test_a_page_opens_at_the_lessons_numbers(page):
    assert_shows(page, 8192, "Llama 2 7B", 2)
    assert page.told == []


@pytest.mark.parametrize("step", range(len(LENGTHS)))
def test_the_slider_sets_the_length_and_everything_follows_at_once(page, step):
    page.move(step)
    assert_shows(page, LENGTHS[step], "Llama 2 7B", 2)


@pytest.mark.parametrize("model", MODELS)
def test_a_button_changes_the_model_and_python_is_told_at_once(page, model):
    page.press(model)
    assert_shows(page, 8192, model, 2)
    assert page.told == [{"model": model}]
    page.press("1 byte")
    assert_shows(page, 8192, model, 1)
    assert page.told[1:] == [{"bytes_each": 1}]


def test_start_again_puts_all_back_and_tells_python_at_once(page):
    page.press("Falcon 7B")
    page.press("1 byte")
    page.move(10)
    page.press("Start again")
    assert_shows(page, 8192, "Llama 2 7B", 2)
    assert page.told[2:] == [{"n_tokens": 8192, "model": "Llama 2 7B", "bytes_each": 2}]
    page.wait(500)
    assert len(page.told) == 3


# ---- Python, and other views ----------------------------------------------------------------------------------------


def test_python_is_told_when_the_slider_rests_or_is_left(page):
    page.move(7)
    page.move(8)
    assert page.told == []
    page.wait(200)
    assert page.told == [{"n_tokens": LENGTHS[8]}]
    page.move(0)
    page.fire(page.slider, "change")
    assert page.told[1:] == [{"n_tokens": LENGTHS[0]}]


def test_what_python_sets_is_drawn(page):
    page.receive("n_tokens", 2**20)
    page.receive("model", "Llama 3 8B")
    page.receive("bytes_each", 1)
    assert_shows(page, 2**20, "Llama 3 8B", 1)
    assert page.told == []


def test_two_views_move_together_and_a_closed_one_hears_nothing_more(page):
    page.open_view()
    page.move(2)
    page.press("Falcon 7B")
    page.view = 0
    assert_shows(page, LENGTHS[2], "Falcon 7B", 2)
    page.close_view()
    page.view = 1
    page.move(3)
    page.view = 0
    assert_shows(page, LENGTHS[2], "Falcon 7B", 2)


# ---- for everyone ---------------------------------------------------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name_and_keeps_its_keys_from_jupyterlab(page):
    stops = page.root.all("input", "button", "summary")
    assert all(stop.attributes.get("data-lm-suppress-shortcuts") == "true" for stop in stops)
    assert not [element for element in page.root.all() if "tabindex" in element.attributes]
    labels = {label.attributes["for"]: label.text for label in page.root.all("label")}
    names = [labels.get(stop.attributes.get("id"), stop.text) for stop in stops]
    assert names == [
        "Start again",
        *MODELS,
        *(f"{n} byte{'s' if n > 1 else ''}" for n in BYTES),
        "Tokens in the text: each step is twice as many",
        "All 11 lengths in numbers",
    ]


def test_buttons_stand_in_named_groups_and_one_of_each_is_pressed(page):
    groups = [element for element in page.root.all() if element.has("al-choice")]
    names = {span.attributes["id"]: span.text for span in page.root.all("span") if "id" in span.attributes}
    assert [names[group.attributes["aria-labelledby"]] for group in groups] == ["Model", "For each number"]
    for group in groups:
        assert group.attributes["role"] == "group"
        pressed = [button.attributes["aria-pressed"] for button in group.all("button")]
        assert sorted(set(pressed)) == ["false", "true"]
        assert pressed.count("true") == 1


def test_the_slider_is_native_and_reaches_every_length(page):
    of = page.slider.attributes
    assert (of["type"], of["min"], of["max"], of["step"]) == ("range", "0", "10", "1")


def test_the_plot_says_what_is_in_it(page):
    plot = page.root.one("al-plot")
    assert plot.attributes["role"] == "img"
    assert plot.attributes["aria-label"] == (
        "Bytes against tokens, both on a log scale: scores of one layer from 67 MB to 70 TB; "
        "keys and values of all layers from 537 MB to 550 GB"
    )
    places = [place.text for place in plot.all() if place.has("al-place")]
    assert places[::2] == ["1k", "4k", "16k", "64k", "256k", "1M"]
    assert plot.one("al-memory").text == "80 GB"
