"""What a trained model is worth: what it writes, its loss where nothing is given away, how often it is right."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import softmax
from attention_lab.shapes import FloatArray
from attention_lab.training.batch import Batch
from attention_lab.training.tasks.task import Draw
from attention_lab.training.transformer import Transformer


def write(model: Transformer, tokens: Sequence[int], n: int, rng: np.random.Generator) -> list[int]:
    """Let a model go on: guess a token, put it behind the others, guess again.

    Parameters
    ----------
    model : Transformer
        Its answers must be its symbols.
    tokens : of int
        What is there already, one token at least.
    n : int
        How many are written.
    rng : np.random.Generator
        Draws each token by the chances that the model gives it.

    Returns
    -------
    list of int
        What was there, and n more.

    Raises
    ------
    ValueError
        If nothing is there yet, or the model answers something else than symbols.

    Examples
    --------
    >>> from attention_lab.training import Config
    >>> model = Transformer(Config(n_symbols=5, context=4, d_model=8, n_heads=2), np.random.default_rng(0))
    >>> len(write(model, [0, 1], 10, np.random.default_rng(0)))
    12
    """
    c = model.config
    if not len(tokens):
        raise ValueError("tokens are empty: a model goes on from one token at least.")
    if c.n_outputs not in (None, c.n_symbols):
        raise ValueError(f"the model gives {c.n_outputs} answers, and there are {c.n_symbols} symbols to write.")
    written = [int(token) for token in tokens]
    for _ in range(n):
        logits = model.logits([written[-c.context :]])[0, -1]
        written.append(int(rng.choice(c.n_symbols, p=softmax(logits.astype(np.float64)))))
    return written


def honest_losses(
    model: Transformer, draw: Draw, lengths: Iterable[int], rng: np.random.Generator, n_sentences: int = 256
) -> list[float]:
    """Measure a model where it cannot cheat: what comes after a beginning, with nothing behind it.

    Parameters
    ----------
    model : Transformer
        Trained on whole sentences, in which the next token stands right behind each one.
    draw : function (n_sentences, rng) -> Batch
        Where sentences come from, such as a task's `draw_held_out`.
    lengths : of int
        How many tokens each beginning has.
    rng : np.random.Generator
        What the sentences are drawn with.
    n_sentences : int
        How many beginnings of each length.

    Returns
    -------
    list of float
        The mean of -log p(next token), in nats, for each length.

    Raises
    ------
    ValueError
        If a length is none that sentences have, or nothing is asked there.
    """
    losses = []
    for length in lengths:
        batch = draw(n_sentences, rng)
        n_tokens = min(batch.tokens.shape[1], model.config.context)
        if not 1 <= length <= n_tokens:
            raise ValueError(f"a beginning has 1 to {n_tokens} tokens here, not {length}.")
        last = np.zeros((n_sentences, length))
        last[:, -1] = batch.counted[:, length - 1]
        if not last.any():
            raise ValueError(f"nothing is asked after {length} tokens.")
        losses.append(model.loss(Batch(batch.tokens[:, :length], batch.targets[:, :length], last)))
    return losses


class Answers(Protocol):
    """What gives a number for each answer after each token."""

    def logits(self, tokens: ArrayLike) -> FloatArray:
        """Compute them: ``(n_sentences, n_tokens, n_outputs)``."""


def accuracy(model: Answers, draw: Draw, rng: np.random.Generator, n_sentences: int = 1024) -> float:
    """Measure how often a model is right: how often the answer that it finds most likely is the one asked for.

    Formula: the mean of ``[argmax(logits) = target]`` over the places that count.

    Parameters
    ----------
    model : Transformer, Recurrent, or what has ``logits``
        Trained or not.
    draw : function (n_sentences, rng) -> Batch
        Where sentences come from, such as a task's `draw_held_out`.
    rng : np.random.Generator
        What the sentences are drawn with.
    n_sentences : int
        How many of them.

    Returns
    -------
    float
        A share, from 0 to 1; where all answers are equally likely, a blind guess is right in 1 of n_outputs.

    Raises
    ------
    ValueError
        If nothing is asked.

    Source: for classes of sentences as in Devlin et al. 2019, "BERT", section 4.1.

    Examples
    --------
    >>> from attention_lab.training import Config, tasks
    >>> task = tasks.sentence_topics()
    >>> config = Config(n_symbols=len(task.symbols), n_outputs=2, context=task.context, d_model=8, n_heads=2)
    >>> model = Transformer(config, np.random.default_rng(0))
    >>> 0.3 < accuracy(model, task.draw_held_out, np.random.default_rng(0)) < 0.7
    True
    """
    batch = draw(n_sentences, rng)
    asked = batch.counted > 0
    if not asked.any():
        raise ValueError("nothing is asked: no place of these sentences counts.")
    right = model.logits(batch.tokens).argmax(axis=-1) == batch.targets
    return float(right[asked].mean())
