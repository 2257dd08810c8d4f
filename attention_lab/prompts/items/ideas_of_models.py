"""The ten ideas of the start and end tests, second half: hiding, order, two sentences, cost, and reading weights."""

from typing import Any

import numpy as np

from attention_lab.attention import attention_scores, scaled_dot_product_attention, softmax
from attention_lab.masks import causal_mask
from attention_lab.prompts.item import Item, Option, Twice
from attention_lab.shapes import FloatArray

N_THROWS = 40


def losses(sides: int, look: float) -> dict[str, float]:
    """Let each word look at the throw that comes next: the loss of that, with the future hidden, and of guessing."""
    throws = np.random.default_rng(0).integers(sides, size=N_THROWS)
    places, faces = np.eye(N_THROWS), np.eye(sides)[throws]
    mask = causal_mask(N_THROWS)[:-1]  # the last throw has no next one

    def loss(**hidden: Any) -> float:
        seen = scaled_dot_product_attention(look * places[1:], places, faces, scale=1.0, **hidden).output
        guess = 0.99 * seen + 0.01 / sides  # nothing is quite impossible
        return float(-np.log(guess[np.arange(N_THROWS - 1), throws[1:]]).mean())

    return {"own": loss(), "hidden": loss(mask=mask), "blind": float(-np.log(softmax(np.zeros(sides))[0]))}


def _leak(name: str, thing: str, sides: int, look: float) -> Item:
    found = losses(sides, look)
    return Item(
        name=name,
        text=(
            f"A model guesses new throws of a fair {thing}. Its loss, how surprised it is on average, is "
            f"{found['own']:.2f}; blind guessing has {found['blind']:.2f}. What is likely?"
        ),
        options=(
            Option(
                text="it is a very good model",
                holds=lambda losses: losses["hidden"] < losses["blind"],
                because=f"Many expect the lower loss to be the better model. But a fair {thing} has nothing to learn.",
                code="low-loss-is-good",
            ),
            Option(
                text="it learned the throws by heart",
                holds=lambda losses: losses["own"] >= losses["blind"],
                because="That helps with old throws only. These are new, and nothing tells how they fall.",
                code="just-overfitting",
            ),
            Option(
                text="it sees the throws that it should guess",
                holds=lambda losses: losses["own"] < losses["blind"] <= losses["hidden"],
                because="Nobody honest does better than blind guessing here, so the answers leak in.",
            ),
        ),
        measure=lambda: losses(sides, look),
        says=lambda losses: f"With the throws to come hidden, the loss is {losses['hidden']:.2f}.",
    )


def _changes(n_tokens: int, swapped: list[int]) -> FloatArray:
    """Tell how much each word's result changes when two of them swap places, each word found where it went."""
    x = np.random.default_rng(0).standard_normal((n_tokens, 4))
    order = np.arange(n_tokens)
    order[swapped] = order[swapped[::-1]]
    before, after = (scaled_dot_product_attention(words, words, words).output for words in (x, x[order]))
    return np.asarray(np.abs(after - before[order]).max(axis=-1))


def _order(name: str, n_tokens: int, one: int, other: int) -> Item:
    swapped = [one - 1, other - 1]
    others = [word for word in range(n_tokens) if word not in swapped]

    return Item(
        name=name,
        text=(
            f"{n_tokens} words go through attention alone, with nothing added or hidden. Words {one} and {other} swap "
            "places. Which words get another result, wherever they stand now?"
        ),
        options=(
            Option(
                text="those two",
                holds=lambda change: change[swapped].min() > 1e-9 and change[others].max() < 1e-9,
                because="Many expect a word's place to count. But words are compared by what they are, not where.",
                code="order-known",
            ),
            Option(
                text=f"all {n_tokens}",
                holds=lambda change: change.min() > 1e-9,
                because="Each word still finds the same words, with the same scores. Only their places differ.",
                code="all-changes",
            ),
            Option(
                text="none",
                holds=lambda change: change.max() < 1e-9,
                because="Each word adds up the same words with the same weights, in whatever order they stand.",
            ),
        ),
        measure=lambda: _changes(n_tokens, swapped),
        says=lambda change: f"The largest change of a word's result is {change.max():.6f}.",
    )


