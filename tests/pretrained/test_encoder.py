"""The encoder: the lessons' numbers, laws of every layer, and what it refuses."""

import numpy as np
import pytest

from attention_lab import softmax
from attention_lab.pretrained import contributions
from attention_lab.pretrained.layers import gelu, layer_norm
from tests.strategies import EXACT

BANK = "The bank by the river was steep."
INTEREST = "The bank by the river raised its interest rate."


# By hand: what the lessons say about it


@pytest.mark.parametrize("text", [BANK, INTEREST])
def test_bank_looks_at_river_with_072_in_layer_1_head_5_whatever_the_river_has_to_do_with_it(encoder, text):
    reading = encoder.read(text)
    assert round(float(reading.weights[0, 4, reading.at("bank"), reading.at("river")]), 2) == 0.72


def test_that_heads_output_points_where_the_value_of_river_points(encoder):
    reading = encoder.read(BANK)
    output, value = reading.head_outputs[0, 4, reading.at("bank")], reading.v[0, 4, reading.at("river")]
    assert output @ value / np.linalg.norm(output) / np.linalg.norm(value) > 0.99


def test_averaged_over_all_heads_bank_looks_at_the_start_65_percent_and_at_river_5(encoder):
    reading = encoder.read(BANK)
    mean = reading.weights[:, :, reading.at("bank")].mean(axis=(0, 1))
    assert [round(float(share), 2) for share in mean[[0, reading.at("river")]]] == [0.65, 0.05]


def test_by_contribution_it_is_10_and_17_percent(encoder):
    reading = encoder.read(BANK)
    lengths = contributions(encoder, reading)[:, :, reading.at("bank")].sum(axis=(0, 1))
    shares = lengths / lengths.sum()
    assert [round(float(share), 2) for share in shares[[0, reading.at("river")]]] == [0.10, 0.17]


def test_layer_1_head_3_looks_at_the_previous_piece(encoder):
    weights = encoder.read(BANK).weights[0, 2]
    assert np.diagonal(weights, -1)[:-1].min() > 0.95


# Law


def test_the_record_fits_together(precise):
    reading = precise.read(BANK)
    np.testing.assert_allclose(reading.scores, reading.q @ reading.k.swapaxes(-1, -2) / np.sqrt(32), atol=EXACT)
    np.testing.assert_allclose(reading.weights, softmax(reading.scores), atol=EXACT)
    np.testing.assert_allclose(reading.weights.sum(axis=-1), 1, atol=EXACT)
    np.testing.assert_allclose(reading.head_outputs, reading.weights @ reading.v, atol=EXACT)


def test_each_layer_leads_to_the_next(precise):
    reading = precise.read(BANK)
    for i, layer in enumerate(precise.layers):
        written = np.einsum("hnd,hdm->nm", reading.head_outputs[i], layer.W_O) + layer.b_O
        y = layer_norm(reading.hidden[i] + written, layer.gain_1, layer.shift_1, precise.epsilon)
        thought = gelu(y @ layer.W_1 + layer.b_1) @ layer.W_2 + layer.b_2
        after = layer_norm(y + thought, layer.gain_2, layer.shift_2, precise.epsilon)
        np.testing.assert_allclose(reading.hidden[i + 1], after, atol=EXACT)
        np.testing.assert_allclose(reading.q[i], reading.hidden[i] @ layer.W_Q + layer.b_Q, atol=EXACT)


def test_the_scale_multiplies_the_scores_and_without_the_root_the_weights_are_sharper(encoder):
    scaled, unscaled = encoder.read(BANK), encoder.read(BANK, scale=1.0)
    np.testing.assert_allclose(unscaled.scores[0], scaled.scores[0] * np.sqrt(32), rtol=1e-5)
    assert unscaled.weights.max(axis=-1).mean() > scaled.weights.max(axis=-1).mean() + 0.2
    assert (encoder.read(BANK, scale=1 / np.sqrt(32)).weights == scaled.weights).all()


def test_positions_count_so_other_orders_of_the_words_are_read_otherwise(encoder):
    one, other = encoder.read("dog bites man"), encoder.read("man bites dog")
    assert np.abs(one.hidden[-1, one.at("dog")] - other.hidden[-1, other.at("dog")]).max() > 0.1


def test_reading_twice_gives_the_same(encoder):
    assert (encoder.read(BANK).hidden == encoder.read(BANK).hidden).all()


def test_the_number_type_is_the_encoders(encoder, precise):
    for reader, dtype in ((encoder, np.float32), (precise, np.float64)):
        reading = reader.read(BANK)
        names = ("q", "k", "v", "scores", "weights", "head_outputs", "hidden")
        assert {getattr(reading, name).dtype for name in names} == {np.dtype(dtype)}


def test_its_numbers_cannot_be_changed(encoder):
    for array in (encoder.word_embeddings, encoder.segment_embedding, encoder.layers[0].W_Q, encoder.layers[5].W_2):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_a_text_may_be_empty_or_as_long_as_there_are_positions(encoder):
    assert encoder.read("").tokens == ("[CLS]", "[SEP]")
    assert encoder.read("bank " * 126).weights.shape == (6, 12, 128, 128)


# Refusal


def test_a_text_that_is_too_long_is_refused(encoder):
    message = r"^The text has 129 word pieces, with \[CLS\] and \[SEP\]; this encoder reads at most 128\.$"
    with pytest.raises(ValueError, match=message):
        encoder.read("bank " * 127)


@pytest.mark.parametrize("text", [None, 4, ["The", "bank"], b"The bank"])
def test_what_is_no_text_is_refused(encoder, text):
    with pytest.raises(TypeError, match=r"^text must be a str"):
        encoder.read(text)
