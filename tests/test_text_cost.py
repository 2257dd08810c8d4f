"""What a text costs a real model: the same in page and package, shown wherever it is read."""

import re
from itertools import product

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab.costs import MODELS, attention_cost
from attention_lab.explorers.script import source
from attention_lab.explorers.text_cost import BYTES, LENGTHS, MEMORY, TextCost, amount, text_cost
from tests.explorer_script import call, engine_of
from tests.test_explorers import Tables

START = (
    "Llama 2 7B, 8,192 tokens, 2 bytes a number: the scores of one layer take 4.3 GB, the keys and values of all 32 "
    "layers 4.3 GB. Each of the two fits into 80 GB."
)
EVERY_STATE = list(product(LENGTHS, MODELS, BYTES))


@pytest.fixture(scope="module")
def script() -> MiniRacer:
    """The explorer's script, without a page: its computing functions."""
    return engine_of(TextCost._script)


def explorer_at(n_tokens: int, model: str, bytes_each: int) -> TextCost:
    explorer = text_cost()
    explorer.n_tokens, explorer.model, explorer.bytes_each = n_tokens, model, bytes_each
    return explorer


# ---- page and package -----------------------------------------------------------------------------------------------


def test_the_page_counts_and_says_what_the_package_does(script):
    for n_tokens, model, bytes_each in EVERY_STATE:
        sizes, cost = dict(MODELS[model]), attention_cost(n_tokens, bytes_each=bytes_each, **MODELS[model])
        found = call(script, "costOf", sizes, n_tokens, bytes_each)
        assert found == {"scores": cost.score_bytes, "cache": cost.cache_bytes}
        said = call(script, "sentenceOf", model, sizes, n_tokens, bytes_each, MEMORY)
        assert said == explorer_at(n_tokens, model, bytes_each).sentence
        assert 40 <= len(said) <= 250


def test_the_sums_that_are_written_out_multiply_to_what_is_counted(script):
    for n_tokens, model, bytes_each in EVERY_STATE:
        sums = call(script, "sumsOf", dict(MODELS[model]), n_tokens, bytes_each)
        cost = explorer_at(n_tokens, model, bytes_each).cost
        for written, counted in ((sums["scores"], cost.score_bytes), (sums["cache"], cost.cache_bytes)):
            factors = [int(factor) for factor in re.findall(r"\d+", written.replace(",", ""))]
            assert np.prod(factors, dtype=object) == counted, written


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [
        (8_388_608, "8.4 MB"),
        (536_870_912, "537 MB"),
        (10**9, "1.0 GB"),
        (MEMORY, "80 GB"),
        (2_500_000_000, "2.5 GB"),
        (140_737_488_355_328, "141 TB"),
        (10**15, "1.0 PB"),
        (4096, "0.0 MB"),
    ],
)
def test_amounts_are_written_alike(script, n_bytes, text):
    assert amount(n_bytes) == call(script, "amount", n_bytes) == text


def test_every_cost_lies_on_the_axis_and_a_factor_is_a_distance(script):
    for n_tokens, model, bytes_each in EVERY_STATE:
        cost = explorer_at(n_tokens, model, bytes_each).cost
        low, high = (call(script, "heightOf", n) for n in sorted([cost.cache_bytes, cost.score_bytes]))
        assert 0 <= low <= high <= 100
    heights = [call(script, "heightOf", 10**power) for power in (6, 9, 12, 15)]
    assert heights == pytest.approx([0, 100 / 3, 200 / 3, 100])


# ---- Python ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_tokens", "model", "bytes_each", "end"),
    [
        (8192, "Llama 2 7B", 2, "Each of the two fits into 80 GB."),
        (131_072, "Llama 2 7B", 2, "Only the keys and values fit into 80 GB."),
        (262_144, "Llama 2 7B", 2, "Neither fits into 80 GB."),
        (262_144, "Llama 2 7B", 1, "Only the keys and values fit into 80 GB."),
        (1_048_576, "Llama 3 8B", 2, "Neither fits into 80 GB."),
        (1_048_576, "Falcon 7B", 2, "Only the keys and values fit into 80 GB."),
    ],
)
def test_the_sentence_says_what_fits(n_tokens, model, bytes_each, end):
    assert repr(explorer_at(n_tokens, model, bytes_each)).endswith(f". {end}")


