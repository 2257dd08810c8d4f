"""Controls: an untrained encoder, and one with its numbers in the wrong places."""

from dataclasses import fields

import numpy as np
import pytest

from attention_lab.pretrained import Encoder, shuffled, untrained

TEXT = "The bank by the river was steep."
SEEDS = range(3)


def arrays_of(encoder):
    """Every array of an encoder, by a name."""
    found = {}
    for i, record in enumerate((encoder, *encoder.layers)):
        for field in fields(record):
            value = getattr(record, field.name)
            if isinstance(value, np.ndarray):
                found[f"{i} {field.name}"] = value
    return found


def entropy_share(weights):
    """The entropy of each row as a share of what even weights have, on average."""
    entropy = -(weights * np.log(np.maximum(weights, 1e-30))).sum(axis=-1)
    return entropy.mean() / np.log(weights.shape[-1])


@pytest.mark.parametrize("control", [untrained, shuffled])
def test_a_control_has_the_same_shapes_and_type_and_other_numbers(encoder, control):
    ours, others = arrays_of(encoder), arrays_of(control(encoder, np.random.default_rng(0)))
    assert ours.keys() == others.keys()
    assert len(ours) == 5 + 6 * 16
    for name, array in ours.items():
        assert (array.shape, array.dtype) == (others[name].shape, others[name].dtype)
        assert not others[name].flags.writeable
        if " W_" in name or "_embeddings" in name:
            assert (array != others[name]).mean() > 0.5


@pytest.mark.parametrize("control", [untrained, shuffled])
def test_a_control_follows_from_its_generator_and_leaves_the_encoder_alone(encoder, control):
    before = encoder.read(TEXT).hidden
    one, same, other = (control(encoder, np.random.default_rng(seed)).read(TEXT).hidden for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()
    assert (encoder.read(TEXT).hidden == before).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_an_untrained_encoder_looks_everywhere_nearly_alike(encoder, seed):
    reading = untrained(encoder, np.random.default_rng(seed)).read(TEXT)
    assert entropy_share(reading.weights) > 0.99
    assert entropy_share(encoder.read(TEXT).weights) < 0.7
    assert isinstance(untrained(encoder, np.random.default_rng(seed)), Encoder)


def test_an_untrained_encoder_starts_as_bert_does(encoder):
    arrays = arrays_of(untrained(encoder, np.random.default_rng(0)))
    np.testing.assert_allclose(arrays["1 W_Q"].std(), 0.02, rtol=0.02)
    assert (arrays["1 b_Q"] == 0).all()
    assert (arrays["1 shift_2"] == 0).all()
    assert (arrays["1 gain_1"] == 1).all()


def test_shuffling_moves_whole_rows_and_leaves_vectors(encoder):
    ours, others = arrays_of(encoder), arrays_of(shuffled(encoder, np.random.default_rng(0)))
    rows, moved = ours["0 position_embeddings"], others["0 position_embeddings"]
    assert sorted(map(bytes, rows)) == sorted(map(bytes, moved))
    for name in ("1 b_Q", "1 gain_1", "0 shift", "0 segment_embedding", "6 b_2"):
        assert (ours[name] == others[name]).all()
