"""Contributions: how long the vector is that a word hands over."""

from dataclasses import replace

import numpy as np
import pytest

from attention_lab.pretrained import CutEntry, contributions
from attention_lab.shapes import ShapeError
from tests.strategies import EXACT

TEXT = "The bank by the river was steep."


def test_a_contribution_is_the_length_of_weight_times_value_times_w_o(precise):
    reading = precise.read(TEXT)
    lengths = contributions(precise, reading)
    assert lengths.shape == reading.weights.shape
    for layer, head, query, key in ((0, 4, 2, 5), (5, 11, 9, 0), (3, 0, 1, 8)):
        handed_over = reading.weights[layer, head, query, key] * reading.v[layer, head, key]
        expected = np.linalg.norm(handed_over @ precise.layers[layer].W_O[head])
        np.testing.assert_allclose(lengths[layer, head, query, key], expected, rtol=EXACT)


def test_what_is_cut_contributes_nothing(encoder):
    reading = encoder.read(TEXT, cut=CutEntry(0, 4, 2, 5))
    lengths = contributions(encoder, reading)
    assert lengths[0, 4, 2, 5] == 0
    assert lengths[0, 4, 2, 4] > 0


def test_a_reading_of_another_encoder_is_refused(encoder):
    smaller = replace(encoder, layers=encoder.layers[:3])
    with pytest.raises(ShapeError, match=r"^v has n_layers = 6, but W_O has n_layers = 3\."):
        contributions(smaller, encoder.read(TEXT))
    with pytest.raises(ShapeError, match=r"^v has n_layers = 3, but W_O has n_layers = 6\."):
        contributions(encoder, smaller.read(TEXT))
