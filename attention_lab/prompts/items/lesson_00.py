"""Questions of lesson 00."""

import numpy as np

from attention_lab.attention import softmax
from attention_lab.prompts.item import Item, Option


def _ratio() -> float:
    a, b = softmax([0.0, 2.3])
    return float(b / a)


ITEMS = (
    Item(
        name="00-gap",
        text="One score is 2.3 above another. How large is its weight?",
        options=(
            Option(
                text="2.3 times the other",
                holds=lambda times: abs(times - 2.3) < 0.05,
                because="Many expect weights to differ as scores do. But softmax takes e to the power of each score.",
                code="share-of-scores",
            ),
            Option(
                text="3.3 times the other",
                holds=lambda times: abs(times - 3.3) < 0.05,
                because="That adds the gap to 1. But a gap multiplies: each unit of it by e, 2.7.",
                code="share-of-scores",
            ),
            Option(
                text="ten times the other",
                holds=lambda times: abs(times - 10) < 0.05,
                because="Softmax turns *gaps* into *ratios*: each step of 2.3 multiplies by ten.",
            ),
        ),
        measure=_ratio,
        says=lambda times: f"It is {times:.1f} times the other.",
    ),
    Item(
        name="00-shift",
        text="Now add 100 to every score. What happens to the weights?",
        options=(
            Option(
                text="all of them change",
                holds=lambda change: bool((np.abs(change) > 1e-6).all()),
                because="Many expect larger scores to change something. But no gap between them changed.",
                code="shift-matters",
            ),
            Option(
                text="they overflow, and there are no weights",
                holds=lambda change: bool(np.isnan(change).any()),
                because="e to the 100 is large, but a computer holds it, and softmax takes the largest off first.",
                code="overflow",
            ),
            Option(
                text="nothing",
                holds=lambda change: bool((np.abs(change) < 1e-9).all()),
                because="No gap changed, and softmax sees only gaps.",
            ),
        ),
        measure=lambda: softmax([99.0, 100.0, 102.0]) - softmax([-1.0, 0.0, 2.0]),
        says=lambda change: f"The largest change is {np.abs(change).max():.6f}.",
    ),
)
