"""The lesson's sentences and numbers: every number that a lesson prints from them stands here too."""

import dataclasses

import numpy as np
import pytest

from attention_lab import ShapeError, attention_scores, scaled_dot_product_attention, softmax
from attention_lab.examples import (
    BANK,
    COLOURS,
    EARLY,
    EARLY_TOO,
    GERMAN,
    INTEREST,
    ONE_WAY,
    RIVER,
    VOCABULARY,
    Alignment,
    Example,
)

ALL = [BANK, RIVER, INTEREST, ONE_WAY]

# By hand


def test_the_worked_example_asks_is_labelled_and_hands_over():
    assert BANK.words == ("The", "bank", "river")
    assert BANK.q.tolist() == [[2, 0], [1, 3], [5, 3]]
    assert BANK.k.tolist() == [[1, 1], [2, 0], [4, 2]]
    assert BANK.v.tolist() == [[1, 0], [0, 2], [2, 2]]


def test_bank_compares_itself_with_4_2_and_10():
    assert attention_scores(BANK.q, BANK.k, scale=1.0)[1].tolist() == [4, 2, 10]
    assert attention_scores(BANK.q, BANK.k)[1].round(2).tolist() == [2.83, 1.41, 7.07]


def test_bank_looks_at_river_with_98_percent():
    attention = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v)
    assert (100 * attention.weights[1]).round(1).tolist() == [1.4, 0.3, 98.2]
    assert attention.output[1].round(2).tolist() == [1.98, 1.97]


def test_unscaled_bank_looks_at_river_with_99_7_percent():
    assert (100 * softmax([4, 2, 10])).round(1).tolist() == [0.2, 0, 99.7]


def test_its_asks_nothing_and_hands_over_nothing():
    i = INTEREST.words.index("its")
    assert [INTEREST.q[i].tolist(), INTEREST.k[i].tolist(), INTEREST.v[i].tolist()] == [[0, 0]] * 3


def test_the_one_way_scores_are_not_symmetric_but_its_values_are_the_banks():
    scores = attention_scores(ONE_WAY.q, ONE_WAY.k)
    assert not np.allclose(scores, scores.T)
    assert (ONE_WAY.v == BANK.v).all()


def test_two_german_words_ask_the_three_and_each_finds_its_partner():
    assert GERMAN.q.tolist() == [[2, -4], [1, 1]]
    assert (GERMAN.q @ BANK.k.T).tolist() == [[-2, 4, 0], [2, 2, 6]]
    attention = scaled_dot_product_attention(GERMAN.q, BANK.k, BANK.v)
    assert (100 * attention.weights).round(1).tolist() == [[1.3, 93.2, 5.5], [5.3, 5.3, 89.4]]
    assert attention.output.round(2).tolist() == [[0.12, 1.97], [1.84, 1.89]]


def test_the_german_words_have_a_question_of_their_own_and_the_lessons_other_matrices():
    assert GERMAN.words == ("Ufer", "Fluss")
    assert (GERMAN.W_Q != BANK.W_Q).any()
    assert (GERMAN.W_K == BANK.W_K).all()
    assert (GERMAN.W_V == BANK.W_V).all()


@pytest.mark.parametrize(("early", "right", "shape"), [(EARLY, 4, (5, 7)), (EARLY_TOO, 3, (5, 7))])
def test_half_learned_maps_are_right_in_some_rows(early, right, shape):
    assert early.weights.shape == shape == (len(early.words), len(early.context))
    assert (early.weights.argmax(axis=-1) == early.partners).sum() == right
    np.testing.assert_allclose(early.weights.sum(axis=-1), 1, atol=1e-12)
    with pytest.raises(ValueError, match="read-only"):
        early.weights[0] = 1


def test_partners_are_those_of_the_made_up_language():
    from attention_lab.training.tasks.translation import translated

    for early in (EARLY, EARLY_TOO):
        words = translated(" ".join(early.context))
        assert [*zip(early.words, early.partners, strict=True)] == words[:-1]


def test_a_map_that_is_no_table_is_named():
    with pytest.raises(ShapeError, match=r"^weights is not a rectangular array"):
        Alignment(("a",), ("b",), [[1], [1, 2]], (0,))


# Law


@pytest.mark.parametrize("example", ALL, ids=repr)
def test_an_example_is_small_integers_that_nobody_can_change(example):
    for name in ("x", "W_Q", "W_K", "W_V", "q", "k", "v"):
        array = getattr(example, name)
        assert array.dtype.kind == "i"
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9
    assert (example.x == VOCABULARY.embed(example.words)).all()
    assert (example.q == example.x @ example.W_Q).all()
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.x = None


def test_an_example_may_be_given_lists_and_names_those_that_are_no_matrix():
    example = Example(("a",), [[1, 0]], [[2], [0]], np.ones((2, 3)), [[0], [1]])
    assert [example.q.tolist(), example.k.tolist(), example.v.tolist()] == [[[2]], [[1, 1, 1]], [[0]]]
    with pytest.raises(ShapeError, match=r"^W_K is not a rectangular array"):
        Example(("a",), [[1, 0]], [[2], [0]], [[1], [1, 2]], [[0], [1]])


def test_sentences_share_the_matrices_of_the_lesson():
    for example in (RIVER, INTEREST):
        assert (example.W_Q == BANK.W_Q).all()
        assert (example.W_K == BANK.W_K).all()
        assert (example.W_V == BANK.W_V).all()


def test_examples_print_their_sentence():
    assert repr(BANK) == "Example('The bank river')"
    assert repr(INTEREST) == "Example('The bank raised its interest rate')"


def test_colours_are_shares_of_red_green_and_blue_that_can_be_told_apart():
    table = np.array(list(COLOURS.values()))
    assert table.shape == (4, 3)
    assert ((table >= 0) & (table <= 1)).all()
    apart = np.abs(table[:, None] - table).sum(axis=-1)
    assert apart[~np.eye(4, dtype=bool)].min() > 0.5
    assert {word.casefold() for word in BANK.words} <= set(COLOURS)
