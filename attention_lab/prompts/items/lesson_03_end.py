"""The questions that open and close lesson 03."""

from typing import Any

import numpy as np

from attention_lab.attention import attention_scores, scaled_dot_product_attention, softmax
from attention_lab.examples import ONE_WAY
from attention_lab.prompts.item import Item, Option, Written
from attention_lab.prompts.items.lesson_03 import D_K, weights_at, words_looked_at
from attention_lab.shapes import FloatArray

N_PRODUCTS = 100
MAP = ((0.3, 0.7), (0.2, 0.8))  # who looks: tea, cup; who is looked at: tea, cup


def _about(number: float) -> Any:
    return lambda measured: abs(measured / number - 1) < 0.1


def _is(number: float) -> Any:
    return lambda measured: abs(measured - number) < 0.01


def _mix(numbers: tuple[float, ...]) -> Any:
    return lambda mix: np.shape(mix) == np.shape(numbers) and np.allclose(mix, numbers)


def _variance() -> float:
    q, k = np.random.default_rng(0).standard_normal((2, 500, N_PRODUCTS))
    return float(attention_scores(q, k, scale=1.0).var())


def _three_scales() -> FloatArray:
    """Count the words looked at: without a scale, with the right one, and with scores that are far too small."""
    return np.array([words_looked_at(weights_at(divisor)) for divisor in (1, np.sqrt(D_K), 1000)])


def _too_sharp(words: Any) -> bool:
    return bool(words[0] < 0.5 * words[1])


def _too_flat(words: Any) -> bool:
    return bool(words[2] > 1.2 * words[1])


def _doubled() -> dict[str, float]:
    before, after = (
        scaled_dot_product_attention(ONE_WAY.q, ONE_WAY.k, ONE_WAY.x @ W_V) for W_V in (ONE_WAY.W_V, 2 * ONE_WAY.W_V)
    )
    return {name: float(getattr(after, name)[1, 1] / getattr(before, name)[1, 1]) for name in ("weights", "output")}


def _doubles(*names: str) -> Any:
    return lambda times: {name for name in ("weights", "output") if abs(times[name] - 2) < 0.01} == set(names)


QUESTIONS = (
    Item(
        name="03-end-variance",
        text=f"One product of two random numbers has a variance of 1. And the sum of {N_PRODUCTS} such products?",
        options=(
            Option(
                text="1",
                holds=_about(1),
                because="Plus and minus cancel in the *average*. Each product still pushes the sum its own way.",
                code="averages-out",
            ),
            Option(
                text="10,000",
                holds=_about(10_000),
                because="That is so if all pull the same way: then the sum is 100 times one product. They do not.",
                code="grows-with-d",
            ),
            Option(
                text="100",
                holds=_about(100),
                because="Variances of independent products add up. The spread is their root, 10, so that divides it.",
            ),
        ),
        measure=_variance,
        says=lambda variance: f"The variance is {variance:.0f}, the spread {np.sqrt(variance):.0f}.",
    ),
    Item(
        name="03-end-suspect",
        text="Head A gives one word 99% in every row. Head B gives all words the same. Whose scale do you suspect?",
        options=(
            Option(
                text="A's alone, since even weights are fair",
                holds=lambda words: _too_sharp(words) and not _too_flat(words),
                because="Weights that are all alike make the plain average, whatever was asked: B looks at nothing.",
                code="softer-is-better",
            ),
            Option(
                text="nobody's, since a scale keeps the order",
                holds=lambda words: not _too_sharp(words) and not _too_flat(words),
                because="It keeps the order and changes the gaps, and gaps make the weights.",
                code="scale-is-cosmetic",
            ),
            Option(
                text="both",
                holds=lambda words: _too_sharp(words) and _too_flat(words),
                because="Too large scores leave one word, too small ones leave no choice. Either may also be learned.",
            ),
        ),
        measure=_three_scales,
        says=lambda words: (
            f"Unscaled, {words[0]:.1f} words are looked at; scaled {words[1]:.0f}; divided by 1,000, {words[2]:.0f}."
        ),
    ),
    Item(
        name="03-end-values",
        text="From lesson 02: every number in `W_V` is doubled. What doubles?",
        options=(
            Option(
                text="the weights and the output",
                holds=_doubles("weights", "output"),
                because="What is handed over is not what is compared: the weights come from `W_Q` and `W_K`.",
                code="key-is-payload",
            ),
            Option(
                text="the weights alone",
                holds=_doubles("weights"),
                because="Values take no part in the comparison, and a row of weights always sums to 1.",
                code="value-is-compared",
            ),
            Option(
                text="the output alone",
                holds=_doubles("output"),
                because="The same weights blend values that are twice as large.",
            ),
        ),
        measure=_doubled,
        says=lambda times: f"Weights: {times['weights']:.0f} times as large. Output: {times['output']:.0f} times.",
    ),
    Written(
        name="03-end-words",
        text="In two sentences: under the root, the size of the head or the size of the model, and why?",
        model=(
            "The size of the head, d_k: a score adds up d_k products, so it spreads like the root of d_k. "
            "The model is wider than one of its heads, so its root would bring the weights too close together."
        ),
    ),
)

