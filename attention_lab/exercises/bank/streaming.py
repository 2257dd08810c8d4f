"""Tiles merged and streamed: what was added up at one maximum, and is added to at another."""

from collections.abc import Callable
from functools import partial

import numpy as np

from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import FINITE_HIDING, Array, State, Steps, divided, streamed, weigh

_FADE = "What was added up below an old maximum shrinks by e to the power of (old maximum - new maximum)."
_MERGED = "`blend = blend_1 * np.exp(max_1 - new) + blend_2 * np.exp(max_2 - new)`, and the sums in the same way"


def _stream(**otherwise: bool) -> Callable[[State], Array]:
    return lambda s: divided(*streamed(s, **otherwise))


def _hide(by: Callable[[Array, Array], Array], s: State) -> Array:
    return by(s.scores, s.mask)


def _ways(**otherwise: bool) -> tuple[Steps, ...]:
    """Stream otherwise; where a tile is hidden as a whole, it then counts how it was hidden."""
    stream = _stream(**otherwise)
    finite: list[Steps] = [{"hide": partial(_hide, hide), "stream": stream} for hide in FINITE_HIDING]
    return ({"stream": stream}, *finite)


def _each_alone(s: State) -> Array:
    """Weigh each tile by itself, and add up what the tiles would answer."""
    ends = range(0, s.scores.shape[-1], s.tile)
    return np.asarray(sum(weigh(s.scores[..., j : j + s.tile]) @ s.v[..., j : j + s.tile, :] for j in ends))


def _whole_tiles(s: State) -> Array:
    """Leave out the keys at the end that fill no tile."""
    n = s.scores.shape[-1] // s.tile * s.tile
    return divided(*streamed(State(scores=s.scores[..., :n], v=s.v, tile=s.tile)))


