"""The questions that open and close lesson 06."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.examples import ONE_WAY
from attention_lab.heads import MultiHeadAttention
from attention_lab.prompts.item import Item, Option, Written, row
from attention_lab.prompts.items.ideas_of_models import losses
from attention_lab.shapes import BoolArray, FloatArray

# Five tasks: what asks, and what is asked.
TASKS = {
    "find the topic": ("text", "text"),
    "label words": ("text", "text"),
    "guess the next": ("text", "text"),
    "translate": ("translation", "text"),
    "caption a picture": ("caption", "picture"),
}
KEY, VALUES = (0, 2), ((4, 0), (0, 4))  # two words with one label, and what each hands over


def _ask_another() -> list[bool]:
    return [asks != asked for asks, asked in TASKS.values()]


def _caption() -> tuple[int, ...]:
    rng = np.random.default_rng(0)
    return scaled_dot_product_attention(rng.random((4, 2)), rng.random((9, 2)), rng.random((9, 6))).output.shape


def _twins() -> FloatArray:
    return np.asarray(scaled_dot_product_attention([[1, 1]], [KEY, KEY], VALUES).output[0])


def _is(*vectors: Any) -> Any:
    return lambda output: any(np.allclose(output, vector) for vector in vectors)


def _sees_head_3() -> BoolArray:
    """Nudge each number of each of 12 words, and say which of them move head 3."""
    rng = np.random.default_rng(0)
    W_Q, W_K, W_V = rng.normal(size=(3, 4, 8, 2))
    heads = MultiHeadAttention(W_Q, W_K, W_V, rng.normal(size=(4, 2, 8)))
    x = rng.normal(size=(12, 8))
    before, moved = heads(x).head_outputs[2], np.zeros(x.shape, dtype=bool)
    for place in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[place] += 1
        moved[place] = not np.allclose(heads(nudged).head_outputs[2], before)
    return moved


def _pair() -> tuple[float, float]:
    """Give the weights of "river" on "bank", and of "bank" on "river"."""
    weights = scaled_dot_product_attention(ONE_WAY.q, ONE_WAY.k, ONE_WAY.v).weights
    return float(weights[2, 1]), float(weights[1, 2])


def _alike(found: Any) -> bool:
    return bool(np.isclose(found["hidden"], found["blind"]))


QUESTIONS = (
    Item(
        name="06-end-tasks",
        text="Find the topic, label words, guess the next, translate, caption a picture: which ask another sequence?",
        options=(
            Option(
                text="all, since in each a word looks at others",
                holds=all,
                because="Words that look at others of their *own* sequence do self-attention, causal or not.",
                code="self-means-self",
            ),
            Option(
                text="none, since two sequences are joined first",
                holds=lambda other: not any(other),
                because="One can join them, and some models do. Then there is one sequence, and nothing to cross.",
                code="one-big-sequence",
            ),
            Option(
                text="the last two",
                holds=lambda other: list(other) == [False, False, False, True, True],
                because="There, one thing is written and another is read. The next word needs a causal mask instead.",
            ),
        ),
        measure=_ask_another,
        says=lambda other: f"In {sum(other)} of {len(other)}, what asks and what is asked are different sequences.",
    ),
    Item(
        name="06-end-caption",
        text="Four words of a caption ask nine patches of a picture, with six numbers a value. The output is:",
        options=(
            Option(
                text="9 x 6",
                holds=lambda shape: shape == (9, 6),
                because="A patch is asked, and gets no answer. Who asks has a row.",
                code="direction-reversed",
            ),
            Option(
                text="13 x 6",
                holds=lambda shape: shape == (13, 6),
                because="Words and patches stay apart: the patches ask nothing here.",
                code="one-big-sequence",
            ),
            Option(
                text="4 x 6",
                holds=lambda shape: shape == (4, 6),
                because="A row for each word that asks; as wide as the values of the patches.",
            ),
        ),
        measure=_caption,
        says=lambda shape: f"The output is {shape[0]} x {shape[1]}.",
    ),
    Item(
        name="06-end-values",
        text=(
            f"From lesson 02: two words have the label {row(KEY)}, and hand over {row(VALUES[0])} and "
            f"{row(VALUES[1])}. Who asks gets:"
        ),
        options=(
            Option(
                text="one of the two values",
                holds=_is(*VALUES),
                because="Both match alike, so both are blended in: attention does not pick.",
                code="copy-not-blend",
            ),
            Option(
                text=f"{row(KEY)}, the label that matched",
                holds=_is(KEY),
                because="Labels are compared. What is handed over are values.",
                code="key-is-payload",
            ),
            Option(
                text=f"{row(np.mean(VALUES, axis=0))}, between the values",
                holds=_is(np.mean(VALUES, axis=0)),
                because="Equal scores, equal weights: the middle of what the other side hands over.",
            ),
        ),
        measure=_twins,
        says=lambda output: f"The output is {row(output)}.",
    ),
    Written(
        name="06-end-words",
        text="In two sentences: what is hidden in the sentence that a translator reads, and what in the one it writes?",
        model=(
            "Of the sentence that it reads only the padding is hidden, since all the rest is there from the start. Of "
            "the one that it writes, the future is hidden as well: no word may look at those that come after it."
        ),
    ),
)

_DIE = losses(sides=6, look=10)
WARM_UP = (
    Item(
        name="06-warm-head",
        text="Twelve words of eight numbers each, and four heads. What does head 3 see?",
        options=(
            Option(
                text="three of the words",
                holds=lambda moved: not moved.any(axis=1).all(),
                because="Heads do not share out the words. Each looks at the whole sentence.",
                code="heads-split-words",
            ),
            Option(
                text="two numbers of each word",
                holds=lambda moved: moved.any(axis=1).all() and not moved.any(axis=0).all(),
                because="It *makes* two numbers of each word, out of all eight, with its own matrices.",
                code="heads-slice-x",
            ),
            Option(
                text="every number of every word",
                holds=lambda moved: bool(moved.all()),
                because="It sees all of them, through its own `W_Q`, `W_K` and `W_V`.",
            ),
        ),
        measure=_sees_head_3,
        says=lambda moved: f"{moved.sum()} of {moved.size} numbers move its output when they are nudged.",
    ),
    Item(
        name="06-warm-bet",
        text=(
            f"Losses of two models on new throws of a fair die: {_DIE['own']:.2f} and {_DIE['blind']:.2f}. "
            "Which is better before a throw?"
        ),
        options=(
            Option(
                text=f"the one at {_DIE['own']:.2f}",
                holds=lambda found: found["hidden"] < found["blind"],
                because="Nobody can know a fair die. It saw the throw that it was asked for.",
                code="low-loss-is-good",
            ),
            Option(
                text="both alike, after more throws",
                holds=_alike,
                because="More throws teach it nothing: it goes on looking at the answer.",
                code="just-overfitting",
            ),
            Option(
                text=f"the one at {_DIE['blind']:.2f}",
                holds=lambda found: found["hidden"] > found["blind"] and not _alike(found),
                because="Its loss is that of a blind guess, the floor. Below it, the answer leaks.",
            ),
        ),
        measure=lambda: _DIE,
        says=lambda found: f"Before a throw, a loss of {found['own']:.2f} becomes {found['hidden']:.1f}.",
    ),
    Item(
        name="06-warm-mutual",
        text=f'In one map, "river" gives "bank" {_pair()[0]:.1%}. How much does "bank" give "river"?',
        options=(
            Option(
                text="as much",
                holds=lambda pair: bool(np.isclose(*pair)),
                because="Each asks a question of its own, so looking need not be mutual.",
                code="looks-mutual",
            ),
            Option(
                text="the rest",
                holds=lambda pair: bool(np.isclose(sum(pair), 1)),
                because="A row sums to 1. Two words that look at each other stand in two rows.",
                code="direction-reversed",
            ),
            Option(
                text="that is not known yet",
                holds=lambda pair: not np.isclose(*pair) and not np.isclose(sum(pair), 1),
                because='It stands in another row, that of "bank", with another question.',
            ),
        ),
        measure=_pair,
        says=lambda pair: f'"bank" gives "river" {pair[1]:.1%}.',
    ),
)
