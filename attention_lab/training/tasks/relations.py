"""Two relations at once: each word says which noun the sentence is about, and which word stands right before it."""

import numpy as np

from attention_lab.shapes import IntArray
from attention_lab.training.batch import Batch
from attention_lab.training.tasks.grammar import ADJECTIVES, LINKS, NOUNS
from attention_lab.training.tasks.task import Task, endless
from attention_lab.training.transformer import Transformer

SYMBOLS = (*NOUNS, *LINKS, *ADJECTIVES)
QUESTIONS = ("subject", "word before")


def two_relations(n_tokens: int = 9) -> Task:
    """Say two words at once: the subject, which is the first noun, and the word before; other nouns stand between.

    Sentences are such as *old keys to cat near red books*. An answer is a pair, "keys, near". Asked are all words from
    the second after the subject on: there the two are not the same word.

    >>> two_relations()
    Task(two relations: 27 symbols, 432 answers, 9 tokens, floor 0.000)
    """
    if n_tokens < 4:
        raise ValueError(f"n_tokens is 4 or more, not {n_tokens}: there must be something to ask.")
    pairs = tuple(f"{subject}, {before}" for subject in NOUNS for before in SYMBOLS)

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        tokens = _sentences(n_sentences, n_tokens, rng)
        targets, counted = np.zeros_like(tokens), np.zeros(tokens.shape)
        places = looked_for(tokens)
        asked = places["subject"] >= 0
        subject, before = (np.take_along_axis(tokens, places[question], axis=1) for question in QUESTIONS)
        targets[asked], counted[asked] = (subject * len(SYMBOLS) + before)[asked], 1
        return Batch(tokens, targets, counted)

    return endless(name="two relations", symbols=SYMBOLS, answers=pairs, context=n_tokens, floor=0.0, draw=draw)


def looked_for(tokens: IntArray) -> dict[str, IntArray]:
    """Tell, for each question, at which place its answer stands, seen from each word; -1 where nothing is asked.

    Parameters
    ----------
    tokens : ``(n_sentences, n_tokens)``
        Sentences of ``two_relations``.

    Returns
    -------
    dict of ``(n_sentences, n_tokens)``
        By question: a target for ``role_score``.

    Examples
    --------
    >>> tokens = np.array([[SYMBOLS.index(word) for word in "old keys to cat".split()]])
    >>> looked_for(tokens)
    {'subject': array([[-1, -1, -1,  1]]), 'word before': array([[-1, -1, -1,  2]])}
    """
    subject = (tokens < len(NOUNS)).argmax(axis=1)[:, None]
    places = np.arange(tokens.shape[1])
    asked = places > subject + 1
    return {"subject": np.where(asked, subject, -1), "word before": np.where(asked, places - 1, -1)}


def answered(model: Transformer, batch: Batch) -> dict[str, float]:
    """Measure how often each of the two questions is answered rightly, whatever is said to the other one.

    Formula: ``p(subject = s) = sum over b of p(s, b)``; the answer is the most probable s, and b likewise.

    Parameters
    ----------
    model : Transformer
        What learned ``two_relations``.
    batch : Batch
        Sentences of it.

    Returns
    -------
    dict of float
        By question: a share, from 0 to 1.
    """
    asked = batch.counted > 0
    pairs = model.logits(batch.tokens)[asked].astype(np.float64).reshape(-1, len(NOUNS), len(SYMBOLS))
    likely = np.exp(pairs - pairs.max(axis=(1, 2), keepdims=True))
    said = likely.sum(axis=2).argmax(axis=1), likely.sum(axis=1).argmax(axis=1)
    right = np.divmod(batch.targets[asked], len(SYMBOLS))
    shares = (float(np.mean(mine == theirs)) for mine, theirs in zip(said, right, strict=True))
    return dict(zip(QUESTIONS, shares, strict=True))


def _sentences(n_sentences: int, n_tokens: int, rng: np.random.Generator) -> IntArray:
    """Draw phrases, each an adjective or none, a noun and a link, and cut them after n_tokens words."""
    phrases = (n_sentences, -(-n_tokens // 2))  # of at least two words each
    links = len(NOUNS)
    adjectives = links + len(LINKS)
    drawn = [rng.integers(*among, phrases) for among in ((adjectives, len(SYMBOLS)), (0, links), (links, adjectives))]
    words = np.stack(drawn, axis=2)
    there = np.ones(words.shape, bool)
    there[..., 0] = rng.random(phrases) < 0.4
    first = np.argsort(~there.reshape(n_sentences, -1), axis=1, kind="stable")[:, :n_tokens]
    return np.take_along_axis(words.reshape(n_sentences, -1), first, axis=1)
