"""Why divide by the root of d_k."""

from functools import cache

import numpy as np

from attention_lab import attention_entropy, attention_scores, scaled_dot_product_attention, softmax
from attention_lab.examples import BANK
from attention_lab.training import Config, Transformer, softmax_jacobian, tasks, train
from tests.claims import Claim


def _river_with_and_without_the_scale() -> list[float]:
    return [
        float(scaled_dot_product_attention(BANK.q, BANK.k, BANK.v, scale=scale).weights[1, 2]) for scale in (None, 1.0)
    ]


def _variances() -> list[float]:
    pairs = (np.random.default_rng(0).standard_normal((2, 100_000, 1, d_k)) for d_k in (4, 16, 64))
    return [float(attention_scores(q, k, scale=1.0).var()) for q, k in pairs]


@cache
def _rows() -> np.ndarray:
    """Scores of 4,000 queries with 32 keys each, d_k = 64."""
    rng = np.random.default_rng(0)
    return attention_scores(rng.standard_normal((4000, 1, 64)), rng.standard_normal((4000, 32, 64)), scale=1.0)[:, 0]


def _looks_at(divisor: float) -> float:
    return float(np.median(2 ** attention_entropy(softmax(_rows() / divisor))))


def _median_path() -> str:
    """Take the slope of a weight by its own score, in the median of all keys: a mean would hide the difference."""
    unscaled, scaled = (np.median(np.diagonal(softmax_jacobian(softmax(_rows() / n)), 0, -2, -1)) for n in (1, 8))
    return "median path: closed" if unscaled < 1e-6 and scaled > 1e-2 else "median path: ?"


@cache
def _learning() -> str:
    """Train the lesson's four models, and compare the last losses with the scale and without."""
    task, said = tasks.agreement(), []
    for d_k in (64, 2):
        last = []
        for scale in (None, 1.0):
            config = Config(
                n_symbols=len(task.symbols),
                n_outputs=2,
                context=task.context,
                n_layers=1,
                mlp=0,
                n_heads=64 // d_k,
                scale=scale,
            )
            model = Transformer(config, np.random.default_rng(0))
            history = train(model, task.draw, steps=200, rng=np.random.default_rng(1), n_sentences=32, rate=1e-3)
            last.append(history.smooth[-1])
        scaled, unscaled = last
        said.append(f"d_k {d_k}: {'behind' if unscaled > 4 * scaled else 'alike' if unscaled < 1.5 * scaled else '?'}")
    return "; ".join(said)


CLAIMS = {
    "scale-toy": Claim(
        "Without the scale the toy moves only from 98.2 % to 99.7 %.",
        ("02", "03"),
        _river_with_and_without_the_scale,
        [0.982, 0.997],
        0.0005,
    ),
    "scale-variance": Claim(
        "The variance of a query times a key grows with d_k: it is 4, 16 and 64 at these widths.",
        ("03",),
        _variances,
        [4, 16, 64],
        0.5,
    ),
    "scale-spread": Claim(
        "At d_k = 64 raw scores lie dozens apart: 32 from the lowest to the highest, in the median row.",
        ("03",),
        lambda: [float(np.median(np.ptp(_rows(), axis=-1)))],
        [32],
        0.5,
        given=(64,),
    ),
    "scale-collapse": Claim(
        "Such a spread makes the softmax nearly one-hot: the median row looks at 1.5 of 32 words.",
        ("03",),
        lambda: [_looks_at(1)],
        [1.5],
        0.05,
        given=(32,),
    ),
    "scale-gradient": Claim(
        "The other paths' gradient goes to zero, and learning falls far behind, where d_k is large. Unscaled:",
        ("03", "appendix_scaling"),
        lambda: f"{_median_path()}; {_learning()}",
        "median path: closed; d_k 64: behind; d_k 2: alike",
    ),
    "scale-cure": Claim(
        "Dividing by the root of d_k brings the spread back: the median row looks at 21 of 32 words.",
        ("03",),
        lambda: [_looks_at(8)],
        [21],
        0.5,
        given=(32,),
    ),
    "scale-temperature": Claim(
        "Temperature is the same knob; too high makes the weights uniform: the median row looks at 32.0 words.",
        ("03", "08"),
        lambda: [_looks_at(1000)],
        [32.0],
        0.05,
    ),
}
