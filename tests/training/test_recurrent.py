"""A summary that is trained: by hand, every gradient against finite differences and PyTorch, and what it refuses."""

import numpy as np
import pytest

from attention_lab import running_summary
from attention_lab.shapes import ShapeError
from attention_lab.training.batch import Batch
from attention_lab.training.loop import train
from attention_lab.training.recurrent import CELLS, Recurrent, RecurrentConfig
from attention_lab.training.recurrent_cells import lstm, rnn
from attention_lab.training.tasks import recall_at
from tests.training.agreement import assert_agrees_with_pytorch
from tests.training.slopes import slope

N_SYMBOLS, N_OUTPUTS = 7, 4
EVERY_CELL = pytest.mark.parametrize("cell", CELLS)


def model(cell="lstm", **parts):
    given = {"n_outputs": N_OUTPUTS, "d_model": 3, "d_summary": 5, "dtype": np.float64, **parts}
    made = Recurrent(RecurrentConfig(n_symbols=N_SYMBOLS, cell=cell, **given), np.random.default_rng(0))
    made.learned.flat += 0.1 * np.random.default_rng(1).standard_normal(len(made.learned))
    return made


def batch(n_tokens=6):
    rng = np.random.default_rng(2)
    shape = (3, n_tokens)
    return Batch(rng.integers(0, N_SYMBOLS, shape), rng.integers(0, N_OUTPUTS, shape), rng.random(shape) < 0.7)


# By hand


def test_an_rnn_by_hand():
    inputs = np.array([[[1.0, 0.0]], [[0.0, 0.5]]])
    summaries = rnn(inputs, np.array([[0.0, 2.0], [0.0, 0.0]])).summaries[:, 0]
    first = np.tanh(1)
    np.testing.assert_allclose(summaries, [[0, 0], [first, 0], [0, np.tanh(0.5 + 2 * first)]], rtol=1e-12)


def test_an_lstm_by_hand():
    log_odds = {share: np.log(share / (1 - share)) for share in (0.2, 0.8, 0.5)}
    gates = [log_odds[0.2], log_odds[0.8], log_odds[0.5]]  # lets in 0.2, keeps 0.8, shows 0.5
    new = [np.arctanh(0.9), 0.0, 0.0]
    walk = lstm(np.array([[[*gates, x]] for x in new]), np.zeros((1, 4)))
    np.testing.assert_allclose(walk.memories[:, 0, 0], [0, 0.18, 0.144, 0.1152], rtol=1e-12)
    np.testing.assert_allclose(walk.summaries[1:], 0.5 * np.tanh(walk.memories[1:]), rtol=1e-12)


# Law


def test_an_lstm_with_fixed_gates_is_the_running_summary_of_lesson_01():
    x = np.random.default_rng(0).uniform(-0.9, 0.9, (30, 1))
    gates = np.log([0.2 / 0.8, 0.8 / 0.2, 1.0])
    inputs = np.concatenate([np.tile(gates, (30, 1)), np.arctanh(x)], axis=1)[:, None]
    np.testing.assert_allclose(
        lstm(inputs, np.zeros((1, 4))).memories[1:, 0], running_summary(x, keep=0.8), rtol=1e-12, atol=1e-15
    )


@EVERY_CELL
def test_what_is_read_later_changes_nothing_before(cell):
    made = model(cell)
    one, other = made.logits([[1, 2, 3, 4]]), made.logits([[1, 2, 3, 0]])
    np.testing.assert_array_equal(one[:, :3], other[:, :3])
    assert (one[:, 3] != other[:, 3]).any()


@EVERY_CELL
def test_sentences_do_not_touch_each_other(cell):
    made, asked = model(cell), batch()
    together = made.logits(asked.tokens)
    for i, sentence in enumerate(asked.tokens):
        np.testing.assert_allclose(made.logits(sentence[None])[0], together[i], rtol=1e-10)


def test_an_rnn_starts_as_a_rotation_times_what_it_keeps():
    W = Recurrent(RecurrentConfig(n_symbols=3, cell="rnn", keep=0.8, d_summary=6), np.random.default_rng(0)).learned[
        "W_summary"
    ]
    np.testing.assert_allclose(W @ W.T, 0.64 * np.eye(6), atol=1e-6)


def test_the_size_of_an_rnns_inputs_is_asked_for():
    large, small = (
        Recurrent(RecurrentConfig(n_symbols=3, cell="rnn", inputs=inputs), np.random.default_rng(0)).learned
        for inputs in (1.0, 0.25)
    )
    np.testing.assert_allclose(small["W_in"], large["W_in"] / 4, rtol=1e-6)
    np.testing.assert_array_equal(small["embedding"], large["embedding"])


@pytest.mark.parametrize("forget_bias", [0.0, 1.0, 3.0])
def test_an_lstm_keeps_about_the_sigmoid_of_its_forget_bias(forget_bias):
    made = Recurrent(RecurrentConfig(n_symbols=9, forget_bias=forget_bias), np.random.default_rng(0))
    bias = made.learned["b"].reshape(4, -1)
    np.testing.assert_array_equal(bias[1], forget_bias)
    assert not bias[[0, 2, 3]].any()
    tokens = np.random.default_rng(1).integers(0, 9, (20, 30))
    gates = made._walk(tokens).gates
    assert np.median(gates[:, 1]) == pytest.approx(1 / (1 + np.exp(-forget_bias)), abs=0.02)


