import numpy as np
import pytest

from attention_lab import ShapeError
from attention_lab.plotting.words import finding, looks, sentence, share, words_for

NAN = np.nan


def look(row: list[float], *, visible: list[bool] | None = None, shares: bool = True) -> str:
    """What one word's row says; its columns are a, b, c, ..."""
    seen = np.ones((1, len(row)), bool) if visible is None else np.array([visible])
    return looks(np.array([row]), ["its"], "abcdefgh"[: len(row)], seen, shares=shares)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ([0.1, 0.9], "its looks most at b (90.0%)"),
        ([0.4, 0.4, 0.2], "its looks most at a and b (40.0% each)"),
        ([0.3, 0.3, 0.3, 0.1], "its looks most at a, b and c (30.0% each)"),
        ([0.24, 0.24, 0.24, 0.24, 0.04], "its looks most at 4 words (24.0% each)"),
        ([0.5, 0.5], "its looks at all 2 evenly (50.0% each)"),
        ([1 / 6] * 6, "its looks at all 6 evenly (16.7% each)"),
        ([1.0], "its looks most at a (100.0%)"),
        ([0.0, 0.0], "its looks at nothing"),
        ([NAN, 0.6, 0.4], "its looks most at b (60.0%)"),
        ([NAN, 0.5, 0.5], "its looks most at b and c (50.0% each)"),
    ],
)
def test_a_row_says_at_what_it_looks_most(row: list[float], says: str) -> None:
    assert look(row) == says


def test_rounding_decides_no_tie() -> None:
    assert look([0.5 - 1e-12, 0.5 + 1e-12]) == "its looks at all 2 evenly (50.0% each)"
    assert look([0.5 - 1e-6, 0.5 + 1e-6]) == "its looks most at b (50.0%)"


def test_only_visible_words_are_looked_at() -> None:
    assert look([0.9, 0.1], visible=[False, True]) == "its looks most at b (10.0%)"
    assert look([0.0, 0.5, 0.5], visible=[False, True, True]) == "its looks at all 2 evenly (50.0% each)"
    assert look([0.9, 0.1], visible=[False, False]) == "its looks at nothing"


def test_the_verb_stands_once() -> None:
    weights = np.array([[0.0, 0.0], [0.1, 0.9], [0.5, 0.5], [0.0, 0.0]])
    everybody = np.ones((4, 2), bool)
    assert looks(weights, ["w", "x", "y", "z"], ["a", "b"], everybody) == (
        "w looks at nothing, x at b (90.0%), y at all 2 evenly (50.0% each), z at nothing"
    )


def test_shares_can_be_left_out() -> None:
    assert look([0.1, 0.9], shares=False) == "its looks most at b"
    assert look([0.5, 0.5], shares=False) == "its looks at all 2 evenly"
    assert look([0.0, 0.0], shares=False) == "its looks at nothing"


@pytest.mark.parametrize(
    ("weights", "title"),
    [
        ([[0.1, 0.9], [0.2, 0.8]], "Every word looks most at b"),
        ([[0.5, 0.5], [0.5, 0.5]], "Every word looks at all 2 evenly"),
        ([[0.0, 0.0], [0.0, 0.0]], "Every word looks at nothing"),
        ([[0.1, 0.9]], "a looks most at b"),
        ([[0.1, 0.9], [0.9, 0.1], [0.5, 0.5]], "a looks most at b, b at a, c at all 2 evenly"),
        ([[0.1, 0.9], [0.9, 0.1], [0.5, 0.5], [0.5, 0.5]], ""),
    ],
)
def test_a_title_is_found_in_the_weights(weights: list[list[float]], title: str) -> None:
    everybody = np.ones(np.shape(weights), bool)
    assert finding(np.array(weights), "abcd"[: len(weights)], "ab", everybody) == title


@pytest.mark.parametrize(
    ("weight", "digits", "says"),
    [
        (-1e-9, 1, "0.0%"),
        (-0.0, 1, "0.0%"),
        (-0.0004, 1, "0.0%"),
        (-0.0006, 1, "-0.1%"),
        (-0.004, 0, "0%"),
        (-0.006, 0, "-1%"),
        (1.0, 1, "100.0%"),
        (0.9825, 0, "98%"),
        (NAN, 1, "NaN"),
    ],
)
def test_a_share_is_never_minus_nothing(weight: float, digits: int, says: str) -> None:
    assert share(weight, digits) == says


@pytest.mark.parametrize(
    ("parts", "end", "says"),
    [
        (["a" * 249], ".", "a" * 249 + "."),
        (["a" * 250], ".", "a" * 249 + "…"),
        (["a" * 251], "", "a" * 249 + "…"),
        (["a" * 240, "b" * 9], ".", "a" * 240 + "b" * 9 + "."),
        (["a" * 240, "b" * 10], ".", "a" * 240 + "."),
        (["a" * 240, "b" * 10], "", "a" * 240 + "b" * 10),
    ],
)
def test_a_sentence_and_its_end_have_at_most_250_characters(parts: list[str], end: str, says: str) -> None:
    assert sentence(*parts, end=end) == says


def test_words_may_be_an_array_or_numbers_but_not_one_text() -> None:
    assert words_for("rows", np.array(["a", "b"]), "n_queries", 2) == ["a", "b"]
    assert words_for("rows", [1, 2], "n_queries", 2) == ["1", "2"]
    with pytest.raises(TypeError, match="rows must be a list of words, not one text: 'ab'"):
        words_for("rows", "ab", "n_queries", 2)
    with pytest.raises(ShapeError, match="rows has 0 words, but weights has n_queries = 2"):
        words_for("rows", [], "n_queries", 2)
