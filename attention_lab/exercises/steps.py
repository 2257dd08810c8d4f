"""The steps that exercises are made of, each done right. A mistake of the bank does some of them otherwise.

The steps are written here once more, plainly, and not taken from the package: a program must run with wrong
steps in it, and produce the NaN that a learner's own code would. Tests hold the right ones to the package.
"""

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = SimpleNamespace  # the arrays of a program on its way: q, k, v, scores, ...
Step = Callable[[State], Any]
Steps = Mapping[str, Step]
Array = NDArray[Any]

BASE = 10_000.0  # of the rates at which positions turn


def hide_and_answer_0(scores: Array, mask: Array) -> Array:
    """Hide with -inf before a softmax that gives 0, not NaN, where nothing may be seen: the package's own (`run`)."""
    return np.where(mask, scores, -np.inf)


# Usual ways to hide; right wherever no row is empty, and different in what they make of a mistake.
FINITE_HIDING: tuple[Callable[[Array, Array], Array], ...] = (
    lambda scores, mask: np.where(mask, scores, -1e9),
    lambda scores, mask: scores + np.where(mask, 0, -1e9),
)
HIDING = (lambda scores, mask: np.where(mask, scores, -np.inf), *FINITE_HIDING, hide_and_answer_0)


def weigh(scores: Array, axis: int | tuple[int, int] | None = -1) -> Array:
    """Share out: a softmax along an axis, or over everything; NaN where a row has nothing but -inf."""
    grown = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.asarray(grown / grown.sum(axis=axis, keepdims=True))


def swap(array: Array) -> Array:
    """Transpose the last two axes, and leave a stack's others alone."""
    return array.swapaxes(-1, -2)


def split(x: Array, n_heads: int) -> Array:
    """(..., n_tokens, d) -> (..., n_heads, n_tokens, d / n_heads)."""
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)


def merge(heads: Array) -> Array:
    """(..., n_heads, n_tokens, d_v) -> (..., n_tokens, n_heads * d_v)."""
    side_by_side = heads.swapaxes(-2, -3)
    return side_by_side.reshape(*side_by_side.shape[:-2], -1)


def flat(W_O: Array) -> Array:
    """Stack the heads' matrices: (n_heads, d_v, d_model) -> (n_heads * d_v, d_model)."""
    return W_O.reshape(-1, W_O.shape[-1])


def side_by_side(*parts: Array) -> Array:
    """Lay tables flat, one behind the other, so that several answers are compared as one."""
    return np.concatenate([part.reshape(*part.shape[:-2], -1) for part in parts], axis=-1)


def handed_in(s: State) -> Array:
    """Lay what new words found beside the cache that they leave; an output of another shape is no mistake of a step."""
    if s.output.shape[-2:] != (len(s.q), s.values.shape[-1]):
        raise ValueError("the output has another shape")
    leading = s.output.shape[:-2]  # of many scales at once
    return side_by_side(s.output, *(np.broadcast_to(kept, (*leading, *kept.shape)) for kept in (s.keys, s.values)))


def beside(weights: Array, side: int) -> Array:
    """Return what each word gives to the one beside it: before it with -1, after it with 1, to itself with 0."""
    return np.diagonal(weights, side, -2, -1)


def waves(s: State) -> tuple[Array, Array]:
    """Return sine and cosine of each place in each pair: ``(n_tokens, d / 2)`` each."""
    angles = s.places[:, None] * s.rates
    return np.sin(angles), np.cos(angles)


def turned(s: State, a: Array, b: Array, way: int = 1) -> tuple[Array, Array]:
    """Turn pairs (a, b) by the angle of their place; -1 turns them back."""
    sin, cos = waves(s)
    return a * cos - way * b * sin, way * a * sin + b * cos


def bits(weights: Array) -> Array:
    """Return each row's entropy in bits; a weight of 0 adds nothing."""
    return np.asarray(-np.where(weights > 0, weights * np.log2(np.where(weights > 0, weights, 1)), 0).sum(-1))


