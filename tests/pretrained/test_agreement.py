"""The encoder and PyTorch agree; the shipped weights and the exact ones nearly do."""

import numpy as np
import pytest

from attention_lab.pretrained import load_encoder
from attention_lab.pretrained.quantised import read_arrays
from attention_lab.pretrained.safetensors import read_safetensors
from tests.pretrained.oracle.make_answers import N_SHIPPED, READINGS, SENTENCES, shipped
from tests.pretrained.torch_encoder import torch_reader

TOLERANCES = {"float64": 1e-12, "float32": 1e-5}


@pytest.fixture(scope="module")
def kept():
    return read_arrays(READINGS)


def maps_of(encoder):
    """The attention maps of every sentence."""
    return [encoder.read(sentence).weights.astype(np.float64) for sentence in SENTENCES]


# Agreement with the kept answers


@pytest.mark.parametrize("i", range(N_SHIPPED))
def test_the_encoder_answers_as_pytorch_did(encoder, precise, kept, i):
    for reader in (encoder, precise):
        reading = reader.read(SENTENCES[i])
        tolerance = TOLERANCES[reading.weights.dtype.name]
        np.testing.assert_allclose(reading.weights, kept[f"{i}/weights"], rtol=0, atol=tolerance)
        np.testing.assert_allclose(reading.hidden[[0, 1, -1]], kept[f"{i}/hidden"], rtol=0, atol=tolerance)


def test_the_shipped_maps_are_close_to_the_exact_ones(encoder, kept):
    exact = [kept[f"{i}/exact"].astype(np.float64) for i in range(len(SENTENCES))]
    differences = [np.abs(a - b) for a, b in zip(maps_of(encoder), exact, strict=True)]
    assert max(difference.max() for difference in differences) < 0.037
    assert np.mean([difference.sum(axis=-1).mean() / 2 for difference in differences]) < 0.004
    same = [(a.argmax(axis=-1) == b.argmax(axis=-1)).mean() for a, b in zip(maps_of(encoder), exact, strict=True)]
    assert np.mean(same) > 0.99


# Agreement with PyTorch, where it is installed


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("scale", [None, 1.0])
def test_the_encoder_answers_as_pytorch_does(torch, dtype, scale):
    config, pieces, arrays = shipped()
    encoder, read = load_encoder(dtype=dtype), torch_reader(arrays, config, dtype)
    tolerance = TOLERANCES[dtype] if scale is None else 10 * TOLERANCES[dtype]  # scores 6 times as large
    for sentence in (*SENTENCES[:4], "", "bank " * 40):
        reading = encoder.read(sentence, scale=scale)
        weights, hidden = read(pieces.ids(reading.tokens), scale)
        np.testing.assert_allclose(reading.weights, weights, rtol=0, atol=tolerance)
        np.testing.assert_allclose(reading.hidden, hidden, rtol=0, atol=tolerance)


# Agreement of the exact weights, where somebody has them


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_exact_weights_answer_as_in_pytorch(torch, exact_folder, dtype):
    config, arrays = shipped()[0], read_safetensors(exact_folder / "model.safetensors")
    encoder, read = load_encoder(exact_folder, dtype=dtype), torch_reader(arrays, config, dtype)
    for sentence in SENTENCES:
        reading = encoder.read(sentence)
        weights, hidden = read(encoder.pieces.ids(reading.tokens))
        np.testing.assert_allclose(reading.weights, weights, rtol=0, atol=TOLERANCES[dtype])
        np.testing.assert_allclose(reading.hidden, hidden, rtol=0, atol=TOLERANCES[dtype])


def test_the_exact_maps_are_the_kept_ones(exact_folder, kept):
    for i, weights in enumerate(maps_of(load_encoder(exact_folder))):
        np.testing.assert_allclose(weights, kept[f"{i}/exact"], rtol=1e-3, atol=1e-5)
