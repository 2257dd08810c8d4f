"""The made-up language."""

import numpy as np
import pytest

from attention_lab.training.tasks import translation
from attention_lab.training.tasks.translation import DICTIONARY, NOUNS, VERBS, sentence, translated


@pytest.mark.parametrize(
    ("english", "other", "places"),
    [
        ("the cat sees the dog .", "kato dogo seas .", [1, 4, 2, 5]),
        ("the cat meets the red dog .", "kato dogo reda mo metas .", [1, 5, 4, 2, 2, 6]),
        ("often the old dog finds the cat .", "dogo olda kato ke findas oftaj .", [3, 2, 6, 4, 4, 0, 7]),
        ("the dog helps the dog .", "dogo dogo ke helpas .", [1, 4, 2, 2, 5]),
    ],
)
def test_sentences_by_hand(english, other, places):
    assert translated(english) == list(zip(other.split(), places, strict=True))
    task = translation()
    pairs = task.batch([english])
    assert task.read(pairs.source[0]) == english
    assert task.read_answers(pairs.target[0]) == other
    assert pairs.lengths.tolist() == [len(english.split())]
    words = places[:-1]  # the end has no partner, and padding neither
    assert task.partners(pairs).tolist() == [words + [-1] * (9 - len(words))]
    assert pairs.counted.tolist() == [[1] * len(places) + [0] * (9 - len(places))]


def test_every_word_of_a_translation_is_a_word_for_its_partner():
    task = translation()
    pairs = task.draw(300, np.random.default_rng(0))
    partners = task.partners(pairs)
    for source, target, places in zip(pairs.source, pairs.target, partners, strict=True):
        for answer, place in zip(target, places, strict=True):
            if place >= 0:
                assert task.answers[answer] in DICTIONARY[task.symbols[source[place]]].split()


def test_the_longest_sentence_just_fits_and_lengths_differ():
    rng = np.random.default_rng(0)
    sentences = [sentence(rng) for _ in range(1000)]
    lengths = {(len(english.split()), len(translated(english))) for english in sentences}
    assert max(n for n, _ in lengths) == translation().context
    assert min(n for n, _ in lengths) == 6
    assert any(n < m for m, n in lengths)
    assert len({m for n, m in lengths if n == 7}) > 1  # the same length, and translations of several


def test_words_differ_within_each_language_and_number_0_is_padding():
    task = translation()
    assert len(set(task.symbols)) == len(task.symbols)
    assert len(set(task.answers)) == len(task.answers)
    assert task.symbols[0] == task.answers[0] == "-"
    assert {word for words in NOUNS.values() for word in words.split()} <= set(task.answers)
    assert {len(words.split()) for words in VERBS.values()} == {1, 2}


def test_nothing_in_a_translation_is_left_to_chance_and_the_same_seed_draws_the_same():
    task = translation()
    one, same, other = (task.draw(50, np.random.default_rng(seed)) for seed in (0, 0, 1))
    for mine, theirs in zip(one, same, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert (one.source != other.source).any()
    again = task.batch([task.read(tokens) for tokens in one.source])
    np.testing.assert_array_equal(again.target, one.target)
    assert task.floor == 0


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("the unicorn sees the dog .", r"'unicorn' is no word of the language"),
        ("the cat .", "'the cat .' is no sentence"),
        ("the cat sees the dog", "is no sentence"),
        ("the cat sees calls the dog .", "is no sentence"),
        ("the cat sees the dog . the cat sees the dog .", "is no sentence"),
        ("the old old cat sees the dog .", "is no sentence"),
        ("the cat sees the dog today .", "is no sentence"),
        ("", "'' is no sentence"),
    ],
)
def test_what_is_no_sentence_of_the_language_is_refused(english, said):
    for refusing in (translated, lambda one: translation().batch([one])):
        with pytest.raises(ValueError, match=said):
            refusing(english)


def test_one_sentence_is_no_list_of_sentences():
    with pytest.raises(TypeError, match=r"sentences is a list of them, not one text"):
        translation().batch("the cat sees the dog .")


def test_blanks_between_words_do_not_matter():
    assert translated(" the  cat sees the dog . ") == translated("the cat sees the dog .")
