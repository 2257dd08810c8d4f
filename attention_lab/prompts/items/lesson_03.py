"""Questions of lesson 03."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention, softmax
from attention_lab.diagnostics import attention_entropy
from attention_lab.examples import BANK
from attention_lab.prompts.item import Item, Option
from attention_lab.shapes import FloatArray

N_WORDS, D_K = 32, 64


def weights_at(divisor: float, n_words: int = N_WORDS) -> FloatArray:
    """Draw words at random, and weigh them with their scores divided by this."""
    q, k = np.random.default_rng(0).standard_normal((2, n_words, D_K))
    return scaled_dot_product_attention(q, k, k, scale=1 / divisor).weights


def words_looked_at(weights: Any) -> float:
    """Return how many words a typical row really looks at: 2 to the entropy."""
    return float(np.median(2 ** attention_entropy(weights)))


def _halved() -> tuple[FloatArray, FloatArray]:
    scores = BANK.q[1] @ BANK.k.T / np.sqrt(2)
    return softmax(scores), softmax(scores / 2)


def _is_half(pair: Any) -> bool:
    before, after = pair
    return bool(np.allclose(np.divide(before, 2), after))


def _is_flat(weights: Any) -> bool:
    return bool(np.ptp(weights) * np.shape(weights)[-1] < 0.2)


def _is_sharp(weights: Any) -> bool:
    return bool(np.max(weights, axis=-1).mean() > 0.9)


ITEMS = (
    Item(
        name="03-cosmetic",
        text="All scores of a row are halved. What happens to its weights?",
        options=(
            Option(
                text="nothing, since their order stays",
                holds=lambda pair: bool(np.allclose(*pair)),
                because="Many expect the order to decide. But softmax sees gaps, and every gap is half as large now.",
                code="scale-is-cosmetic",
            ),
            Option(
                text="each of them is halved",
                holds=_is_half,
                because="Then the row would sum to a half. Weights are no shares of scores: softmax sees the gaps.",
                code="share-of-scores",
            ),
            Option(
                text="they come closer together",
                holds=lambda pair: bool(np.ptp(pair[1]) < np.ptp(pair[0])) and not _is_half(pair),
                because="Half the gap is the root of the ratio: what weighed 100 times as much now weighs 10 times.",
            ),
        ),
        measure=_halved,
        says=lambda pair: f"The largest weight goes from {np.max(pair[0]):.1%} to {np.max(pair[1]):.1%}.",
    ),
    Item(
        name="03-hot",
        text="The scores are divided by 1,000, in place of the root of d_k. What becomes of attention?",
        options=(
            Option(
                text="it is at its best: every word gets a say",
                holds=lambda weights: not _is_flat(weights) and not _is_sharp(weights),
                because="Many expect even weights to be fair. But they are even whatever a word asks: nobody is heard.",
                code="softer-is-better",
            ),
            Option(
                text="little: the largest score still gets nearly all",
                holds=_is_sharp,
                because="It is still the largest, by a thousandth of what it was. Softmax sees gaps, not an order.",
                code="scale-is-cosmetic",
            ),
            Option(
                text="it is like none: each word gets the plain average",
                holds=_is_flat,
                because="Scores near 0 make weights that are all alike, so every word gets the same average.",
            ),
        ),
        measure=lambda: weights_at(1000),
        says=lambda weights: (
            f"Of {np.shape(weights)[-1]} words, {words_looked_at(weights):.1f} are looked at; "
            f"the largest weight is {np.max(weights):.1%}."
        ),
    ),
)
