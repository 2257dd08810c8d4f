"""A line to draw: page and package say the same, everyone can use it, and it shows itself wherever it is read."""

import json
import re

import numpy as np
import pytest
import traitlets

from attention_lab.explorers.script import source
from attention_lab.explorers.sketch import Sketch, times
from attention_lab.prompts.items.sketches import SKETCHES
from attention_lab.prompts.sketching import sketch
from tests.sketch_page import Page

SPREAD, SCORES = SKETCHES["03-spread"], SKETCHES["07-scores"]
FLAT = [1.0] * 5


@pytest.fixture
def page() -> Page:
    return Page()


# ---- page and package -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("growth", SKETCHES.values(), ids=SKETCHES)
def test_the_page_says_what_the_package_says(growth):
    page, rng = Page(growth.name), np.random.default_rng(2)
    exponents = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3]  # those in the middle are ties
    lines = [[(x / growth.x[0]) ** exponent for x in growth.x] for exponent in exponents]
    lines += [[1, *(4 ** rng.uniform(-1, 4, 4))] for _ in range(30)]
    lines += [np.array(line) * 2 ** np.r_[0, rng.normal(0, 0.7, 4)] for line in lines[:9] for _ in range(9)]
    said = set()
    lines += [[1, *(rng.integers(1, 512, 4) / 2)] for _ in range(20)]
    for line in lines:
        line = [float(np.clip(value, *growth.ends)) for value in line]
        page.engine.eval(f"model.receive('guess', {json.dumps(line)}); model.receive('shown', true)")
        assert page.said == [growth.says(line), growth.reason(growth.nearest(line))]
        assert page.guess == [times(value) for value in line[1:]]
        said.add(page.said[1])
    assert said == {growth.reason(power) for power in (*growth.powers, None)}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1.0"),
        (0.25, "0.25"),
        (0.999, "1.00"),
        (2.25, "2.2"),
        (2.828, "2.8"),
        (9.95, "9.9"),
        (9.96, "10"),
        (16, "16"),
        (22.5, "22.5"),
    ],
)
def test_times_are_written_alike(page, value, text):
    assert times(value) == text
    assert page.ask(f"explorer.times({value})") == text


# ---- for everyone ---------------------------------------------------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name_and_keeps_its_keys_from_jupyterlab(page):
    stops = [element for element in page.root.all() if element.tab_index == 0]
    assert len(stops) == 4 + 4 + 2
    assert all(element.attributes.get("data-lm-suppress-shortcuts") == "true" for element in stops)
    names = [element.attributes.get("aria-label") or element.text for element in stops]
    assert len(set(names)) == len(names)
    assert all(names)
    for handle in page.handles:
        low, high = float(handle.attributes["aria-valuemin"]), float(handle.attributes["aria-valuemax"])
        assert [low, high] == list(SPREAD.ends)
        assert handle.attributes["aria-orientation"] == "vertical"


def light_of(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_both_lines_stand_out_from_their_paper_and_differ_in_more_than_colour():
    shared, css = source("shared.css"), source("sketch.css")
    light = re.search(r"--al-second: var\(--al-orange, (#\w{6})", shared)[1]
    dark, dark_by_wish = re.findall(r"--al-orange: (#\w{6})", shared)
    assert dark == dark_by_wish
    for line, paper in [(light, "#ffffff"), (dark, "#111111"), (dark, "#16181c")]:
        darker, lighter = sorted([light_of(line), light_of(paper)])
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5
    assert "stroke-dasharray" in css[css.index(".al-truth polyline") :]


# ---- Python ---------------------------------------------------------------------------------------------------------


def test_without_scripts_the_question_is_open_and_the_answer_folded():
    still = sketch("03-spread", ...).still()
    before, folded = still.split("<details>")
    assert SPREAD.text in before
    assert "d_k = 4, 8, 16, 32, 64" in before
    assert re.findall(r"<td>([\d.]+)</td>", folded) == ["1.0", "1.4", "2.0", "2.8", "4.0"]
    assert "From d_k = 4 to 64: measured 4.0 times. So: four times the d_k, twice the spread." in folded
    assert not re.search(r"<td>|measured 4", before)


def test_it_shows_itself_live_as_a_page_and_as_a_fixed_text():
    first, second = (sketch("07-scores", ...)._repr_mimebundle_()[0] for _ in range(2))
    assert set(first) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert first["text/html"] == second["text/html"]
    assert first["text/plain"] == f"{SCORES.text}\nMove the handles to the line that you expect, then press Show."
    assert first["text/html"].count("</script>") == 1
    loads = re.findall(r"""\b(?:src|href)=|\bimport\b|https?://[^"]*""", first["text/html"])
    assert loads == ["http://www.w3.org/2000/svg"]  # the name of a language: nothing is loaded


@pytest.mark.parametrize("guess", [[1, 2, 3, 4], [1, 2, 3, 4, 0], [1, 2, 3, 4, 257], [1, 2, 3, 4, float("nan")]])
def test_a_line_that_does_not_fit_is_refused_in_words(guess):
    widget = sketch("03-spread", ...)
    with pytest.raises(traitlets.TraitError, match=r"A line has 5 numbers, each from 0\.25 to 256, not \["):
        widget.guess = guess
    assert widget.guess == FLAT


def test_what_was_measured_cannot_be_changed():
    with pytest.raises(traitlets.TraitError, match="read-only"):
        sketch("03-spread", ...).measured = FLAT
    assert isinstance(sketch("03-spread", ...), Sketch)