MISTAKES = (
    Mistake(
        "tiles-not-faded",
        "old sum and old blend taken over as they are",
        lambda s: "You add up sums and blends that were made below different maxima, as if they were the same.",
        "Each tile subtracts its own maximum, so its numbers are measured with a ruler of its own.",
        ("By what was e to the power of a score divided in each of the two tiles?", _FADE, _MERGED),
        (
            {"fade both": lambda s: (1.0, 1.0)},
            {"fade the old": lambda s: 1.0},
            *_ways(fade_sum=False, fade_blend=False),
        ),
    ),
    Mistake(
        "blend-not-faded",
        "the sum scaled down, and the blend left as it was",
        lambda s: "Your sum is scaled to the new maximum, and your old blend is taken over as it was.",
        "Sum and blend are made of the same exponentials, so what happens to one happens to the other.",
        ("What does the new maximum do to the sum, and what to the blend?", _FADE, _MERGED),
        (
            {"merge the blends": lambda s: s.blend_1 + s.blend_2},
            {"add to the blend": lambda s: s.blend + s.weights @ s.v},
            *_ways(fade_blend=False),
        ),
    ),
    Mistake(
        "sum-not-faded",
        "the blend scaled down, and the sum left as it was",
        lambda s: "Your blend is scaled to the new maximum, and your old sum is taken over as it was.",
        "Sum and blend are made of the same exponentials, so what happens to one happens to the other.",
        ("What does the new maximum do to the blend, and what to the sum?", _FADE, _MERGED),
        (
            {"merge the sums": lambda s: s.sum_1 + s.sum_2},
            {"add to the sum": lambda s: s.total + s.weights.sum(-1, keepdims=True)},
            *_ways(fade_sum=False),
        ),
    ),
    Mistake(
        "fade-upside-down",
        "what should shrink, grown",
        lambda s: "Where the maximum rises, what you added up before it grows instead of shrinking.",
        "Below a higher maximum every exponential is smaller: the factor is at most 1.",
        ("Is your factor above 1 or below it, when the new maximum is larger?", _FADE, "`np.exp(max_1 - new)`"),
        (
            {"fade both": lambda s: (np.exp(s.new - s.max_1), np.exp(s.new - s.max_2))},
            {"fade the old": lambda s: np.exp(s.new - s.maximum)},
        ),
    ),
    Mistake(
        "maximum-of-one-tile",
        "the maximum of one tile taken for both",
        lambda s: "Your maximum is that of one tile, also where the other tile has a larger score.",
        "The maximum of all scores is the larger one of the two maxima, for each query.",
        (
            "Which maximum do you take where the other tile has the larger one?",
            "Each query takes the larger one of its two maxima.",
            "`new = np.maximum(max_1, max_2)`",
        ),
        ({"find the larger": lambda s: s.max_2}, {"find the larger": lambda s: s.max_1}),
    ),
    Mistake(
        "smaller-maximum",
        "the smaller one of two maxima",
        lambda s: (
            "Your maximum is the smaller one of the two, so that exponentials above 1 are left, and may overflow."
        ),
        "The maximum is subtracted so that no exponential is larger than 1.",
        (
            "Which of the two maxima leaves no score above it?",
            "Each query takes the larger one of its two maxima.",
            "`new = np.maximum(max_1, max_2)`",
        ),
        ({"find the larger": lambda s: np.minimum(s.max_1, s.max_2)},),
    ),
    Mistake(
        "divided-too-early",
        "a blend that is divided before the last tile",
        lambda s: "Your blend is divided by the sum already, so that nothing more can be added to it.",
        "A blend is divided once, after the last tile; until then it is only added up.",
        (
            "If one more tile came, could it still be merged with what you hand back?",
            "Blends are added up undivided; the division by the sum comes after the last tile.",
            "`blend_1 * np.exp(max_1 - new) + blend_2 * np.exp(max_2 - new)`, and no division",
        ),
        (
            {"merge the blends": lambda s: (s.blend_1 * s.fades[0] + s.blend_2 * s.fades[1]) / s.total},
            {"merge the blends": lambda s: (s.blend_1 / s.sum_1 + s.blend_2 / s.sum_2) / 2},
        ),
    ),
    Mistake(
        "tile-at-old-maximum",
        "a new tile weighed below the old maximum",
        lambda s: "Your new tile subtracts the old maximum, and what was added up before is scaled to the new one.",
        "What is added up together must have had the same number subtracted.",
        (
            "Which number do you subtract from the scores of the new tile?",
            "Old and new are both measured from the new maximum.",
            "`weights = np.exp(scores - new)`",
        ),
        ({"weigh the tile": lambda s: np.exp(s.scores - s.maximum)},),
    ),
    Mistake(
        "tile-weighed-alone",
        "a tile that shares out by itself",
        lambda s: "Your tile has a softmax of its own, as if there were no other tiles: its shares sum to 1 already.",
        "A share is a share of all keys; one tile does not know the sum of the others.",
        (
            "What do the shares of one tile sum to, and what should those of all tiles sum to?",
            "A tile brings e to the power of (score - maximum), undivided.",
            "`weights = np.exp(scores - new)`",
        ),
        ({"weigh the tile": lambda s: weigh(s.scores)}, {"stream": _each_alone}),
    ),
    Mistake(
        "not-divided",
        "a blend that is never divided",
        lambda s: "Your output is the blend as it was added up, and was never divided by the sum.",
        "What was added up are exponentials; they become shares only when their sum divides them.",
        (
            "What do the weights behind your output sum to?",
            "After the last tile, the blend is divided by the sum.",
            "`output = blend / total`",
        ),
        ({"divide": lambda s: s.blend}, {"stream": lambda s: streamed(s)[1]}),
    ),
    Mistake(
        "edge-dropped",
        "the last keys left out, where they fill no tile",
        lambda s: "Your output knows nothing of the last keys: those that fill no whole tile.",
        "The number of keys need not be a multiple of the tile; the last tile is a smaller one.",
        (
            "With 7 keys in tiles of 3, which keys do your tiles hold?",
            "A slice may reach beyond the end, so the loop may begin a last tile that is not full.",
            "`for j in range(0, len(k), tile): k[j : j + tile]`",
        ),
        ({"stream": _whole_tiles},),
    ),
    Mistake(
        "nan-tile",
        "NaN from a tile that is hidden as a whole",
        lambda s: "Where a query may look at nothing in its first tiles, your output is NaN.",
        "Minus infinity minus minus infinity is no number.",
        (
            "What is the maximum of a tile in which every score is minus infinity?",
            "While a query has seen nothing, subtract 0 instead of its maximum.",
            "`level = np.where(np.isneginf(new), 0, new)`",
        ),
        ({"stream": _stream(guarded=False)},),
    ),
    Mistake(
        "approximate-first",
        "an approximation before exact attention was tried",
        lambda s: "You choose an approximation, which changes the answer, where nobody has tried the exact one.",
        "Streaming saves the memory and keeps the answer; an approximation comes last, with its error measured.",
        (
            "What is the trouble with that case: its time, or its memory?",
            "Exact first: plain up to about 8,000 tokens, streaming beyond.",
            "D and E are exact, whatever the length; they never hold a whole row of scores.",
        ),
    ),
)