@EVERY_CELL
def test_large_inputs_do_not_overflow(cell):
    made = model(cell)
    made.learned.flat *= 1e4
    made.loss_and_gradient(batch())
    assert np.isfinite(made.learned.flat_gradient).all()


def test_float32_computes_in_float32():
    made = model(dtype=np.float32)
    assert made.logits(batch().tokens).dtype == np.float32
    made.loss_and_gradient(batch())
    assert made.learned.flat_gradient.dtype == np.float32


@EVERY_CELL
@pytest.mark.parametrize("seed", range(3))
def test_a_fact_of_five_words_ago_is_learned(cell, seed):
    task = recall_at(5, n_facts=4)
    config = RecurrentConfig(n_symbols=len(task.symbols), n_outputs=4, cell=cell, inputs=0.1)
    made = Recurrent(config, np.random.default_rng(seed))
    history = train(made, task.draw, steps=150, rng=np.random.default_rng(seed))
    assert history.losses[0] > 1
    assert history.smooth[-1] < 0.2


# Agreement


@EVERY_CELL
def test_every_gradient_agrees_with_finite_differences(cell):
    made, asked = model(cell), batch()
    made.loss_and_gradient(asked)
    found = made.learned.flat_gradient.copy()
    every = range(len(found))
    np.testing.assert_allclose(found, slope(lambda: made.loss(asked), made.learned.flat, every), atol=1e-8)


@EVERY_CELL
def test_the_gradient_of_the_inputs_agrees_with_finite_differences(cell):
    made = model(cell)
    tokens = np.arange(6)[None]  # every symbol once, so that its embedding is one word's
    d_last = np.random.default_rng(3).standard_normal((1, 5))

    def moved():
        return float((made._walk(tokens).summaries[-1] * d_last).sum())

    embedding = made.learned["embedding"]
    expected = slope(moved, embedding, range(embedding.size)).reshape(embedding.shape)[:6]
    np.testing.assert_allclose(made.input_gradient(tokens, d_last)[0], expected, atol=1e-9)


@EVERY_CELL
def test_logits_loss_and_every_gradient_agree_with_pytorch(torch, cell):
    made, asked = model(cell), batch()
    assert_agrees_with_pytorch(
        torch, made, asked, asked.targets, asked.tokens, lambda p: torch_logits(torch, p, cell, asked.tokens)
    )


def torch_logits(torch, p, cell, tokens):
    """The same model, as PyTorch users write it; PyTorch's LSTM has "new" before "show"."""
    theirs = {"lstm": torch.nn.LSTM, "rnn": torch.nn.RNN}[cell](3, 5, batch_first=True, dtype=torch.float64)
    order = [0, 1, 3, 2] if cell == "lstm" else [0]

    def given(array):
        parts = array.split(5, dim=-1)
        return torch.cat([parts[i] for i in order], dim=-1).T

    names = {"weight_ih_l0": "W_in", "weight_hh_l0": "W_summary", "bias_ih_l0": "b"}
    numbers = {name: given(p[ours][None] if ours == "b" else p[ours]) for name, ours in names.items()}
    numbers["bias_ih_l0"] = numbers["bias_ih_l0"][:, 0]
    numbers["bias_hh_l0"] = torch.zeros_like(numbers["bias_ih_l0"])
    summaries, _ = torch.func.functional_call(theirs, numbers, (p["embedding"][torch.tensor(tokens)],))
    return summaries @ p["W_out"]


# Refusal


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"cell": "gru"}, "cell is one of rnn, lstm, not 'gru'"),
        ({"d_model": 0}, "d_model is 1 or more, not 0"),
        ({"d_summary": 0}, "d_summary is 1 or more, not 0"),
        ({"n_outputs": 0}, "n_outputs is 1 or more, not 0"),
        ({"forget_bias": float("inf")}, "forget_bias must be a finite number, not inf"),
        ({"keep": float("nan")}, "keep must be a finite number, not nan"),
        ({"inputs": float("nan")}, "inputs must be a finite number, not nan"),
    ],
)
def test_a_description_that_makes_no_sense_is_refused(parts, said):
    with pytest.raises(ValueError, match=said):
        model(**parts)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"d_summary": 8.0}, "d_summary must be a whole number, not 8.0"),
        ({"dtype": int}, "dtype is float32 or float64, not int64"),
    ],
)
def test_a_description_of_another_kind_is_refused(parts, said):
    with pytest.raises(TypeError, match=said):
        model(**parts)


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ([1, 2], r"tokens are \(n_sentences, n_tokens\), one token at least, not \(2,\)"),
        (np.zeros((2, 0), int), r"not \(2, 0\)"),
        ([[7]], "whole numbers from 0 to 6"),
        ([[-1]], "whole numbers from 0 to 6"),
        ([[0.5]], "whole numbers from 0 to 6"),
    ],
)
def test_tokens_that_it_cannot_read_are_refused(tokens, said):
    with pytest.raises(ValueError, match=said):
        model().logits(tokens)


def test_a_direction_of_another_size_is_refused():
    with pytest.raises(ShapeError, match="d_last has d = 4, but summary has d = 5"):
        model().input_gradient([[1, 2]], np.ones((1, 4)))
