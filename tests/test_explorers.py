"""Explorers: the script in the browser computes and says what the package does, and nothing is lost without it."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab import ShapeError, examples
from attention_lab.attention import attention_scores, scaled_dot_product_attention
from attention_lab.examples import Example
from attention_lab.explorers import BankMatrices, bank_matrices
from attention_lab.plotting import style
from attention_lab.plotting.words import favourite, number, share

WORDS = ["The", "bank", "by", "the", "river", "was", "steep", "today"]
KINDS = ("integers", "small integers with ties", "floats", "large floats", "zeros")


@pytest.fixture(scope="module")
def page() -> MiniRacer:
    """The explorer's script, without a page: its computing functions."""
    engine = MiniRacer()
    engine.eval(BankMatrices._script)
    return engine


def call(page: MiniRacer, function: str, *arguments: Any) -> Any:
    """Call a function of the script; NaN and infinities travel as text."""
    texts = ", ".join(json.dumps(argument) for argument in arguments)
    keep = "(_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value)"
    return json.loads(page.eval(f"JSON.stringify({function}({texts}), {keep})"))


def random_example(rng: np.random.Generator, kind: str) -> Example:
    n, d_model, d_k, d_v = rng.integers(1, 9), *rng.integers(1, 5, size=3)

    def numbers(*shape: int) -> np.ndarray:
        if kind == "integers":
            return rng.integers(-9, 10, shape)
        if kind == "small integers with ties":
            return rng.integers(-1, 2, shape)
        if kind == "zeros":
            return np.zeros(shape)
        return rng.standard_normal(shape) * (30 if kind == "large floats" else 1)

    matrices = (numbers(*shape) for shape in ((n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)))
    return Example(tuple(WORDS[:n]), *matrices)


def matrices_of(example: Example) -> dict[str, Any]:
    return {name: np.asarray(getattr(example, name)).tolist() for name in ("x", "W_Q", "W_K", "W_V")}


