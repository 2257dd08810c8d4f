"""Questions of lesson 04."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.diagnostics import future_influence
from attention_lab.examples import BANK
from attention_lab.masks import causal_mask
from attention_lab.prompts.item import Item, Option
from attention_lab.prompts.items.ideas_of_models import losses
from attention_lab.shapes import FloatArray

MOVED = 1e-6  # below it, a number has moved by rounding at most
ALIKE = 0.1  # two losses that differ by less than this share of themselves


def _is_an_equal_share(weight: float) -> bool:
    return 0 < weight < 1 and abs(1 / weight - round(1 / weight)) < MOVED


def _two_models() -> dict[str, tuple[float, float]]:
    """Give two losses of each, in training and in honesty: of a model that sees the next throw, and of a blind one."""
    found = losses(sides=8, look=10)
    return {"masked": (found["blind"], found["blind"]), "unmasked": (found["own"], found["hidden"])}


def _honest(measured: Any) -> tuple[float, float]:
    """Return the honest losses: of the model whose training loss is lower, and of the other."""
    lower, higher = sorted((float(training), float(honest)) for training, honest in measured.values())
    return lower[1], higher[1]


def _alike(measured: Any) -> bool:
    lower, higher = _honest(measured)
    return abs(lower - higher) <= ALIKE * max(lower, higher)


def _second_layer_sees_all() -> FloatArray:
    """Measure how far each output moves at most when a later word does."""

    def two_layers(x: FloatArray) -> FloatArray:
        masked = x + scaled_dot_product_attention(x, x, x, mask=causal_mask(len(x))).output
        return masked + scaled_dot_product_attention(masked, masked, masked).output

    x = np.random.default_rng(0).standard_normal((6, 4))
    return np.asarray(np.triu(future_influence(two_layers, x), k=1).max(axis=1))


def _leaks(measured: Any) -> list[bool]:
    """Tell of each position whether it sees a later word."""
    leaks: list[bool] = (np.asarray(measured) > MOVED).tolist()
    if len(leaks) < 2 or np.ndim(leaks) != 1:
        raise ValueError("a number for each of several positions is needed")
    return leaks


ITEMS = (
    Item(
        name="04-first-word",
        text="No word sees a later one. How much of its weight does the first word give to itself?",
        options=(
            Option(
                text="the same share as each of the others gets",
                holds=_is_an_equal_share,
                because="Many expect hidden words to take their share. But the weights go to those that can be seen.",
                code="hidden-still-counts",
            ),
            Option(
                text="that depends on its score",
                holds=lambda weight: 0 < weight < 1 and not _is_an_equal_share(weight),
                because="A score counts beside other scores, and here there is no other.",
                code="score-decides",
            ),
            Option(
                text="always 100%",
                holds=lambda weight: abs(weight - 1) < MOVED,
                because="It sees nothing but itself, and a row sums to 1, whatever the score is.",
            ),
        ),
        measure=lambda: scaled_dot_product_attention(BANK.q, BANK.k, BANK.v, mask=causal_mask(3)).weights[0, 0],
        says=lambda weight: f"The first word gives itself {weight:.1%}.",
    ),
    Item(
        name="04-bet",
        text="Two models learned from one text. Their training losses: about 2, and below 0.1. Which writes better?",
        options=(
            Option(
                text="the one with the lower loss",
                holds=lambda measured: not _alike(measured) and _honest(measured)[0] < _honest(measured)[1],
                because="Many expect a lower loss to be a better model. But it read ahead, and who writes cannot.",
                code="low-loss-is-good",
            ),
            Option(
                text="both alike, once they have read more text",
                holds=_alike,
                because="More text does not help: it can read ahead there, too, and learns nothing else.",
                code="just-overfitting",
            ),
            Option(
                text="the one with the higher loss",
                holds=lambda measured: not _alike(measured) and _honest(measured)[0] > _honest(measured)[1],
                because="The other one saw the words that it was asked for. When it writes, there is nothing to see.",
            ),
        ),
        measure=_two_models,
        says=lambda measured: (
            "Where nothing lies ahead, the lower loss becomes {:.1f}, and the other is {:.1f}.".format(
                *_honest(measured)
            )
        ),
    ),
    Item(
        name="04-layers",
        text="A model has two layers, and only the first hides the future. Which outputs see a later word?",
        options=(
            Option(
                text="none, since hiding it once is enough",
                holds=lambda measured: not any(_leaks(measured)),
                because="Many expect one mask to do. But each layer looks anew, at all that it may look at.",
                code="one-masked-layer",
            ),
            Option(
                text="only the last",
                holds=lambda measured: _leaks(measured)[-1] and not any(_leaks(measured)[:-1]),
                because="The last one has no later word. It is the only one that cannot see too much.",
                code="position-leaks",
            ),
            Option(
                text="every output but the last",
                holds=lambda measured: all(_leaks(measured)[:-1]) and not _leaks(measured)[-1],
                because="In the second layer, each position sees all the others. Every layer must hide.",
            ),
        ),
        measure=_second_layer_sees_all,
        says=lambda measured: (
            f"{sum(_leaks(measured))} of {len(measured)} outputs move when a later word does: "
            f"the first by {measured[0]:.2f}, the last by {measured[-1]:.2f}."
        ),
    ),
)
