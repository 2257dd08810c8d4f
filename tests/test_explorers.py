"""Explorers in Python: they show the same everywhere, follow the page, and refuse what does not fit."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from attention_lab import ShapeError, examples
from attention_lab.attention import attention_scores, scaled_dot_product_attention
from attention_lab.examples import Example
from attention_lab.explorers import bank_matrices
from attention_lab.explorers.goals import GOALS
from attention_lab.explorers.script import source
from attention_lab.plotting.words import number, share
from tests.explorer_page import matrices_of


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


def test_the_widgets_script_is_the_pages_script():
    explorer = bank_matrices()
    goals = "\n".join([source("edit_goals.js"), source("goals.js")])
    assert explorer._esm == f"{explorer._script}\n{goals}\nexport default {{ render: renderWithGoals }};\n"
    assert explorer._script in explorer.html()
    assert source("goals.js") not in explorer.html()  # a page without goals is left as it is
    explorer.add_goal(GOALS["bank-looks-at-The"])
    assert f"{explorer._script}\n{goals}" in explorer.html()
    assert "</script" not in explorer._esm + explorer._css


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
