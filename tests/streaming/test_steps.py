"""Streaming step by step: the lesson's numbers, and contributions that merge in any order."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError
from attention_lab.examples import BANK
from attention_lab.streaming import Partial, merge_partials, partial_attention, stream_steps, streaming_attention
from tests.strategies import close, seeds
from tests.streaming.questions import core, cut_into, cuts, questions

# By hand


def test_bank_looks_at_one_word_after_the_other():
    """Scores 4, 2 and 10; values (1, 0), (0, 2) and (2, 2)."""
    steps = list(stream_steps(BANK.q[1:2], BANK.k, BANK.v, scale=1.0))
    assert [step.keys for step in steps] == [range(1), range(1, 2), range(2, 3)]
    assert [step.maximum.item() for step in steps] == [4, 4, 10]
    totals = [1, 1 + math.exp(-2), (1 + math.exp(-2)) * math.exp(-6) + 1]
    assert close([step.total.item() for step in steps], totals)
    blends = [[1, 0], [1, 2 * math.exp(-2)], [math.exp(-6) + 2, 2 * math.exp(-8) + 2]]
    assert close([step.blend[0] for step in steps], blends)
    assert close(steps[1].output[0], np.array(blends[1]) / totals[1])


def test_tiles_come_in_the_order_that_was_asked_for():
    steps = list(stream_steps(BANK.q[1:2], BANK.k, BANK.v, tile=2, order=[1, 0], scale=1.0))
    assert [step.keys for step in steps] == [range(2, 3), range(2)]
    assert steps[0].output.tolist() == [[2, 2]]


def test_a_tile_may_be_a_number_of_numpy():
    q = np.ones((1, 1))
    keys = [step.keys for step in stream_steps(q, np.ones((300, 1)), np.ones((300, 1)), tile=np.uint8(200))]
    assert keys == [range(200), range(200, 300)]


def test_two_contributions_are_scaled_to_the_larger_maximum():
    one = Partial(np.array([0.0]), np.array([3.0]), np.array([[6.0]]))
    two = Partial(np.array([math.log(2)]), np.array([1.0]), np.array([[4.0]]))
    merged = merge_partials(one, two)
    assert close([merged.maximum.item(), merged.total.item(), merged.blend.item()], [math.log(2), 2.5, 7.0])
    assert close(merged.output, [[2.8]])


def test_where_nothing_may_be_looked_at_there_is_no_maximum_and_the_output_is_zero():
    nothing = partial_attention(BANK.q, BANK.k, BANK.v, lengths=0)
    assert np.isneginf(nothing.maximum).all()
    assert not nothing.total.any()
    assert not merge_partials(nothing, nothing).output.any()
    assert list(stream_steps(BANK.q, BANK.k[:0], BANK.v[:0])) == []
    assert np.isneginf(partial_attention(BANK.q, BANK.k[:0], BANK.v[:0]).maximum).all()


def test_records_print_their_shapes_and_cannot_be_changed():
    step = next(iter(stream_steps(BANK.q, BANK.k, BANK.v, tile=2)))
    assert repr(step) == "Step(keys 0 to 1, maximum 3, total 3, blend 3x2)"
    assert repr(partial_attention(BANK.q, BANK.k, BANK.v)) == "Partial(maximum 3, total 3, blend 3x2)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        step.total = None
    merged = merge_partials(step, step)
    for array in (step.maximum, step.total, step.blend, step.output, merged.maximum, merged.total, merged.blend):
        assert not array.flags.writeable


# Law


@given(questions(min_keys=1), st.integers(1, 5), seeds, cuts)
def test_tiles_of_any_size_in_any_order_end_where_attention_does(asked, tile, seed, cut):
    n_tiles = -(-asked["k"].shape[-2] // tile)
    order = np.random.default_rng(seed).permutation(n_tiles).tolist()
    with cut_into(*cut):
        in_order = list(stream_steps(**asked, tile=tile))
        shuffled = list(stream_steps(**asked, tile=tile, order=order))
    assert len(in_order) == len(shuffled) == n_tiles
    expected = core(asked)
    assert close(in_order[-1].output, expected.output)
    assert close(shuffled[-1].output, expected.output)
    assert sorted(key for step in shuffled for key in step.keys) == list(range(asked["k"].shape[-2]))


@given(questions(min_keys=1), st.integers(1, 5))
def test_the_maximum_and_the_total_are_those_of_the_keys_seen_so_far(asked, tile):
    asked["v"] = np.ones((asked["k"].shape[-2], 1))
    scores = core(asked).scores
    for step in stream_steps(**asked, tile=tile):
        seen = scores[..., : step.keys.stop]
        maximum = seen.max(axis=-1)
        assert close(step.maximum, maximum)
        grown = np.exp(seen - np.where(np.isneginf(maximum), 0, maximum)[..., None])
        assert close(step.total, grown.sum(axis=-1), 1e-11)


def parts_of(asked, ends):
    """The contributions of neighbouring shards of the keys; causal and window count from the end of all of them."""
    parts, n_keys = [], asked["k"].shape[-2]
    for start, end in zip([0, *ends], [*ends, n_keys], strict=True):
        shard = {**asked, **{name: asked[name][..., start:end, :] for name in "kv"}}
        shard |= {name: asked[name][..., start:end] for name in ("mask", "bias") if name in asked}
        if "lengths" in asked:
            shard["lengths"] = np.clip(asked["lengths"] - start, 0, end - start)
        parts.append(partial_attention(**shard, later_keys=n_keys - end))
    return parts


@given(questions(), st.data())
def test_shards_of_the_keys_merge_in_any_order_and_grouping(asked, data):
    cut_at = st.integers(0, asked["k"].shape[-2])
    one, two, three = parts_of(asked, sorted([data.draw(cut_at), data.draw(cut_at)]))
    ways = [
        merge_partials(one, two, three),
        merge_partials(one, merge_partials(two, three)),
        merge_partials(three, one, two),
    ]
    for merged in ways:
        assert close(merged.output, core(asked).output)
        assert close(merged.maximum, ways[0].maximum)
        assert close(merged.total, ways[0].total, 1e-11)


def test_a_real_shard_is_exact_in_float32_too():
    q, k, v = np.random.default_rng(0).normal(size=(3, 700, 8)).astype(np.float32)
    asked = {"q": q, "k": k, "v": v, "causal": True}
    merged = merge_partials(*parts_of(asked, [100, 650]))
    assert merged.output.dtype == np.float32
    assert np.allclose(merged.output, streaming_attention(q, k, v, causal=True), atol=1e-6)


def test_a_contribution_of_huge_values_has_the_same_maximum_and_total():
    part = partial_attention([[1.0]], [[3.0], [3.0]], [[1e20], [3e20]])
    assert close([part.maximum.item(), part.total.item(), part.output.item()], [3, 2, 2e20])


def test_a_walk_that_has_begun_does_not_see_what_the_caller_changes():
    asked = {name: getattr(BANK, name).copy() for name in "qkv"}
    asked |= {"mask": np.tri(3, dtype=bool), "bias": np.zeros((3, 3)), "lengths": np.array(3)}
    before = [step.output for step in stream_steps(**asked)]
    steps = stream_steps(**asked)
    for array in asked.values():
        array[...] = 0
    for step, output in zip(steps, before, strict=True):
        assert (step.output == output).all()


def test_a_nan_that_is_seen_stays():
    part = partial_attention([[1.0]], [[np.nan]], [[1.0]])
    assert np.isnan(merge_partials(part, partial_attention([[1.0]], [[1.0]], [[1.0]])).output).all()


# Refusal


def test_what_is_no_walk_is_refused():
    with pytest.raises(ValueError, match="tile must be at least 1"):
        stream_steps(BANK.q, BANK.k, BANK.v, tile=0)
    for order in ([0, 1], [0, 1, 1], [1, 2, 3]):
        with pytest.raises(ValueError, match="each of the 3 tiles, 0 to 2, once"):
            stream_steps(BANK.q, BANK.k, BANK.v, order=order)
    for order in ([0.0, 1.0, 2.0], [0, None, 1], 5, "012"):
        with pytest.raises(TypeError, match=r"^order must be a sequence of whole numbers, not "):
            stream_steps(BANK.q, BANK.k, BANK.v, order=order)
    with pytest.raises(ShapeError, match="k has d_k = 1"):
        stream_steps(BANK.q, BANK.k[:, :1], BANK.v)
    with pytest.raises(ValueError, match="later_keys must not be negative"):
        partial_attention(BANK.q, BANK.k, BANK.v, later_keys=-1)


def test_only_contributions_to_the_same_queries_merge():
    part = partial_attention(BANK.q, BANK.k, BANK.v)
    with pytest.raises(ShapeError, match="another has n_queries = 2, but first has n_queries = 3"):
        merge_partials(part, partial_attention(BANK.q[:2], BANK.k, BANK.v))
    for merge in (lambda crooked: merge_partials(part, crooked), merge_partials):
        with pytest.raises(ShapeError, match="total has n_queries = 2, but maximum has n_queries = 3"):
            merge(Partial(np.ones(3), np.ones(2), np.ones((2, 1))))
    with pytest.raises(TypeError, match="merge_partials takes what partial_attention gives back"):
        merge_partials(part, (1, 2, 3))