def streamed(s: State, *, fade_sum: bool = True, fade_blend: bool = True, guarded: bool = True) -> tuple[Array, Array]:
    """Walk through the scores a tile at a time, and return the sum and the blend, not divided yet."""
    maximum = np.full((*s.scores.shape[:-1], 1), -np.inf)
    total, blend = np.zeros_like(maximum), np.zeros((*s.scores.shape[:-1], s.v.shape[-1]))
    for j in range(0, s.scores.shape[-1], s.tile):
        scores = s.scores[..., j : j + s.tile]
        new = np.maximum(maximum, scores.max(-1, keepdims=True))
        level = np.where(np.isneginf(new), 0, new) if guarded else new
        fade, grown = np.exp(maximum - level), np.exp(scores - level)
        total = total * (fade if fade_sum else 1) + grown.sum(-1, keepdims=True)
        blend = blend * (fade if fade_blend else 1) + grown @ s.v[..., j : j + s.tile, :]
        maximum = new
    return total, blend


def divided(total: Array, blend: Array) -> Array:
    """Divide what was added up by its sum."""
    return np.asarray(blend / total)


def shifted(s: State) -> Array:
    """Column minus row: how far ahead of each word every other one stands."""
    places = np.arange(s.n if hasattr(s, "n") else len(s.x if hasattr(s, "x") else s.q))
    return places - places[:, None]


# What each step makes, and how. Axes count from the back, so that leading ones are free.
RIGHT: dict[str, tuple[str, Step]] = {
    "ask": ("q", lambda s: s.x @ s.W_Q),
    "label": ("k", lambda s: s.context @ s.W_K),
    "hand over": ("v", lambda s: s.context @ s.W_V),
    "compare": ("scores", lambda s: s.q @ swap(s.k)),
    "scale": ("scores", lambda s: s.scores / np.sqrt(s.q.shape[-1])),
    "cool": ("scores", lambda s: s.scores / s.temperature),
    "see all before": ("mask", lambda s: shifted(s) <= 0),
    "see all near": ("mask", lambda s: np.abs(shifted(s)) < s.width),
    "see what is there": ("mask", lambda s: (np.arange(s.n_keys) < s.lengths[:, None])[:, None]),
    "see what is there, from the end": (
        "mask",
        lambda s: (np.arange(s.n_keys) >= s.n_keys - s.lengths[:, None])[:, None],
    ),
    "hide": ("scores", lambda s: s.hidden(s.scores, s.mask != 0)),
    "weigh": ("weights", lambda s: weigh(s.scores)),
    "settle": ("weights", lambda s: s.weights),  # nothing is left to do; some hide only here
    "empty": ("weights", lambda s: np.where((s.mask != 0).any(-1, keepdims=True), s.weights, 0)),
    "blend": ("output", lambda s: s.weights @ s.v),
    # The same way back: how a loss changes with each array, from how it changes with the one after it.
    "blend back to v": ("d_v", lambda s: swap(s.weights) @ s.d_output),
    "blend back to weights": ("d_weights", lambda s: s.d_output @ swap(s.v)),
    "weigh back": ("d_scores", lambda s: s.weights * (s.d_weights - (s.d_weights * s.weights).sum(-1, keepdims=True))),
    "cool back": ("d_scores", lambda s: s.d_scores / s.temperature),
    "scale back": ("d_scores", lambda s: s.d_scores / np.sqrt(s.q.shape[-1])),
    "compare back to q": ("d_q", lambda s: s.d_scores @ s.k),
    "compare back to k": ("d_k", lambda s: swap(s.d_scores) @ s.q),
    "hand in three": ("gradients", lambda s: side_by_side(s.d_q, s.d_k, s.d_v)),
    # New words beside those whose keys and values were kept: kept as well, then looked at.
    "keep the key": ("keys", lambda s: np.concatenate([s.keys, s.k])),
    "keep the value": ("values", lambda s: np.concatenate([s.values, s.v])),
    "look up the keys": ("k", lambda s: s.keys),
    "look up the values": ("v", lambda s: s.values),
    "see back": ("mask", lambda s: np.tri(len(s.q), len(s.keys), len(s.keys) - len(s.q), dtype=bool)),
    "hand in a step": ("step", handed_in),
    # Two tiles made one; one more tile added to what was seen; and the whole walk.
    "find the larger": ("new", lambda s: np.maximum(s.max_1, s.max_2)),
    "fade both": ("fades", lambda s: (np.exp(s.max_1 - s.new), np.exp(s.max_2 - s.new))),
    "merge the sums": ("total", lambda s: s.sum_1 * s.fades[0] + s.sum_2 * s.fades[1]),
    "merge the blends": ("blend", lambda s: s.blend_1 * s.fades[0] + s.blend_2 * s.fades[1]),
    "hand in a tile": ("tile", lambda s: side_by_side(s.new, s.total, s.blend)),
    "raise the maximum": ("new", lambda s: np.maximum(s.maximum, s.scores.max(-1, keepdims=True))),
    "fade the old": ("fade", lambda s: np.exp(s.maximum - s.new)),
    "weigh the tile": ("weights", lambda s: np.exp(s.scores - s.new)),
    "add to the sum": ("total", lambda s: s.total * s.fade + s.weights.sum(-1, keepdims=True)),
    "add to the blend": ("blend", lambda s: s.blend * s.fade + s.weights @ s.v),
    "divide": ("output", lambda s: divided(s.total, s.blend)),
    "stream": ("output", lambda s: divided(*streamed(s))),
    "split": ("heads", lambda s: split(s.x, s.n_heads)),
    "join": ("output", lambda s: merge(s.output)),
    "project": ("output", lambda s: s.output @ flat(s.W_O)),
    "even out": ("shares", lambda s: s.table / s.table.sum(-1, keepdims=True)),
    "even out the columns": ("table", lambda s: s.table / s.table.sum(-2, keepdims=True)),
    "share out": ("weights", lambda s: s.weights / s.weights.sum(-1, keepdims=True)),
    "mix": ("mixes", lambda s: s.weights @ s.values),
    "count bits": ("bits", lambda s: bits(s.weights)),
    "count words": ("words", lambda s: 2**s.bits),
    "count places": ("places", lambda s: np.arange(s.n_tokens)),
    "set rates": ("rates", lambda s: BASE ** (-np.arange(0, s.d_model, 2) / s.d_model)),
    "make waves": ("positions", lambda s: np.stack(waves(s), axis=-1).reshape(len(s.places), -1)),
    "turn": ("x", lambda s: np.stack(turned(s, s.x[:, 0::2], s.x[:, 1::2]), axis=-1).reshape(s.x.shape)),
    "look back": ("roles", lambda s: beside(s.weights, -1).mean(-1)),
    "look ahead": ("roles", lambda s: beside(s.weights, 1).mean(-1)),
}


