"""The questions that open and close lesson 07."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention, softmax
from attention_lab.costs import attention_cost, peak_memory
from attention_lab.masks import causal_mask
from attention_lab.prompts.item import Item, Option, Written
from attention_lab.shapes import FloatArray
from attention_lab.streaming import streaming_attention


def _memory_for_scores(n: int) -> int:
    """Measure what streaming holds beside its output."""
    q, k, v = np.random.default_rng(0).standard_normal((3, n, 8), dtype=np.float32)
    return peak_memory(lambda: streaming_attention(q, k, v)) - int(v.nbytes)


def _four_times() -> tuple[float, float]:
    """Say how memory and work grow for a text that is four times as long."""
    work = attention_cost(2048).multiplications / attention_cost(512).multiplications
    return _memory_for_scores(2048) / _memory_for_scores(512), work


def _asked() -> tuple[int, ...]:
    rng = np.random.default_rng(0)
    return scaled_dot_product_attention(rng.random((3, 2)), rng.random((9, 2)), rng.random((9, 2))).weights.shape


def _shifted() -> tuple[FloatArray, FloatArray]:
    return softmax(np.array([1.0, 2, 3])), softmax(np.array([1001.0, 1002, 1003]))


def _other_maximum() -> tuple[FloatArray, FloatArray]:
    """Weigh scores from which 4 is subtracted, and then 10."""
    scores = np.array([4.0, 2, 10])
    grown = [np.exp(scores - level) for level in (4, 10)]
    return grown[0] / grown[0].sum(), grown[1] / grown[1].sum()


def _same(pair: Any) -> bool:
    return bool(np.allclose(*pair))


def _ratio(n_heads: int) -> float:
    return attention_cost(1024, n_heads=n_heads).multiplications / attention_cost(1024, n_heads=1).multiplications


QUESTIONS = (
    Item(
        name="07-end-causal",
        text="How many of the scores of a long text are there left to compute, if the future is hidden?",
        options=(
            Option(
                text="all, once it is trained: then there is no future",
                holds=lambda share: share > 0.99,
                because="Its words must see what they saw in training. So the mask stays, and saves the same.",
                code="mask-only-in-training",
            ),
            Option(
                text="so few that twice the text costs twice as much",
                holds=lambda share: share < 0.1,
                because="A word still looks at all before it. That is half of the square, and twice the text is four "
                "times that half.",
                code="double-is-double",
            ),
            Option(
                text="about half",
                holds=lambda share: 0.1 <= share <= 0.99,
                because="What lies above the diagonal is never compared, if a whole tile of it is skipped.",
            ),
        ),
        measure=lambda: float(causal_mask(1000).mean()),
        says=lambda share: f"Of 1,000 words' scores, {share:.1%} may be seen.",
    ),
    Item(
        name="07-end-longer",
        text="Streaming through a text four times as long: what becomes of its memory for scores, and of its work?",
        options=(
            Option(
                text="the memory stays, and the work is four times as much",
                holds=lambda grown: grown[0] < 2 and grown[1] < 8,
                because="Each score is computed, kept or not, and there are 16 times as many.",
                code="flash-is-linear",
            ),
            Option(
                text="both are 16 times as much",
                holds=lambda grown: grown[0] > 8 and grown[1] > 8,
                because="That is so if a whole table is held. A tile has the same size, however long the text.",
                code="exact-needs-all",
            ),
            Option(
                text="the memory stays, and the work is 16 times as much",
                holds=lambda grown: grown[0] < 2 and grown[1] > 8,
                because="It saves memory. Work is a question of how many pairs there are.",
            ),
        ),
        measure=_four_times,
        says=lambda grown: f"Memory for scores: {grown[0]:.1f} times as much. Multiplications: {grown[1]:.0f} times.",
    ),
    Item(
        name="07-end-maximum",
        text="From lesson 00: tiles subtract 4 from all scores of a row, and later 10 instead. Why may they?",
        options=(
            Option(
                text="they may only because 4 and 10 are close",
                holds=lambda pair: not _same(pair) and np.abs(np.subtract(*pair)).max() < 0.1,
                because="However far apart they are, sum and blend change by the same factor.",
                code="approximate",
            ),
            Option(
                text="they may not: the weights change a little",
                holds=lambda pair: np.abs(np.subtract(*pair)).max() >= 0.1,
                because="Many expect smaller scores to weigh less. But all of the row become smaller by the same.",
                code="shift-matters",
            ),
            Option(
                text="a number taken from all scores of a row cancels out",
                holds=_same,
                because="It is one factor in every exponential, so also in their sum, and it goes when one divides.",
            ),
        ),
        measure=_other_maximum,
        says=lambda pair: f"The weights differ by {np.abs(np.subtract(*pair)).max():.2f}.",
    ),
    Written(
        name="07-end-words",
        text="In two sentences: why is streaming exact, and what does it save?",
        model=(
            "Every score is computed and counts, since the sum and the blend of earlier tiles are scaled to each new "
            "maximum. It saves memory, for only one tile of scores exists at a time; the work is the same."
        ),
    ),
)

WARM_UP = (
    Item(
        name="07-warm-shape",
        text="A map between two sequences has 3 rows and 9 columns. Who asks whom?",
        options=(
            Option(
                text="nine words ask three",
                holds=lambda shape: shape == (9, 3),
                because="Who asks has a row, and there are three of them.",
                code="direction-reversed",
            ),
            Option(
                text="twelve words ask each other",
                holds=lambda shape: shape == (12, 12),
                because="Then it would be square. The nine do not ask here.",
                code="one-big-sequence",
            ),
            Option(
                text="three words ask nine",
                holds=lambda shape: shape == (3, 9),
                because="A row for each word that asks, a column for each that is asked.",
            ),
        ),
        measure=_asked,
        says=lambda shape: f"Three questions and nine labels make a map of {shape[0]} x {shape[1]}.",
    ),
    Item(
        name="07-warm-shift",
        text="Scores of 1,001, 1,002 and 1,003, instead of 1, 2 and 3. What are the weights?",
        options=(
            Option(
                text="nearly even, since the scores are nearly the same",
                holds=lambda pair: bool(np.ptp(pair[1]) < 0.1),
                because="Softmax looks at gaps, and the gaps are still 1.",
                code="shift-matters",
            ),
            Option(
                text="there are none, since e to the 1,003 is too large",
                holds=lambda pair: not np.isfinite(pair[1]).all(),
                because="The largest score is subtracted first: what is left is -2, -1 and 0.",
                code="overflow",
            ),
            Option(
                text="the same as before",
                holds=_same,
                because="A number added to all scores of a row changes no weight.",
            ),
        ),
        measure=_shifted,
        says=lambda pair: f"Before: {_list(pair[0])}. Now: {_list(pair[1])}.",
    ),
    Item(
        name="07-warm-heads",
        text="Eight heads instead of one, at the same d_model. How many multiplications does it take to compare?",
        options=(
            Option(
                text="eight times as many",
                holds=lambda ratio: ratio > 2,
                because="Each head compares all words, but with an eighth of the numbers.",
                code="heads-cost-more",
            ),
            Option(
                text="an eighth as many",
                holds=lambda ratio: ratio < 0.5,
                because="That is what one of the heads needs. There are eight of them.",
                code="head-gets-a-share",
            ),
            Option(
                text="as many as before",
                holds=lambda ratio: ratio == 1,
                because="Eight times an eighth.",
            ),
        ),
        measure=lambda: _ratio(8),
        says=lambda ratio: f"It takes {ratio:g} times as many.",
    ),
)


def _list(numbers: Any) -> str:
    return ", ".join(f"{number:.2f}" for number in numbers)
