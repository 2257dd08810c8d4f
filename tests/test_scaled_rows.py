"""One row, unscaled and scaled: a typical one, the same in page and package, shown wherever it is read."""

import re

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from attention_lab.attention import attention_scores, softmax
from attention_lab.diagnostics import attention_entropy
from attention_lab.explorers.scaled_rows import SIZES, TEMPERATURES, ScaledRows, scaled_rows, short
from attention_lab.explorers.script import source
from attention_lab.plotting.words import number, share
from tests.explorer_script import call, engine_of
from tests.test_explorers import Tables
from tests.test_sketch import light_of

START = "One query and 32 keys at d_k = 64: unscaled it looks at 1.4 of 32 words, scaled at 20.0."


@pytest.fixture(scope="module")
def script() -> MiniRacer:
    """The explorer's script, without a page: its computing functions."""
    return engine_of(ScaledRows._script)


def words_of(scores: np.ndarray) -> np.ndarray:
    return 2 ** attention_entropy(softmax(scores))


def many_rows(d_k: int, count: int = 4000) -> np.ndarray:
    """Rows of q · k of other queries and keys: ``(count, 32)``."""
    rng = np.random.default_rng(d_k)
    parts = [rng.standard_normal((2, 200, 32, d_k)) for _ in range(count // 200)]
    return np.concatenate([attention_scores(q[:, :1], k, scale=1.0)[:, 0] for q, k in parts])


# ---- the row --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d_k", SIZES)
def test_the_row_is_like_most_rows_at_every_d_k(d_k):
    explorer = scaled_rows()
    explorer.d_k = d_k
    mine, many = explorer.scores[None], many_rows(d_k)
    for scale in (1.0, 1 / np.sqrt(d_k)):
        low, first, third, high = np.quantile(words_of(many * scale), [0.15, 0.25, 0.75, 0.85])
        (looked,) = words_of(mine * scale)
        assert low <= looked <= high
        assert d_k != 64 or first <= looked <= third
    low, high = np.quantile(many.std(axis=-1), [0.15, 0.85])
    assert low <= mine.std() <= high


def test_the_scores_spread_more_with_every_d_k_and_fewer_words_are_looked_at():
    rows = np.array(scaled_rows().all_scores)
    assert rows.shape == (9, 32)
    assert (np.diff(rows.std(axis=-1)) > 0).all()
    assert (np.diff(words_of(rows)) < 0).all()
    scaled = words_of(rows / np.sqrt(SIZES)[:, None])
    assert ((scaled > 19) & (scaled < 25)).all()


def test_the_scores_are_the_packages_to_four_digits_and_of_the_same_words_at_every_d_k():
    explorer = scaled_rows()
    rng = np.random.default_rng(731)
    q, k = rng.standard_normal((1, 512)), rng.standard_normal((32, 512))
    for d_k, row in zip(SIZES, explorer.all_scores, strict=True):
        np.testing.assert_array_equal(row, attention_scores(q[:, :d_k], k[:, :d_k], scale=1.0)[0].round(4))
        explorer.d_k = d_k
        np.testing.assert_array_equal(explorer.scores, row)


def test_the_steps_of_the_temperature_are_about_even_and_hold_the_start():
    assert (TEMPERATURES[0], TEMPERATURES[-1], len(TEMPERATURES)) == (0.1, 1000, 41)
    ratios = np.array(TEMPERATURES[1:]) / np.array(TEMPERATURES[:-1])
    assert ((ratios > 1.2) & (ratios < 1.31)).all()
    assert {1, 2, 4, 8, 16} <= set(TEMPERATURES)  # the roots of 4, 16, 64 and 256 undo or replace the scale


# ---- page and package -----------------------------------------------------------------------------------------------


def test_the_page_computes_what_the_package_computes(script):
    rng = np.random.default_rng(1)
    rows = [*scaled_rows().all_scores, np.zeros(32).tolist(), *(rng.standard_normal((9, 32)) * 30).tolist()]
    for scores, d_k in zip(rows, (*SIZES, *SIZES, 64), strict=True):
        for temperature in (0.1, 1, 3.14, 8, 1000):
            both = call(script, "bothRows", scores, d_k, temperature)
            for row, scale in zip(both, (1.0, np.sqrt(d_k)), strict=True):
                expected = np.array(scores)[None] / scale
                weights = softmax(expected, temperature=temperature)
                np.testing.assert_allclose(row["scores"], expected[0] / temperature, rtol=1e-12)
                np.testing.assert_allclose(row["weights"], weights[0], rtol=1e-9, atol=1e-15)
                np.testing.assert_allclose(row["spread"], expected.std() / temperature, rtol=1e-9, atol=1e-15)
                assert (row["largest"], row["top"]) == (max(row["weights"]), int(np.argmax(row["weights"])))
                np.testing.assert_allclose(row["looked"], 2 ** attention_entropy(weights)[0], rtol=1e-9)


def test_the_page_says_what_the_package_says(script):
    explorer = scaled_rows()
    for d_k, scores in zip(SIZES, explorer.all_scores, strict=True):
        for temperature in (*TEMPERATURES, 3.14159, 999.9996):
            explorer.d_k, explorer.temperature = d_k, temperature
            both = call(script, "bothRows", scores, d_k, temperature)
            assert call(script, "sentenceOf", both, d_k, temperature) == explorer.sentence


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1"), (0.125, "0.125"), (6.3, "6.3"), (10, "10"), (1000, "1000"), (3.14159, "3.142")]
)
def test_temperatures_are_written_alike(script, value, text):
    assert short(value) == call(script, "short", value) == text


def test_the_slider_stands_at_the_step_nearest_by_ratio(script):
    values = [0.1, 1, 1.12, 1.11, 37, 900, 890, 1000]
    steps = [TEMPERATURES[call(script, "nearest", TEMPERATURES, value)] for value in values]
    assert steps == [0.1, 1, 1.25, 1, 40, 1000, 800, 1000]


# ---- Python ---------------------------------------------------------------------------------------------------------


def test_the_sentence_names_d_k_and_a_temperature_that_is_not_one():
    explorer = scaled_rows()
    assert repr(explorer) == START
    assert 40 <= len(START) <= 250
    explorer.temperature = 8  # the root of 64: the unscaled row becomes what the scaled one was
    said = "One query and 32 keys at d_k = 64, temperature 8: unscaled it looks at 20.0 of 32 words, scaled at "
    assert repr(explorer).startswith(said)
    explorer.d_k, explorer.temperature = 512, 0.125
    assert len(repr(explorer)) <= 250


def test_what_the_page_sends_arrives():
    explorer = scaled_rows()
    explorer.set_state({"d_k": 2, "temperature": 1.25})
    assert (explorer.d_k, explorer.temperature) == (2, 1.25)
    assert explorer.get_state(["d_k", "temperature"]) == {"d_k": 2, "temperature": 1.25}
    explorer.d_k = np.int64(8)
    assert (explorer.d_k, type(explorer.d_k)) == (8, int)


@pytest.mark.parametrize("wrong", [{"d_k": 5}, {"d_k": None}, {"d_k": "64"}, {"temperature": None}, {"temperature": 0}])
def test_what_the_page_may_not_send_is_taken_back_with_all_of_its_message(wrong):
    explorer = scaled_rows()
    with pytest.raises(ValueError, match=rf"^{next(iter(wrong))} must "):
        explorer.set_state({"d_k": 2, "temperature": 2} | wrong)
    assert repr(explorer) == START


@pytest.mark.parametrize("d_k", [3, 0, -2, 1024, "64", None, True, [2], 2.5, float("nan")])
def test_another_d_k_is_refused_in_words(d_k):
    explorer = scaled_rows()
    with pytest.raises(ValueError, match=r"^d_k must be (one of 2, 4, 8, .*, 512|a finite number), not .*\.$"):
        explorer.d_k = d_k
    assert explorer.d_k == 64


@pytest.mark.parametrize("temperature", [0, -1, 0.09, 1001, "hot", None, [1], float("inf")])
def test_another_temperature_is_refused_in_words(temperature):
    explorer = scaled_rows()
    with pytest.raises(ValueError, match=r"^temperature must (lie from 0\.1 to 1000|be a finite number), not .*\.$"):
        explorer.temperature = temperature
    assert repr(explorer) == START


def test_the_scores_cannot_be_changed():
    explorer = scaled_rows()
    with pytest.raises(ValueError, match="read-only"):
        explorer.scores[0] = 1
    with pytest.raises(Exception, match="read-only"):
        explorer.all_scores = []


# ---- shown everywhere -----------------------------------------------------------------------------------------------


def test_it_shows_itself_live_as_a_page_and_as_a_fixed_sentence():
    first, second = (scaled_rows()._repr_mimebundle_()[0] for _ in range(2))
    assert set(first) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert first["text/html"] == second["text/html"]
    assert first["text/plain"] == START
    assert first["text/html"].count("</script>") == 1
    assert not re.search(r"""\b(?:src|href)=["'](?!data:)|\bimport\b|https?://""", first["text/html"])
    assert len(first["text/html"]) < 120_000


@pytest.mark.parametrize("temperature", [1, 8])
def test_without_scripts_a_table_and_a_picture_say_what_the_sliders_would(temperature):
    explorer = scaled_rows()
    explorer.temperature = temperature
    still = explorer.still()
    (table,) = Tables(still).tables
    assert table["caption"].endswith(f"by d_k, at temperature {temperature}")
    assert table["rows"][0][1:3] == ["spread, unscaled", "spread, scaled"]
    for row, d_k in zip(table["rows"][1:], (2, 8, 64, 512), strict=True):
        explorer.d_k = d_k
        rows = [explorer.scores[None] / temperature / scale for scale in (1, np.sqrt(d_k))]
        spread = [number(row.std()) for row in rows]
        largest = [share(softmax(row).max()) for row in rows]
        assert row == [str(d_k), *spread, *largest, *(f"{words_of(row)[0]:.1f}" for row in rows)]
    assert '<img alt="Curves of words looked at against log2 of d_k, from 1 to 9: scaled ' in still
    assert "Run this cell to move d_k and the temperature." in still


def test_both_colours_stand_out_from_their_paper():
    shared, css = source("shared.css"), source("moving.css") + source("scaled_rows.css")
    light = re.search(r"--al-second: var\(--al-orange, (#\w{6})", shared)[1]
    dark, dark_by_wish = re.findall(r"--al-orange: (#\w{6})", shared)
    assert dark == dark_by_wish
    scaled_light = re.search(r"--al-accent: var\(--al-blue, (#\w{6})", shared)[1]
    (scaled_dark,) = set(re.findall(r"--al-blue: (#\w{6})", shared))
    on_light = [(colour, "#ffffff") for colour in (light, scaled_light)]
    on_dark = [(colour, paper) for colour in (dark, scaled_dark) for paper in ("#111111", "#16181c")]
    for colour, paper in on_light + on_dark:
        darker, lighter = sorted([light_of(colour), light_of(paper)])
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5
    assert "opacity" not in css
