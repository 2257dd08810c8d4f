"""``black_boxes``: functions to test without a look at their code; one of them lets a word see a later one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import attention_scores, scaled_dot_product_attention, softmax
from attention_lab.exercises.letters import lettered
from attention_lab.exercises.report import Note
from attention_lab.masks import causal_mask
from attention_lab.shapes import BoolArray, FloatArray, as_floats, bind

Inside = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, repr=False)
class BlackBox:
    """A function from words to outputs, ``(n_tokens, d) -> (n_tokens, d)``, whose name does not say what it does."""

    letter: str
    inside: Inside

    def __call__(self, x: ArrayLike) -> FloatArray:
        """Give an output for each word."""
        (words,), _ = as_floats(x=x)
        bind(x=(words, "n_tokens d"))
        return self.inside(words)

    def __repr__(self) -> str:
        return f"black box {self.letter}: (n_tokens, d) -> (n_tokens, d)"


def _projected(seed: int, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Make queries and keys with matrices drawn from a seed, for words of any width."""
    W_Q, W_K = np.random.default_rng(seed).normal(size=(2, x.shape[1], x.shape[1]))
    return x @ W_Q, x @ W_K


def attention_of(seed: int, mask: Callable[[int], BoolArray] = causal_mask) -> Inside:
    """Make attention that hides in time."""

    def inside(x: FloatArray) -> FloatArray:
        return scaled_dot_product_attention(*_projected(seed, x), x, mask=mask(len(x))).output

    return inside


def with_a_hole(position: int) -> Callable[[int], BoolArray]:
    """Make a causal mask in which one word may look one too far."""

    def mask(n_tokens: int) -> BoolArray:
        seen = np.tril(np.ones((n_tokens, n_tokens), dtype=bool))
        seen[position : position + 1, position + 1 : position + 2] = True
        return seen

    return mask


def hidden_too_late(seed: int, position: int) -> Inside:
    """Make attention that hides in time up to a position; from there on, only after the softmax."""

    def inside(x: FloatArray) -> FloatArray:
        scores = attention_scores(*_projected(seed, x))
        mask = causal_mask(len(x))
        late = np.arange(len(x))[:, None] >= position
        weights = softmax(np.where(mask | late, scores, -np.inf))
        return np.where(mask, weights, 0) @ x

    return inside


def last_three(x: FloatArray) -> FloatArray:
    """Average each word with the two before it."""
    return np.array([x[max(t - 2, 0) : t + 1].mean(axis=0) for t in range(len(x))]).reshape(x.shape)


def growing(x: FloatArray) -> FloatArray:
    """Add up all words so far, so that no row of weights sums to 1."""
    return np.asarray(np.cumsum(x, axis=0))


_INSIDE: dict[str, dict[str, Inside]] = {
    "find-the-leak": {
        "attention": attention_of(4),
        "a moving average": last_three,
        "too late": hidden_too_late(5, position=2),
    },
    "find-the-leak-again": {
        "attention": attention_of(6),
        "a running sum": growing,
        "one too far": attention_of(7, with_a_hole(3)),
    },
}


def black_boxes(name: str = "find-the-leak") -> dict[str, BlackBox] | Note:
    """Give three functions by their letters, of which one lets some outputs see a later word.

    Parameters
    ----------
    name : str
        The exercise's name.

    Returns
    -------
    dict of BlackBox
        Each takes ``(n_tokens, d)`` and gives ``(n_tokens, d)``, the same each time.

    Examples
    --------
    >>> boxes = black_boxes("find-the-leak")
    >>> boxes["A"]
    black box A: (n_tokens, d) -> (n_tokens, d)
    >>> boxes["A"]([[1.0, 0.0], [0.0, 1.0]]).shape
    (2, 2)
    """
    inside = _INSIDE.get(name) if isinstance(name, str) else None
    if inside is None:
        there = " and ".join(f'"{one}"' for one in _INSIDE)
        return Note("not tried yet", "Black boxes.", f'There are none called "{name}"; there are those of {there}.')
    return {letter: BlackBox(letter, inside[what]) for letter, what in lettered(name, inside).items()}
