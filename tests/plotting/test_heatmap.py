import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from attention_lab import ShapeError, causal_mask, plotting, scaled_dot_product_attention
from attention_lab.examples import BANK, INTEREST
from attention_lab.plotting import style


def axes_of(picture: plotting.Picture) -> Axes:
    return picture.figure.axes[0]


def numbers_in(picture: plotting.Picture) -> list[str]:
    return [text.get_text() for text in axes_of(picture).texts]


def hatched(picture: plotting.Picture) -> set[tuple[float, float]]:
    patches = [patch for patch in axes_of(picture).patches if isinstance(patch, Rectangle) and patch.get_hatch()]
    return {(patch.get_y() + 0.5, patch.get_x() + 0.5) for patch in patches}


def test_the_lessons_map_says_its_numbers_and_its_words() -> None:
    weights = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v).weights
    picture = plotting.heatmap(weights, rows=BANK.words, title="Every word looks at river")
    assert numbers_in(picture)[3:6] == ["1.4%", "0.3%", "98.2%"]
    assert [tick.get_text() for tick in axes_of(picture).get_xticklabels()] == ["The", "bank", "river"]
    assert axes_of(picture).get_xlabel() == "key: the word looked at"
    assert axes_of(picture).get_ylabel() == "query: the word looking"
    assert picture.sentence == (
        "Attention weights, 3 queries by 3 keys: The looks most at river (93.2%), "
        "bank at river (98.2%), river at river (100.0%)."
    )


def test_weights_are_coloured_from_0_to_1_whatever_is_in_them() -> None:
    image = axes_of(plotting.heatmap(np.full((3, 3), 1 / 3), rows=["bank", "by", "river"])).images[0]
    assert (image.norm.vmin, image.norm.vmax) == (0, 1)


def test_scores_are_coloured_symmetrically_about_0() -> None:
    image = axes_of(plotting.heatmap([[1.0, -8.0]], rows=["bank"], columns=["a", "b"], kind="scores")).images[0]
    assert (image.norm.vmin, image.norm.vmax) == (-8, 8)


def test_scores_that_are_all_0_still_have_a_scale() -> None:
    image = axes_of(plotting.heatmap([[0.0]], rows=["its"], kind="scores")).images[0]
    assert image.norm.vmin < 0 < image.norm.vmax


def test_hidden_cells_are_hatched_and_have_no_number() -> None:
    attention = scaled_dot_product_attention(INTEREST.q, INTEREST.k, INTEREST.v, mask=causal_mask(6))
    picture = plotting.heatmap(attention.weights, rows=INTEREST.words, mask=attention.mask)
    assert hatched(picture) == {(i, j) for i in range(6) for j in range(6) if j > i}
    assert len(numbers_in(picture)) == 21
    assert ", 15 hidden" in picture.sentence


def test_scores_of_minus_infinity_count_as_hidden() -> None:
    picture = plotting.heatmap([[1.0, -np.inf]], rows=["bank"], columns=["a", "b"], kind="scores")
    assert hatched(picture) == {(0, 1)}


def test_the_hidden_grey_is_no_colour_of_either_map() -> None:
    for colours in (style.WEIGHTS_MAP, style.SIGNED_MAP):
        assert style.HIDDEN_FACE not in {to_hex(colours(x)) for x in np.linspace(0, 1, 256)}


@pytest.mark.parametrize("colours", [style.WEIGHTS_MAP, style.SIGNED_MAP])
def test_digits_stand_out_from_every_colour_by_a_contrast_of_4_5(colours) -> None:
    for x in np.linspace(0, 1, 101):
        colour = np.array(colours(x)[:3])
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        luminance = linear @ [0.2126, 0.7152, 0.0722]
        ink = {"white": 1.0, "black": 0.0}[style.ink_on(colour)]
        assert (max(luminance, ink) + 0.05) / (min(luminance, ink) + 0.05) >= 4.5


def test_nan_is_written_as_nan_and_named_in_the_sentence() -> None:
    picture = plotting.heatmap([[np.nan, 1.0]], rows=["bank"], columns=["a", "b"])
    assert numbers_in(picture) == ["NaN", "100.0%"]
    assert "1 are NaN" in picture.sentence


@pytest.mark.parametrize(("n", "written"), [(12, 144), (13, 0)])
def test_numbers_are_written_up_to_12_by_12(n: int, written: int) -> None:
    assert len(numbers_in(plotting.heatmap(np.eye(n), rows=[f"w{i}" for i in range(n)]))) == written


def test_a_tie_is_named_as_a_tie() -> None:
    weights = scaled_dot_product_attention(INTEREST.q, INTEREST.k, INTEREST.v).weights
    picture = plotting.heatmap(weights[[1, 3]], rows=["bank", "its"], columns=INTEREST.words)
    assert "bank looks most at interest and rate (48.1% each)" in picture.sentence
    assert picture.sentence.endswith(", its at all 6 evenly (16.7% each).")
    picture = plotting.heatmap(weights[[3, 1]], rows=["its", "bank"], columns=INTEREST.words)
    assert "its looks at all 6 evenly (16.7% each), bank at interest and rate (48.1% each)." in picture.sentence


