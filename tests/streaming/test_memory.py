"""What streaming holds beside its answer: a tile, however long the text is."""

import numpy as np
import pytest

from attention_lab.costs import peak_memory
from attention_lab.streaming import partial_attention, stream_steps, streaming_attention, streaming_gradient

MiB = 2**20


def arrays(n, d=64):
    return np.random.default_rng(0).normal(size=(4, n, d)).astype(np.float32)


def test_at_8192_tokens_it_holds_the_output_and_less_than_two_mebibytes():
    q, k, v, _ = arrays(8192)
    extra = peak_memory(lambda: streaming_attention(q, k, v, causal=True)) - q.nbytes
    assert 0 < extra < 2 * MiB


@pytest.mark.parametrize("options", [{}, {"window": 64}, {"causal": True, "window": 64}, {"threads": 2}])
def test_beside_the_output_it_holds_no_more_for_a_longer_text(options):
    extra = []
    for n in (2048, 4096):
        q, k, v, _ = arrays(n, 8)
        extra.append(peak_memory(lambda q=q, k=k, v=v: streaming_attention(q, k, v, **options)) - q.nbytes)
    assert extra[1] < extra[0] + 64 * 1024


def test_a_mask_and_a_bias_are_looked_at_tile_by_tile():
    q, k, v, _ = arrays(4096, 8)
    shape = (4096, 4096)
    mask = np.broadcast_to(np.arange(4096) % 3 > 0, shape)  # 16 MiB, if it were copied
    bias = np.broadcast_to(np.linspace(-1, 1, 4096, dtype=np.float32), shape)
    assert peak_memory(lambda: streaming_attention(q, k, v, mask=mask)) < 3 * MiB
    assert peak_memory(lambda: streaming_attention(q, k, v, bias=bias)) < 3 * MiB
    narrower = np.broadcast_to(np.linspace(-1, 1, 4096, dtype=np.float16), shape)
    assert peak_memory(lambda: streaming_attention(q, k, v, bias=narrower)) < 3 * MiB


def test_shared_keys_and_broadcast_axes_are_not_repeated():
    q = np.zeros((64, 1, 16), np.float32)
    k = v = np.ones((2, 4096, 16), np.float32)  # 32 times as much, if they were repeated
    assert peak_memory(lambda: streaming_attention(q, k, v)) < 2 * MiB
    assert peak_memory(lambda: streaming_attention(q, k[0], v[0])) < 2 * MiB


def test_the_backward_pass_holds_its_three_answers_and_two_tiles():
    for n in (2048, 4096):
        q, k, v, d_output = arrays(n, 16)
        assert peak_memory(lambda a=(q, k, v, d_output): streaming_gradient(*a, causal=True)) < 3 * q.nbytes + 3 * MiB


def test_a_shard_and_a_walk_hold_no_scores():
    q, k, v, _ = arrays(4096, 8)
    assert peak_memory(lambda: partial_attention(q, k, v)) < 2 * MiB
    assert peak_memory(lambda: [None for _ in stream_steps(q, k, v, tile=1024)]) < 4 * MiB
