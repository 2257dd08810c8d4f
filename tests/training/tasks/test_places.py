"""Questions that only a word's place can answer."""

import numpy as np

from attention_lab.training import Config, Transformer, train
from attention_lab.training.tasks import word_before


def test_the_answer_is_the_token_before_and_the_first_is_not_asked():
    tokens, targets, counted = word_before().draw(50, np.random.default_rng(0))
    assert (targets[:, 1:] == tokens[:, :-1]).all()
    assert (counted[:, 0] == 0).all()
    assert (counted[:, 1:] == 1).all()


def test_it_is_learned_with_positions_and_not_without():
    task, last = word_before(6, 6), {}
    for positions in (True, False):
        shape = {"d_model": 16, "n_heads": 1, "n_layers": 1, "mlp": 0, "hide": "never"}
        config = Config(n_symbols=6, context=6, positions=positions, **shape)
        model = Transformer(config, np.random.default_rng(0))
        last[positions] = train(model, task.draw, steps=300, rng=np.random.default_rng(1), rate=1e-2).smooth[-1]
    assert last[True] < 0.1
    assert last[False] > 1
