"""What a head does, as a number."""

import numpy as np
import pytest

from attention_lab import ShapeError, causal_mask, softmax
from attention_lab.diagnostics import head_roles, role_score
from tests.strategies import close, snapshot

# One head in which every weight is another number: (n_heads, n_queries, n_keys)
ONE = np.array([[[0.1, 0.2, 0.7], [0.3, 0.55, 0.15], [0.4, 0.35, 0.25]]])


def drawn(*shape):
    return softmax(np.random.default_rng(0).normal(size=shape))


# By hand


def test_the_score_is_the_mean_weight_on_the_key_that_each_query_should_look_at():
    assert role_score(ONE, [2, 0, 1]) == pytest.approx([(0.7 + 0.3 + 0.35) / 3])
    assert role_score(ONE, [2, 0, -1]) == pytest.approx([(0.7 + 0.3) / 2])


def test_of_several_keys_that_count_the_weights_add_up():
    target = [[True, False, True], [False, False, False], [False, True, True]]
    assert role_score(ONE, target) == pytest.approx([(0.8 + 0.6) / 2])


def test_the_roles_of_one_head_are_known():
    found = head_roles(ONE, ["the", "bank", "the"])
    assert {role: score.round(3).tolist() for role, score in found.items()} == {
        "previous word": [0.325],  # (0.3 + 0.35) / 2
        "next word": [0.175],  # (0.2 + 0.15) / 2
        "itself": [0.3],  # (0.1 + 0.55 + 0.25) / 3
        "first word": [0.35],  # (0.3 + 0.4) / 2
        "same word": [0.55],  # (0.7 + 0.4) / 2
    }


def test_without_the_words_nothing_is_said_about_the_same_word():
    assert "same word" not in head_roles(ONE)


# Laws


def test_each_head_of_each_layer_and_sentence_has_its_own_score():
    weights, target = drawn(2, 4, 3, 5, 5), np.random.default_rng(1).integers(-1, 5, (4, 5))
    found = role_score(weights, target)
    assert found.shape == (2, 4, 3)
    for layer, sentence, head in np.ndindex(found.shape):
        alone = role_score(weights[layer, sentence, head][None], target[sentence])
        close(found[layer, sentence, head], alone[0])
    words = np.random.default_rng(2).integers(0, 3, (4, 5))
    assert head_roles(weights, words)["same word"].shape == (2, 4, 3)


def test_the_two_ways_to_write_a_target_are_one():
    weights, keys = drawn(3, 4, 6), np.array([5, -1, 0, 2])
    close(role_score(weights, keys), role_score(weights, keys[:, None] == np.arange(6)))


def test_a_head_that_looks_nowhere_else_has_1_and_one_that_looks_evenly_a_share():
    back = np.eye(5, k=-1)
    back[0, 0] = 1
    found = head_roles(np.stack([back, np.full((5, 5), 0.2)]))["previous word"]
    close(found, [1, 0.2])


def test_a_causal_head_looks_at_no_next_word():
    weights = softmax(np.where(causal_mask(5), np.random.default_rng(0).normal(size=(2, 5, 5)), -np.inf))
    close(head_roles(weights)["next word"], [0, 0])


def test_the_roles_of_a_reversed_sentence_change_places():
    weights = drawn(2, 5, 5)
    found, reversed_ = head_roles(weights), head_roles(weights[:, ::-1, ::-1])
    close(found["previous word"], reversed_["next word"])
    close(found["itself"], reversed_["itself"])


def test_words_may_be_numbers():
    weights = drawn(2, 4, 4)
    by_word, by_number = head_roles(weights, ["a", "b", "a", "c"]), head_roles(weights, [0, 1, 0, 2])
    close(by_word["same word"], by_number["same word"])


def test_a_head_nobody_asks_has_no_score():
    assert np.isnan(role_score(ONE, [-1, -1, -1])).all()
    assert np.isnan(head_roles(ONE, ["a", "b", "c"])["same word"]).all()
    one_word = head_roles(np.ones((2, 1, 1)))
    assert np.isnan(one_word["previous word"]).all()
    assert one_word["itself"].tolist() == [1, 1]


def test_weights_stay_the_callers_and_keep_their_type():
    weights = drawn(2, 3, 3).astype("float32")
    unchanged = snapshot(weights)
    assert role_score(weights, [0, 1, 2]).dtype == np.float32
    assert all(score.dtype == np.float32 for score in head_roles(weights, [1, 1, 2]).values())
    assert unchanged()


# Refusal


@pytest.mark.parametrize(
    ("weights", "target", "kind", "said"),
    [
        (ONE, [0, 1], ShapeError, "target has n_queries = 2, but weights has n_queries = 3"),
        (ONE, np.ones((3, 2), bool), ShapeError, "target has n_keys = 2, but weights has n_keys = 3"),
        (ONE[0], [0, 1, 2], ShapeError, "weights has too few axes"),
        (drawn(4, 2, 3, 3), np.zeros((5, 3), int), ShapeError, r"The leading axes of target are \(5,\)"),
        (ONE, [0, 1, 3], ValueError, "target names key 3, but there are n_keys = 3"),
        (ONE, [0, 1, -2], ValueError, "target names key -2"),
        (ONE, [0.0, 1.0, 2.0], TypeError, "target holds float64"),
        (ONE * 10, [0, 1, 2], ValueError, "Are these scores?"),
    ],
)
def test_a_target_that_does_not_fit_is_refused(weights, target, kind, said):
    with pytest.raises(kind, match=said):
        role_score(weights, target)


def test_maps_that_are_not_square_and_other_sentences_are_refused():
    with pytest.raises(ShapeError, match="n_queries = 3, but n_keys = 4"):
        head_roles(drawn(2, 3, 4))
    with pytest.raises(ShapeError, match="tokens has n_tokens = 2, but weights has n_tokens = 3"):
        head_roles(ONE, ["the", "bank"])
