"""The parts of a model besides attention: each a function forward, and one backward.

A function forward returns its result and what its backward pass needs again. Rows are words, of all sentences below
each other: ``(n_sentences * n_tokens, d_model)``, so that each product is one large one.
"""

from typing import NamedTuple

import numpy as np

from attention_lab.shapes import FloatArray, IntArray
from attention_lab.training.batch import check_symbols

EPSILON = 1e-5  # keeps a row whose numbers are all the same from dividing by zero
PERCEPTRON = ("W_1", "b_1", "W_2", "b_2")  # its learned arrays, in the order in which it takes them


def rows(words: FloatArray) -> FloatArray:
    """Lay the words of all sentences below each other."""
    return words.reshape(-1, words.shape[-1])


def embedding_back(d_rows: FloatArray, tokens: IntArray, d_embedding: FloatArray) -> None:
    """Write the gradient of an embedding, ``(n_symbols, d)``: the sum over all rows at which a symbol stood."""
    one_hot: FloatArray = np.zeros((len(d_rows), len(d_embedding)), d_rows.dtype)
    one_hot[np.arange(len(d_rows)), tokens.reshape(-1)] = 1
    np.matmul(one_hot.T, d_rows, out=d_embedding)  # one product: np.add.at is far slower


class Normed(NamedTuple):
    """What a layer norm's backward pass needs: the rows at mean 0 and spread 1, and 1 / spread."""

    unit: FloatArray
    per_spread: FloatArray


def layer_norm(x: FloatArray, gain: FloatArray, shift: FloatArray) -> tuple[FloatArray, Normed]:
    """Bring each row to mean 0 and spread 1, then to a learned gain and shift (Ba and others, 2016)."""
    unit = x - x.mean(axis=-1, keepdims=True)
    per_spread = 1 / np.sqrt(_row_products(unit, unit) / x.shape[-1] + x.dtype.type(EPSILON))
    unit *= per_spread
    return unit * gain + shift, Normed(unit, per_spread)


def layer_norm_back(
    d_y: FloatArray, kept: Normed, gain: FloatArray, d_gain: FloatArray, d_shift: FloatArray
) -> FloatArray:
    """Write the gradients of gain and shift, and return that of x."""
    np.einsum("nd,nd->d", d_y, kept.unit, out=d_gain)
    d_y.sum(axis=0, out=d_shift)
    d_unit = d_y * gain
    along = _row_products(d_unit, kept.unit) / d_unit.shape[-1]
    d_x: FloatArray = kept.per_spread * (d_unit - d_unit.mean(axis=-1, keepdims=True) - kept.unit * along)
    return d_x


def _row_products(a: FloatArray, b: FloatArray) -> FloatArray:
    products: FloatArray = np.einsum("nd,nd->n", a, b)
    return products[:, None]


class Hidden(NamedTuple):
    """What a perceptron's backward pass needs: its input, and its hidden layer."""

    x: FloatArray
    hidden: FloatArray


def perceptron(
    x: FloatArray, W_1: FloatArray, b_1: FloatArray, W_2: FloatArray, b_2: FloatArray
) -> tuple[FloatArray, Hidden]:
    """Two layers with max(0, x) between them, for each word by itself."""
    hidden = x @ W_1
    hidden += b_1
    np.maximum(hidden, 0, out=hidden)
    y = hidden @ W_2
    y += b_2
    return y, Hidden(x, hidden)


def perceptron_back(
    d_y: FloatArray, kept: Hidden, W_1: FloatArray, W_2: FloatArray, into: tuple[FloatArray, ...]
) -> FloatArray:
    """Write the gradients of W_1, b_1, W_2 and b_2, and return that of x."""
    d_W_1, d_b_1, d_W_2, d_b_2 = into
    np.matmul(kept.hidden.T, d_y, out=d_W_2)
    d_y.sum(axis=0, out=d_b_2)
    d_hidden = d_y @ W_2.T
    d_hidden *= kept.hidden > 0
    np.matmul(kept.x.T, d_hidden, out=d_W_1)
    d_hidden.sum(axis=0, out=d_b_1)
    return d_hidden @ W_1.T


def cross_entropy(logits: FloatArray, targets: IntArray, counted: FloatArray) -> tuple[float, FloatArray]:
    """Return the loss, in nats, and its derivative by the logits, which are overwritten.

    Parameters
    ----------
    logits : ``(n, n_outputs)``
        A number for each answer.
    targets : ``(n,)``
        Which output is right.
    counted : ``(n,)``
        How much each row counts; the loss is the weighted mean of -log p(target).

    Raises
    ------
    ValueError
        If a target is no output, or counted does not sum to a finite number above 0.
    """
    check_symbols("targets are", targets, logits.shape[-1])
    n_counted = counted.sum()
    if not 0 < n_counted < np.inf:  # neither does NaN
        raise ValueError(f"nothing is asked: counted sums to {n_counted:g}, not to a finite number above 0.")
    rows = np.arange(len(targets))
    logits -= logits.max(axis=-1, keepdims=True)
    right = logits[rows, targets]
    np.exp(logits, out=logits)
    total = logits.sum(axis=-1, keepdims=True)
    loss = float((counted * (np.log(total[:, 0]) - right)).sum() / n_counted)
    logits /= total
    logits[rows, targets] -= 1
    logits *= (counted / n_counted)[:, None]
    return loss, logits
