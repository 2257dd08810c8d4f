"""How often heads part: one layer learns four relations at once, from many starts and with more or fewer heads.

``.venv/bin/python -m benchmarks.head_roles [n_starts] [n_heads ...]``: 20 starts with 4 heads unless given, which takes
a minute; the numbers beforehand in ``appendix_roles`` are these. No PyTorch is needed.
"""

import os
import sys

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # before NumPy is there

import numpy as np

from attention_lab.diagnostics import role_score
from attention_lab.training import Config, Transformer, tasks, train
from attention_lab.training.tasks.questions import QUESTIONS, answered, looked_for, lost_without

TASK = tasks.four_relations()
NEW = TASK.draw_held_out(300, np.random.default_rng(2))
PLACES = np.stack([*looked_for(NEW.tokens).values()])


def trained(n_heads, seed):
    """A model as in the appendix."""
    sizes = {"n_symbols": len(TASK.symbols), "n_outputs": len(TASK.answers), "context": TASK.context}
    config = Config(n_heads=n_heads, d_model=64, n_layers=1, mlp=0, hide="never", **sizes)
    model = Transformer(config, np.random.default_rng(seed))
    train(model, TASK.draw, steps=800, rng=np.random.default_rng(1), n_sentences=64, rate=5e-3)
    return model


def measured(model):
    """For each question: how often it is answered, a head's most weight, what goes with that head; and the rest."""
    roles = role_score(model.weights(NEW.tokens)[0], PLACES).mean(axis=1)
    lost, own, each = lost_without(model, NEW), roles.argmax(axis=1), np.arange(len(QUESTIONS))
    others = lost.copy()
    others[own, each] = 0
    return [*answered(model, NEW).values()], roles.max(axis=1), lost[own, each], len(set(own)), others.max()


if __name__ == "__main__":
    n_starts, *all_heads = [int(word) for word in sys.argv[1:]] or [20]
    print(f"for {', '.join(QUESTIONS)}: answered; the most weight of a head; what is lost without that head")
    for n_heads in all_heads or [4]:
        parted = []
        for seed in range(n_starts):
            *shares, n_owners, others = measured(trained(n_heads, seed))
            parted.append(n_owners == len(QUESTIONS) and others < 0.1)
            said = "   ".join(" ".join(f"{share:5.2f}" for share in kind) for kind in shares)
            print(
                f"{n_heads} heads, start {seed:2}: {said}   owners {n_owners}, lost of others {others:.2f}", flush=True
            )
        print(f"{n_heads} heads: parted in {sum(parted)} of {n_starts} starts", flush=True)
