"""The questions that open and close lesson 02."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.examples import INTEREST, ONE_WAY
from attention_lab.prompts.item import Item, Option, Written, row
from attention_lab.prompts.items.lesson_01 import clue_left

PAIR = np.array([[0.0, 1.0], [4.0, 1.0]])  # two ingredients


def _looks_least(word: int) -> Any:
    return lambda column: int(np.argmin(column)) == word


def _between(mix: tuple[float, float]) -> Any:
    """Whether weights of the two ingredients make this mix: none negative, 1 in all."""

    def holds(pair: Any) -> bool:
        first, second = np.asarray(pair)
        share = (mix[0] - first[0]) / (second[0] - first[0])
        return bool(0 <= share <= 1 and np.allclose(first + share * (second - first), mix))

    return holds


QUESTIONS = (
    Item(
        name="02-end-direction",
        text='In the last map, which word gives "bank" the smallest weight?',
        options=(
            Option(
                text="*The*",
                holds=_looks_least(0),
                because='That is the smallest number in the *row* of "bank": whom it looks at least.',
                code="direction-reversed",
            ),
            Option(
                text='"bank" itself',
                holds=_looks_least(1),
                because='Who looks at "bank" stands in its column, and there its own row has the smallest number.',
            ),
            Option(
                text='"river"',
                holds=_looks_least(2),
                because='"river" gives it the largest. Read down the column of "bank", row by row.',
                code="direction-reversed",
            ),
        ),
        measure=lambda: scaled_dot_product_attention(ONE_WAY.q, ONE_WAY.k, ONE_WAY.v).weights[:, 1],
        says=lambda column: "The column: " + ", ".join(f"{weight:.1%}" for weight in column) + ".",
    ),
    Item(
        name="02-end-shared",
        text='In the sentence about interest, "bank" weighs *interest* and *rate* alike. What does it get?',
        options=(
            Option(
                text="the value of one of the two",
                holds=lambda off: np.size(off) > 0 and min(off) < 1e-6,
                because="Many expect one word to win. But here two share the row, and both are in the result.",
                code="copy-not-blend",
            ),
            Option(
                text="the two values, one after the other",
                holds=lambda off: np.size(off) == 0,  # of another length than a value
                because="Nothing is put side by side: values are added up, each times its weight.",
                code="stacked",
            ),
            Option(
                text="a value that no word has",
                holds=lambda off: np.size(off) > 0 and min(off) > 0.1,
                because="It lies between the two: a blend is a copy of none.",
            ),
        ),
        measure=lambda: np.linalg.norm(
            scaled_dot_product_attention(INTEREST.q, INTEREST.k, INTEREST.v).output[1] - INTEREST.v, axis=-1
        ),
        says=lambda off: f"No word's value is nearer to it than {min(off):.2f}.",
    ),
    Item(
        name="02-end-blend",
        text="From lesson 01: can a blend of [0, 2] and [2, 2] ever be [3, 2]?",
        options=(
            Option(
                text="yes",
                holds=lambda weight: 0 <= weight <= 1,
                because="The second would need a weight above 1, and the first a negative one.",
                code="beyond-ingredients",
            ),
            Option(
                text="that depends on the scores",
                holds=lambda weight: bool(np.isnan(weight)),
                because="Whatever the scores are, softmax makes positive weights that sum to 1.",
                code="beyond-ingredients",
            ),
            Option(
                text="no",
                holds=lambda weight: not 0 <= weight <= 1 and not np.isnan(weight),
                because="A blend stays between its ingredients.",
            ),
        ),
        measure=lambda: 3 / 2,  # of [2, 2]: its first number is 2, that of the other 0
        says=lambda weight: f"It would take a weight of {weight:g}.",
    ),
    Written(
        name="02-end-words",
        text="In two sentences: why two matrices, `W_Q` and `W_K`, and not one?",
        model=(
            "With one matrix, asking and being labelled would be the same, so every score would be the same both ways. "
            'Two let "bank" give "river" a high score and get a low one back.'
        ),
    ),
)

WARM_UP = (
    Item(
        name="02-warm-hull",
        text="Blend [0, 1] and [4, 1]. Which of these can come out?",
        options=(
            Option(
                text="[5, 1]",
                holds=_between((5, 1)),
                because="It lies beyond both: a blend stays between its ingredients.",
                code="beyond-ingredients",
            ),
            Option(
                text="[4, 2]",
                holds=_between((4, 2)),
                because="Added up, 1 and 1 make 2. A blend is an average: 1 and 1 stay 1.",
                code="stacked",
            ),
            Option(text="[1, 1]", holds=_between((1, 1)), because="Three quarters of the first, one of the second."),
        ),
        measure=lambda: PAIR,
        says=lambda pair: f"Blends lie from {row(pair[0])} to {row(pair[1])}.",
    ),
    Item(
        name="02-warm-gap",
        text="A score is 6.9 above another. How much more weight does it get?",
        options=(
            Option(
                text="6.9 times as much",
                holds=lambda times: abs(times - 6.9) < 0.1,
                because="A gap is no ratio yet: softmax takes e to the power of it.",
                code="share-of-scores",
            ),
            Option(
                text="thirty times as much",
                holds=lambda times: abs(times - 30) < 2,
                because="6.9 is three steps of 2.3: ten times ten times ten, not ten plus ten plus ten.",
                code="share-of-scores",
            ),
            Option(
                text="about a thousand times as much",
                holds=lambda times: abs(times - 1000) < 20,
                because="6.9 is three steps of 2.3, and each multiplies by ten.",
            ),
        ),
        measure=lambda: float(np.exp(6.9)),
        says=lambda times: f"e to the 6.9 is {times:.0f}.",
    ),
    Item(
        name="02-warm-decay",
        text="A summary keeps half of itself at each word. What is left of a clue three words later?",
        options=(
            Option(
                text="half",
                holds=lambda left: abs(left - 0.5) < 0.01,
                because="That is what is left after one word.",
                code="only-last-step",
            ),
            Option(
                text="nothing",
                holds=lambda left: left < 0.001,
                because="Each word takes half of what is left, so something always is.",
                code="loss-is-linear",
            ),
            Option(
                text="an eighth",
                holds=lambda left: abs(left - 0.125) < 0.01,
                because="Half of a half of a half.",
            ),
        ),
        measure=lambda: clue_left(3, keep=0.5),
        says=lambda left: f"{left:.1%} of it is left.",
    ),
)