def run(program: Iterable[str], given: State, instead: Steps, memory: dict[Any, Any] | None = None) -> State | None:
    """Run the steps of a program, some of them done otherwise.

    Parameters
    ----------
    program : iterable of str
        Names of steps.
    given : State
        The arrays to start from; it is not changed.
    instead : dict
        For the name of a step, how it is done otherwise.
    memory : dict, optional
        Keeps what was computed for these same arrays: most programs begin alike.

    Returns
    -------
    State or None
        Every array on the way, the last one as ``answer``; None where these steps cannot be taken with these shapes.
    """
    memory = {} if memory is None else memory
    state = given
    way: tuple[Step, ...] = ()
    for name in program:
        makes, step = RIGHT[name]
        step = instead.get(name, step)
        way = (*way, step)
        if way not in memory:
            memory[way] = _advance(state, makes, step)
        if memory[way] is None:
            return None
        state = memory[way]
    return state


def _advance(state: State, makes: str, step: Step) -> State | None:
    try:
        with np.errstate(all="ignore"):
            made = step(state)
    except (ValueError, IndexError, AttributeError, TypeError):  # an axis that does not fit, an array that is not there
        return None
    if makes == "weights" and getattr(state, "hidden", None) is hide_and_answer_0:
        made = np.where(np.isnan(made), 0, made)
    return State(**{**vars(state), makes: made, "answer": made})