def _shared_out(name: str, n_queries: int, n_keys: int) -> Item:
    def weights() -> FloatArray:
        draw = np.random.default_rng(0).standard_normal
        return scaled_dot_product_attention(draw((n_queries, 2)), draw((n_keys, 2)), draw((n_keys, 2))).weights

    def sums_to_1(weights: Any, axis: int) -> bool:
        return np.size(weights) > 0 and np.allclose(np.sum(weights, axis=axis), 1)

    return Item(
        name=name,
        text=(
            f"{n_queries} words look at {n_keys} words of another sentence. "
            "Weights are shares of 100%. How many times is 100% shared out?"
        ),
        options=(
            Option(
                text=f"{n_keys} times: once for each word that is looked at",
                holds=lambda weights: sums_to_1(weights, 0),
                because="That reads the table of weights the wrong way round: who looks has 100% to give.",
                code="direction-reversed",
            ),
            Option(
                text=f"never: {n_queries} words cannot look at {n_keys}",
                holds=lambda weights: np.size(weights) == 0,
                because="Each word looks by itself, so there may be more words to look at, or fewer.",
                code="lengths-must-match",
            ),
            Option(
                text=f"{n_queries} times: once for each word that looks",
                holds=lambda weights: sums_to_1(weights, -1),
                because="Each word that looks has 100% to give to the words that it looks at.",
            ),
        ),
        measure=weights,
        says=lambda weights: f"The table has {len(weights)} rows, one for each word that looks.",
    )


def _cost(name: str, n_before: int, n_after: int) -> Item:
    times = n_after / n_before

    def is_(factor: float) -> Any:
        return lambda sizes: sizes[1] == factor * sizes[0]

    return Item(
        name=name,
        text=(
            f"Attention reads a text of {n_before} words, and then one of {n_after}. "
            "How many scores does it compute, compared with before?"
        ),
        options=(
            Option(
                text=f"{times:g} times as many",
                holds=is_(times),
                because=f"There are {times:g} times as many words, and each has {times:g} times as many to look at.",
                code="double-is-double",
            ),
            Option(
                text=f"{times**3:g} times as many",
                holds=is_(times**3),
                because="A comparison has two words, the one that looks and the other, and not three.",
                code="cubic",
            ),
            Option(
                text=f"{times**2:g} times as many",
                holds=is_(times**2),
                because=f"{times:g} times as many words, each with {times:g} times as many to look at.",
            ),
        ),
        measure=lambda: tuple(attention_scores(np.zeros((n, 1)), np.zeros((n, 1))).size for n in (n_before, n_after)),
        says=lambda sizes: f"{n_before} words have {sizes[0]:,} scores, and {n_after} have {sizes[1]:,}.",
    )


def _effect(name: str, share: float, values: tuple[float, float]) -> Item:
    weights = np.array([share, 1 - share])

    def parts() -> FloatArray:
        """Measure what each of the two words adds to the result: its weight times its value."""
        made = scaled_dot_product_attention([[1]], np.log([weights]).T, [(0, 0), values], scale=1.0).weights[0]
        sizes = np.linalg.norm(made[:, None] * [(0, 0), values], axis=-1)
        return np.asarray(sizes / sizes.sum())

    return Item(
        name=name,
        text=(
            f"A word gives {share:.0%} of its weight to a word with the numbers [0, 0], and {1 - share:.0%} to one "
            f"with [{values[0]:g}, {values[1]:g}]. What is its result made of?"
        ),
        options=(
            Option(
                text="of the first alone",
                holds=lambda parts: bool(np.isclose(parts[1], 0)),
                because="Many expect the largest weight to take everything. But the result adds up both words.",
                code="copy-not-blend",
            ),
            Option(
                text=f"{share:.0%} of the first, {1 - share:.0%} of the second",
                holds=lambda parts: bool(np.allclose(parts, weights)),
                because="A weight says how much is taken, not what it does: so much of nothing is nothing.",
                code="weight-is-meaning",
            ),
            Option(
                text="of the second alone",
                holds=lambda parts: bool(np.isclose(parts[0], 0)),
                because="However large its weight, a word with nothing but zeros adds nothing.",
            ),
        ),
        measure=parts,
        says=lambda parts: f"The first adds {parts[0]:.0%} of the result, the second {parts[1]:.0%}.",
    )


IDEAS = (
    Twice(
        name="leak", about="a loss too good to be true", lesson="04", ask=_leak, start=("coin", 2, 5), end=("die", 6, 5)
    ),
    Twice(name="order", about="the order of words", lesson="05", ask=_order, start=(5, 2, 4), end=(6, 1, 5)),
    Twice(name="shared-out", about="who shares out", lesson="06", ask=_shared_out, start=(3, 5), end=(6, 4)),
    Twice(name="cost", about="what a longer text costs", lesson="07", ask=_cost, start=(100, 200), end=(50, 150)),
    Twice(name="effect", about="what a weight says", lesson="08", ask=_effect, start=(0.9, (5, 2)), end=(0.8, (1, 6))),
)
