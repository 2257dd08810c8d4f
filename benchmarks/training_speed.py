"""Steps of training a second: this package beside PyTorch, the same model and batches, one core, in one run.

``.venv/bin/python -m benchmarks.training_speed`` (needs PyTorch). CPU time; the best of several rounds that take turns.
"""

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # before NumPy is there

import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from attention_lab.training import Config, Transformer
from attention_lab.training.batch import Batch
from attention_lab.training.loop import Adam
from tests.training.test_transformer import torch_logits

N_SYMBOLS, CONTEXT, N_SENTENCES = 40, 64, 16
ROUNDS, STEPS = 9, 20


def batches(n):
    """The same batches for both."""
    rng = np.random.default_rng(0)
    for _ in range(n):
        sentences = rng.integers(0, N_SYMBOLS, (N_SENTENCES, CONTEXT + 1))
        yield Batch(sentences[:, :-1], sentences[:, 1:], np.ones((N_SENTENCES, CONTEXT)))


def ours(model, adam):
    for batch in batches(STEPS):
        model.loss_and_gradient(batch)
        adam(1e-3)


def theirs(config, learned, optimiser):
    for batch in batches(STEPS):
        optimiser.zero_grad()
        logits = torch_logits(torch, learned, config, batch.tokens)
        cross_entropy(logits.reshape(-1, N_SYMBOLS), torch.as_tensor(batch.targets).reshape(-1)).backward()
        optimiser.step()


def main():
    torch.set_num_threads(1)
    model = Transformer(Config(n_symbols=N_SYMBOLS, context=CONTEXT), np.random.default_rng(0))
    learned = {name: torch.tensor(model.learned[name], requires_grad=True) for name in model.learned}
    adam = Adam(model.learned)
    ways = {"attention_lab": lambda: ours(model, adam)}
    for name, fused in {"PyTorch": False, "PyTorch, fused Adam": True}.items():
        optimiser = torch.optim.Adam(list(learned.values()), lr=1e-3, betas=(0.9, 0.99), fused=fused)
        ways[name] = lambda optimiser=optimiser: theirs(model.config, learned, optimiser)
    spent = {name: [] for name in ways}
    for _ in range(ROUNDS + 1):
        for name, way in ways.items():
            start = time.process_time()
            way()
            spent[name].append((time.process_time() - start) / STEPS)
    best = {name: min(times[1:]) for name, times in spent.items()}  # the first round warms up
    print(f"{model!r}, context {CONTEXT}, {N_SENTENCES} sentences a step, float32, one core")
    for name, seconds in best.items():
        ratios = np.array(spent["attention_lab"][1:]) / np.array(spent[name][1:])
        print(
            f"{name:22} {1e3 * seconds:6.2f} ms a step {1 / seconds:6.0f} steps a second"
            f"   ours takes {best['attention_lab'] / seconds:.2f} of it ({ratios.min():.2f} to {ratios.max():.2f})"
        )


if __name__ == "__main__":
    main()
