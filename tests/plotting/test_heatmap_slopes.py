"""The map of a softmax's slopes: how far each weight moves when a score is nudged."""

import numpy as np

from attention_lab import plotting
from attention_lab.training import softmax_jacobian

KEYS = ["The", "bank", "river"]


def slopes_of(weights):
    return plotting.heatmap(softmax_jacobian(weights), rows=KEYS, kind="slopes")


def test_the_axes_say_what_is_nudged_and_what_moves():
    axes, bar = slopes_of([0.2, 0.3, 0.5]).figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("its score is nudged", "its weight moves")
    assert bar.get_ylabel() == "slope"


def test_weights_keep_their_own_labels():
    axes, _ = plotting.heatmap(np.eye(3), rows=KEYS).figure.axes
    assert axes.get_xlabel() == "key: the word looked at"
    assert axes.get_ylabel() == "query: the word looking"


def test_the_colours_go_from_the_steepest_slope_down_to_the_steepest_up_whatever_is_drawn():
    for weights in ([0.5, 0.5, 0.0], [0.98, 0.01, 0.01]):
        image = slopes_of(weights).figure.axes[0].images[0]
        assert (image.norm.vmin, image.norm.vmax) == (-0.25, 0.25)


def test_the_title_and_the_sentence_name_the_steepest():
    picture = slopes_of([0.2, 0.3, 0.5])
    assert picture.figure.get_suptitle() == "Steepest: river's weight by its own score, 0.25"
    assert picture.sentence == (
        "Slopes of a softmax, 3 weights by 3 scores: the steepest is river's weight by its own score (0.25)."
    )


def test_a_slope_by_another_score_names_both():
    picture = plotting.heatmap([[0.0, -0.1]], rows=["The"], columns=["The", "bank"], kind="slopes")
    assert picture.figure.get_suptitle() == "Steepest: The's weight by the score of bank, -0.10"


def test_the_cells_hold_signed_numbers_and_no_percentages():
    texts = [text.get_text() for text in slopes_of([0.2, 0.3, 0.5]).figure.axes[0].texts]
    assert texts == ["0.16", "-0.06", "-0.10", "-0.06", "0.21", "-0.15", "-0.10", "-0.15", "0.25"]