class Tables(HTMLParser):
    """The tables of a page: a caption, column headers and rows of texts for each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[dict[str, Any]] = []
        self.opened: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "table":
            self.tables.append({"caption": "", "rows": [], "scopes": []})
        elif tag == "tr":
            self.tables[-1]["rows"].append([])
        elif tag in ("td", "th"):
            self.tables[-1]["rows"][-1].append("")
            self.tables[-1]["scopes"] += [value for name, value in attrs if name == "scope"]
        if tag not in ("img", "input"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag, f"<{tag}> is closed where something else is open"

    def handle_data(self, data: str) -> None:
        if self.opened and self.opened[-1] == "caption":
            self.tables[-1]["caption"] += data
        elif self.opened and self.opened[-1] in ("td", "th"):
            self.tables[-1]["rows"][-1][-1] += data


# ---- by hand --------------------------------------------------------------------------------------------------------


def test_the_start_is_the_lessons_example():
    explorer = bank_matrices()
    assert repr(explorer) == "The looks most at river (93.2%), bank at river (98.2%), river at river (100.0%)."
    np.testing.assert_array_equal(explorer.x, [[1, 0], [0, 1], [2, 1]])
    np.testing.assert_allclose(explorer.attention.output[1], [1.98, 1.97], atol=0.005)
    assert explorer.example.words == ("The", "bank", "river")


def test_a_tie_is_said_as_a_tie():
    said = bank_matrices(examples.INTEREST).sentence
    assert "bank at interest and rate (48.1% each)" in said
    assert "its at all 6 evenly (16.7% each)" in said
    even = bank_matrices()
    even.W_Q = np.zeros((2, 2))
    assert even.sentence.startswith("The looks at all 3 evenly (33.3% each), bank at all 3 evenly")


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("q", 1, 0), "q of bank, number 1: 0×2 + 1×1 = 1"),
        (("scores", 1, 2), "score of bank with river: 1×4 + 3×2 = 10"),
        (("scaled", 1, 2), "scaled score of bank with river: 10 / √2 = 7.07"),
        (("weights", 1, 2), "weight of bank on river: e^7.07 / (e^2.83 + e^1.41 + e^7.07) = 98.2%"),
        (("output", 1, 0), "output of bank, number 1: 1.4%×1 + 0.3%×0 + 98.2%×2 = 1.98"),
    ],
)
def test_one_number_is_followed_through_in_words(page, place, line):
    start = {**matrices_of(examples.BANK), **call(page, "attention", matrices_of(examples.BANK))}
    assert call(page, "writeOut", *place, start, ["The", "bank", "river"]) == line


def test_a_negative_number_stands_in_brackets_in_a_sum(page):
    matrices = {"x": [[-1, 2]], "W_Q": [[3], [-1]], "W_K": [[1], [1]], "W_V": [[1], [0]]}
    numbers = {**matrices, **call(page, "attention", matrices)}
    assert call(page, "writeOut", "q", 0, 0, numbers, ["its"]) == "q of its, number 1: (-1)×3 + 2×(-1) = -5"
    assert call(page, "writeOut", "weights", 0, 0, numbers, ["its"]).endswith("e^(-5) / e^(-5) = 100.0%")


# ---- law ------------------------------------------------------------------------------------------------------------


def test_the_ingredients_of_a_number_are_all_that_moves_it(page):
    """Nudge one ingredient or one other number upstream: the next stage moves exactly where the script says."""
    rng = np.random.default_rng(5)
    example = random_example(rng, "floats")
    now = {**matrices_of(example), **call(page, "attention", matrices_of(example))}
    step = {
        "q": (("x", "W_Q"), lambda a: a["x"] @ a["W_Q"]),
        "k": (("x", "W_K"), lambda a: a["x"] @ a["W_K"]),
        "v": (("x", "W_V"), lambda a: a["x"] @ a["W_V"]),
        "scores": (("q", "k"), lambda a: a["q"] @ a["k"].T),
        "scaled": (("scores",), lambda a: a["scores"] / np.sqrt(a["k"].shape[1])),
        "weights": (("scaled",), lambda a: np.exp(a["scaled"]) / np.exp(a["scaled"]).sum(-1, keepdims=True)),
        "output": (("weights", "v"), lambda a: a["weights"] @ a["v"]),
    }
    arrays = {name: np.array(value, float) for name, value in now.items()}
    for name, (sources, compute) in step.items():
        before = compute(arrays)
        np.testing.assert_allclose(before, arrays[name], rtol=1e-9)
        said = {
            (i, j): {tuple(place) for place in call(page, "ingredientsOf", name, i, j, now)}
            for i, j in np.ndindex(before.shape)
        }
        for source in sources:
            for place in np.ndindex(arrays[source].shape):
                nudged = {**arrays, source: arrays[source].copy()}
                nudged[source][place] += 0.5
                moved = compute(nudged) != before
                for i, j in np.ndindex(before.shape):
                    assert moved[i, j] == ((source, *place) in said[i, j]), (name, i, j, source, place)


def test_weights_are_legible_on_every_colour(page):
    for weight in np.linspace(0, 1, 101):
        red, green, blue = (
            c / 3294.6 if c <= 10.31475 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in call(page, "viridis", weight)
        )
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        contrast = (light + 0.05) / 0.05 if call(page, "inkOn", call(page, "viridis", weight)) == "black" else None
        assert (contrast or 1.05 / (light + 0.05)) >= 4.5


# ---- agreement ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_computes_what_the_package_computes(page, kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        example = random_example(rng, kind)
        got = call(page, "attention", matrices_of(example))
        expected = scaled_dot_product_attention(example.q, example.k, example.v)
        stages = {
            "q": example.q,
            "k": example.k,
            "v": example.v,
            "scores": attention_scores(example.q, example.k, scale=1.0),
            "scaled": expected.scores,
            "weights": expected.weights,
            "output": expected.output,
        }
        for name, stage in stages.items():
            # A sum of large numbers may cancel: relative to the largest number of the stage. A score of 10,000 that is
            # off by its last digit moves a weight by as much again.
            largest = max(float(abs(np.asarray(stage)).max()), 1e-300)
            slack = 1e-12 * (max(1.0, float(abs(expected.scores).max())) if name in ("weights", "output") else 1)
            np.testing.assert_allclose(got[name], stage, rtol=0, atol=slack * largest, err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_says_what_the_package_says(page, kind):
    rng = np.random.default_rng(10 + KINDS.index(kind))
    for _ in range(60):
        example = random_example(rng, kind)
        weights = call(page, "attention", matrices_of(example))["weights"]
        assert call(page, "sentenceOf", list(example.words), weights) == bank_matrices(example).sentence


def test_numbers_too_large_to_compute_with_are_shown_as_such_in_both(page):
    explorer = bank_matrices()
    explorer.x = [[1e300, 0], [0, 1], [2, 1]]
    explorer.W_Q, explorer.W_K = [[1e300, 0], [0, 1e300]], [[1e300, 0], [0, 1e300]]
    got = call(page, "attention", matrices_of(explorer.example))
    assert got["scores"][0][0] == "Infinity"
    assert got["weights"][0] == ["NaN", "NaN", "NaN"]
    assert np.isnan(explorer.attention.weights[0]).all()
    assert "<td>NaN</td>" in explorer.html()
    assert page.eval("softmax([-Infinity, -Infinity]).join()") == "0,0"
    huge = "attention({x: [[1e300], [0]], W_Q: [[1e300]], W_K: [[1e300]], W_V: [[1]]})"
    assert page.eval(f"sentenceOf(['The', 'bank'], {huge}.weights)").startswith("The looks most at nothing")
    assert explorer.sentence.startswith("The looks most at nothing")


def test_rounding_decides_no_tie_in_either(page):
    assert call(page, "sentenceOf", ["bank", "its"], [[0.5, 0.5 - 1e-12], [1, 0]]) == (
        "bank looks at all 2 evenly (50.0% each), its at bank (100.0%)."
    )
    said = call(page, "favourite", [0.4, 0.4 - 1e-12, 0.2], ["interest", "rate", "its"])
    assert said == favourite(np.array([0.4, 0.4 - 1e-12, 0.2]), ["interest", "rate", "its"], np.ones(3, bool))
    assert said == "interest and rate (40.0% each)"


def test_large_integers_are_computed_with_as_in_the_page(page):
    explorer = bank_matrices()
    explorer.x, explorer.W_Q = [[10**10, 0], [0, 1], [1, 0]], [[10**10, 0], [0, 1]]
    got = call(page, "attention", matrices_of(explorer.example))
    np.testing.assert_allclose(np.array(got["scaled"], float), explorer.attention.scores, rtol=1e-12)


def test_numbers_look_as_in_the_packages_pictures(page):
    rng = np.random.default_rng(7)
    values = [0, -0.0, -0.001, 0.125, 0.375, -0.125, 2.675, 10, -3, 999_999, 12345.6, -12345.6, 1e7, 1e-9, 1.005, 0.995]
    for value in [*values, *rng.normal(size=200).tolist(), *(rng.integers(-800, 800, 200) / 16).tolist()]:
        assert call(page, "showNumber", value) == number(value), value
    for weight in [0, 1, 0.0625, 0.1875, 0.125, 0.9995, 1 / 3, *rng.random(200).tolist()]:
        assert call(page, "showShare", weight) == share(weight), weight


def test_colours_are_those_of_the_packages_pictures(page):
    for weight in np.linspace(0, 1, 101):
        expected = np.array(mpl.colormaps["viridis"](weight)[:3]) * 255
        got = call(page, "viridis", weight)
        assert abs(got - expected).max() <= 2
        assert call(page, "inkOn", got) == style.ink_on(np.array(got) / 255)


# ---- shown everywhere -----------------------------------------------------------------------------------------------


def test_an_explorer_shows_itself_live_as_a_page_and_as_a_sentence():
    data, _ = bank_matrices()._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert data["text/plain"] == repr(bank_matrices())
    assert not re.search(r"0x[0-9a-f]{6,}", data["text/plain"] + data["text/html"])


def test_two_explorers_with_the_same_numbers_are_saved_byte_for_byte_alike():
    first, second = (bank_matrices()._repr_mimebundle_()[0] for _ in range(2))
    assert first["text/html"] == second["text/html"]
    edited = bank_matrices()
    edited.W_V = [[1, 0], [0, 3]]
    assert edited.html() != first["text/html"]


@pytest.mark.parametrize("example", [examples.BANK, examples.INTEREST, examples.ONE_WAY, examples.RIVER])
def test_without_scripts_every_number_of_the_start_stands_in_a_table(example):
    still = re.sub(r"(?s)<(style|script)>.*?</\1>", "", bank_matrices(example).html())
    tables = {table["caption"].split(":")[0]: table for table in Tables(still).tables}
    attention = scaled_dot_product_attention(example.q, example.k, example.v)
    words = list(example.words)

    def cells(name: str) -> list[list[str]]:
        return [row[1:] for row in tables[name]["rows"][1:]]

    def joined(matrix: Any) -> list[str]:
        return [", ".join(number(value) for value in row) for row in np.asarray(matrix)]

    flow = [joined(matrix) for matrix in (example.x, example.q, example.k, example.v)]
    assert cells("Ask, label, hand over") == [list(row) for row in zip(*flow, strict=True)]
    learned = [joined(matrix) for matrix in (example.W_Q, example.W_K, example.W_V)]
    assert cells("Learned matrices") == [list(row) for row in zip(*learned, strict=True)]
    scores = attention_scores(example.q, example.k, scale=1.0)
    assert cells("Compare") == [[number(value) for value in row] for row in scores]
    assert cells("Scale") == [[number(value) for value in row] for row in attention.scores]
    assert cells("Weigh") == [[share(value) for value in row] for row in attention.weights]
    assert cells("Blend") == [[row] for row in joined(attention.output)]
    for name in ("Compare", "Scale", "Weigh"):
        assert tables[name]["rows"][0][1:] == words == [row[0] for row in tables[name]["rows"][1:]]
        assert tables[name]["scopes"] == ["col"] * len(words) + ["row"] * len(words)
    assert re.search(r'<img alt="Attention weights, \d+ queries by \d+ keys: ', still)


def test_the_page_needs_nothing_from_the_network():
    html = bank_matrices().html()
    assert not re.findall(r"""https?://|\b(?:src|href)=["'](?!data:)|\bimport\b""", html.split("<script>")[1])
    assert not re.findall(r'\b(?:src|href)="(?!data:)', html)


