"""Painting a mask: the page's numbers and words are the package's, and the explorer shows itself everywhere."""

import re
from typing import Any

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab import ShapeError, causal_mask, examples, scaled_dot_product_attention, window_mask
from attention_lab.examples import INTEREST, Example
from attention_lab.explorers import MaskPainter, mask_painter
from attention_lab.explorers.mask_goals import may_look
from attention_lab.plotting.words import number, share
from tests.explorer_script import call, engine_of
from tests.test_explorers import Tables

START = "The may look at 6 words, bank at 6, raised at 6, its at 6, interest at 6, rate at 6: 36 of 36 cells are open."


@pytest.fixture(scope="module")
def script() -> MiniRacer:
    """The explorer's script, without a page: its computing functions."""
    return engine_of(MaskPainter._script)


def some_masks(n: int, count: int, seed: int = 0) -> np.ndarray:
    """Masks of all densities, some with rows that are empty or full: ``(count, n, n)``."""
    rng = np.random.default_rng(seed)
    masks = rng.random((count, n, n)) < rng.random((count, 1, 1))
    masks[rng.random((count, n)) < 0.1] = False
    masks[rng.random((count, n)) < 0.1] = True
    return np.concatenate([masks, [np.ones((n, n), bool), np.zeros((n, n), bool), causal_mask(n)]])


def painted(mask: Any, example: Example = INTEREST) -> MaskPainter:
    explorer = mask_painter(example)
    explorer.mask = mask
    return explorer


# ---- by hand --------------------------------------------------------------------------------------------------------


def test_it_starts_with_everything_open():
    explorer = mask_painter()
    assert repr(explorer) == START
    assert explorer.mask.all()
    assert explorer.words == ["The", "bank", "raised", "its", "interest", "rate"]
    np.testing.assert_allclose(explorer.weights[1], [0.028, 0.007, 0.0, 0.002, 0.481, 0.481], atol=0.0006)


def test_with_the_future_hidden_bank_looks_at_the_and_itself():
    explorer = painted(causal_mask(6))
    assert [share(weight) for weight in explorer.weights[1]] == ["80.4%", "19.6%", *["0.0%"] * 4]
    assert (explorer.weights[1, 2:] == 0).all()
    assert explorer.weights[0, 0] == 1


def test_a_row_that_may_look_nowhere_has_the_weights_0_and_is_said_in_words():
    mask = np.ones((6, 6), bool)
    mask[0] = mask[3] = False
    explorer = painted(mask)
    assert not explorer.weights[[0, 3]].any()
    assert repr(explorer).startswith("The may look at nothing, bank at 6, raised at 6, its at nothing, ")
    assert repr(explorer).endswith(": 24 of 36 cells are open.")
    mask[0, 2] = True
    assert repr(painted(mask)).startswith("The may look at 1 word, bank at 6")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([1, 1, 0], "bank may look at The and bank"),
        ([0, 0, 1], "bank may look at river"),
        ([1, 1, 1], "bank may look at all 3 words"),
        ([0, 0, 0], "bank may look at nothing"),
    ],
)
def test_a_row_is_said_in_words(script, row, said):
    words = ["The", "bank", "river"]
    assert may_look("bank", words, row) == call(script, "mayLook", "bank", words, row) == said


def test_what_is_read_out_of_a_row_has_its_weights(script):
    words, mask = list(INTEREST.words), causal_mask(6)
    mask[3] = False
    weights = painted(mask).weights.tolist()
    said = [call(script, "rowSaid", i, words, mask.tolist(), weights) for i in range(4)]
    assert said[0] == "The may look at The. Weights: The 100.0%."
    assert said[1] == "bank may look at The and bank. Weights: The 80.4% and bank 19.6%."
    assert said[2].startswith("raised may look at The, bank and raised. Weights: The ")
    assert said[3] == "its may look at nothing, so all of its weights are 0."


# ---- page and package -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", [INTEREST, examples.BANK, examples.RIVER, examples.ONE_WAY], ids=repr)
def test_the_page_weighs_and_says_what_the_package_does(script, example):
    words, n = list(example.words), len(example.words)
    explorer = mask_painter(example)
    for mask in some_masks(n, 200):
        explorer.mask = mask
        attention = scaled_dot_product_attention(example.q, example.k, example.v, mask=mask)
        np.testing.assert_array_equal(explorer.weights, attention.weights)
        weights = call(script, "weightsOf", explorer.scores, mask.tolist())
        np.testing.assert_allclose(weights, attention.weights, rtol=1e-12, atol=1e-300)
        assert call(script, "sentenceOf", words, mask.tolist()) == explorer.sentence
        for word, row in zip(words, mask.tolist(), strict=True):
            assert call(script, "mayLook", word, words, row) == may_look(word, words, row)


