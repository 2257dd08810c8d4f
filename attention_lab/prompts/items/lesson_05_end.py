"""The questions that open and close lesson 05."""

from typing import Any

import numpy as np

from attention_lab.attention import attention_scores, scaled_dot_product_attention, softmax
from attention_lab.heads import MultiHeadAttention
from attention_lab.masks import causal_mask
from attention_lab.prompts.item import Item, Option, Written
from attention_lab.prompts.items.lesson_05 import D_MODEL, heads
from attention_lab.shapes import FloatArray, IntArray


def _shape_of_weights() -> tuple[int, ...]:
    return heads()(np.random.default_rng(1).standard_normal((6, D_MODEL))).weights.shape


def _is_shape(*shape: int) -> Any:
    return lambda found: tuple(found) == shape


def _first_row() -> IntArray:
    """Give, of each number in the first row of a merge by reshape alone, its head and its word, counted from 1."""
    head, word, _ = np.indices((2, 3, 2)) + 1
    return np.stack([head.reshape(3, 4)[0], word.reshape(3, 4)[0]])


def _divisor() -> float:
    """Divide raw scores by those that a head of four makes, in a model that is 64 wide."""
    x, draw = np.random.default_rng(1).standard_normal((5, 64)), np.random.default_rng(0).standard_normal
    W_Q, W_K, W_V = draw((3, 4, 64, 16))
    result = MultiHeadAttention(W_Q, W_K, W_V, draw((4, 16, 64)))(x)
    return float(np.median(result.q @ result.k.swapaxes(-1, -2) / result.scores))


def _is(number: float) -> Any:
    return lambda measured: abs(measured - number) < 0.01 * number


def _second_weight() -> float:
    mask = causal_mask(5)
    return float(softmax(np.where(mask, np.log([0.3, 0.7, 0.9, 0.2, 0.1]), -np.inf))[1, 1])


def _spread(d_k: int) -> float:
    q, k = np.random.default_rng(0).standard_normal((2, 2000, d_k))
    return float(attention_scores(q[:400], k, scale=1.0).std())


def _about(number: float) -> Any:
    return lambda measured: abs(measured / number - 1) < 0.2


def _flat() -> tuple[FloatArray, FloatArray]:
    """Give the weights and outputs of words whose scores are all alike, over values that are not."""
    v = np.arange(16.0)[:, None]
    result = scaled_dot_product_attention(np.zeros((16, 2)), np.zeros((16, 2)), v)
    return result.weights, result.output


QUESTIONS = (
    Item(
        name="05-end-shapes",
        text="x is (6, 12): six words. Three heads look at it. What shape do their weights have?",
        options=(
            Option(
                text="(3, 2, 6): each head has two of the words",
                holds=_is_shape(3, 2, 6),
                because="Words are not shared out: each of the six looks, in every head.",
                code="heads-split-words",
            ),
            Option(
                text="(3, 6, 4): each head has four numbers of each word",
                holds=_is_shape(3, 6, 4),
                because="That is the shape of its queries. Compared with the keys, they make a map: six by six.",
                code="heads-slice-x",
            ),
            Option(
                text="(3, 6, 6): each head has a map of all words",
                holds=_is_shape(3, 6, 6),
                because="Six words look at six words, and each head has its own way to look.",
            ),
        ),
        measure=_shape_of_weights,
        says=lambda found: f"The weights are {tuple(int(size) for size in found)}.",
    ),
    Item(
        name="05-end-scrambled",
        text="What two heads found for three words is (2, 3, 2). What is the first row of `found.reshape(3, 4)`?",
        options=(
            Option(
                text="the first word, from both heads",
                holds=lambda row: np.unique(row[1]).tolist() == [1] and len(np.unique(row[0])) == 2,
                because="So it should be, and the shape is right. But a reshape moves no axis: head 1 comes first.",
                code="reshape-moves-axes",
            ),
            Option(
                text="every word a little, so it makes no difference",
                holds=lambda row: len(np.unique(row[1])) == 3,
                because="It does: row 1 belongs to word 1 from here on, and W_O mixes numbers, not words.",
                code="reshape-moves-axes",
            ),
            Option(
                text="the first and the second word, from head 1",
                holds=lambda row: np.unique(row[1]).tolist() == [1, 2] and np.unique(row[0]).tolist() == [1],
                because="A reshape keeps the order, and in it heads come first. So swap the axes before you reshape.",
            ),
        ),
        measure=_first_row,
        says=lambda row: f"Its four numbers come from the heads {_list(row[0])} and the words {_list(row[1])}.",
    ),
    Item(
        name="05-end-scale",
        text="From lesson 03: a model is 64 wide and has four heads. By what are the scores divided?",
        options=(
            Option(
                text="8, the root of 64",
                holds=_is(8),
                because="Then each head would be as wide as the model. A head has 16 numbers of its own.",
                code="heads-cost-more",
            ),
            Option(
                text="16, the width of a head",
                holds=_is(16),
                because="Scores of a head spread like the root of its width, not like the width.",
                code="grows-with-d",
            ),
            Option(
                text="4, the root of 16",
                holds=_is(4),
                because="Each score adds up the 16 products of one head, so it spreads like the root of 16.",
            ),
        ),
        measure=_divisor,
        says=lambda divisor: f"They are divided by {divisor:.1f}.",
    ),
    Written(
        name="05-end-words",
        text="In two sentences: how do you find out whether a head has a role, and whether the model needs it?",
        model=(
            "Say where a head with that role would look, and measure how much of its weight lies there, on sentences "
            "that are new. Then take the head out: the answers that need the role should suffer, and the others not."
        ),
    ),
)

