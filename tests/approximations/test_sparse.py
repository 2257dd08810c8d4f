"""Blocks of pairs that are left out."""

import numpy as np
import pytest

from attention_lab import ShapeError, scaled_dot_product_attention
from attention_lab.approximations import block_attention, seen_blocks
from tests.strategies import close, snapshot


def texts(*leading, n_tokens=12, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(3, *leading, n_tokens, d))


# By hand


def test_blocks_that_see_only_themselves_are_two_texts():
    q, k, v = texts()
    halves = [scaled_dot_product_attention(q[half], k[half], v[half]).output for half in (slice(0, 6), slice(6, 12))]
    assert close(block_attention(q, k, v, seen=np.eye(2, dtype=bool)), np.concatenate(halves))


def test_a_block_sees_itself_then_the_first_then_its_neighbours():
    for n_seen, wanted in {1: {4}, 2: {0, 4}, 3: {0, 3, 4}, 4: {0, 3, 4, 5}}.items():
        assert set(np.flatnonzero(seen_blocks(8, n_seen, rng=np.random.default_rng(0))[4])) == wanted


# Law


def test_every_block_sees_as_many_as_it_may_and_itself_among_them():
    for n_seen in range(1, 9):
        seen = seen_blocks(8, n_seen, rng=np.random.default_rng(n_seen))
        assert (seen.sum(axis=1) == n_seen).all()
        assert seen.diagonal().all()


def test_which_ones_are_seen_by_chance_is_up_to_the_generator():
    first, again, other = (seen_blocks(16, 6, rng=np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


def test_with_all_blocks_it_is_exact():
    q, k, v = texts(2, 3)
    seen = np.ones((4, 4), bool)
    assert close(block_attention(q, k, v, seen=seen), scaled_dot_product_attention(q, k, v).output)


def test_what_is_not_seen_is_never_touched_not_even_nan():
    q, k, v = texts()
    seen = np.array([[True, False], [True, True]])
    k[6:], v[6:] = np.nan, np.nan
    assert np.isfinite(block_attention(q, k, v, seen=seen)[:6]).all()


# Agreement


@pytest.mark.parametrize("seed", range(5))
def test_blocks_are_attention_with_a_mask_of_blocks(seed):
    rng = np.random.default_rng(seed)
    q, k, v = texts(2, n_tokens=24, seed=seed)
    seen = rng.random((6, 6)) < 0.4  # some rows may see nothing
    unchanged = snapshot(q, k, v, seen)
    mask = np.kron(seen, np.ones((4, 4), bool))
    assert close(block_attention(q, k, v, seen=seen), scaled_dot_product_attention(q, k, v, mask=mask).output)
    assert unchanged()


# Refusal


def test_bad_input_is_refused_in_words():
    q, k, v = texts()
    with pytest.raises(ShapeError, match="seen has n_blocks = 5, which does not divide n_tokens = 12"):
        block_attention(q, k, v, seen=np.ones((5, 5), bool))
    with pytest.raises(ShapeError, match="n_blocks = 0"):
        block_attention(q, k, v, seen=np.ones((0, 0), bool))
    with pytest.raises(ShapeError, match="k has n_tokens = 11, but q has n_tokens = 12"):
        block_attention(q, k[1:], v, seen=np.ones((2, 2), bool))
    with pytest.raises(TypeError, match="seen must be boolean"):
        block_attention(q, k, v, seen=np.ones((2, 2)))


@pytest.mark.parametrize("n_seen", [0, 5])
def test_more_blocks_than_there_are_or_none_cannot_be_seen(n_seen):
    with pytest.raises(ValueError, match=f"n_seen must lie between 1 and n_blocks = 4, but is {n_seen}"):
        seen_blocks(4, n_seen, rng=np.random.default_rng(0))
