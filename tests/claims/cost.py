"""What attention costs, and which method to choose."""

import numpy as np

from attention_lab import scaled_dot_product_attention
from attention_lab.costs import attention_cost, choose, growth, peak_memory
from attention_lab.streaming import streaming_attention
from tests.claims import Claim

SIZES = (512, 1024, 2048)
_texts = [np.random.default_rng(0).standard_normal((3, n, 64), dtype=np.float32) for n in SIZES]


def _when_doubled() -> str:
    """How often as much a text of twice the length takes: counted, and measured for the memory."""
    once, twice = attention_cost(2048), attention_cost(4096)
    measured = growth(SIZES, [peak_memory(lambda t=text: scaled_dot_product_attention(*t)) for text in _texts])
    work, memory = twice.multiplications // once.multiplications, 2 ** round(measured.power, 1)
    return f"work: {work} times, memory: {memory:g} times"


def _bottleneck() -> int:
    """From how many thousand tokens on the scores of one layer take more than the keys and values of all layers."""
    return next(n for n in range(1, 100) if _outgrown(n * 1024)) - 1


def _outgrown(n_tokens: int) -> bool:
    cost = attention_cost(n_tokens)
    return cost.score_bytes > cost.cache_bytes


def _streamed() -> str:
    q, k, v = np.random.default_rng(0).standard_normal((3, 1000, 16))
    gap = np.abs(streaming_attention(q, k, v) - scaled_dot_product_attention(q, k, v).output).max()
    memory = [peak_memory(lambda t=text: streaming_attention(*t)) - text[2].nbytes for text in _texts]
    beside = "stays" if abs(growth(SIZES, memory).power) < 0.05 else "grows"
    return f"{'exact' if gap < 1e-12 else 'off'}; memory beside the output, which is O(n): {beside}"


def _chosen() -> str:
    cases = {
        "reads": choose(300, sees_later=True),
        "writes": choose(300, sees_later=False),
        "translates": choose(300, sees_later=True, other_sequence=True),
        "long": choose(100_000, sees_later=True),
        "too slow": choose(100_000, sees_later=True, too_slow=True),
    }
    return "; ".join(f"{case}: {choice.kind}, {choice.computed}" for case, choice in cases.items())


CLAIMS = {
    "cost-quadratic": Claim(
        "Comparing all with all: twice the length, four times the work and memory.",
        ("07",),
        _when_doubled,
        "work: 4 times, memory: 4 times",
    ),
    "cost-memory-8k": Claim(
        "Past about 8k tokens the memory of the scores is the bottleneck.", ("07",), _bottleneck, 8
    ),
    "cost-streaming-exact": Claim(
        "Tiling gives the same result exactly, with O(n) memory.",
        ("07",),
        _streamed,
        "exact; memory beside the output, which is O(n): stays",
    ),
    "cost-speed": Claim("On a GPU it is two to four times faster.", ("appendix_machine",)),
    "cost-family": Claim("Sparse, windowed and other tricks trade error for cost; exact first.", ("appendix_tricks",)),
    "choose": Claim(
        "Encoder, causal, cross; exact first, approximate last.",
        ("07",),
        _chosen,
        "reads: encoder, plain; writes: causal, plain; translates: cross, plain; long: encoder, streaming; "
        "too slow: encoder, approximate",
    ),
}
