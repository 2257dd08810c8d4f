"""How far back a gradient reaches: by hand, and what is known of RNNs, LSTMs and attention."""

import numpy as np
import pytest

from attention_lab.shapes import ShapeError
from attention_lab.training.gradient import attention_gradient
from attention_lab.training.recurrent import Recurrent, RecurrentConfig
from attention_lab.training.recurrent_reach import reach

# By hand


def test_a_reach_by_hand_counts_backwards_from_the_last_word():
    first, second = [[0.0, 0.0], [0.0, 2.0], [3.0, 4.0]], [[0.0, 2.0], [4.0, 0.0], [3.0, 4.0]]
    found = reach([first, second])
    np.testing.assert_allclose(found.absolute, [5, 3, 1])
    np.testing.assert_allclose(found.relative, [5 / 3, 1, 1 / 3])


def test_where_nothing_arrives_there_is_no_relative_reach_and_no_warning():
    found = reach(np.zeros((1, 3, 2)))
    assert not found.absolute.any()
    assert np.isnan(found.relative).all()


# Law


def test_an_rnn_whose_words_are_tiny_multiplies_by_what_it_keeps_at_each_step():
    model = Recurrent(
        RecurrentConfig(n_symbols=5, cell="rnn", keep=0.8, inputs=1e-6, dtype=np.float64), np.random.default_rng(0)
    )
    rng = np.random.default_rng(1)
    d_last = rng.standard_normal((2000, 64))
    found = reach(model.input_gradient(rng.integers(0, 5, (2000, 31)), d_last)).relative
    np.testing.assert_allclose(found[1:], 0.8 ** np.arange(30), rtol=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_the_reach_of_an_lstm_depends_on_its_forget_bias(seed):
    found = {}
    for bias in (1.0, 2.0, 3.0, 5.0):
        rng = np.random.default_rng(seed)
        model = Recurrent(RecurrentConfig(n_symbols=16, forget_bias=bias, dtype=np.float64), rng)
        tokens = rng.integers(0, 16, (32, 301))
        found[bias] = reach(model.input_gradient(tokens, rng.standard_normal((32, 64)))).relative[200]
    assert found[1.0] < 1e-11 < 1e-6 < found[2.0] < 1e-2 < 0.02 < found[3.0] < 0.45 < found[5.0]


@pytest.mark.parametrize("n_tokens", [100, 400])
def test_attention_reaches_every_distance_alike_and_each_with_about_one_nth(n_tokens):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, n_tokens, 16))
    W_Q, W_K, W_V = rng.standard_normal((3, 16, 16)) / 4
    d_output = rng.standard_normal((200, 1, 16))
    _, d_k, d_v = attention_gradient(x[:, -1:] @ W_Q, x @ W_K, x @ W_V, d_output)
    found = reach(d_k @ W_K.T + d_v @ W_V.T)
    blocks = found.absolute[:100].reshape(4, 25).mean(axis=1), found.absolute[-100:].reshape(4, 25).mean(axis=1)
    np.testing.assert_allclose(np.concatenate(blocks), found.absolute.mean(), rtol=0.2)
    assert found.absolute.mean() * n_tokens == pytest.approx(6, abs=2)  # the same at both lengths


# Refusal


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((3, 2), "gradients has too few axes"),
        ((1, 1, 2), r"gradients has shape \(1, 1, 2\): a reach takes one sentence and two words at least"),
        ((0, 5, 2), "one sentence and two words at least"),
    ],
)
def test_gradients_that_reach_nowhere_are_refused(shape, said):
    with pytest.raises(ShapeError, match=said):
        reach(np.zeros(shape))