def test_a_cache_that_alone_is_too_large_is_named_as_well(script):
    assert call(script, "fitting", {"scores": 1, "cache": 9e10}, MEMORY) == "Only the scores fit into 80 GB."


def test_what_the_page_sends_arrives():
    explorer = text_cost()
    explorer.set_state({"n_tokens": 1024, "model": "Falcon 7B", "bytes_each": 1})
    assert (explorer.n_tokens, explorer.model, explorer.bytes_each) == (1024, "Falcon 7B", 1)
    explorer.n_tokens = np.int64(2048)
    assert (explorer.n_tokens, type(explorer.n_tokens)) == (2048, int)
    assert explorer.cost == attention_cost(2048, bytes_each=1, **MODELS["Falcon 7B"])


@pytest.mark.parametrize("name", ["n_tokens", "model", "bytes_each"])
@pytest.mark.parametrize("value", [3, 0, -2, "GPT", None, True, [2], 2.5, float("nan"), np.array([2, 2])])
def test_anything_else_is_refused_in_words(name, value):
    explorer = text_cost()
    with pytest.raises(ValueError, match=rf"^{name} must be one of .*, not "):
        setattr(explorer, name, value)
    assert repr(explorer) == START


@pytest.mark.parametrize("wrong", [{"n_tokens": 5}, {"n_tokens": None}, {"model": "GPT"}, {"bytes_each": 3}])
def test_what_the_page_may_not_send_is_taken_back_with_all_of_its_message(wrong):
    explorer = text_cost()
    with pytest.raises(ValueError, match=rf"^{next(iter(wrong))} must be one of .*, not "):
        explorer.set_state({"n_tokens": 1024, "bytes_each": 1} | wrong)
    assert repr(explorer) == START


def test_each_explorer_has_sizes_of_its_own():
    text_cost().models["Llama 2 7B"]["n_layers"] = 1
    assert text_cost().models == {name: dict(sizes) for name, sizes in MODELS.items()}


def test_the_sizes_cannot_be_changed():
    for name in ("models", "lengths", "memory", "start"):
        with pytest.raises(Exception, match="read-only"):
            setattr(text_cost(), name, None)


# ---- shown everywhere -----------------------------------------------------------------------------------------------


def test_it_shows_itself_live_as_a_page_and_as_a_fixed_sentence():
    first, second = (text_cost()._repr_mimebundle_()[0] for _ in range(2))
    assert set(first) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert first["text/html"] == second["text/html"]
    assert first["text/plain"] == START
    assert first["text/html"].count("</script>") == 1
    assert not re.search(r"""\b(?:src|href)=["'](?!data:)|\bimport\b|https?://""", first["text/html"])
    assert len(first["text/html"]) < 120_000


@pytest.mark.parametrize(("model", "bytes_each"), [("Llama 2 7B", 2), ("Falcon 7B", 1)])
def test_without_scripts_a_picture_and_a_table_say_what_the_slider_would(model, bytes_each):
    explorer = explorer_at(8192, model, bytes_each)
    still = explorer.still()
    (table,) = Tables(still).tables
    assert table["caption"] == f"{model}, bytes a number: {bytes_each}"
    assert table["rows"][0][1:] == ["scores of one layer", "keys and values of all layers"]
    for row, n_tokens in zip(table["rows"][1:], LENGTHS, strict=True):
        cost = explorer_at(n_tokens, model, bytes_each).cost
        assert row == [f"{n_tokens:,} tokens", amount(cost.score_bytes), amount(cost.cache_bytes)]
    assert explorer.sentence in still
    assert '<img alt="Curves of GB against tokens / 1,024, from 1 to 1024, on a log scale: keys and values ' in still
    assert "Run this cell to move the length and to change the model." in still


def test_a_pressed_button_and_the_two_costs_differ_by_more_than_colour():
    css = source("moving.css") + source("text_cost.css")
    pressed = re.search(r'\[aria-pressed="true"\] \{([^}]*)\}', css)[1]
    assert "font-weight: 700" in pressed
    assert "box-shadow" in pressed
    assert re.search(r"\.al-cost \.al-cache \{\s*border-radius: 50%;", css)  # discs beside squares
    assert "opacity" not in css
