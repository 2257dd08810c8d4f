"""Each head cut once: what the sentence's vector loses."""

import numpy as np
import pytest

from attention_lab.pretrained import CutEntry, UniformHead, ZeroHead, cut_each_head, turned

TEXT = "The bank by the river was steep."


def test_a_sentence_is_not_turned_against_itself_and_a_turn_has_no_direction(encoder):
    one, other = encoder.read(TEXT), encoder.read("The keys to the cabinet are on the table.")
    assert 0 <= turned(one, one) < 1e-12  # rounding alone would end below 0
    assert turned(one, other) == pytest.approx(turned(other, one))
    assert 0.5 < turned(one, other) < 1.5


def test_the_turn_is_one_minus_the_cosine_of_the_means(encoder):
    one, other = encoder.read(TEXT), encoder.read(TEXT, cut=ZeroHead(5, 7))
    a, b = (reading.hidden[-1].astype(float).mean(axis=0) for reading in (one, other))
    assert turned(one, other) == pytest.approx(1 - a @ b / np.sqrt((a @ a) * (b @ b)))


@pytest.mark.parametrize("kind", [ZeroHead, UniformHead])
def test_each_head_stands_at_its_place_and_is_cut_alone(encoder, kind):
    lost, whole = cut_each_head(encoder, TEXT, kind), encoder.read(TEXT)
    assert lost.shape == (6, 12)
    for layer, head in ((0, 2), (3, 4), (5, 7)):
        assert lost[layer, head] == pytest.approx(turned(whole, encoder.read(TEXT, cut=kind(layer, head))))
    assert lost.min() > 0
    assert not lost.flags.writeable


def test_the_two_kinds_of_cut_ask_two_questions(encoder):
    nothing, even = (cut_each_head(encoder, TEXT, kind) for kind in (ZeroHead, UniformHead))
    assert np.unravel_index(nothing.argmax(), nothing.shape)[0] == 5
    assert np.unravel_index(even.argmax(), even.shape)[0] < 5


@pytest.mark.parametrize(("kind", "said"), [(CutEntry, "CutEntry"), (ZeroHead(0, 0), r"ZeroHead\(layer=0, head=0\)")])
def test_what_does_not_cut_a_head_is_refused(encoder, kind, said):
    with pytest.raises(TypeError, match=f"kind must be ZeroHead or UniformHead, not {said}"):
        cut_each_head(encoder, TEXT, kind)
