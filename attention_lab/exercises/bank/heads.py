"""Many heads and two sequences: heads split, joined and projected wrongly, and arrays from the wrong side."""

import numpy as np

from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import Step, Steps, flat, swap

_SPLIT = (
    "`x.reshape(n_tokens, n_heads, -1).swapaxes(0, 1)`: "
    "cut the numbers of each word first, then bring the heads to the front"
)
_JOIN = "`heads.swapaxes(0, 1).reshape(n_tokens, -1)`: bring the heads beside each other first, then flatten"


def _of_heads(matrices: np.ndarray) -> np.ndarray:
    """Give back the matrices of several heads; a single matrix belongs to one head, which cannot be confused."""
    if matrices.ndim < 3:
        raise ValueError("there is one head only")
    return matrices


def _all_with_head(h: int) -> Steps:
    """Every head with the learned matrices of head h."""

    def with_head(name: str, source: str) -> Step:
        return lambda s: getattr(s, source) @ np.repeat(_of_heads(getattr(s, name))[[h]], len(getattr(s, name)), axis=0)

    return {
        "ask": with_head("W_Q", "x"),
        "label": with_head("W_K", "context"),
        "hand over": with_head("W_V", "context"),
    }


_TRANSPOSED: Steps = {
    "ask": lambda s: s.x @ swap(s.W_Q),
    "label": lambda s: s.context @ swap(s.W_K),
    "hand over": lambda s: s.context @ swap(s.W_V),
}

