"""Positions: places counted, rates set, waves made or pairs turned."""

from functools import partial

import numpy as np

from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import BASE, State, turned, waves

_RATES = (
    "A pair has one rate: 10000 to the power of -2i / d_model for the pair i, whose numbers stand in 2i and 2i + 1."
)
_RATE_LINE = "`rates = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)`"
_PAIRS_LINE = "`np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_tokens, d_model)`"
_TURN_LINE = "`a * np.cos(angles) - b * np.sin(angles)`, then `a * np.sin(angles) + b * np.cos(angles)`"


def _each_its_own(s: State, by: int = 1) -> np.ndarray:
    """Give every number a rate of its own, and sine and cosine by turns."""
    columns = np.arange(s.d_model)
    angles = s.places[:, None] * BASE ** (-by * columns / s.d_model)
    return np.asarray(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))


def _halves_turned(s: State) -> np.ndarray:
    """Take number i and number i + d / 2 for a pair."""
    first, second = np.split(s.x, 2, axis=-1)
    return np.concatenate(turned(s, first, second), axis=-1)


def _or_turned(s: State, waves: str, turned: str) -> str:
    """Say the one where vectors are made, and the other where words are turned."""
    return turned if hasattr(s, "x") else waves


MISTAKES = (
    Mistake(
        "places-from-one",
        "places that are counted from 1",
        lambda s: _or_turned(
            s,
            "Your first place is 1: its vector is the one that the second place should have.",
            "Your first place is 1: its word is turned, and it should stay as it is.",
        ),
        "Places count from 0, as rows do.",
        (
            "Which place has the first word, and what is the sine of it?",
            "Place 0 has the angle 0 in every pair.",
            "`np.arange(n_tokens)[:, None] * rates`",
        ),
        ({"count places": lambda s: np.arange(1, s.n_tokens + 1)},),
    ),
    Mistake(
        "rate-doubled",
        "the 2 of 2i counted twice",
        lambda s: "Your rates fall twice as fast as they should, from pair to pair.",
        "Columns that go 0, 2, 4 are 2i already.",
        ("Which numbers does your exponent run through: 0, 1, 2, or 0, 2, 4?", _RATES, _RATE_LINE),
        ({"set rates": lambda s: BASE ** (-2 * np.arange(0, s.d_model, 2) / s.d_model)},),
    ),
    Mistake(
        "rate-halved",
        "the 2 of 2i left out",
        lambda s: "Your rates fall half as fast as they should, from pair to pair.",
        "The pairs count 0, 1, 2; the exponent is twice that.",
        ("Which numbers does your exponent run through: 0, 1, 2, or 0, 2, 4?", _RATES, _RATE_LINE),
        ({"set rates": lambda s: BASE ** (-np.arange(s.d_model // 2) / s.d_model)},),
    ),
    Mistake(
        "rates-growing",
        "a rate that grows",
        lambda s: "Your rates grow from pair to pair, up to thousands of turns a word.",
        "The exponent is negative: the later pairs turn slowly.",
        ("Does a later pair turn faster than the first one, or slower?", _RATES, _RATE_LINE),
        ({"set rates": lambda s: BASE ** (np.arange(0, s.d_model, 2) / s.d_model)},),
    ),
    Mistake(
        "rate-for-each-number",
        "a rate for each number",
        lambda s: "Each of your numbers turns at a rate of its own, so that no two of them make a pair.",
        "Sine and cosine of the same angle are a point on a circle; of two angles they are not.",
        ("How many rates are there for d_model numbers?", _RATES, _RATE_LINE),
        ({"make waves": _each_its_own}, {"make waves": partial(_each_its_own, by=2)}),  # i is a pair, not a column
    ),
    Mistake(
        "waves-in-halves",
        "all sines in front, all cosines behind",
        lambda s: _or_turned(
            s,
            "Your sines stand in the first half of each row, and your cosines in the second.",
            "Your pairs are made of a number from the first half of a row and one from the second.",
        ),
        "Some libraries do it so. Here the two numbers of a pair stand side by side.",
        ("In which columns do the two numbers of the first pair stand?", "Pairs are neighbours: 0 and 1.", _PAIRS_LINE),
        (
            {"make waves": lambda s: np.concatenate(waves(s), axis=-1)},
            {"turn": _halves_turned},
        ),
    ),
    Mistake(
        "cosine-first",
        "the cosine in front of the sine",
        lambda s: "In each of your pairs the cosine stands first.",
        "The sine has the even columns, the cosine the odd ones.",
        (
            "What is the sine of 0, and in which column do you find it at place 0?",
            "The sine of each pair stands first.",
            _PAIRS_LINE,
        ),
        ({"make waves": lambda s: np.stack(waves(s)[::-1], axis=-1).reshape(len(s.places), -1)},),
    ),
    Mistake(
        "turned-backwards",
        "turned the other way round",
        lambda s: "Your pairs turn clockwise, against their place.",
        "Turned by an angle, (a, b) becomes (a cos - b sin, a sin + b cos): one minus, in the first number.",
        ("Where does (1, 0) point after a quarter of a turn?", "One minus, in the first number.", _TURN_LINE),
        (
            {
                "turn": lambda s: np.stack(turned(s, s.x[:, 0::2], s.x[:, 1::2], way=-1), axis=-1).reshape(s.x.shape),
            },
        ),
    ),
)
