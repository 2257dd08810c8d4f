"""Queries, keys and values, and the worked example."""

import numpy as np

from attention_lab import attention_scores, scaled_dot_product_attention, softmax
from attention_lab.examples import BANK
from attention_lab.training import Config, Transformer, tasks, train
from tests.claims import Claim

_bank = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v)


def _what_moves_with_one_entry_of_each_matrix() -> str:
    """Edit one entry of W_V, then of W_K, and name what moved."""
    moved = []
    for name in ("W_V", "W_K"):
        matrices = {"W_Q": BANK.W_Q, "W_K": BANK.W_K, "W_V": BANK.W_V, name: getattr(BANK, name) + np.eye(2)}
        edited = scaled_dot_product_attention(*(BANK.x @ matrices[one] for one in ("W_Q", "W_K", "W_V")))
        parts = [part for part in ("weights", "output") if not np.allclose(getattr(edited, part), getattr(_bank, part))]
        moved.append(f"{name}: {' and '.join(parts)}")
    return "; ".join(moved)


def _what_training_brings() -> str:
    """Train the toy of the two banks from several starts, and say what holds from each."""
    task = tasks.bank_senses()
    test = task.draw(300, np.random.default_rng(0))
    bank, cue = test.counted.argmax(axis=1), ((test.tokens >= 1) & (test.tokens <= 12)).argmax(axis=1)
    sizes = {"n_outputs": 2, "d_model": 8, "n_heads": 1, "n_layers": 1, "mlp": 0, "positions": False, "norm": False}
    moved, looks, without = [], [], []
    for seed in range(3):
        config = Config(n_symbols=len(task.symbols), context=task.context, hide="never", **sizes)
        model = Transformer(config, np.random.default_rng(seed))
        learned = model.learned["0.W_QKV"]
        old, on_the_cue = learned.copy(), []
        train(model, task.draw, steps=200, rng=np.random.default_rng(seed), n_sentences=32, rate=0.02)
        moved += [np.linalg.norm(part) / np.linalg.norm(old) > 0.1 for part in np.split(learned - old, 3, axis=1)]
        for W_QK in (learned[:, :16].copy(), old[:, :16]):
            learned[:, :16] = W_QK
            on_the_cue.append(model.weights(test.tokens)[0][np.arange(300), 0, bank, cue].mean())
        looks.append(on_the_cue[0] > 3 / 9)
        without.append(on_the_cue[1] < on_the_cue[0] / 2)
    found = {"all three moved": moved, "bank looks at its cue": looks, "not with the old W_Q and W_K": without}
    return "; ".join(what for what, holds in found.items() if all(holds))


def _softmax_of_any_numbers() -> list[float]:
    """The smallest weight and the sums' largest distance from 1, over many rows of random numbers."""
    weights = softmax(np.random.default_rng(0).normal(scale=5, size=(1000, 6)))
    return [float(weights.min() > 0), float(np.abs(weights.sum(axis=-1) - 1).max())]


CLAIMS = {
    "qkv-search": Claim(
        "A soft look-up: queries are compared with keys, and values are handed over. Edit a matrix, and this moves:",
        ("02",),
        _what_moves_with_one_entry_of_each_matrix,
        "W_V: output; W_K: weights and output",
    ),
    "qkv-three-jobs": Claim(
        "In self-attention every word asks, is labelled and hands over: n words give n rows, n columns and n outputs.",
        ("02",),
        lambda: [*_bank.weights.shape, len(_bank.output)],
        [3, 3, 3],
    ),
    "qkv-learned": Claim(
        "W_Q, W_K and W_V are learned by backpropagation, like every other learned number. What training brought:",
        ("appendix_gradient",),
        _what_training_brings,
        "all three moved; bank looks at its cue; not with the old W_Q and W_K",
    ),
    "qkv-query": Claim(
        "q_bank = [1, 3]; keys [1, 1], [2, 0], [4, 2]; values [1, 0], [0, 2], [2, 2].",
        ("02",),
        lambda: [BANK.q[1].tolist(), *BANK.k.tolist(), *BANK.v.tolist()],
        [[1, 3], [1, 1], [2, 0], [4, 2], [1, 0], [0, 2], [2, 2]],
    ),
    "qkv-scores": Claim(
        "The scores of bank are 4, 2 and 10.",
        ("02",),
        lambda: attention_scores(BANK.q, BANK.k, scale=1.0)[1],
        [4, 2, 10],
    ),
    "qkv-scaled": Claim(
        "Scaled, they are 2.83, 1.41 and 7.07.", ("02",), lambda: _bank.scores[1], [2.83, 1.41, 7.07], 0.005
    ),
    "qkv-weights": Claim(
        "The weights of bank are 1.4 %, 0.3 % and 98.2 %.",
        ("02",),
        lambda: _bank.weights[1],
        [0.014, 0.003, 0.982],
        0.0005,
    ),
    "qkv-output": Claim(
        "Its output is [1.98, 1.97], almost on the value of river, [2, 2].",
        ("02",),
        lambda: _bank.output[1],
        [1.98, 1.97],
        0.005,
        given=(2,),
    ),
    "softmax-positive-one": Claim(
        "A softmax turns any numbers into positive weights that sum to 1 (all positive; largest distance from 1).",
        ("00", "02"),
        _softmax_of_any_numbers,
        [1.0, 0.0],
        1e-12,
        given=(1,),
    ),
}
