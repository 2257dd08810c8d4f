"""Questions of lesson 02."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.examples import BANK, ONE_WAY
from attention_lab.prompts.item import Item, Option


def _moved() -> dict[str, float]:
    W_V = BANK.W_V.copy()
    W_V[0, 0] = 5
    before = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v)
    after = scaled_dot_product_attention(BANK.q, BANK.k, BANK.x @ W_V)
    return {name: float(np.abs(getattr(after, name) - getattr(before, name)).max()) for name in ("weights", "output")}


def _looks_at(word: int) -> Any:
    return lambda weights: np.ptp(weights) > 0.01 and int(np.argmax(weights)) == word


def _two_scores(scores: Any) -> tuple[float, float]:
    return float(scores[1][2]), float(scores[2][1])


ITEMS = (
    Item(
        name="02-the",
        text="Whom does *The* look at most?",
        options=(
            Option(
                text='at "bank", its neighbour',
                holds=_looks_at(1),
                because="Many expect the neighbour. But where a word stands did not go into these numbers.",
                code="near-attends",
            ),
            Option(
                text="at itself",
                holds=_looks_at(0),
                because="*Self*-attention means that the words of one sentence look at each other, not each at itself.",
                code="self-means-self",
            ),
            Option(
                text="at everybody evenly, since it means so little",
                holds=lambda weights: np.ptp(weights) <= 0.01,
                because="What a word means does not decide; its query does, and that of *The* is not 0.",
                code="alike-attends",
            ),
            Option(
                text='at "river"',
                holds=_looks_at(2),
                because="Its label, [4, 2], is long: it wins with every question that points its way.",
            ),
        ),
        measure=lambda: scaled_dot_product_attention(BANK.q, BANK.k, BANK.v).weights[0],
        says=lambda weights: (
            "*The* gives "
            + ", ".join(f"{weight:.1%} to {word}" for word, weight in zip(BANK.words, weights, strict=True))
            + "."
        ),
    ),
    Item(
        name="02-handed",
        text="You change one entry of `W_V`. What moves?",
        options=(
            Option(
                text="everything after it, weights too",
                holds=lambda moved: moved["weights"] > 0 and moved["output"] > 0,
                because="Many expect what is handed over to be compared. But labels are compared, from `W_K`.",
                code="key-is-payload",
            ),
            Option(
                text="the weights only",
                holds=lambda moved: moved["weights"] > 0 and moved["output"] == 0,
                because="Values are not compared with anything: they are what the weights are spent on.",
                code="value-is-compared",
            ),
            Option(
                text="the output only",
                holds=lambda moved: moved["weights"] == 0 and moved["output"] > 0,
                because="`W_Q` and `W_K` decide *where* a word looks, `W_V` decides *what it gets* there.",
            ),
        ),
        measure=_moved,
        says=lambda moved: f"The weights moved by {moved['weights']:.2f}, the output by {moved['output']:.2f}.",
    ),
    Item(
        name="02-mutual",
        text='Other learned matrices, in which "bank" gives "river" a score of 6. And "river" gives "bank"?',
        options=(
            Option(
                text="6",
                holds=lambda scores: bool(np.isclose(*_two_scores(scores))),
                because="Many expect looking to be mutual. But a word asks through one matrix, and another labels it.",
                code="looks-mutual",
            ),
            Option(
                text="-6",
                holds=lambda scores: bool(np.isclose(_two_scores(scores)[0], -_two_scores(scores)[1])),
                because="Nothing turns the sign round: the other score has its own query and its own key.",
                code="sign-flips",
            ),
            Option(
                text="that cannot be known from this",
                holds=lambda scores: not np.isclose(*np.abs(_two_scores(scores))),
                because="Asking and being labelled go through two matrices, so two scores need not agree.",
            ),
        ),
        measure=lambda: scaled_dot_product_attention(ONE_WAY.q, ONE_WAY.k, ONE_WAY.v, scale=1.0).scores,
        says=lambda scores: f'"bank" gives "river" {scores[1][2]:.0f}, and "river" gives "bank" {scores[2][1]:.0f}.',
    ),
)
