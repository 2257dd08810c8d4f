"""The old way: one summary of fixed size, overwritten word by word; and how long a clue survives in it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.shapes import FloatArray, as_floats, bind, finite_number, whole_number


def running_summary(x: ArrayLike, *, keep: float = 0.8) -> FloatArray:
    """Squeeze the words so far into one vector that each new word overwrites in part.

    Formula: ``summary[t] = keep * summary[t - 1] + (1 - keep) * x[t]``, starting from 0.

    Parameters
    ----------
    x : ``(..., n_tokens, d)``
        One vector a word.
    keep : float
        The share of itself that the summary keeps at each word, from 0 to 1.

    Returns
    -------
    ``(..., n_tokens, d)``
        The summary after each word.

    Raises
    ------
    ValueError
        If keep is not between 0 and 1.
    ShapeError, TypeError
        If x has fewer than two axes or is not numbers.

    Source: the simplest recurrent network, a leaky average; Elman 1990 has a learned one.

    Examples
    --------
    Of a clue, 20 % get in, and 80 % of what is there survive each later word:

    >>> running_summary([[1.0], [0.0], [0.0]]).ravel().round(3)
    array([0.2  , 0.16 , 0.128])
    """
    if not 0 <= finite_number("keep", keep) <= 1:
        raise ValueError(f"keep must lie between 0 and 1, not {keep!r}.")
    (x,), answer_in = as_floats(x=x)
    bind(x=(x, "... n_tokens d"))
    summaries = np.empty_like(x)
    summary = np.zeros_like(x[..., 0, :]) if x.shape[-2] else x
    with np.errstate(all="ignore"):
        for t in range(x.shape[-2]):
            summary = keep * summary + (1 - keep) * x[..., t, :]
            summaries[..., t, :] = summary
        return summaries.astype(answer_in, copy=False)


def clue_recall(
    distances: Sequence[int],
    *,
    keep: float = 0.8,
    n_sentences: int = 500,
    rng: "np.random.Generator",  # quoted, because NumPy loads its random part only when it is named
) -> tuple[FloatArray, FloatArray]:
    """Hide one clue among random words and try to tell which it was, from a summary and from a look back.

    A word is two numbers, "am I a clue?" and "which one?" (+1 river, -1 interest). A clue is ``[4, +1 or -1]``; every
    other word is random, normal, with a spread of 0.5. The summary is read off after the last word. The look back is
    one pass of attention: the last word asks for clues, the first number is the key, the second the value.

    Parameters
    ----------
    distances : sequence of int
        How many words ago the clue was said, at least 1.
    keep : float
        As in ``running_summary``.
    n_sentences : int
        Tries at each distance.
    rng : np.random.Generator
        Draws the words.

    Returns
    -------
    from_summary, from_look_back : ``(len(distances),)`` each
        The share of sentences in which the clue is told right; 0.5 is guessing.

    Raises
    ------
    ValueError
        If a distance or n_sentences is below 1, or keep not between 0 and 1.

    Examples
    --------
    >>> summary, look_back = clue_recall([1, 30], rng=np.random.default_rng(0))
    >>> summary.round(1), look_back.round(1)
    (array([0.9, 0.5]), array([1., 1.]))
    """
    if whole_number("n_sentences", n_sentences) < 1:
        raise ValueError(f"n_sentences must be at least 1, not {n_sentences}.")
    shares = []
    for distance in distances:
        if whole_number("distance", distance) < 1:
            raise ValueError(f"A distance must be at least 1 word, not {distance}.")
        words = rng.normal(scale=0.5, size=(n_sentences, distance + 1, 2))
        which = rng.choice([-1.0, 1.0], size=n_sentences)
        words[:, 0] = np.stack([np.full(n_sentences, 4.0), which], axis=-1)
        summary = running_summary(words, keep=keep)[:, -1, 1]
        asks_for_clues = np.full((n_sentences, 1, 1), 4.0)
        look_back = scaled_dot_product_attention(asks_for_clues, words[..., :1], words[..., 1:]).output[:, 0, 0]
        shares.append([(np.sign(guess) == which).mean() for guess in (summary, look_back)])
    from_summary, from_look_back = np.array(shares, dtype=float).reshape(-1, 2).T
    return from_summary, from_look_back
