"""Questions of lesson 01."""

from typing import Any

import numpy as np

from attention_lab.exercises.catalogue.blend import MATRIX, weights_of
from attention_lab.prompts.item import Item, Option, Written
from attention_lab.summary import running_summary


def clue_left(n_words: int, keep: float) -> float:
    """Return what is left of a clue after so many words, in a summary that keeps a share of itself at each."""
    clue = np.zeros((n_words + 1, 1))
    clue[0] = 1.0
    left = running_summary(clue, keep=keep)[:, 0]
    return float(left[-1] / left[0])


def _is_a_word(mix: Any) -> bool:
    return any(np.allclose(mix, word) for word in MATRIX)


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
        measure=lambda: np.array([0.16, 0.10, 0.74, 0.00]) @ MATRIX,
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
        measure=lambda: clue_left(10, keep=0.8),
        says=lambda left: f"{left:.1%} of the clue is left.",
    ),
)


QUESTIONS = (
    Item(
        name="01-end-new",
        text='0.7 "river" + 0.2 "the" + 0.1 "bank" is ...',
        options=(
            Option(
                text='"river"',
                holds=_is_a_word,
                because="The largest weight does not take everything: the other two are in it.",
                code="copy-not-blend",
            ),
            Option(
                text="a list of three words",
                holds=lambda mix: np.ndim(mix) > 1,
                because="The three are added up, and one vector is left.",
                code="stacked",
            ),
            Option(
                text='a new vector, mostly "river"',
                holds=lambda mix: np.ndim(mix) == 1 and not _is_a_word(mix),
                because="Every word is in it, by its weight.",
            ),
        ),
        measure=lambda: np.array([0.2, 0.1, 0.7, 0.0]) @ MATRIX,
        says=lambda mix: f"It is red {mix[0]:.2f}, green {mix[1]:.2f}, blue {mix[2]:.2f}.",
    ),
    Item(
        name="01-end-white",
        text="Can any weights mix plain white, [1, 1, 1], from these four words?",
        options=(
            Option(
                text="yes, with equal weights",
                holds=lambda weights: np.allclose(weights, 0.25),
                because="Equal weights give the average of the words, and white is no average of darker colours.",
                code="beyond-ingredients",
            ),
            Option(
                text="yes, with some other weights",
                holds=lambda weights: weights.min() >= 0 and not np.allclose(weights, 0.25),
                because="The only numbers that would make it are not all weights: one of them is negative.",
                code="beyond-ingredients",
            ),
            Option(
                text="no",
                holds=lambda weights: weights.min() < 0,
                because="White is brighter than every word, and a blend stays between its ingredients.",
            ),
        ),
        measure=lambda: weights_of([1, 1, 1]),
        says=lambda weights: f"It would take {weights.min():.2f} of one of the words.",
    ),
    Item(
        name="01-end-gap",
        text="From lesson 00: one score is 4.6 above another. How much more weight does it get?",
        options=(
            Option(
                text="4.6 times as much",
                holds=lambda times: abs(times - 4.6) < 0.1,
                because="Weights are not shares of scores: softmax takes e to the power of each.",
                code="share-of-scores",
            ),
            Option(
                text="twenty times as much",
                holds=lambda times: abs(times - 20) < 1,
                because="4.6 is two steps of 2.3, and each step *multiplies* by ten: they do not add up.",
                code="share-of-scores",
            ),
            Option(
                text="a hundred times as much",
                holds=lambda times: abs(times - 100) < 1,
                because="4.6 is two steps of 2.3, and each of them multiplies by ten.",
            ),
        ),
        measure=lambda: float(np.exp(4.6)),
        says=lambda times: f"e to the 4.6 is {times:.1f}.",
    ),
    Written(
        name="01-end-words",
        text="In two sentences: what does a summary of fixed size lose that a look back keeps?",
        model=(
            "Each new word overwrites a part of the summary, so an early clue fades with every word after it. "
            "A look back still has all the words, and weighs them when it needs them."
        ),
    ),
)