def test_a_word_cannot_break_out_of_the_page():
    word = '</script><b title="x">'
    html = bank_matrices(Example((word, "bank", "river"), *map(np.array, matrices_of(examples.BANK).values()))).html()
    assert html.count("</script>") == 1
    assert word not in html
    state = json.loads(re.search(r"renderInPage\(render, (.*)\);\n", html)[1])
    assert state["words"] == [word, "bank", "river"]
    assert state["start"] == {name: state[name] for name in ("x", "W_Q", "W_K", "W_V")}


def test_every_control_keeps_its_keys_from_jupyterlab():
    script = BankMatrices._script
    controls = re.findall(r'element\("(?:input|button)", \{[^}]*\}|class: "al-cell"[^}]*\}', script)
    assert len(controls) == 3
    assert all("...KEEPS_KEYS" in control for control in controls)
    assert '"data-lm-suppress-shortcuts": "true"' in script


def test_the_widgets_script_is_the_pages_script():
    explorer = bank_matrices()
    assert explorer._esm == explorer._script + "\nexport default { render };\n"
    assert explorer._script in explorer.html()
    assert "</script" not in explorer._script + explorer._css


# ---- state ----------------------------------------------------------------------------------------------------------


def test_a_matrix_set_from_python_changes_what_follows():
    explorer = bank_matrices()
    before = explorer.attention
    explorer.W_V = [[1, 0], [0, 3]]
    np.testing.assert_array_equal(explorer.attention.weights, before.weights)
    np.testing.assert_allclose(explorer.attention.output, before.output * [1, 1.5])
    np.testing.assert_array_equal(explorer.example.W_V, [[1, 0], [0, 3]])
    np.testing.assert_array_equal(explorer.start["W_V"], [[1, 0], [0, 2]])
    np.testing.assert_array_equal(examples.BANK.W_V, [[1, 0], [0, 2]])


