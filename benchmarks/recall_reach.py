"""A fact told again from far back: recurrent summaries and attention, equal budgets, several seeds.

``.venv/bin/python -m benchmarks.recall_reach [steps] [distance ...]``: 300 steps and 10 to 500 words back unless given,
which takes about 20 minutes. These are the tables of ``appendix_reach``; no PyTorch is needed.
"""

import os
import sys

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # before NumPy is there

import numpy as np

from attention_lab.training import Config, Recurrent, RecurrentConfig, Transformer, accuracy, tasks, train

SEEDS = range(5)
LEARNERS = ("attention", "RNN 1", "LSTM 5", "LSTM 3", "LSTM 1")  # the number: where the forget bias starts


def untrained(name, task, rng):
    """A model of about as many numbers as the others; attention has a vector for each place."""
    sizes = {"n_symbols": len(task.symbols), "n_outputs": len(task.answers)}
    if name == "attention":
        width = 48 if task.context < 400 else 32
        return Transformer(Config(**sizes, context=task.context, d_model=width, n_heads=1, n_layers=1, mlp=0), rng)
    if name == "RNN 1":  # a rotation that keeps lengths, and words so small that the tanh squeezes little
        return Recurrent(RecurrentConfig(**sizes, cell="rnn", keep=1.0, inputs=0.01, d_summary=128), rng)
    return Recurrent(RecurrentConfig(**sizes, forget_bias=float(name[-1])), rng)


def told_right(name, distance, steps, seed):
    """Which share of new texts a model answers after its training."""
    task = tasks.recall_at(distance)
    model = untrained(name, task, np.random.default_rng(seed))
    train(model, task.draw, steps=steps, rng=np.random.default_rng(100 + seed))
    return accuracy(model, task.draw_held_out, np.random.default_rng(999), n_sentences=256)


if __name__ == "__main__":
    steps, *distances = [int(word) for word in sys.argv[1:]] or [300]
    print(f"{steps} steps of 16 texts; guessing gets 0.125; mean of seeds {[*SEEDS]}, and each")
    for distance in distances or (10, 20, 50, 100, 200, 500):
        for name in LEARNERS:
            shares = [told_right(name, distance, steps, seed) for seed in SEEDS]
            print(f"{distance:4} {name:9} {np.mean(shares):.2f}  {np.round(shares, 2).tolist()}", flush=True)