def test_the_scores_are_the_packages():
    np.testing.assert_array_equal(
        mask_painter().scores, scaled_dot_product_attention(INTEREST.q, INTEREST.k, INTEREST.v).scores
    )


def test_the_sentence_is_of_a_length_that_a_picture_may_have():
    lengths = [len(painted(mask).sentence) for mask in some_masks(6, 60)]
    assert min(lengths) >= 40
    assert max(lengths) <= 250


# ---- Python ---------------------------------------------------------------------------------------------------------


def test_what_the_page_sends_arrives():
    explorer = mask_painter()
    explorer.set_state({"mask": window_mask(6, width=2).tolist()})
    np.testing.assert_array_equal(explorer.mask, window_mask(6, width=2))
    assert explorer.get_state("mask") == {"mask": window_mask(6, width=2).tolist()}


def test_a_mask_may_be_set_to_what_broadcasts_and_stays_the_explorers_own():
    explorer = mask_painter()
    row = np.array([True, True, False, False, False, False])
    explorer.mask = row
    row[:] = False
    np.testing.assert_array_equal(explorer.mask.sum(axis=1), [2] * 6)
    for array in (explorer.mask, explorer.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = False


@pytest.mark.parametrize(
    ("mask", "error", "says"),
    [
        (causal_mask(4), ShapeError, r"mask has n_keys = 4, but the scores have n_keys = 6\."),
        (np.ones((6, 6)), TypeError, r"mask must be boolean \(True = may look\), not float64"),
        ([[True], [True, False]], ShapeError, "rows have different lengths"),
        ("causal", TypeError, "mask"),
        (None, TypeError, "mask"),
    ],
)
def test_what_is_no_mask_is_refused_in_words(mask, error, says):
    explorer = mask_painter()
    with pytest.raises(error, match=says):
        explorer.mask = mask
    assert repr(explorer) == START


def test_what_is_no_example_is_refused_in_words():
    with pytest.raises(TypeError, match=r"mask_painter takes an Example, such as examples\.INTEREST, not str"):
        mask_painter("The bank river")
    b = examples.BANK
    with pytest.raises(ShapeError, match="W_Q has d_model = 1, but x has d_model = 2"):
        mask_painter(Example(b.words, b.x, b.W_Q[:1], b.W_K, b.W_V))
    with pytest.raises(ShapeError, match="n_tokens is 0: there is nothing to explore"):
        mask_painter(Example((), b.x[:0], b.W_Q, b.W_K, b.W_V))
    with pytest.raises(ValueError, match="too large: a score is not finite"):
        mask_painter(Example(b.words, b.x * 1e200, b.W_Q, b.W_K, b.W_V))


# ---- shown everywhere -----------------------------------------------------------------------------------------------


def test_it_shows_itself_live_as_a_page_and_as_a_fixed_sentence():
    first, second = (mask_painter()._repr_mimebundle_()[0] for _ in range(2))
    assert set(first) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert first["text/html"] == second["text/html"] != painted(causal_mask(6)).html()
    assert first["text/plain"] == START
    assert first["text/html"].count("</script>") == 1
    assert not re.search(r"""\b(?:src|href)=["'](?!data:)|\bimport\b|https?://""", first["text/html"])
    assert "al-goal" not in first["text/html"]  # a page without goals holds nothing of them
    assert set(mask_painter()._state()) == {"words", "scores", "mask"}


@pytest.mark.parametrize("seed", range(4))
def test_without_scripts_the_mask_the_scores_and_the_weights_stand_in_tables(seed):
    mask = some_masks(6, 1, seed)[0]
    explorer = painted(mask)
    still = explorer.still()
    tables = {table["caption"].split(":")[0].split(",")[0]: table["rows"] for table in Tables(still).tables}
    expected = {
        "Hide": [["may look" if cell else "hidden" for cell in row] for row in mask],
        "Scaled scores": [[number(score) for score in row] for row in explorer.scores],
        "Weigh": [[share(weight) for weight in row] for row in explorer.weights],
    }
    assert set(tables) == set(expected)
    for name, cells in expected.items():
        assert tables[name] == [
            ["", *INTEREST.words],
            *([w, *row] for w, row in zip(INTEREST.words, cells, strict=True)),
        ]
    assert explorer.sentence in still
    assert re.search(r'<img alt="Attention weights, 6 queries by 6 keys', still)


def test_a_word_cannot_break_out_of_the_page():
    word = '</script><b title="x">'
    b = examples.BANK
    html = mask_painter(Example((word, "bank", "river"), b.x, b.W_Q, b.W_K, b.W_V)).html()
    assert html.count("</script>") == 1
    assert word not in html