def test_what_the_page_sends_arrives():
    explorer = bank_matrices()
    explorer.set_state({"x": [[1, 0], [0.5, 1], [2, 1]]})
    np.testing.assert_array_equal(explorer.x, [[1, 0], [0.5, 1], [2, 1]])
    explorer.set_state({"x": [[1, 0], [0, 1], [2, 1]]})
    assert explorer.x.dtype == np.int64
    assert explorer.get_state("x") == {"x": [[1, 0], [0, 1], [2, 1]]}


def test_an_entry_cannot_be_changed_behind_the_pages_back():
    explorer = bank_matrices()
    explorer.W_V = [[0.5, 0], [0, 2]]
    for matrix in (explorer.x, explorer.W_V):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 0] = 5


def test_importing_the_package_loads_no_widget_library():
    code = "import sys, attention_lab; print([m for m in ('anywidget', 'ipywidgets', 'traitlets') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


# ---- refusal --------------------------------------------------------------------------------------------------------


def test_another_size_is_refused_in_words():
    explorer = bank_matrices()
    with pytest.raises(ShapeError, match=r"the new x has n_tokens = 2, but the explorer's x has n_tokens = 3\."):
        explorer.x = [[1, 0], [0, 1]]
    with pytest.raises(ShapeError, match=r"the new W_Q has d_k = 3, but the explorer's W_Q has d_k = 2\."):
        explorer.W_Q = np.ones((2, 3))
    with pytest.raises(ShapeError, match="W_K has too few axes"):
        explorer.W_K = [1, 2]
    with pytest.raises(ShapeError, match="rows have different lengths"):
        explorer.W_K = [[1, 2], [3]]
    assert repr(explorer) == repr(bank_matrices())


