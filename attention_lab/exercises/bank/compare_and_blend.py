"""Compare and blend: the wrong arrays, or the right ones the wrong way round."""

import numpy as np

from attention_lab.exercises.mistake import Mistake, yours
from attention_lab.exercises.steps import State, swap

_COMPARE = "Compare: row i holds the dot products of query i with every key."
_COMPARE_LINE = "`scores = q @ k.T`, or `q @ np.swapaxes(k, -1, -2)` for a stack"
_BLEND = "Blend: row i of the output adds up all the values, each times the weight in row i."


def _swapped(s: State) -> str:
    """Say it without the numbers of the worked example: its scores are the same both ways."""
    wrong = {"q": "W_K", "k": "W_Q"}.get(getattr(s, "box", ""))  # a box of a row on paper
    if wrong:
        return f"These numbers are made with `{wrong}`."
    return 'Your scores in the row of "bank" compare the *key* of "bank" with every query.'


def _picked(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Take for each row the value that has the largest weight, in each head by itself."""
    if weights.shape[-1] != values.shape[-2] or np.isnan(weights).any():
        raise ValueError("the weights are not as many as the values, or none is the largest")
    return np.take_along_axis(values, weights.argmax(-1)[..., None], axis=-2)


MISTAKES = (
    Mistake(
        "keys-not-transposed",
        "keys that are not transposed",
        lambda s: "Each of your scores adds up products of a query with one number of *every* key.",
        "A score compares one query with one key, number by number. It fits only where the table is square.",
        ("Which two vectors does the first score compare?", _COMPARE, _COMPARE_LINE),
        ({"compare": lambda s: s.q @ s.k},),
        ("rasbt/LLMs-from-scratch #857, its sister",),
    ),
    Mistake(
        "queries-keys-swapped",
        "queries and keys swapped",
        lambda s: _swapped(s),
        "A row belongs to the word that asks; with the two swapped it belongs to the word that is asked.",
        ("Whose question does one row of your scores belong to?", _COMPARE, _COMPARE_LINE),
        (
            {"compare": lambda s: s.k @ swap(s.q)},
            {"ask": lambda s: s.x @ s.W_K, "label": lambda s: s.context @ s.W_Q},
        ),
    ),
    Mistake(
        "values-replaced",
        "something else blended in place of the values",
        lambda s: yours(s, "output", "a blend, but not of the values"),
        "Labels are compared, values are handed over. What is compared is not what is handed over.",
        ("Which of the three arrays does a word hand over?", _BLEND, "`output = weights @ v`"),
        (
            {"blend": lambda s: s.weights @ s.k},
            {"blend": lambda s: s.weights @ s.q},
            {"hand over": lambda s: s.context @ s.W_K},
            {"hand over": lambda s: s.context @ s.W_Q},
        ),
    ),
    Mistake(
        "weights-transposed",
        "blended with the transposed weights",
        lambda s: "Your output adds up the values by the *columns* of the weights.",
        "Row looks at column: a word blends by its own row.",
        ("Does a word blend by its row of the weights, or by its column?", _BLEND, "`weights @ v`, nothing transposed"),
        ({"blend": lambda s: swap(s.weights) @ s.v}, {"mix": lambda s: swap(s.weights) @ s.values}),
    ),
    Mistake(
        "blend-missing",
        "weights that were not blended with anything",
        lambda s: "For each word, your weights themselves stand where the output belongs: nothing is blended.",
        "Weights only say how much; the output is what comes of it.",
        ("What does the word take home: shares, or what was shared out?", _BLEND, "`return weights @ v`"),
        ({"blend": lambda s: s.weights},),
    ),
    Mistake(
        "weights-ignored",
        "a plain average",
        lambda s: "Every word counts alike in your mix, whatever its weight.",
        "A blend adds up the words, each times its weight.",
        (
            "If one weight is 1 and the others are 0, what should come out?",
            "Multiply each word by its weight, then add up.",
            "`weights @ values`",
        ),
        (
            {"mix": lambda s: np.broadcast_to(s.values.mean(-2), (*s.weights.shape[:-1], s.values.shape[-1]))},
            {"blend": lambda s: np.broadcast_to(s.v.mean(-2, keepdims=True), (*s.weights.shape[:-1], s.v.shape[-1]))},
        ),
    ),
    Mistake(
        "picked-not-blended",
        "the largest weight alone",
        lambda s: "One word comes out as it went in; the others are not in your mix.",
        "A blend has every word in it, by its weight.",
        (
            "Where do the smaller weights go?",
            "Multiply each word by its weight, then add up.",
            "`weights @ values`",
        ),
        ({"mix": lambda s: _picked(s.weights, s.values)}, {"blend": lambda s: _picked(s.weights, s.v)}),
    ),
)
