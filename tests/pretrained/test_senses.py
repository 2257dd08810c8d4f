"""Words of two senses: the data, and what context does with them."""

import re
from collections import Counter

import numpy as np
import pytest

from attention_lab.diagnostics import auc, leaning
from attention_lab.pretrained import load_senses, word_vectors

# Words without a topic: sentences of one sense may share them.
SMALL = {"a", "an", "and", "at", "for", "from", "he", "her", "his", "in", "its", "last", "of", "on", "she", "the", "to"}
SMALL |= {"was", "with"}
SENSES = load_senses()


def test_there_are_seven_words_with_two_senses_of_eight_sentences_each():
    assert len(SENSES) == 7
    for senses in SENSES.values():
        assert [len(sentences) for sentences in senses.values()] == [8, 8]
    sentences = [sentence for senses in SENSES.values() for of_one in senses.values() for sentence in of_one]
    assert len(set(sentences)) == 7 * 2 * 8


@pytest.mark.parametrize("word", SENSES)
def test_the_word_is_one_piece_and_stands_once_in_each_sentence(encoder, word):
    for sentences in SENSES[word].values():
        for sentence in sentences:
            assert encoder.pieces.tokens(sentence).count(word) == 1
            assert sentence.endswith(".")


@pytest.mark.parametrize("word", SENSES)
def test_sentences_of_one_sense_share_no_words_but_the_word_and_small_ones(word):
    for sentences in SENSES[word].values():
        words = Counter(one for sentence in sentences for one in set(re.findall(r"[a-z]+", sentence.lower())))
        assert {one for one, count in words.items() if count > 1} - SMALL == {word}


def told_apart(encoder, word, piece):
    """How well a piece of the sentences tells the senses of a word, by layer."""
    return auc(*leaning(*(word_vectors(encoder, texts, piece) for texts in SENSES[word].values())))


def test_the_vectors_are_those_of_the_word_in_each_text(encoder):
    texts = ["The bank raised its interest rate.", "He fished from the bank until dusk."]
    vectors = word_vectors(encoder, texts, "bank")
    assert vectors.shape == (7, 2, 384)
    np.testing.assert_array_equal(vectors[:, 1], encoder.read(texts[1]).hidden[:, 5])
    assert not vectors.flags.writeable


def test_a_text_without_the_word_and_no_text_are_refused(encoder):
    with pytest.raises(ValueError, match='"river" is not in the text'):
        word_vectors(encoder, ["The bank by the river was steep.", "The bank closed."], "river")
    with pytest.raises(ValueError, match="texts holds no text"):
        word_vectors(encoder, [], "bank")


def test_one_text_in_place_of_several_is_refused(encoder):
    with pytest.raises(TypeError, match=r"texts must be several texts, such as a list, not one str\."):
        word_vectors(encoder, "The bank closed.", "bank")


def test_context_moves_each_word_the_right_way_and_at_layer_1_the_word_alone(encoder):
    word = np.array([told_apart(encoder, word, word) for word in SENSES])
    stop = np.array([told_apart(encoder, word, ".") for word in SENSES])
    assert word[:, 1:6].min() > 0.85
    assert (word[:, 1:6].mean(axis=0) > 0.95).all()
    assert 0.4 < word[:, 0].mean() < 0.65  # before any layer only the place in the sentence can tell
    assert stop[:, 1].mean() < 0.65
    assert stop[:, 3:].mean() > 0.85


def test_what_is_loaded_cannot_be_changed():
    with pytest.raises(TypeError):
        SENSES["bank"] = {}
    with pytest.raises(TypeError):
        SENSES["bank"]["of a river"] = ()
