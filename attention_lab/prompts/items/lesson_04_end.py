"""The questions that open and close lesson 04."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention, softmax
from attention_lab.diagnostics import attention_entropy
from attention_lab.examples import BANK, ONE_WAY, RIVER
from attention_lab.masks import causal_mask
from attention_lab.prompts.item import Item, Option, Written
from attention_lab.shapes import FloatArray


def _pair() -> tuple[float, float]:
    """Give the weights of "bank" on "river", and of "river" on "bank", where the future is hidden."""
    q, k, v = (RIVER.x @ matrix for matrix in (ONE_WAY.W_Q, ONE_WAY.W_K, ONE_WAY.W_V))
    weights = scaled_dot_product_attention(q, k, v, mask=causal_mask(len(q))).weights
    bank, river = RIVER.words.index("bank"), RIVER.words.index("river")
    return float(weights[bank, river]), float(weights[river, bank])


def _three_ways() -> FloatArray:
    """Hide "river" from "bank" in three ways: a score of 0, a weight of 0, a score of -inf."""
    scores = BANK.q[1] @ BANK.k.T / np.sqrt(2)
    seen = np.array([True, True, False])
    return np.stack(
        [softmax(np.where(seen, scores, 0)), softmax(scores) * seen, softmax(np.where(seen, scores, -np.inf))]
    )


def _only(way: int) -> Any:
    """Whether this is the way that leaves nothing on the last word, and a row that sums to 1."""

    def holds(rows: Any) -> bool:
        good = [bool(np.isclose(np.sum(row), 1) and row[-1] == 0) for row in rows]
        return good == [i == way for i in range(3)]

    return holds


def _fifth() -> tuple[float, float]:
    """Count the words that the fifth of 8 looks at, with scores that are all 0, and all 3."""
    mask = causal_mask(8)
    flat = (softmax(np.where(mask, score, -np.inf)) for score in (0, 3))
    first, second = (float(2 ** attention_entropy(weights)[4]) for weights in flat)
    return first, second


def _both(number: int) -> Any:
    return lambda words: bool(np.allclose(words, number))


def _is(number: float) -> Any:
    return lambda measured: abs(measured - number) < 0.01


def _no_values() -> tuple[FloatArray, FloatArray]:
    before, after = (
        scaled_dot_product_attention(ONE_WAY.q, ONE_WAY.k, ONE_WAY.x @ W_V).weights
        for W_V in (ONE_WAY.W_V, 0 * ONE_WAY.W_V)
    )
    return before, after


def _stays(pair: Any) -> bool:
    return bool(np.allclose(*pair))


def _twins() -> FloatArray:
    """Let "bank" stand there twice, and look at itself, at its twin and at "river"."""
    q, k, v = (ONE_WAY.x[[1, 1, 2]] @ matrix for matrix in (ONE_WAY.W_Q, ONE_WAY.W_K, ONE_WAY.W_V))
    return np.asarray(scaled_dot_product_attention(q, k, v).weights[0])


QUESTIONS = (
    Item(
        name="04-end-river",
        text='A decoder reads *The bank by the river*. Who of "bank" and "river" can look at the other?',
        options=(
            Option(
                text='"bank" at "river"',
                holds=lambda pair: pair[0] > 0 and pair[1] == 0,
                because='"river" comes later. Row "bank", column "river" is above the diagonal: hidden.',
                code="direction-reversed",
            ),
            Option(
                text='neither, since "river" is hidden',
                holds=lambda pair: pair[0] == 0 and pair[1] == 0,
                because='It is hidden from "bank", in one row. It has a row of its own, and looks back from there.',
                code="hidden-word-is-gone",
            ),
            Option(
                text='"river" at "bank"',
                holds=lambda pair: pair[0] == 0 and pair[1] > 0,
                because="Later words look back at earlier ones, and never the other way.",
            ),
        ),
        measure=_pair,
        says=lambda pair: f'"bank" gives "river" {pair[0]:.1%}; "river" gives "bank" {pair[1]:.1%}.',
    ),
    Item(
        name="04-end-hide",
        text='How do you hide "river" from "bank", so that it weighs 0 and the row still sums to 1?',
        options=(
            Option(
                text="make its score 0, then softmax",
                holds=_only(0),
                because="A weight is no share of the scores. A score of 0 is one like any other: e to the 0 is 1.",
                code="share-of-scores",
            ),
            Option(
                text="softmax, then make its weight 0",
                holds=_only(1),
                because="By then, it has taken its share of the sum, and the others keep what it left.",
                code="hidden-still-counts",
            ),
            Option(
                text="make its score -inf, then softmax",
                holds=_only(2),
                because="e to the -inf is 0, so the others share out everything among them.",
            ),
        ),
        measure=_three_ways,
        says=lambda rows: (
            f'With a score of 0, "river" keeps {rows[0][-1]:.1%}; hidden afterwards, it leaves '
            f"a row that sums to {np.sum(rows[1]):.3f}."
        ),
    ),
    Item(
        name="04-end-fifth",
        text="From lesson 03: a causal head weighs all it sees alike. How many of 8 words does the fifth look at?",
        options=(
            Option(
                text="8",
                holds=_both(8),
                because="Three of them come later, and what is hidden takes no share.",
                code="hidden-still-counts",
            ),
            Option(
                text="that depends on the scores",
                holds=lambda words: not np.isclose(*words),
                because="They are all alike, and adding the same number to each changes nothing.",
                code="shift-matters",
            ),
            Option(
                text="5",
                holds=_both(5),
                because="Itself and the four before it, a fifth of the weight for each.",
            ),
        ),
        measure=_fifth,
        says=lambda words: f"2 to the entropy of its row is {words[0]:.1f}.",
    ),
    Written(
        name="04-end-words",
        text="In two sentences: a loss is below the floor. What do you suspect, and how do you find out?",
        model=(
            "On new sentences no honest model stays below the floor, so it sees the answers: the future is not hidden. "
            "Change a later word and see whether an earlier output moves: that is the leak test."
        ),
    ),
)

WARM_UP = (
    Item(
        name="04-warm-halves",
        text="Scores of 0 and 4.6 give the second a weight of 99%. Both are halved. What is its weight now?",
        options=(
            Option(
                text="99%, since it is still the larger one",
                holds=_is(0.99),
                because="The order stays, but the gap is half as large, and gaps make the weights.",
                code="scale-is-cosmetic",
            ),
            Option(
                text="about 50%",
                holds=_is(0.5),
                because="Weights do not shrink as scores do. Only a gap of 0 would make them equal.",
                code="share-of-scores",
            ),
            Option(
                text="about 91%",
                holds=_is(10 / 11),
                because="The gap is 2.3 now, so it weighs ten times as much as the other, not a hundred times.",
            ),
        ),
        measure=lambda: float(softmax([0.0, 2.3])[1]),
        says=lambda weight: f"It is {weight:.1%}.",
    ),
    Item(
        name="04-warm-values",
        text="Every number in `W_V` becomes 0. What happens to the weights?",
        options=(
            Option(
                text="they become 0",
                holds=lambda pair: not np.any(pair[1]),
                because="The values become 0, and the output. What is compared is something else.",
                code="key-is-payload",
            ),
            Option(
                text="they become all alike",
                holds=lambda pair: bool(np.any(pair[1])) and np.ptp(pair[1]) < 1e-9 and not _stays(pair),
                because="Values are not compared with anything, so there is as much to compare as before.",
                code="value-is-compared",
            ),
            Option(
                text="nothing",
                holds=lambda pair: bool(np.any(pair[1])) and _stays(pair),
                because="Weights come from `W_Q` and `W_K`. They are spent on values that are 0 now.",
            ),
        ),
        measure=_no_values,
        says=lambda pair: f"The largest change of a weight is {np.abs(np.subtract(*pair)).max():.2f}.",
    ),
    Item(
        name="04-warm-twins",
        text="Two words have the same embedding. Do they look at each other most?",
        options=(
            Option(
                text="yes, since they are alike",
                holds=lambda row: row[1] >= row[2],
                because="A question is compared with labels, not an embedding with embeddings.",
                code="alike-attends",
            ),
            Option(
                text="no, each looks at itself alone",
                holds=lambda row: row[0] > 0.99,
                because="*Self*-attention means the words of one sentence, and a twin has the same label.",
                code="self-means-self",
            ),
            Option(
                text="not always: learned matrices decide",
                holds=lambda row: row[1] < row[2] and row[0] <= 0.99,
                because="`W_Q` makes the question and `W_K` the label, so like need not look at like.",
            ),
        ),
        measure=_twins,
        says=lambda row: f'In one example, "bank" gives its twin {row[1]:.1%}, and "river" {row[2]:.1%}.',
    ),
)
