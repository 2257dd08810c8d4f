"""The old way, trained: a summary of fixed size that is carried from word to word, and answers from what is left."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, IntArray, bind, finite_number
from attention_lab.training import layers
from attention_lab.training.batch import Batch, check_batch, check_symbols
from attention_lab.training.parameters import Parameters
from attention_lab.training.recurrent_cells import Walk, lstm, lstm_back, rnn, rnn_back
from attention_lab.training.sizes import check_dtype, check_sizes

CELLS = {"rnn": (rnn, rnn_back, 1), "lstm": (lstm, lstm_back, 4)}  # forward, back, rows of W_summary for each number


@dataclass(frozen=True, kw_only=True)
class RecurrentConfig:
    """What a recurrent model looks like.

    Attributes
    ----------
    n_symbols, n_outputs : int
        How many different tokens there are, and how many answers; as many as symbols unless given.
    cell : str
        "lstm" or "rnn".
    d_model, d_summary : int
        The width of an embedding, and of the summary.
    forget_bias : float
        What is added to an LSTM's gate that keeps: at the start it keeps about ``sigmoid(forget_bias)`` at each step.
    keep : float
        An RNN's matrix starts as a rotation times this: what it leaves of the summary's length at each step.
    inputs : float
        How large a word's part in an RNN's sum is at the start; the larger, the more the tanh squeezes.
    dtype : type
        float64 for checks and for small gradients, float32 for speed.
    """

    n_symbols: int
    n_outputs: int | None = None
    cell: str = "lstm"
    d_model: int = 16
    d_summary: int = 64
    forget_bias: float = 1.0
    keep: float = 1.0
    inputs: float = 1.0
    dtype: type = np.float32

    def __post_init__(self) -> None:
        check_sizes(**{name: getattr(self, name) for name in ("n_symbols", "d_model", "d_summary")})
        if self.n_outputs is not None:
            check_sizes(n_outputs=self.n_outputs)
        check_dtype(self.dtype)
        for name in ("forget_bias", "keep", "inputs"):
            finite_number(name, getattr(self, name))
        if self.cell not in CELLS:
            raise ValueError(f"cell is one of {', '.join(CELLS)}, not {self.cell!r}.")


class Recurrent:
    """A model that reads word by word and keeps one vector; every number of it is learned.

    Parameters
    ----------
    config : RecurrentConfig
    rng : np.random.Generator
        What it starts from.

    Attributes
    ----------
    learned : Parameters
        All its arrays, with their gradients.

    Examples
    --------
    >>> model = Recurrent(RecurrentConfig(n_symbols=5, d_summary=8), np.random.default_rng(0))
    >>> model.logits([[0, 1, 2]]).shape
    (1, 3, 5)
    """

    def __init__(self, config: RecurrentConfig, rng: np.random.Generator) -> None:
        self.config = config
        self.learned = Parameters(_start(config, rng), config.dtype)
        self._forward, self._back, _ = CELLS[config.cell]

    def __repr__(self) -> str:
        return f"Recurrent({self.config.cell}, d_summary {self.config.d_summary}, {len(self.learned):,} numbers)"

    def logits(self, tokens: ArrayLike) -> FloatArray:
        """Compute a number for each answer after each token: ``(n_sentences, n_tokens, n_outputs)``."""
        return self._answers(self._walk(self._read(tokens))).swapaxes(0, 1)

    def loss(self, batch: Batch) -> float:
        """Compute the mean of -log p(target) over what counts, in nats."""
        check_batch(batch)
        return self._loss(self._walk(self._read(batch.tokens)), batch)[0]

    def loss_and_gradient(self, batch: Batch) -> float:
        """Compute the loss, and write its gradient into ``learned.flat_gradient``."""
        check_batch(batch)
        p, c = self.learned, self.config
        tokens = self._read(batch.tokens)
        walk = self._walk(tokens)
        loss, d_logits = self._loss(walk, batch)
        np.matmul(layers.rows(walk.summaries[1:]).T, d_logits, out=p.gradient("W_out"))
        d_summaries = (d_logits @ p["W_out"].T).reshape(walk.summaries[1:].shape)
        d_inputs = layers.rows(self._back(d_summaries, walk, p["W_summary"]))
        np.matmul(layers.rows(walk.summaries[:-1]).T, d_inputs, out=p.gradient("W_summary"))
        d_inputs.sum(axis=0, out=p.gradient("b"))
        d_symbols: FloatArray = np.empty((c.n_symbols, d_inputs.shape[-1]), c.dtype)
        layers.embedding_back(d_inputs, tokens.T, d_symbols)  # a symbol's input is the same wherever it stands
        np.matmul(p["embedding"].T, d_symbols, out=p.gradient("W_in"))
        np.matmul(d_symbols, p["W_in"].T, out=p.gradient("embedding"))
        return loss

    def input_gradient(self, tokens: ArrayLike, d_last: ArrayLike) -> FloatArray:
        """Compute how the last summary changes with each embedded word.

        Parameters
        ----------
        tokens : ``(n_sentences, n_tokens)``
            The words before the end, and the last one.
        d_last : ``(n_sentences, d_summary)``
            The direction in which the last summary is asked to move.

        Returns
        -------
        ``(n_sentences, n_tokens, d_model)``

        Raises
        ------
        ShapeError
            If d_last has not one row for each sentence.
        """
        p = self.learned
        walk = self._walk(self._read(tokens))
        d_last = np.asarray(d_last, self.config.dtype)
        bind(summary=(walk.summaries[-1], "n_sentences d"), d_last=(d_last, "n_sentences d"))
        d_summaries = np.zeros_like(walk.summaries[1:])
        d_summaries[-1] = d_last
        return (self._back(d_summaries, walk, p["W_summary"]) @ p["W_in"].T).swapaxes(0, 1)

    def _read(self, tokens: ArrayLike) -> IntArray:
        read, n_symbols = np.asarray(tokens), self.config.n_symbols
        if read.ndim != 2 or not read.size:
            raise ValueError(f"tokens are (n_sentences, n_tokens), one token at least, not {read.shape}.")
        check_symbols("tokens are", read, n_symbols)
        return read

    def _walk(self, tokens: IntArray) -> Walk:
        p = self.learned
        inputs = p["embedding"] @ p["W_in"] + p["b"]
        return self._forward(inputs[tokens.T], p["W_summary"])

    def _answers(self, walk: Walk) -> FloatArray:
        return walk.summaries[1:] @ self.learned["W_out"]

    def _loss(self, walk: Walk, batch: Batch) -> tuple[float, FloatArray]:
        counted: FloatArray = batch.counted.T.reshape(-1).astype(self.config.dtype)
        return layers.cross_entropy(layers.rows(self._answers(walk)), batch.targets.T.reshape(-1), counted)


def _start(c: RecurrentConfig, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Draw every array as it is before training."""
    d, wide = c.d_summary, CELLS[c.cell][2] * c.d_summary

    def drawn(*shape: int, size: float = 1.0) -> FloatArray:
        return size * rng.standard_normal(shape)

    start = {
        "embedding": drawn(c.n_symbols, c.d_model),
        "W_in": drawn(c.d_model, wide, size=c.d_model**-0.5),
        "W_summary": drawn(d, wide, size=d**-0.5),
        "b": np.zeros(wide),
        "W_out": drawn(d, c.n_outputs or c.n_symbols, size=d**-0.5),
    }
    if c.cell == "rnn":
        start["W_in"] *= c.inputs
        start["W_summary"] = c.keep * np.linalg.qr(start["W_summary"])[0]
    else:
        start["b"][d : 2 * d] = c.forget_bias
    return start
