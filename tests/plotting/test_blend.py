import numpy as np
import pytest

from attention_lab import ShapeError, plotting
from attention_lab.examples import COLOURS

WORDS = ["the", "bank", "river", "interest"]
TABLE = np.array([COLOURS[word] for word in WORDS])


def test_the_mix_is_drawn_in_the_colour_that_the_weights_make() -> None:
    weights = np.array([0.15, 0.10, 0.74, 0.01])
    strip, numbers = plotting.colour_blend(weights, TABLE, words=WORDS).figure.axes
    np.testing.assert_allclose(strip.patches[-1].get_facecolor()[:3], weights @ TABLE, atol=1e-12)
    np.testing.assert_allclose([bar.get_width() for bar in strip.patches[:-1]], weights)
    np.testing.assert_allclose([bar.get_width() for bar in numbers.patches], weights @ TABLE)


def test_the_sentence_holds_the_recipe_and_the_result() -> None:
    picture = plotting.colour_blend([0.5, 0.5], [[1, 0, 0], [0, 0, 1]], words=["river", "bank"])
    assert picture.sentence == "A mix of 50.0% river, 50.0% bank: red 0.50, green 0, blue 0.50."


@pytest.mark.parametrize(("weights", "title"), [([0.7, 0.3], "Mostly a"), ([0.5, 0.5], "No word has more than half")])
def test_the_picture_finds_its_title_in_the_weights(weights, title: str) -> None:
    assert plotting.colour_blend(weights, [[0, 0, 0], [1, 1, 1]], words=["a", "b"]).figure.get_suptitle() == title


def test_orange_and_blue_are_far_apart_in_lightness_or_blue_for_colour_blind_eyes() -> None:
    assert abs(np.array(COLOURS["river"]) - np.array(COLOURS["interest"]))[2] >= 0.5


@pytest.mark.parametrize(
    ("weights", "colours", "error", "message"),
    [
        ([0.5, 0.6], [[0, 0, 0], [1, 1, 1]], ValueError, "weights must be shares that sum to 1; these sum to 1.1"),
        ([-0.5, 1.5], [[0, 0, 0], [1, 1, 1]], ValueError, "the smallest is -0.5"),
        ([0.5, 0.5], [[0, 0, 0], [1, 1, 2]], ValueError, "colours must lie between 0 and 1"),
        ([0.5, 0.5], [[0, 0], [1, 1]], ShapeError, r"colours has shape \(2, 2\), but 2 weights need \(2, 3\)"),
        ([np.nan, 1.0], [[0, 0, 0], [1, 1, 1]], ValueError, "these sum to nan"),
    ],
)
def test_bad_input_is_refused_in_words(weights, colours, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.colour_blend(weights, colours, words=["a", "b"])
