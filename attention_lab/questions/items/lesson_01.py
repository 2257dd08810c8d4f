"""Questions of lesson 01."""

from typing import Any

import numpy as np

from attention_lab.examples import COLOURS
from attention_lab.questions.item import Item, Option
from attention_lab.summary import running_summary

WORDS = np.array([COLOURS[word] for word in ("the", "bank", "river", "interest")])


def _clue_left() -> float:
    clue = np.zeros((11, 1))
    clue[0] = 1.0
    left = running_summary(clue, keep=0.8)[:, 0]
    return float(left[-1] / left[0])


def _is_a_word(mix: Any) -> bool:
    return any(np.allclose(mix, word) for word in WORDS)


ITEMS = (
    Item(
        name="01-meaning",
        text='Lean 74% on "river", 16% on "the", 10% on "bank" itself. What comes out?',
        options=(
            Option(
                text='the blue of "river"',
                holds=_is_a_word,
                because="Many expect the best match to be copied. But the other words are in it too, by their weights.",
                code="copy-not-blend",
            ),
            Option(
                text="a list of three colours",
                holds=lambda mix: np.ndim(mix) > 1,
                because="Nothing is stacked up: the words are added, each times its weight, and one vector is left.",
                code="stacked",
            ),
            Option(
                text="a new colour",
                holds=lambda mix: np.ndim(mix) == 1 and not _is_a_word(mix),
                because="Mostly river, but no copy of it: every word is in there by its weight.",
            ),
        ),
        measure=lambda: np.array([0.16, 0.10, 0.74, 0.00]) @ WORDS,
        says=lambda mix: f"Red {mix[0]:.2f}, green {mix[1]:.2f}, blue {mix[2]:.2f}.",
    ),
    Item(
        name="01-decay",
        text="A summary keeps 80% of itself at each new word. A clue went in ten words ago: how much of it is left?",
        options=(
            Option(
                text="80%",
                holds=lambda left: abs(left - 0.8) < 0.01,
                because="That is what is left after one word. Each of the ten takes its part.",
                code="only-last-step",
            ),
            Option(
                text="nothing, since ten times 20% are gone",
                holds=lambda left: left < 0.001,
                because="Each word takes 20% of what is *left*, and what is left gets smaller.",
                code="loss-is-linear",
            ),
            Option(
                text="11%",
                holds=lambda left: abs(left - 0.11) < 0.005,
                because="Four fifths of four fifths, ten times over. It never becomes nothing; others talk over it.",
            ),
        ),
        measure=_clue_left,
        says=lambda left: f"{left:.1%} of the clue is left.",
    ),
)
