"""What attention costs, and which method to choose."""

import numpy as np

from attention_lab import load_encoder, scaled_dot_product_attention
from attention_lab.approximations import relative_error, trade_offs
from attention_lab.costs import A100, H100, attention_cost, choose, growth, peak_memory, plain_work, streaming_work
from attention_lab.streaming import streaming_attention
from attention_lab.training.tasks.text import letters
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


def _on_a_gpu() -> str:
    """What limits each way by the data sheets, and the largest gain that they allow: above what is reported."""
    plain, streaming = plain_work(4096), streaming_work(4096)
    limits = {gpu.limited_by(plain) + ", " + gpu.limited_by(streaming) for gpu in (A100, H100)}
    gains = [f"{gpu.seconds(plain) / gpu.seconds(streaming):.1f} times" for gpu in (A100, H100)]
    return f"limits of plain and streaming: {'; '.join(limits)}; at most {' and '.join(gains)} (A100, H100)"


def _traded() -> str:
    """Whether exact is exact, which tricks come closer as they cost more, and which comes closest at a quarter."""
    rng = np.random.default_rng(0)
    q, k, v = rng.standard_normal((3, 128, 32))
    reading = load_encoder().read(" ".join(letters().split()[:108]))
    real = reading.q.astype(float), reading.k.astype(float), reading.v.astype(float)
    exact = scaled_dot_product_attention(*real).output
    streamed = "exact" if relative_error(streaming_attention(*real), exact).max() < 1e-12 else "off"
    found = {"flat": trade_offs(q / 3, k / 3, v, rng=rng), "real": trade_offs(*real, rng=rng)}
    medians = {name: errors for name, (_, errors) in found["real"].typical().items() if len(errors) > 1}
    closer = [name for name, errors in medians.items() if (np.diff(errors) < -0.02).all()]
    best = {}
    for name, tricks in found.items():
        errors = {trick: np.median(of_trick) for trick, of_trick in tricks.within(1 / 4).items()}
        del errors["fewer bits"]
        best[name] = min(errors, key=lambda trick: errors[trick])
    sees_first = best["real"] in ("window + first", "blocks")  # the two are about equal
    return (
        f"streaming: {streamed}; the dearer the closer: {', '.join(closer)}; closest at a quarter, bits aside: "
        f"flat {best['flat']}, real {'one that sees the first word' if sees_first else best['real']}"
    )


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
    "cost-speed": Claim(
        "On a GPU it is two to four times faster, its authors report (not measured here): memory limits plain "
        "attention, arithmetic streaming.",
        ("appendix_machine",),
        _on_a_gpu,
        "limits of plain and streaming: memory, arithmetic; at most 6.4 times and 9.4 times (A100, H100)",
    ),
    "cost-family": Claim(
        "Sparse, windowed and other tricks trade error for cost; exact first.",
        ("appendix_tricks",),
        _traded,
        "streaming: exact; the dearer the closer: window, window + first, blocks, fewer bits; "
        "closest at a quarter, bits aside: flat linear, real one that sees the first word",
    ),
    "choose": Claim(
        "Encoder, causal, cross; exact first, approximate last.",
        ("07",),
        _chosen,
        "reads: encoder, plain; writes: causal, plain; translates: cross, plain; long: encoder, streaming; "
        "too slow: encoder, approximate",
    ),
}
