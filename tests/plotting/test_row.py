import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

from attention_lab import ShapeError, plotting

WORDS = ["The", "bank", "river"]
ROW = [0.014, 0.003, 0.983]


def test_bars_are_as_long_as_the_weights_and_say_them() -> None:
    axes = plotting.row_bars(ROW, words=WORDS, query="bank").figure.axes[0]
    assert [bar.get_width() for bar in axes.patches] == ROW
    assert [text.get_text() for text in axes.texts] == ["1.4%", "0.3%", "98.3%"]


def test_arrows_go_from_the_word_that_looks_to_each_other_word_that_gets_something() -> None:
    axes = plotting.row_arrows(ROW, words=WORDS, query=1).figure.axes[0]
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 2
    assert arrows[1].get_linewidth() > 2 * arrows[0].get_linewidth()


def test_every_word_has_its_number_under_the_arrows() -> None:
    axes = plotting.row_arrows(ROW, words=WORDS, query=1).figure.axes[0]
    assert [text.get_text() for text in axes.texts] == ["The", "1.4%", "bank", "0.3%", "river", "98.3%"]


@pytest.mark.parametrize("draw", [plotting.row_bars, plotting.row_arrows])
def test_the_sentence_says_who_looks_most_at_whom(draw) -> None:
    query = {plotting.row_bars: "bank", plotting.row_arrows: 1}[draw]
    assert "over 3 words" in draw(ROW, words=WORDS, query=query).sentence
    assert draw(ROW, words=WORDS, query=query).sentence.endswith("bank looks most at river (98.3%).")


def test_a_single_word_can_be_drawn() -> None:
    assert plotting.row_arrows([1.0], words=["bank"], query=0).png
    assert plotting.row_bars([1.0], words=["bank"], query="bank").png


@pytest.mark.parametrize(
    ("row", "ending"),
    [
        ([0.25] * 4, "over 4 words, as bars: its looks at all 4 evenly (25.0% each)."),
        ([0.0, 0.0], "over 2 words, as bars: its looks at nothing."),
        ([1.0], "over 1 word, as bars: its looks most at a (100.0%)."),
    ],
)
def test_the_sentence_names_ties_nothing_and_a_single_word(row, ending: str) -> None:
    picture = plotting.row_bars(row, words=list("abcd")[: len(row)], query="its")
    assert picture.sentence == f"Attention weights of its {ending}"


def test_nan_is_said_and_not_drawn_as_a_number() -> None:
    assert "NaN" in [
        t.get_text() for t in plotting.row_bars([np.nan, 1.0], words=["a", "b"], query="a").figure.axes[0].texts
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"weights": ROW, "words": WORDS, "query": 1.0}, TypeError, r"^query must be a whole number, not 1\.0\.$"),
        ({"weights": ROW, "words": WORDS, "query": "bank"}, TypeError, "^query must be a whole number, not 'bank'"),
        ({"weights": ROW, "words": WORDS, "query": None}, TypeError, "^query must be a whole number, not None"),
        ({"weights": ROW, "words": WORDS, "query": -1}, ValueError, "^query must not be negative, but is -1"),
        ({"weights": ROW, "words": WORDS, "query": 3}, ShapeError, "query = 3, but there are 3 words, numbered from 0"),
        (
            {"weights": ROW, "words": WORDS[:2], "query": 0},
            ShapeError,
            "words has 2 words, but weights has n_tokens = 3",
        ),
        ({"weights": [ROW], "words": WORDS, "query": 0}, ShapeError, r"weights has shape \(1, 3\)"),
        ({"weights": [4.0, 2.0, 10.0], "words": WORDS, "query": 0}, ValueError, "weights holds 4"),
    ],
)
def test_bad_input_is_refused_in_words(arguments, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.row_arrows(**arguments)
