"""Questions of lesson 05."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.heads import MultiHeadAttention
from attention_lab.prompts.item import Item, Option
from attention_lab.shapes import BoolArray, FloatArray

N_HEADS, D_MODEL = 3, 12


def heads(n_heads: int = N_HEADS, d_model: int = D_MODEL) -> MultiHeadAttention:
    """Draw the learned matrices of several heads that together are as wide as the model."""
    draw, d_k = np.random.default_rng(0).standard_normal, d_model // n_heads
    W_Q, W_K, W_V = draw((3, n_heads, d_model, d_k)) / np.sqrt(d_model)
    return MultiHeadAttention(W_Q, W_K, W_V, draw((n_heads, d_k, d_model)))


def _sizes() -> tuple[int, int]:
    """Count the learned numbers of one head, and of eight."""
    made = [heads(n_heads, 64) for n_heads in (1, 8)]
    one, eight = (sum(matrix.size for matrix in (one.W_Q, one.W_K, one.W_V, one.W_O)) for one in made)
    return one, eight


def _times(factor: float) -> Any:
    return lambda sizes: bool(np.isclose(sizes[1], factor * sizes[0]))


def _seen() -> tuple[BoolArray, BoolArray]:
    """Tell which words the third head gives weight to, and which numbers of a word its matrix uses."""
    made = heads()
    result = made(np.random.default_rng(1).standard_normal((5, D_MODEL)))
    return result.weights[2] > 0, made.W_Q[2] != 0


def _words(seen: Any) -> bool:
    return bool(np.all(seen[0]))


def _columns(seen: Any) -> bool:
    return bool(np.any(seen[1], axis=1).all())


def _swapped() -> tuple[FloatArray, FloatArray, list[int]]:
    """Measure the weights of five words, those with two of them swapped, and the new order."""
    x, order = np.random.default_rng(0).standard_normal((5, 4)), [0, 3, 2, 1, 4]
    before, after = (scaled_dot_product_attention(words, words, words).weights for words in (x, x[order]))
    return before, after, order


def _new_rows(measured: Any) -> BoolArray:
    """Tell of each word whether its weights are other ones, each word found where it went."""
    before, after, order = measured
    moved = np.asarray(before)[np.ix_(order, order)]
    return np.asarray(np.abs(moved - after).max(axis=1) > 1e-9)


def _swap_says(measured: Any) -> str:
    before, after, order = measured
    moved = np.asarray(before)[np.ix_(order, order)]
    return f"With rows and columns swapped back, the largest difference is {np.abs(moved - after).max():.6f}."


ITEMS = (
    Item(
        name="05-cost",
        text="Eight heads in place of one, and the model as wide as before. How many learned numbers do they have?",
        options=(
            Option(
                text="eight times as many",
                holds=_times(8),
                because="Many expect eight heads to be eight times the work. But each is an eighth as wide.",
                code="heads-cost-more",
            ),
            Option(
                text="an eighth as many",
                holds=_times(1 / 8),
                because="That is what *each* of them has. There are eight.",
                code="head-gets-a-share",
            ),
            Option(
                text="the same number",
                holds=_times(1),
                because="Eight matrices, each an eighth as wide: only what they are used for is new.",
            ),
        ),
        measure=_sizes,
        says=lambda sizes: f"One head has {sizes[0]:,} numbers, and eight have {sizes[1]:,}.",
    ),
    Item(
        name="05-sees",
        text="Words of twelve numbers, and three heads. What does head 3 see?",
        options=(
            Option(
                text="a third of the words",
                holds=lambda seen: not _words(seen),
                because="Many expect heads to share out the sentence. But every head looks at every word.",
                code="heads-split-words",
            ),
            Option(
                text="numbers 9 to 12 of each word",
                holds=lambda seen: _words(seen) and not _columns(seen),
                because="It *makes* four numbers of each word. They are made from all twelve.",
                code="heads-slice-x",
            ),
            Option(
                text="every word, all of it, through matrices of its own",
                holds=lambda seen: _words(seen) and _columns(seen),
                because="What is cut into heads is what the matrices make: queries, keys and values.",
            ),
        ),
        measure=_seen,
        says=lambda seen: (
            f"Each word looks at {np.sum(seen[0], axis=1).min()} of {np.shape(seen[0])[1]} words, and the matrix uses "
            f"{np.any(seen[1], axis=1).sum()} of {np.shape(seen[1])[0]} numbers."
        ),
    ),
    Item(
        name="05-shuffle",
        text="Two words of a sentence swap places. What becomes of the weights?",
        options=(
            Option(
                text="those two words look elsewhere now",
                holds=lambda measured: 0 < _new_rows(measured).sum() < len(_new_rows(measured)),
                because="Many expect a place to count. But a word is compared by what it is, and it is the same word.",
                code="order-known",
            ),
            Option(
                text="all of them are new",
                holds=lambda measured: bool(_new_rows(measured).all()),
                because="No query and no key has changed, so no score has. They stand in other rows and columns.",
                code="all-changes",
            ),
            Option(
                text="the same numbers, with rows and columns swapped",
                holds=lambda measured: not _new_rows(measured).any(),
                because="Each word finds the same words, wherever they stand. The order is nowhere in the formula.",
            ),
        ),
        measure=_swapped,
        says=_swap_says,
    ),
)
