import numpy as np
import pytest

from attention_lab import ShapeError, plotting, softmax

WORDS = ["The", "bank", "river"]


def random_weights(*shape: int) -> np.ndarray:
    return softmax(np.random.default_rng(0).normal(size=shape))


def test_each_head_has_its_map_and_all_share_one_scale() -> None:
    picture = plotting.head_grid(random_weights(5, 3, 3), tokens=WORDS)
    maps = [axes.images[0] for axes in picture.figure.axes if axes.images]
    assert len(maps) == 5
    assert {(image.norm.vmin, image.norm.vmax) for image in maps} == {(0, 1)}
    assert [axes.get_title() for axes in picture.figure.axes[:2]] == ["head 1", "head 2"]


def test_layers_make_rows_of_heads() -> None:
    picture = plotting.head_grid(random_weights(2, 4, 3, 3), tokens=WORDS)
    titles = [axes.get_title() for axes in picture.figure.axes if axes.images]
    assert titles[0] == "layer 1 head 1"
    assert titles[4] == "layer 2 head 1"


def test_the_sentence_names_the_largest_weight_and_its_head() -> None:
    weights = np.full((3, 3, 3), 1 / 3)
    weights[1, 2] = [0.1, 0.8, 0.1]
    picture = plotting.head_grid(weights, tokens=WORDS)
    assert picture.sentence == (
        "Attention weights of 3 heads, 3 queries by 3 keys each: "
        "the largest is river looking at bank in head 2 (80.0%)."
    )


def test_a_mask_hides_the_same_cells_in_every_head() -> None:
    picture = plotting.head_grid(random_weights(2, 3, 3), tokens=WORDS, mask=np.tri(3, dtype=bool))
    assert [len(axes.patches) for axes in picture.figure.axes if axes.images] == [3, 3]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"weights": np.eye(3), "tokens": WORDS}, ShapeError, r"weights has shape \(3, 3\)"),
        ({"weights": np.ones((2, 3, 4)) / 4, "tokens": WORDS}, ShapeError, "n_queries = 3, but n_keys = 4"),
        ({"weights": random_weights(2, 3, 3), "tokens": WORDS[:2]}, ShapeError, "tokens has 2 words"),
        ({"weights": random_weights(2, 3, 3), "tokens": WORDS, "titles": ["a"]}, ShapeError, "titles has 1 words"),
        ({"weights": random_weights(2, 3, 3) * 9, "tokens": WORDS}, ValueError, "a weight lies between 0 and 1"),
    ],
)
def test_bad_input_is_refused_in_words(arguments, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.head_grid(**arguments)
