"""A small Transformer that can be trained: embeddings, positions, blocks of attention and perceptron, logits."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, IntArray, ShapeError, bind, whole_number
from attention_lab.training import heads, layers
from attention_lab.training.batch import Batch, check_batch, check_symbols
from attention_lab.training.config import Config
from attention_lab.training.parameters import Parameters


class Transformer:
    """A model whose every number is learned.

    Parameters
    ----------
    config : Config
    rng : np.random.Generator
        What it starts from.

    Attributes
    ----------
    learned : Parameters
        All its arrays, with their gradients.

    Notes
    -----
    Layers are normed before attention and before the perceptron, as in GPT-2 (Radford and others, 2019).

    Examples
    --------
    >>> model = Transformer(Config(n_symbols=5, context=4, d_model=8, n_heads=2), np.random.default_rng(0))
    >>> model.logits([[0, 1, 2]]).shape
    (1, 3, 5)
    """

    def __init__(self, config: Config, rng: np.random.Generator) -> None:
        self.config = config
        self.learned = Parameters(_start(config, rng), config.dtype)

    def __repr__(self) -> str:
        c = self.config
        return (
            f"Transformer({c.n_layers} layers, {c.n_heads} heads, d_model {c.d_model}, {len(self.learned):,} numbers)"
        )

    def logits(self, tokens: ArrayLike) -> FloatArray:
        """Compute a number for each answer after each token: ``(n_sentences, n_tokens, n_outputs)``."""
        read = self._read(tokens)
        rows, _ = self._forward(read)
        return rows.reshape(*read.shape, -1)

    def after_embedding(self, x: ArrayLike) -> FloatArray:
        """Compute the logits from embedded words, ``(n_tokens, d_model)``: what a leak test can nudge."""
        words: FloatArray = np.array(x, self.config.dtype)
        bind(embedding=(self.learned["embedding"], "n_symbols d_model"), x=(words, "n_tokens d_model"))
        if not words.size:
            raise ShapeError(f"x has shape {words.shape}: one token at least.")
        logits, _ = self._through(words, 1)
        return logits

    def embedded(self, tokens: ArrayLike) -> FloatArray:
        """Look up the vectors of tokens, with their positions: ``(n_sentences, n_tokens, d_model)``."""
        return self._embed(self._read(tokens))

    def weights(self, tokens: ArrayLike) -> list[FloatArray]:
        """Compute the attention weights of each layer: ``(n_sentences, n_heads, n_tokens, n_tokens)``."""
        _, kept = self._forward(self._read(tokens))
        return [block["attention"].weights for block in kept["blocks"]]

    def without(self, layer: int, head: int) -> "Transformer":
        """Give a copy in which one head finds nothing: its rows of W_O are 0. Both are counted from 0."""
        c = self.config
        for name, number, most in (("layer", layer, c.n_layers), ("head", head, c.n_heads)):
            if whole_number(name, number) >= most:
                raise ValueError(f"{name} is a number from 0 to {most - 1}, not {number}.")
        copied = Transformer(c, np.random.default_rng(0))
        copied.learned.flat[:] = self.learned.flat
        copied.learned[f"{layer}.W_O"][head * c.d_k : (head + 1) * c.d_k] = 0
        return copied

    def loss(self, batch: Batch) -> float:
        """Compute the mean of -log p(target) over what counts, in nats."""
        check_batch(batch)
        logits, _ = self._forward(self._read(batch.tokens))
        return layers.cross_entropy(logits, batch.targets.reshape(-1), self._counted(batch))[0]

    def loss_and_gradient(self, batch: Batch) -> float:
        """Compute the loss, and write its gradient into ``learned.flat_gradient``."""
        check_batch(batch)
        logits, kept = self._forward(self._read(batch.tokens))
        loss, d_logits = layers.cross_entropy(logits, batch.targets.reshape(-1), self._counted(batch))
        self._backward(d_logits, kept, batch.tokens)
        return loss

    def _read(self, tokens: ArrayLike) -> IntArray:
        read = np.asarray(tokens)
        c = self.config
        if read.ndim != 2 or not 0 < read.shape[1] <= c.context:
            raise ValueError(f"tokens are (n_sentences, 1 to {c.context} tokens), not {read.shape}.")
        check_symbols("tokens are", read, c.n_symbols)
        return read

    def _embed(self, tokens: IntArray) -> FloatArray:
        x = self.learned["embedding"][tokens]
        return x + self.learned["position"][: tokens.shape[1]] if self.config.positions else x

    def _counted(self, batch: Batch) -> FloatArray:
        return batch.counted.reshape(-1).astype(self.config.dtype)

    def _forward(self, tokens: IntArray) -> tuple[FloatArray, dict[str, Any]]:
        return self._through(layers.rows(self._embed(tokens)), len(tokens))

    def _through(self, x: FloatArray, n_sentences: int) -> tuple[FloatArray, dict[str, Any]]:
        """Return the logits, a row for each token, and what the backward pass needs."""
        c, p = self.config, self.learned
        blocks: list[dict[str, Any]] = []
        for layer, hide in enumerate(c.hides):
            kept: dict[str, Any] = {}
            normed, kept["norm_1"] = self._norm(x, f"{layer}.norm_1")
            found, kept["attention"] = heads.attend(
                normed, p[f"{layer}.W_QKV"], p[f"{layer}.W_O"], n_sentences, c.n_heads, c.factor, hide
            )
            x = x + found
            if c.mlp:
                normed, kept["norm_2"] = self._norm(x, f"{layer}.norm_2")
                thought, kept["mlp"] = layers.perceptron(normed, *(p[f"{layer}.{name}"] for name in layers.PERCEPTRON))
                x = x + thought
            blocks.append(kept)
        normed, norm = self._norm(x, "norm")
        return normed @ p["W_out"], {"blocks": blocks, "norm": norm, "normed": normed}

    def _backward(self, d_logits: FloatArray, kept: dict[str, Any], tokens: IntArray) -> None:
        """Walk the same way back, and write every gradient."""
        c, p = self.config, self.learned
        np.matmul(kept["normed"].T, d_logits, out=p.gradient("W_out"))
        d_x = self._norm_back(d_logits @ p["W_out"].T, kept["norm"], "norm")
        for layer, block in reversed(list(enumerate(kept["blocks"]))):
            if c.mlp:
                into = tuple(p.gradient(f"{layer}.{name}") for name in layers.PERCEPTRON)
                W_1, W_2 = p[f"{layer}.W_1"], p[f"{layer}.W_2"]
                d_normed = layers.perceptron_back(d_x, block["mlp"], W_1, W_2, into)
                d_x = d_x + self._norm_back(d_normed, block["norm_2"], f"{layer}.norm_2")
            W_QKV, W_O = f"{layer}.W_QKV", f"{layer}.W_O"
            both = p.gradient(W_QKV), p.gradient(W_O)
            d_normed = heads.attend_back(d_x, block["attention"], p[W_QKV], p[W_O], c.factor, both)
            d_x = d_x + self._norm_back(d_normed, block["norm_1"], f"{layer}.norm_1")
        if c.positions:
            p.gradient("position")[...] = 0
            p.gradient("position")[: tokens.shape[1]] = d_x.reshape(*tokens.shape, -1).sum(axis=0)
        layers.embedding_back(d_x, tokens, p.gradient("embedding"))

    def _norm(self, x: FloatArray, name: str) -> tuple[FloatArray, layers.Normed | None]:
        if not self.config.norm:
            return x, None
        return layers.layer_norm(x, self.learned[f"{name}.gain"], self.learned[f"{name}.shift"])

    def _norm_back(self, d_y: FloatArray, kept: layers.Normed | None, name: str) -> FloatArray:
        if kept is None:
            return d_y
        p = self.learned
        into = p.gradient(f"{name}.gain"), p.gradient(f"{name}.shift")
        return layers.layer_norm_back(d_y, kept, p[f"{name}.gain"], *into)


def _start(c: Config, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Draw every array as it is before training: products keep the size of what they are given."""
    d, wide = c.d_model, c.mlp * c.d_model
    deep = 1 / np.sqrt(2 * c.n_layers)  # so that the sum over all layers keeps its size (GPT-2)

    def drawn(*shape: int, size: float) -> FloatArray:
        return size * rng.standard_normal(shape)

    small = 0.1 if c.norm else 0.5  # a norm makes it larger anyway
    start = {"embedding": drawn(c.n_symbols, d, size=small)}
    if c.positions:
        start["position"] = drawn(c.context, d, size=small)
    for layer in range(c.n_layers):
        start[f"{layer}.W_QKV"] = drawn(d, 3 * d, size=d**-0.5)
        start[f"{layer}.W_O"] = drawn(d, d, size=d**-0.5 * deep)
        if c.mlp:
            start[f"{layer}.W_1"], start[f"{layer}.b_1"] = drawn(d, wide, size=(2 / d) ** 0.5), np.zeros(wide)
            start[f"{layer}.W_2"], start[f"{layer}.b_2"] = drawn(wide, d, size=wide**-0.5 * deep), np.zeros(d)
    names = [f"{layer}.norm_{i}" for layer in range(c.n_layers) for i in ((1, 2) if c.mlp else (1,))]
    for name in [*names, "norm"] if c.norm else []:
        start[f"{name}.gain"], start[f"{name}.shift"] = np.ones(d), np.zeros(d)
    start["W_out"] = drawn(d, c.n_outputs or c.n_symbols, size=d**-0.5)
    return start
