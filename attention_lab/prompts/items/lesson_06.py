"""Questions of lesson 06."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.examples import BANK, GERMAN, ONE_WAY
from attention_lab.masks import padding_mask
from attention_lab.prompts.item import Item, Option
from attention_lab.shapes import FloatArray

SAME = (7, 7)  # what every word of the context hands over instead


def _map_of_5_and_7() -> tuple[int, ...]:
    rng = np.random.default_rng(0)
    return scaled_dot_product_attention(rng.random((5, 2)), rng.random((7, 2)), rng.random((7, 2))).weights.shape


def _with_other_values() -> tuple[FloatArray, FloatArray]:
    """Give the outputs of the two German words, and once more with the same value for every word that is asked."""
    values = (BANK.v, np.array([SAME] * len(BANK.v)))
    before, after = (scaled_dot_product_attention(GERMAN.q, BANK.k, v).output for v in values)
    return before, after


def _stays(outputs: Any) -> bool:
    return bool(np.allclose(*outputs))


def _is_theirs(outputs: Any) -> bool:
    return bool(np.allclose(outputs[1], SAME))


def _padded() -> tuple[FloatArray, FloatArray]:
    """Pad the three words to five with zeros; give the weights without the mask, and with it."""
    x = np.zeros((5, 2))
    x[:3] = ONE_WAY.x
    q, k, v = x @ ONE_WAY.W_Q, x @ ONE_WAY.W_K, x @ ONE_WAY.W_V
    before, after = (scaled_dot_product_attention(q, k, v, mask=mask).weights for mask in (None, padding_mask(3, 5)))
    return before, after


def _zeros(maps: Any, axis: int) -> tuple[int, int]:
    """Count the rows (axis 1) or columns (axis 0) that are all 0, before and after."""
    before, after = (int((np.asarray(weights) == 0).all(axis=axis).sum()) for weights in maps)
    return before, after


ITEMS = (
    Item(
        name="06-shape",
        text="Five words of one language ask seven words of another. Which shape has the map of weights?",
        options=(
            Option(
                text="7 x 5",
                holds=lambda shape: shape == (7, 5),
                because="Many read it that way round. But who asks has a row, and five are asking.",
                code="direction-reversed",
            ),
            Option(
                text="12 x 12",
                holds=lambda shape: shape == (12, 12),
                because="Nobody joins the two. The seven do not ask, and the five are not asked.",
                code="one-big-sequence",
            ),
            Option(
                text="none, since the lengths differ",
                holds=lambda shape: shape is None,
                because="Each question is compared with each label. How many there are of either is free.",
                code="lengths-must-match",
            ),
            Option(
                text="5 x 7",
                holds=lambda shape: shape == (5, 7),
                because="A row for each word that asks, a column for each that is asked.",
            ),
        ),
        measure=_map_of_5_and_7,
        says=lambda shape: f"The map is {shape[0]} x {shape[1]}." if shape else "There is no map.",
    ),
    Item(
        name="06-supplies",
        text='The output of "Ufer" is a blend of whose values?',
        options=(
            Option(
                text="of the German words'",
                holds=_stays,
                because='Many expect a word to be made of its own kind. But "Ufer" only asks, and shares out.',
                code="asker-supplies",
            ),
            Option(
                text="of both languages' words",
                holds=lambda outputs: not _stays(outputs) and not _is_theirs(outputs),
                because="The weights have a column for each word that is asked, and none for those that ask.",
                code="both-supply",
            ),
            Option(
                text="of the three words' that it asks",
                holds=lambda outputs: _is_theirs(outputs) and not _stays(outputs),
                because="Keys and values come from the side that is asked. The side that asks brings questions.",
            ),
        ),
        measure=_with_other_values,
        says=lambda outputs: (
            f"Every word that is asked hands over {list(SAME)}, and the outputs move by up to "
            f"{np.abs(np.subtract(*outputs)).max():.2f}."
        ),
    ),
    Item(
        name="06-pad",
        text="Three words are padded to five with [0, 0], and the padding is hidden. What becomes 0 in the map?",
        options=(
            Option(
                text="two rows",
                holds=lambda maps: _zeros(maps, 1) == (0, 2) and _zeros(maps, 0)[1] < 2,
                because="Many expect a hidden word to be gone. But hidden means not looked *at*: that is a column.",
                code="hidden-word-is-gone",
            ),
            Option(
                text="nothing, since [0, 0] weighs nothing anyway",
                holds=lambda maps: _zeros(maps, 0)[0] == 2,
                because="Its scores are 0, and e to the 0 is 1: it takes a share like anybody else.",
                code="share-of-scores",
            ),
            Option(
                text="two columns",
                holds=lambda maps: _zeros(maps, 0) == (0, 2),
                because="Nobody looks at the padding. Its own rows are computed, and nobody uses them.",
            ),
        ),
        measure=_padded,
        says=lambda maps: (
            f"{_zeros(maps, 0)[1]} columns and {_zeros(maps, 1)[1]} rows are all 0; before, it was "
            f"{_zeros(maps, 0)[0]} and {_zeros(maps, 1)[0]}."
        ),
    ),
)
