"""Which keys a block of queries looks at: by hand, and that each pair is met once and hardly any in vain."""

import numpy as np
import pytest
from hypothesis import given

from attention_lab.streaming.arguments import ask
from attention_lab.streaming.tiles import STRIP, blocks, hidden, tiles
from tests.streaming.questions import as_mask, cut_into, cuts, questions


def met(head, keys):
    """How often each query meets each key, and how often it may look at it then."""
    n_met, n_seen = np.zeros((2, len(head.q), len(head.k)), int)
    for block in blocks(len(head.q)):
        for tile in tiles(head, block, keys):
            assert (tile.queries.start, tile.queries.stop) == (
                block.start + tile.rows.start,
                block.start + tile.rows.stop,
            )
            unseen = hidden(head, tile)
            n_met[tile.queries, tile.keys] += 1
            n_seen[tile.queries, tile.keys] += 1 if unseen is None else ~unseen.T
    return n_met, n_seen


# By hand


def test_a_causal_block_has_wide_tiles_before_it_and_narrow_ones_beside_it():
    with cut_into(4, 8, 2):
        head = ask(np.ones((16, 1)), np.ones((16, 1)), np.ones((16, 1)), causal=True).head(())
        found = [
            (t.keys.start, t.keys.stop, t.queries.start, t.on_edge) for t in tiles(head, slice(12, 16), slice(0, 16))
        ]
    assert found == [(0, 8, 12, False), (8, 12, 12, False), (12, 14, 12, True), (14, 16, 14, True)]


def test_a_window_leaves_out_what_is_too_far():
    with cut_into(4, 8, 2):
        head = ask(np.ones((16, 1)), np.ones((16, 1)), np.ones((16, 1)), window=2).head(())
        found = [
            (t.keys.start, t.keys.stop, t.queries.start, t.queries.stop)
            for t in tiles(head, slice(8, 12), slice(0, 16))
        ]
    assert found == [(7, 9, 8, 10), (9, 11, 8, 12), (11, 13, 10, 12)]


# Law


@given(questions(), cuts)
def test_each_pair_that_is_visible_is_met_once_and_no_other_is_seen(asked, cut):
    question = ask(**asked)
    mask = as_mask(asked) & ~np.isneginf(asked.get("bias", np.zeros(1)))
    with cut_into(*cut):
        for index in np.ndindex(question.leading):
            n_met, n_seen = met(question.head(index), slice(0, question.k.shape[-2]))
            assert n_met.max(initial=0) <= 1
            assert (n_seen == np.broadcast_to(mask, (*question.leading, *n_met.shape))[index]).all()


@pytest.mark.parametrize("shift", [0, 37, -37])
def test_hardly_any_pair_is_met_in_vain(shift):
    n, narrow = 2000, np.ones((2000 + shift, 1))
    for options in ({"causal": True}, {"causal": True, "window": 256}, {"window": 100}):
        asked = {"q": np.ones((n, 1)), "k": narrow, "v": narrow, **options}
        n_met, n_seen = met(ask(**asked).head(()), slice(0, len(narrow)))
        in_vain = n_met.sum() - n_seen.sum()
        assert 0 <= in_vain <= n * STRIP * (2 if "window" in options else 1)