WARM_UP = (
    Item(
        name="05-warm-row",
        text="A decoder's map of five words. Its second row starts with a weight of 0.3. What comes next?",
        options=(
            Option(
                text="0.175, a quarter of what is left",
                holds=_is(0.175),
                because="Three of the other four come later, and what is hidden takes no share.",
                code="hidden-still-counts",
            ),
            Option(
                text="that depends on its score",
                holds=lambda weight: not (_is(0.175)(weight) or _is(0.7)(weight)),
                because="It is the only one that is left to share with, so its score does not matter any more.",
                code="score-decides",
            ),
            Option(
                text="0.7",
                holds=_is(0.7),
                because="The second word sees two words, itself one of them, and its row sums to 1.",
            ),
        ),
        measure=_second_weight,
        says=lambda weight: f"It is {weight:.3f}.",
    ),
    Item(
        name="05-warm-spread",
        text="Unscaled scores spread by 3 at d_k = 9. By how much do they spread at d_k = 36?",
        options=(
            Option(
                text="by 3",
                holds=_about(3),
                because="A sum of more terms does spread more: they do not cancel out.",
                code="averages-out",
            ),
            Option(
                text="by 12",
                holds=_about(12),
                because="So it would be if all terms pulled the same way. They pull in both.",
                code="grows-with-d",
            ),
            Option(
                text="by 6",
                holds=_about(6),
                because="Four times as many terms: four times the variance, and twice the spread.",
            ),
        ),
        measure=lambda: _spread(36),
        says=lambda spread: f"They spread by {spread:.0f}.",
    ),
    Item(
        name="05-warm-flat",
        text="All rows of a head are the same: 16 weights of 1/16. What does each word get from it?",
        options=(
            Option(
                text="the one word that it needs",
                holds=lambda found: bool(np.max(found[0], axis=-1).min() > 0.9),
                because="No word stands out in such a row, and none is copied.",
                code="copy-not-blend",
            ),
            Option(
                text="a fair answer to what it asked",
                holds=lambda found: bool(np.ptp(found[1], axis=0).max() > 1e-9 and np.max(found[0]) < 0.9),
                because="Every word gets the same, whatever it asked: nobody is heard.",
                code="softer-is-better",
            ),
            Option(
                text="the plain average, like all the others",
                holds=lambda found: bool(np.ptp(found[1], axis=0).max() < 1e-9 and np.max(found[0]) < 0.9),
                because="The same weights for everybody make the same blend for everybody.",
            ),
        ),
        measure=_flat,
        says=lambda found: f"The outputs of two words differ by {np.ptp(found[1], axis=0).max():.1f} at most.",
    ),
)


def _list(numbers: Any) -> str:
    return ", ".join(str(int(number)) for number in numbers)
