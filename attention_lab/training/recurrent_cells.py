"""Two ways to carry a summary from word to word, each forward over all words, and back.

Axes: words come first, ``(n_tokens, n_sentences, ...)``, since one word follows the other; all sentences take a step
together.
"""

from typing import NamedTuple

import numpy as np

from attention_lab.shapes import FloatArray


class Walk(NamedTuple):
    """What the backward pass needs: what stood in the cell after each word, and before the first one.

    ``summaries`` and ``memories`` are ``(n_tokens + 1, n_sentences, d)``; an RNN has neither memories nor gates.
    ``gates`` are ``(n_tokens, 4, n_sentences, d)``: how much is let in, kept and shown, and what is new.
    """

    summaries: FloatArray
    memories: FloatArray | None = None
    gates: FloatArray | None = None


def rnn(inputs: FloatArray, W_summary: FloatArray) -> Walk:
    """Overwrite the summary by each word: ``summary[t] = tanh(inputs[t] + summary[t - 1] W_summary)`` (Elman, 1990)."""
    n_tokens, *rest = inputs.shape
    summaries = np.zeros((n_tokens + 1, *rest), inputs.dtype)
    for t in range(n_tokens):
        np.tanh(inputs[t] + summaries[t] @ W_summary, out=summaries[t + 1])
    return Walk(summaries)


def rnn_back(d_summaries: FloatArray, walk: Walk, W_summary: FloatArray) -> FloatArray:
    """Return the gradient of the inputs: at each step back the same matrix is multiplied in once more."""
    d_inputs, d_summary = np.empty_like(d_summaries), np.zeros_like(d_summaries[0])
    slopes = 1 - walk.summaries[1:] ** 2
    for t in reversed(range(len(d_inputs))):
        np.multiply(d_summaries[t] + d_summary, slopes[t], out=d_inputs[t])
        d_summary = d_inputs[t] @ W_summary.T
    return d_inputs


def lstm(inputs: FloatArray, W_summary: FloatArray) -> Walk:
    """Keep a part of a memory, let something new in, and show a part of it.

    ``memory[t] = keep * memory[t - 1] + let_in * new`` and ``summary[t] = show * tanh(memory[t])``, where each of the
    three gates is a sigmoid, and ``new`` a tanh, of ``inputs[t] + summary[t - 1] W_summary``.

    Source: Hochreiter and Schmidhuber, 1997; the gate that keeps: Gers, Schmidhuber and Cummins, 2000.
    """
    n_tokens, n_sentences, wide = inputs.shape
    d = wide // 4
    memories = np.zeros((n_tokens + 1, n_sentences, d), inputs.dtype)
    summaries, gates = np.zeros_like(memories), np.empty((n_tokens, 4, n_sentences, d), inputs.dtype)
    for t in range(n_tokens):
        before = (inputs[t] + summaries[t] @ W_summary).reshape(n_sentences, 4, d).swapaxes(0, 1)
        before[:3] *= 0.5  # sigmoid(x) = (1 + tanh(x / 2)) / 2, which cannot overflow
        np.tanh(before, out=gates[t])
        gates[t, :3] *= 0.5
        gates[t, :3] += 0.5
        let_in, keep, show, new = gates[t]
        np.add(keep * memories[t], let_in * new, out=memories[t + 1])
        np.multiply(show, np.tanh(memories[t + 1]), out=summaries[t + 1])
    return Walk(summaries, memories, gates)


def lstm_back(d_summaries: FloatArray, walk: Walk, W_summary: FloatArray) -> FloatArray:
    """Return the gradient of the inputs: at each step back the memory's is multiplied by ``keep``, and by no matrix."""
    gates, memories = walk.gates, walk.memories
    assert gates is not None
    assert memories is not None
    shown = np.tanh(memories[1:])
    slopes = gates * (1 - gates)
    slopes[:, 3] = 1 - gates[:, 3] ** 2
    n_tokens, _, n_sentences, d = gates.shape
    d_inputs = np.empty((n_tokens, n_sentences, 4 * d), d_summaries.dtype)
    d_before, d_summary = np.empty_like(gates[0]), np.zeros_like(d_summaries[0])
    d_memory = np.zeros_like(d_summary)
    for t in reversed(range(n_tokens)):
        let_in, keep, show, new = gates[t]
        d_summary = d_summaries[t] + d_summary
        d_memory = d_memory + d_summary * show * (1 - shown[t] ** 2)
        np.multiply(d_memory, new, out=d_before[0])
        np.multiply(d_memory, memories[t], out=d_before[1])
        np.multiply(d_summary, shown[t], out=d_before[2])
        np.multiply(d_memory, let_in, out=d_before[3])
        d_before *= slopes[t]
        d_inputs[t] = d_before.swapaxes(0, 1).reshape(n_sentences, 4 * d)
        d_memory, d_summary = d_memory * keep, d_inputs[t] @ W_summary.T
    return d_inputs
