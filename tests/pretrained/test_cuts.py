"""Cuts: what a head may no longer do."""

import numpy as np
import pytest

from attention_lab.pretrained import CutEntry, UniformHead, ZeroHead
from attention_lab.pretrained.cuts import check_cuts, cut_weights

WEIGHTS = np.array([[[0.25, 0.75], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]])
BANK = "The bank by the river was steep."


# By hand


def test_a_zeroed_head_has_no_weights_and_the_others_keep_theirs():
    assert cut_weights(WEIGHTS, [ZeroHead(0, 1)]).tolist() == [WEIGHTS[0].tolist(), [[0, 0], [0, 0]]]


def test_a_uniform_head_looks_everywhere_alike():
    assert cut_weights(WEIGHTS, [UniformHead(0, 0)]).tolist() == [[[0.5, 0.5], [0.5, 0.5]], WEIGHTS[1].tolist()]


def test_a_cut_entry_is_not_shared_out_anew():
    cut = cut_weights(WEIGHTS, [CutEntry(0, 0, query=0, key=1)])
    assert cut.tolist() == [[[0.25, 0], [0.5, 0.5]], WEIGHTS[1].tolist()]


def test_the_weights_given_stay_as_they_are():
    before = WEIGHTS.copy()
    cut_weights(WEIGHTS, [ZeroHead(0, 0), UniformHead(0, 1), CutEntry(0, 1, 0, 0)])
    assert (before == WEIGHTS).all()


# Law


def test_a_cut_changes_its_layer_and_what_comes_after_and_nothing_before(encoder):
    whole, cut = encoder.read(BANK), encoder.read(BANK, cut=ZeroHead(2, 9))
    assert (cut.hidden[:3] == whole.hidden[:3]).all()
    assert (cut.weights[:2] == whole.weights[:2]).all()
    assert (cut.scores[:3] == whole.scores[:3]).all()
    assert (cut.weights[2, 9] == 0).all()
    assert (cut.head_outputs[2, 9] == 0).all()
    assert (cut.head_outputs[2, :9] == whole.head_outputs[2, :9]).all()
    np.testing.assert_allclose(cut.weights[3:].sum(axis=-1), 1, atol=1e-6)
    for after in (3, 4, 5, 6):
        assert np.abs(cut.hidden[after] - whole.hidden[after]).max() > 1e-3


def test_a_uniform_head_hands_over_the_mean_of_its_values(encoder):
    cut = encoder.read(BANK, cut=[UniformHead(0, 4)])
    np.testing.assert_allclose(cut.head_outputs[0, 4], np.tile(cut.v[0, 4].mean(axis=0), (10, 1)), atol=1e-6)


def test_a_cut_entry_takes_away_what_its_word_handed_over_and_reaches_one_row(encoder):
    whole, cut = encoder.read(BANK), encoder.read(BANK, cut=CutEntry(0, 4, query=2, key=5))
    lost = whole.head_outputs[0, 4] - cut.head_outputs[0, 4]
    np.testing.assert_allclose(lost[2], whole.weights[0, 4, 2, 5] * whole.v[0, 4, 5], atol=1e-6)
    others = [0, 1, *range(3, 10)]
    assert np.abs(lost[others]).max() == 0
    changed = np.abs(cut.hidden[1] - whole.hidden[1]).max(axis=-1)
    assert changed[2] > 0.01
    np.testing.assert_allclose(changed[others], 0, atol=1e-5)  # a product of matrices may round a row otherwise


def test_several_cuts_in_several_layers_are_all_made(encoder):
    cut = encoder.read(BANK, cut=[ZeroHead(0, 0), CutEntry(0, 1, 2, 3), UniformHead(5, 11), ZeroHead(3, 3)])
    assert cut.weights[0, 0].max() == cut.weights[0, 1, 2, 3] == cut.weights[3, 3].max() == 0
    assert (cut.weights[5, 11] == np.float32(0.1)).all()


def test_a_place_may_be_a_whole_number_of_any_kind():
    kept = check_cuts([ZeroHead(np.int64(3), True), CutEntry(0, 0, np.uint8(2), np.array(1))], 6, 12, 10)
    assert [repr(cut) for cut in kept] == [repr(ZeroHead(3, 1)), repr(CutEntry(0, 0, 2, 1))]
    assert cut_weights(WEIGHTS, check_cuts(ZeroHead(0, True), 1, 2, 2))[0].tolist() == WEIGHTS[0].tolist()


# Refusal


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        (ZeroHead(6, 0), r"there is no layer 6; layers are counted from 0 to 5\.$"),
        (ZeroHead(-1, 0), r"^ZeroHead\(layer=-1, head=0\): layer must not be negative, but is -1\.$"),
        (UniformHead(0, 12), r"there is no head 12; heads are counted from 0 to 11\.$"),
        (CutEntry(0, 0, 10, 0), r"there is no query 10; queries are counted from 0 to 9\.$"),
        (CutEntry(0, 0, 0, 10), r"there is no key 10; keys are counted from 0 to 9\.$"),
    ],
)
def test_a_cut_of_what_is_not_there_is_refused(encoder, cut, message):
    with pytest.raises(ValueError, match=message):
        encoder.read(BANK, cut=cut)


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        (ZeroHead(0, 1.0), r"^ZeroHead\(layer=0, head=1\.0\): head must be a whole number, not 1\.0\.$"),
        (ZeroHead(np.array([0, 1]), 0), r"layer must be a whole number, not array\(\[0, 1\]\)\.$"),
        (CutEntry(0, 0, 1.0, 0), r"query must be a whole number, not 1\.0\.$"),
        (CutEntry(0, 0, 0, "bank"), r"key must be a whole number, not 'bank'\.$"),
    ],
)
def test_a_place_that_is_no_whole_number_is_refused(encoder, cut, message):
    with pytest.raises(TypeError, match=message):
        encoder.read(BANK, cut=cut)


def test_what_is_no_cut_is_refused(encoder):
    with pytest.raises(TypeError, match=r"^cut must hold ZeroHead, UniformHead or CutEntry, not tuple\.$"):
        encoder.read(BANK, cut=[(0, 4)])
    with pytest.raises(TypeError, match=r"not int\.$"):
        check_cuts(4, 6, 12, 10)