WARM_UP = (
    Item(
        name="03-warm-direction",
        text='Row "tea", column "cup" holds 70%; row "cup", column "tea" 20%. How much does "cup" look at "tea"?',
        options=(
            Option(
                text="70%",
                holds=_is(MAP[0][1]),
                because='That is how much "tea" looks at "cup": the row is the word that looks.',
                code="direction-reversed",
            ),
            Option(
                text="45%, the mean of the two",
                holds=_is((MAP[0][1] + MAP[1][0]) / 2),
                because="Looking is not mutual, so the two numbers say two things.",
                code="looks-mutual",
            ),
            Option(text="20%", holds=_is(MAP[1][0]), because="Row looks at column."),
        ),
        measure=lambda: float(softmax(np.log(MAP))[1, 0]),
        says=lambda weight: f'In the row of "cup", the column of "tea" holds {weight:.0%}.',
    ),
    Item(
        name="03-warm-blend",
        text="Weights of 0.9 and 0.1 on the values [10, 0] and [0, 10]. What comes out?",
        options=(
            Option(
                text="[10, 0]",
                holds=_mix((10, 0)),
                because="The largest weight does not take everything: a tenth of the other value is in it.",
                code="copy-not-blend",
            ),
            Option(
                text="[9, 0, 0, 1]",
                holds=_mix((9, 0, 0, 1)),
                because="Nothing is put side by side: the two are added up, place by place.",
                code="stacked",
            ),
            Option(text="[9, 1]", holds=_mix((9, 1)), because="Each value times its weight, added up."),
        ),
        measure=lambda: np.array([0.9, 0.1]) @ [[10, 0], [0, 10]],
        says=lambda mix: f"0.9 of 10 is {mix[0]:g}, and 0.1 of 10 is {mix[1]:g}.",
    ),
    Item(
        name="03-warm-zero",
        text="Two scores, 0 and 2.3. What weight does the 0 get?",
        options=(
            Option(
                text="none",
                holds=_is(0),
                because="A weight is no share of the scores: e to the 0 is 1, so it takes part.",
                code="share-of-scores",
            ),
            Option(
                text="half, since both are words",
                holds=_is(0.5),
                because="Only equal scores weigh the same, and these two are 2.3 apart.",
                code="softer-is-better",
            ),
            Option(
                text="one part in eleven",
                holds=_is(1 / 11),
                because="A gap of 2.3 is a ratio of ten: ten parts and one part.",
            ),
        ),
        measure=lambda: float(softmax([0.0, 2.3])[0]),
        says=lambda weight: f"It gets {weight:.1%}.",
    ),
)
