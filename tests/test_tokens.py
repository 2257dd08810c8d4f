"""From a sentence to vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, Vocabulary, split_words
from attention_lab.examples import VOCABULARY

# By hand


def test_the_sentence_of_the_lesson_has_seven_words():
    assert split_words("The bank by the river was steep.") == ["The", "bank", "by", "the", "river", "was", "steep"]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("", []),
        (" ... !?", []),
        ("It's the river-bank's edge", ["It's", "the", "river-bank's", "edge"]),
        ("the girl’s 'best' friend", ["the", "girl’s", "best", "friend"]),
        ("Über die Brücke, zum Fluß", ["Über", "die", "Brücke", "zum", "Fluß"]),
        ("3 rivers - 2 banks", ["3", "rivers", "2", "banks"]),
    ],
)
def test_punctuation_is_dropped_and_words_stay_as_they_stand(sentence, words):
    assert split_words(sentence) == words


def test_the_three_words_of_the_lesson_have_the_lessons_embeddings():
    assert VOCABULARY.embed("The bank river").tolist() == [[1, 0], [0, 1], [2, 1]]


def test_words_are_numbered_in_order_whatever_their_capitals():
    vocabulary = Vocabulary({"The": [1, 0], "bank": [0, 1]})
    assert vocabulary.ids(["BANK", "the", "Bank"]).tolist() == [1, 0, 1]
    assert vocabulary.words == ("the", "bank")


def test_a_vocabulary_knows_its_size_its_words_and_its_name():
    vocabulary = Vocabulary({"the": [1, 0, 0], "bank": [0, 1, 0]})
    assert len(vocabulary) == 2
    assert "Bank" in vocabulary
    assert "river" not in vocabulary
    assert 3 not in vocabulary
    assert repr(vocabulary) == "Vocabulary(2 words, d_model = 3)"


def test_an_empty_sentence_has_no_rows_but_keeps_its_width():
    assert VOCABULARY.embed("").shape == (0, 2)
    assert VOCABULARY.embed([]).shape == (0, 2)
    assert VOCABULARY.ids([]).dtype.kind == "i"


# Law


@given(st.lists(st.sampled_from(VOCABULARY.words), max_size=6))
def test_a_sentence_and_the_list_of_its_words_give_the_same_rows(words):
    x = VOCABULARY.embed(" ".join(words))
    assert (x == VOCABULARY.embed(words)).all()
    assert (x == VOCABULARY.embed(iter(words))).all()
    assert (x == VOCABULARY.embeddings[VOCABULARY.ids(words)]).all()


@given(st.text(max_size=30))
def test_every_word_of_a_text_stands_in_it_in_order(text):
    position = 0
    for word in split_words(text):
        position = text.index(word, position) + len(word)


def test_the_table_is_read_only_and_a_sentence_is_the_callers_own():
    with pytest.raises(ValueError, match="read-only"):
        VOCABULARY.embeddings[0] = 7
    VOCABULARY.embed("The bank")[0] = 7
    assert VOCABULARY.embed("The").tolist() == [[1, 0]]


def test_the_table_does_not_change_with_the_callers_arrays():
    row = np.array([1.0, 0.0])
    vocabulary = Vocabulary({"the": row})
    row[0] = 9
    assert vocabulary.embed("the").tolist() == [[1, 0]]


# Refusal


def test_an_unknown_word_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r'^The vocabulary has no "cat"\. It knows: the, bank\.$'):
        Vocabulary({"the": [1], "bank": [2]}).embed("The cat")


def test_of_a_large_vocabulary_twenty_words_are_named():
    vocabulary = Vocabulary({f"word{i}": [i] for i in range(30)})
    with pytest.raises(ValueError, match=r"word0, .*, word19, \.\.\.\.$"):
        vocabulary.ids(["cat"])


def test_two_words_that_differ_in_capitals_only_are_refused():
    with pytest.raises(ValueError, match=r'^The vocabulary has "bank" twice: capitals make no difference'):
        Vocabulary({"Bank": [1], "bank": [2]})


@pytest.mark.parametrize(
    ("embeddings", "message"),
    [
        ({"the": [1, 0], "bank": [1]}, "^embeddings is not a rectangular array: its rows have different lengths"),
        ({"the": 1}, r"^embeddings has shape \(1,\); it must be \(n_words, d_model\)"),
        ({}, r"^embeddings has shape \(0,\); it must be \(n_words, d_model\)"),
    ],
)
def test_embeddings_that_are_no_table_are_refused(embeddings, message):
    with pytest.raises(ShapeError, match=message):
        Vocabulary(embeddings)
