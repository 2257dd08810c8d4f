"""Exercises of lesson 01."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.examples import COLOURS
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Exercise, Finding, FunctionExercise, ValueExercise
from attention_lab.exercises.probes import amounts_and_values, shares_and_values, three_words
from attention_lab.exercises.steps import State
from attention_lab.exercises.typed import is_blank, numbers, written

WORDS = tuple(COLOURS)
MATRIX = np.array(list(COLOURS.values()))
RIGHT = {"mix": (0.0, 0.0, 0.5, 0.5), "mix-again": (0.5, 0.0, 0.0, 0.5)}  # weights of the words, in their order
CHANNELS = ("red", "green", "blue")


def target(name: str) -> np.ndarray:
    """Return the colour that a mix is to hit."""
    return np.asarray(np.array(RIGHT[name]) @ MATRIX)


def weights_of(colour: ArrayLike) -> np.ndarray:
    """Solve for the only four numbers that sum to 1 and mix a colour; one below 0 is no weight."""
    return np.linalg.solve(np.vstack([MATRIX.T, np.ones(4)]), [*np.asarray(colour), 1])


def _said(colour: np.ndarray) -> str:
    """Write a colour in words and numbers."""
    return ", ".join(f"{channel} {share:.4g}" for channel, share in zip(CHANNELS, colour, strict=True))


def _look_at_mix(name: str, answer: Any) -> Finding:
    if not isinstance(answer, Mapping):
        raise ValueError(f"A dict with a weight for each word is expected: {', '.join(WORDS)}.")
    for word in answer:
        if word not in WORDS:
            raise ValueError(f"There is no word {written(word)}; the words are {', '.join(WORDS)}.")
    typed = [answer.get(word, ...) for word in WORDS]
    if is_blank(typed):
        open_ones = [word for word, weight in zip(WORDS, typed, strict=True) if is_blank(weight)]
        if len(open_ones) == len(WORDS):
            return Finding(
                "not tried yet", seen=f"For {_said(target(name))}: type a weight in place of each of the dots."
            )
        return Finding("not yet", seen=f"Still open: {', '.join(open_ones)}.")
    weights = numbers("weights", typed, (4,))
    codes = ["weight-negative"] if (weights < 0).any() else []
    if abs(weights.sum() - 1) > 5e-4:  # three times 0.3333 is meant as 1
        codes.append("weights-do-not-sum")
    if abs(weights.sum() - 100) < 0.5:
        raise ValueError("weights: as shares of 1, please: 0.5, not 50.")
    if codes:
        return Finding("not yet", tuple(codes), state=State(total=weights.sum()))
    mixed, wanted = weights @ MATRIX, target(name)
    off = np.abs(mixed - wanted)
    shown = _said(mixed)
    if off.max() < 0.01:
        return Finding("right", seen=f"Your mix is {shown}.")
    return Finding(
        "not yet", seen=f"Your mix is {shown}; it is off most in {CHANNELS[off.argmax()]}, by {off.max():.2f}."
    )


def _look_at_unreachable(answer: Any) -> Finding:
    if is_blank(answer):
        return Finding("not tried yet", seen="Type three numbers in place of the dots.")
    colour = numbers("colour", answer, (3,))
    if not ((colour >= 0) & (colour <= 1)).all():
        raise ValueError("A colour has three shares, each from 0 to 1.")
    low, high = MATRIX.min(0), MATRIX.max(0)
    for channel, share, least, most in zip(CHANNELS, colour, low, high, strict=True):
        if not least <= share <= most:
            between = f"the words' own {channel} goes from {least:.2f} to {most:.2f}"
            return Finding("not yet", seen=f"That much the ranges say already: {between}. Find one inside them.")
    weights = weights_of(colour)
    if weights.min() > -0.005:
        shown = ", ".join(f"{weight:.2f} {word}" for word, weight in zip(WORDS, np.abs(weights), strict=True))
        return Finding("not yet", seen=f"It can be mixed: {shown}.")
    least = WORDS[weights.argmin()]
    return Finding(
        "right", seen=f'No weights make it: it would take {weights.min():.2f} of "{least}", less than nothing.'
    )


def _mix(name: str, sibling: str, *, home: bool) -> ValueExercise:
    """Make one of the two exercises that are alike but for the colour."""
    red, green, blue = target(name)
    blank, done = (
        "my_weights = {" + ", ".join(f'"{word}": {weight}' for word, weight in zip(WORDS, given, strict=True)) + "}"
        for given in (["..."] * 4, RIGHT[name])
    )
    return ValueExercise(
        name=name,
        lesson="01",
        task=f"Find the four weights, none negative and 1 in all, for red {red:g}, green {green:g}, blue {blue:g}.",
        trains="weights are shares of one whole; a blend adds up",
        minutes=3,
        difficulty=1,
        stub=blank,
        solution=done,
        hints=(
            "Which word has far too much of a colour, and which far too little?",
            "The red of a mix is each word's red, times its weight, added up; green and blue likewise.",
            "Only two of the four words are in it, by halves.",
        ),
        sibling=sibling,
        home=home,
        look=partial(_look_at_mix, name),
    )


EXERCISES: tuple[Exercise, ...] = (
    _mix("mix", "mix-again", home=True),
    _mix("mix-again", "", home=False),
    ValueExercise(
        name="unreachable",
        optional=True,
        lesson="01",
        task="Name a colour that no weights mix from the four words, though each of its shares is in their range.",
        trains="a blend stays between its ingredients",
        minutes=5,
        difficulty=2,
        stub="colour = [..., ..., ...]",
        solution="colour = [0.0, 0.8, 0.0]",
        hints=(
            "A mix without any red is made of one word only: which one?",
            "A blend stays between its ingredients, in every direction, not only in red, green and blue.",
            "Take no red, as in river, and another green than river's: `[0.0, 0.8, 0.0]`.",
        ),
        look=_look_at_unreachable,
    ),
    FunctionExercise(
        name="blend",
        lesson="01",
        task="Mix the values by the weights: one row of weights for each mix, one row of values for each word.",
        trains="a blend of every row at once: weights @ values",
        minutes=4,
        difficulty=1,
        stub="def my_blend(weights, values):\n    # one mix for each row of weights\n    ...",
        solution="def my_blend(weights, values):\n    return weights @ values",
        hints=BY_CODE["weights-ignored"].hints,
        sibling="weighted-average",
        program=("mix",),
        inputs=shares_and_values,
        example=three_words("weights", "values"),
        about="one row for each row of weights, as wide as the values",
    ),
    FunctionExercise(
        name="weighted-average",
        lesson="01",
        task="Write average(weights, values) for weights that do not sum to 1: make each row sum to 1, then mix.",
        trains="the same, with weights that must first become shares",
        minutes=4,
        difficulty=2,
        stub="def my_average(weights, values):\n    # make each row of the weights sum to 1, then mix\n    ...",
        solution=(
            "def my_average(weights, values):\n    return weights / weights.sum(axis=-1, keepdims=True) @ values"
        ),
        hints=(
            "What does a row of the weights sum to, and what should it?",
            "Divide each row of the weights by its sum; then multiply each word by its weight, and add up.",
            "`weights / weights.sum(axis=-1, keepdims=True) @ values`",
        ),
        home=False,
        program=("share out", "mix"),
        inputs=amounts_and_values,
        example=three_words("weights", "values"),
        about="one row for each row of weights, as wide as the values",
    ),
)