MISTAKES = (
    Mistake(
        "heads-reshaped",
        "heads cut by a reshape alone",
        lambda s: "Your first head is filled from the first words alone; nothing of the last word is in it.",
        "Each head holds a part of every word.",
        (
            "Which words' numbers stand in your first head?",
            "A reshape keeps the order of the numbers; the heads' axis must first stand beside the numbers, then move.",
            _SPLIT,
        ),
        ({"split": lambda s: s.x.reshape(*s.x.shape[:-2], s.n_heads, s.x.shape[-2], -1)},),
        ("reczoo/FuxiCTR #30", "hyunwoongko/transformer #15"),
    ),
    Mistake(
        "heads-interleaved",
        "every n-th number to a head",
        lambda s: "In each word the heads take turns, number by number, as if cards were dealt.",
        "By convention a head's numbers stand side by side; learned matrices from elsewhere rely on it.",
        (
            "Which numbers of one word go to your first head?",
            "Head h holds neighbours: the h-th block of each word.",
            _SPLIT,
        ),
        (
            {"split": lambda s: np.moveaxis(s.x.reshape(*s.x.shape[:-1], -1, s.n_heads), -1, -3)},
            {"join": lambda s: np.moveaxis(s.output, -3, -1).reshape(*s.output.shape[:-3], s.output.shape[-2], -1)},
        ),
    ),
    Mistake(
        "merge-reshaped",
        "heads joined by a reshape alone",
        lambda s: "Your first row of joined heads holds several words of *one* head, not one word of every head.",
        "The shape is right and the words are scrambled.",
        (
            "Whose numbers stand in the first row of your result?",
            "A reshape keeps the order of the numbers, so the heads' axis must stand beside the numbers first.",
            _JOIN,
        ),
        ({"join": lambda s: s.output.reshape(*s.output.shape[:-3], s.output.shape[-2], -1)},),
        ("jsbaan/transformer-from-scratch PR 6", "ajhalthor PR 4"),
    ),
    Mistake(
        "heads-averaged",
        "heads averaged",
        lambda s: "Your result holds the mean of the heads: what one head found is diluted by the others.",
        "Each head keeps its own place, so that W_O can use what it found.",
        (
            "After a mean, can anybody still tell which head found what?",
            "Heads are put side by side; their projections add up.",
            _JOIN,
        ),
        (
            {"join": lambda s: s.output.mean(-3)},
            {"join": lambda s: s.output.mean(-3), "project": lambda s: s.output @ s.W_O.mean(0)},
            {"join": lambda s: s.output.mean(-3), "project": lambda s: s.output @ s.W_O.sum(0)},
            {"project": lambda s: s.output @ flat(s.W_O) / len(s.W_O)},
        ),
    ),
    Mistake(
        "heads-added",
        "heads added up",
        lambda s: "Your heads lie on top of each other: their numbers are added before anything tells them apart.",
        "Each head keeps its own place, so that W_O can use what it found.",
        (
            "After adding, can anybody still tell which head found what?",
            "Heads are put side by side, and only then projected.",
            _JOIN,
        ),
        (
            {"join": lambda s: s.output.sum(-3)},
            {"join": lambda s: s.output.sum(-3), "project": lambda s: s.output @ s.W_O.sum(0)},
        ),
    ),
    Mistake(
        "heads-identical",
        "the same matrices for every head",
        lambda s: "All your heads ask, label and hand over the same.",
        "Each head has learned matrices of its own; with the same ones they would all see the same.",
        (
            "Which axis of `W_Q` counts the heads, and do you walk along it?",
            "Head h uses W_Q[h], W_K[h] and W_V[h].",
            "`q = x @ W_Q`: with the heads in front, NumPy does one product for each",
        ),
        (_all_with_head(0), _all_with_head(-1)),
        ("MarcoMeter/episodic-transformer-memory-ppo PR 22",),
    ),
    Mistake(
        "projection-transposed",
        "a learned matrix transposed",
        lambda s: "One or more learned matrices are used with rows and columns swapped.",
        "`x @ W` takes each word, a row of `x`, through the matrix. It runs transposed only where W is square.",
        (
            "What are the two sizes of `W_Q`, and which of them must meet the width of `x`?",
            "`x @ W`: the width of `x` meets the rows of W.",
            "`q = x @ W_Q`, nothing transposed",
        ),
        (
            _TRANSPOSED,
            *({name: step} for name, step in _TRANSPOSED.items()),
            {"project": lambda s: s.output @ flat(swap(s.W_O))},
            {**_TRANSPOSED, "project": lambda s: s.output @ flat(swap(s.W_O))},
        ),
        ("rasbt/LLMs-from-scratch #857",),
    ),
    Mistake(
        "projection-missing",
        "a projection left out",
        lambda s: "At least one of the learned matrices is nowhere in what you computed.",
        "Every learned matrix is used once: W_Q asks, W_K labels, W_V hands over, W_O mixes the heads.",
        (
            "Tick off the matrices that your function was given. Which one is left?",
            "Project before you compare and blend; with several heads, project the joined heads once more.",
            "`heads_side_by_side @ W_O.reshape(-1, W_O.shape[-1])`, or `x @ W_V` for the values",
        ),
        (
            {"project": lambda s: s.output},
            {"hand over": lambda s: s.context},
            {"ask": lambda s: s.x, "label": lambda s: s.context, "hand over": lambda s: s.context},
        ),
    ),
    Mistake(
        "context-ignored",
        "the other sequence left out",
        lambda s: "Your words look at their own sequence; nothing of `context` is in the output.",
        "In cross-attention the asking words find their keys and values in the other sequence.",
        (
            "Who is looked at here?",
            "Queries come from `x`; keys and values come from `context`.",
            "`k = context @ W_K` and `v = context @ W_V`",
        ),
        ({"label": lambda s: s.x @ s.W_K, "hand over": lambda s: s.x @ s.W_V},),
    ),
    Mistake(
        "values-from-the-asker",
        "values from the asking side",
        lambda s: "Your words compare themselves with `context`, and then blend values of their own sequence.",
        "Who is looked at hands over: the value belongs to the same word as the key.",
        (
            "If a word looks at word 3 of the other sequence, whose value should it get?",
            "Keys and values come from the same words.",
            "`v = context @ W_V`",
        ),
        ({"hand over": lambda s: s.x @ s.W_V},),
    ),
    Mistake(
        "sides-swapped",
        "the two sequences swapped",
        lambda s: "The words of `context` ask in your function, and those of `x` answer.",
        "Each word of `x` asks, so the output has a row for each of them.",
        (
            "How many rows should the output have: as many as `x`, or as many as `context`?",
            "Queries come from `x`; keys and values come from `context`.",
            "`q = x @ W_Q`",
        ),
        (
            {
                "ask": lambda s: s.context @ s.W_Q,
                "label": lambda s: s.x @ s.W_K,
                "hand over": lambda s: s.x @ s.W_V,
            },
        ),
    ),
)
