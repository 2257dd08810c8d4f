"""The picture of the head doctor's verdicts."""

import numpy as np
import pytest

from attention_lab import ShapeError, plotting
from attention_lab.diagnostics.doctor import RULES

VERDICT = [["specific", "sink", "sink"], ["broad", "sink", "dead"]]
ENTROPY = [[0.1, 0.4, 0.3], [0.7, 0.05, np.nan]]


def cells(picture):
    """The text and the colour of each cell, by row and column."""
    axes = picture.figure.axes[0]
    colours = {(int(p.get_y() + 0.5), int(p.get_x() + 0.5)): p.get_facecolor() for p in axes.patches}
    return {(int(t.get_position()[1]), int(t.get_position()[0])): t.get_text() for t in axes.texts}, colours


def test_each_cell_has_its_word_its_number_and_the_colour_of_its_word():
    text, colour = cells(plotting.doctor_map(VERDICT, ENTROPY))
    assert text[0, 0] == "specific\n0.10"
    assert text[1, 1] == "sink\n0.05"
    assert text[1, 2] == "dead"
    for place, other in np.ndindex(6, 6):
        one, two = divmod(place, 3), divmod(other, 3)
        assert (colour[one] == colour[two]) == (VERDICT[one[0]][one[1]] == VERDICT[two[0]][two[1]])


def test_layers_and_heads_are_counted_from_1_and_layer_1_is_on_top():
    axes = plotting.doctor_map(VERDICT, ENTROPY).figure.axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1", "2", "3"]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["1", "2"]
    assert axes.yaxis_inverted()


def test_the_sentence_counts_and_names_the_lowest_entropy():
    picture = plotting.doctor_map(VERDICT, ENTROPY)
    assert repr(picture) == (
        "Verdicts on 6 heads, layers 1 to 2 by heads 1 to 3: 3 sink, 1 specific, 1 broad, 1 dead; "
        "the lowest entropy is that of layer 2 head 2, 0.05."
    )
    assert picture.figure.get_suptitle() == "sink: 3 of 6 heads"


def test_without_any_number_nothing_is_lowest():
    picture = plotting.doctor_map([["dead"]], [[np.nan]], title="mine")
    assert repr(picture) == "Verdicts on 1 heads, layers 1 to 1 by heads 1 to 1: 1 dead."
    assert picture.figure.get_suptitle() == "mine"


def test_every_verdict_of_the_doctor_has_a_colour_of_its_own():
    _, colours = cells(plotting.doctor_map([list(RULES)], [[0.5] * len(RULES)]))
    assert len(set(colours.values())) == len(RULES)


def test_other_words_and_shapes_are_refused():
    with pytest.raises(ValueError, match="holds 'good'; it must be one of dead, uniform, sink, specific, broad"):
        plotting.doctor_map([["good"]], [[0.5]])
    with pytest.raises(ShapeError, match=r"\(1, 1\), but entropy has \(1, 2\)"):
        plotting.doctor_map([["sink"]], [[0.5, 0.5]])