def test_a_row_that_may_look_nowhere_is_said_to_look_at_nothing() -> None:
    picture = plotting.heatmap([[0.0, 0.0]], rows=["bank"], columns=["a", "b"], mask=[[False, False]])
    assert picture.sentence.endswith("bank looks at nothing.")


def test_words_may_be_arrays() -> None:
    picture = plotting.heatmap([[0.25, 0.75]], rows=np.array(["bank"]), columns=np.array(["The", "river"]))
    assert picture.sentence.endswith("1 query by 2 keys: bank looks most at river (75.0%).")


def test_a_weight_that_rounding_left_below_0_or_above_1_is_drawn() -> None:
    assert numbers_in(plotting.heatmap([[-1e-9, 1 + 1e-6]], rows=["a"], columns=["a", "b"])) == ["0.0%", "100.0%"]


@pytest.mark.parametrize(("n", "whole"), [(5, True), (12, False)])
def test_a_sentence_names_every_row_or_the_largest_weight_if_they_are_too_many(n: int, whole: bool) -> None:
    sentence = plotting.heatmap(np.eye(n), rows=[f"word{i}" for i in range(n)]).sentence
    assert (f"word{n - 1} at word{n - 1} (100.0%)" in sentence) == whole
    assert ("the largest is word0 looking at word0 (100.0%)." in sentence) != whole


@pytest.mark.parametrize("n", [1, 3, 8, 40, 300])
@pytest.mark.parametrize("kind", ["weights", "scores", "differences"])
def test_a_sentence_has_40_to_250_characters(n: int, kind: str) -> None:
    words = [f"word number {i}" for i in range(n)]
    assert 40 <= len(plotting.heatmap(np.eye(n), rows=words, kind=kind).sentence) <= 250


def test_many_words_are_thinned_out_on_the_axes() -> None:
    assert len(axes_of(plotting.heatmap(np.eye(100), rows=[f"w{i}" for i in range(100)])).get_xticks()) <= 32


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"weights": [0.5, 0.5], "rows": ["a"]}, ShapeError, r"weights has shape \(2,\).*weights\[None\]"),
        ({"weights": np.zeros((0, 2)), "rows": []}, ShapeError, "there is nothing to draw"),
        ({"weights": np.eye(2), "rows": ["a"]}, ShapeError, "rows has 1 words, but weights has n_queries = 2"),
        (
            {"weights": [[0.5, 0.5]], "rows": ["a"], "columns": ["a"]},
            ShapeError,
            "columns has 1 words, but weights has n_keys = 2",
        ),
        (
            {"weights": [[0.5, 0.5]], "rows": ["a"], "columns": []},
            ShapeError,
            "columns has 0 words, but weights has n_keys = 2",
        ),
        (
            {"weights": [[0.5, 0.5]], "rows": ["a"]},
            ShapeError,
            "rows has 1 words, but weights has n_keys = 2",
        ),
        ({"weights": np.eye(2), "rows": "ab"}, TypeError, "rows must be a list of words, not one text"),
        (
            {"weights": [[4.0, 2.0]], "rows": ["a"], "columns": ["a", "b"]},
            ValueError,
            r"^weights holds 4; a weight lies between 0 and 1\. Are these scores\?$",
        ),
        (
            {"weights": [[1.0, -0.002]], "rows": ["a"], "columns": ["a", "b"]},
            ValueError,
            "weights holds -0.002; a weight",
        ),
        ({"weights": np.ma.masked_array(np.eye(2)), "rows": ["a", "b"]}, TypeError, "weights is a masked array"),
        ({"weights": np.eye(2), "rows": ["a", "b"], "kind": "heat"}, ValueError, "kind must be one of weights, scores"),
        ({"weights": np.eye(2), "rows": ["a", "b"], "mask": np.eye(3) > 0}, ShapeError, "mask has n_keys = 3"),
        ({"weights": [["x"]], "rows": ["a"]}, TypeError, "weights holds text"),
    ],
)
def test_bad_input_is_refused_in_words(arguments, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.heatmap(**arguments)


@pytest.mark.parametrize(
    ("weights", "rows", "title"),
    [
        ([[0.1, 0.9], [0.2, 0.8]], ["a", "b"], "Every word looks most at b"),
        ([[0.9, 0.1], [0.2, 0.8]], ["a", "b"], "a looks most at a, b at b"),
        (np.eye(4), ["a", "b", "c", "d"], ""),
    ],
)
def test_a_map_of_weights_without_a_title_finds_its_own(weights, rows, title: str) -> None:
    suptitle = plotting.heatmap(weights, rows=rows).figure.get_suptitle()
    assert suptitle == title


def test_a_given_title_stands() -> None:
    assert plotting.heatmap(np.eye(2), rows=["a", "b"], title="alike").figure.get_suptitle() == "alike"


def test_a_map_of_scores_without_a_title_names_the_one_furthest_from_0() -> None:
    picture = plotting.heatmap([[1.0, -4.0], [2.0, 0.0]], rows=["a", "b"], kind="scores")
    assert picture.figure.get_suptitle() == "The largest score: a with b, -4"


def test_a_map_in_which_everything_is_hidden_is_still_drawn() -> None:
    assert plotting.heatmap([[-np.inf]], rows=["a"], kind="scores").png