def test_matrices_that_do_not_fit_together_are_refused_in_words():
    x, W_Q, W_K, W_V = map(np.array, matrices_of(examples.BANK).values())
    with pytest.raises(ShapeError, match="W_K has d_k = 1, but W_Q has d_k = 2"):
        bank_matrices(Example(("The", "bank", "river"), x, W_Q, W_K[:, :1], W_V))
    with pytest.raises(ShapeError, match="W_Q has d_model = 1, but x has d_model = 2"):
        bank_matrices(Example(("The", "bank", "river"), x, W_Q[:1], W_K, W_V))
    with pytest.raises(ShapeError, match="x has n_tokens = 3, but words has n_tokens = 2"):
        bank_matrices(Example(("The", "bank"), x, W_Q, W_K, W_V))
    with pytest.raises(ShapeError, match="d_v is 0: there is nothing to explore"):
        bank_matrices(Example(("The", "bank", "river"), x, W_Q, W_K, W_V[:, :0]))


def test_what_is_not_a_finite_number_is_refused_in_words():
    explorer = bank_matrices()
    with pytest.raises(ValueError, match=r"W_Q must hold finite numbers, but W_Q\[1, 0\] is nan"):
        explorer.W_Q = [[1, 0], [np.nan, 0]]
    with pytest.raises(TypeError, match="W_Q holds text"):
        explorer.W_Q = [["a", "b"], ["c", "d"]]
    with pytest.raises(TypeError, match=r"takes an Example, such as examples\.BANK, not str"):
        bank_matrices("The bank river")
