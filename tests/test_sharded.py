"""Keys that are shared out: fair shares, whose contributions merge to attention over all keys. No cluster is needed."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_lab import ShapeError, merge_partials
from attention_lab.costs import peak_memory
from attention_lab.examples import BANK
from attention_lab.sharded import cluster_problem, key_shards, local_cluster, sharded_attention
from attention_lab.sharded.shards import partial_of_runs, runs_of
from tests.strategies import close
from tests.streaming.questions import core, questions


def merged(q, k, v, shards, **hiding):
    """Each shard's contribution, computed here, and all of them merged, the last first."""
    return merge_partials(*(partial_of_runs(q, runs_of(shard, k, v, hiding)) for shard in reversed(shards)))


def causal_pairs(n, shards):
    """How many queries look at the keys of each shard: key j is seen by n - j."""
    return [sum(n - key for keys in shard for key in keys) for shard in shards]


# By hand


def test_keys_are_cut_into_runs_and_zigzag_gives_an_early_and_a_late_one():
    assert key_shards(7, 3) == ((range(2),), (range(2, 4),), (range(4, 7),))
    assert key_shards(8, 2, zigzag=True) == ((range(2), range(6, 8)), (range(2, 4), range(4, 6)))
    assert key_shards(0, 1) == ((range(0),),)


def test_plain_shards_of_eight_tokens_are_unfair_and_zigzag_ones_fair():
    assert causal_pairs(8, key_shards(8, 2)) == [26, 10]
    assert causal_pairs(8, key_shards(8, 2, zigzag=True)) == [18, 18]


def test_bank_is_the_same_over_two_shards():
    assert merged(BANK.q, BANK.k, BANK.v, key_shards(3, 2)).output[1].round(2).tolist() == [1.98, 1.97]


def test_a_run_says_what_comes_after_it_and_how_much_of_it_is_no_padding():
    shard, lengths = (range(1, 3), range(4, 5)), [0, 2, 5]
    runs = runs_of(shard, np.ones((5, 2)), np.ones((5, 3)), {"lengths": lengths})
    assert [run["later_keys"] for run in runs] == [2, 0]
    assert [run["lengths"].tolist() for run in runs] == [[0, 1, 2], [0, 0, 1]]
    assert [run["v"].shape for run in runs] == [(2, 3), (1, 3)]


# Law


@given(st.integers(0, 40), st.integers(1, 9), st.booleans())
def test_every_key_is_in_one_shard_and_runs_are_equally_long(n_keys, n_shards, zigzag):
    shards = key_shards(n_keys, n_shards, zigzag=zigzag)
    assert len(shards) == n_shards
    assert sorted(key for shard in shards for keys in shard for key in keys) == list(range(n_keys))
    lengths = [len(keys) for shard in shards for keys in shard]
    assert max(lengths) - min(lengths) <= 1


@given(st.integers(1, 9), st.integers(1, 9))
def test_zigzag_shards_have_the_same_number_of_causal_pairs(n_shards, length):
    n = 2 * n_shards * length
    assert len(set(causal_pairs(n, key_shards(n, n_shards, zigzag=True)))) == 1


@given(questions(bias=False), st.integers(1, 5), st.booleans())
def test_shards_merge_to_attention_over_all_keys(asked, n_shards, zigzag):
    asked.pop("mask", None)
    expected = core(asked).output
    shards = key_shards(asked["k"].shape[-2], n_shards, zigzag=zigzag)
    assert close(merged(**asked, shards=shards).output, expected)


def test_cutting_copies_nothing():
    k, v = np.ones((2, 6, 3)), np.ones((6, 2))
    (run,) = runs_of((range(1, 4),), k, v, {})
    assert np.shares_memory(run["k"], k)
    assert np.shares_memory(run["v"], v)


@pytest.mark.parametrize("zigzag", [False, True])
def test_a_worker_never_holds_more_than_some_tiles_of_scores(zigzag):
    q, k, v = np.random.default_rng(0).normal(size=(3, 4096, 8)).astype(np.float32)
    runs = runs_of(key_shards(4096, 2, zigzag=zigzag)[0], k, v, {"causal": True})
    assert peak_memory(lambda: partial_of_runs(q, runs)) < 3e6  # its scores alone would be 4,096 x 2,048 x 4: 34 MB


def test_opening_the_room_does_not_import_distributed():
    code = "import sys, attention_lab.sharded; print('distributed' in sys.modules, 'dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() == ["False"] * 2


# Refusal


def test_what_is_no_number_of_shards_is_refused():
    with pytest.raises(ValueError, match="n_shards must be at least 1, but is 0"):
        key_shards(3, 0)
    with pytest.raises(ValueError, match="n_keys must not be negative"):
        key_shards(-1, 2)
    with pytest.raises(TypeError, match="n_shards must be a whole number"):
        key_shards(3, 1.5)


def test_without_distributed_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr("attention_lab.sharded.cluster.find_spec", lambda name: None)
    assert "pip install distributed" in cluster_problem()
    for call in (lambda: sharded_attention(BANK.q, BANK.k, BANK.v), lambda: local_cluster().__enter__()):
        with pytest.raises(ModuleNotFoundError, match=r"needs the package distributed.*attention-lab\[cluster\]"):
            call()


def test_wrong_arguments_are_refused_before_any_cluster_is_looked_for(monkeypatch):
    monkeypatch.setattr("attention_lab.sharded.cluster.find_spec", lambda name: None)
    with pytest.raises(ShapeError, match="k has d_k = 1, but q has d_k = 2"):
        sharded_attention(BANK.q, BANK.k[:, :1], BANK.v)
    with pytest.raises(ValueError, match="lengths"):
        sharded_attention(BANK.q, BANK.k, BANK.v, lengths=4)
    with pytest.raises(ValueError, match="n_shards must be at least 1"):
        sharded_attention(BANK.q, BANK.k, BANK.v, n_shards=0)
    with pytest.raises(ValueError, match="n_workers must be at least 1"):
        local_cluster(0).__enter__()
