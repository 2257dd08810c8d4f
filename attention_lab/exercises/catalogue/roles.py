"""The exercise of lesson 05 that gives a head's role a number."""

import numpy as np

from attention_lab.examples import BANK, ONE_WAY
from attention_lab.exercises.exercise import Arguments, Exercise, FunctionExercise
from attention_lab.exercises.steps import weigh

HINTS = (
    "In the row of the third word, which column belongs to the word before it?",
    "Row i, column i - 1, for every word but the first; then the mean, for each head by itself.",
    "`np.diagonal(weights, -1, -2, -1).mean(axis=-1)`",
)
AFTER_HINTS = (
    "In the row of the third word, which column belongs to the word after it?",
    "Row i, column i + 1, for every word but the last; then the mean, for each head by itself.",
    "`np.diagonal(weights, 1, -2, -1).mean(axis=-1)`",
)


def _maps(rng: np.random.Generator, square: bool) -> Arguments:
    """Draw the maps of several heads; there are as many heads as words with `square`."""
    n_heads, n = [rng.integers(4, 7)] * 2 if square else rng.permutation(np.arange(3, 9))[:2]
    return {"weights": weigh(2 * rng.normal(size=(n_heads, n, n)))}


def _two_heads() -> Arguments:
    """Take the maps of the three words, from the worked example and from the second one."""
    return {"weights": weigh(np.stack([one.q @ one.k.T / np.sqrt(2) for one in (BANK, ONE_WAY)]))}


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="role",
        lesson="05",
        optional=True,
        task="Score each head for one role: how much a word looks at the word before it, on average.",
        trains="a role is a number, read off a map",
        minutes=6,
        difficulty=2,
        stub=(
            "def my_role(weights):\n"
            "    # (n_heads, n, n) -> (n_heads,): the mean weight on the previous word; the first has none\n    ..."
        ),
        solution=(
            "def my_role(weights):\n"
            "    rows = np.arange(1, weights.shape[-1])\n"
            "    return weights[:, rows, rows - 1].mean(axis=-1)"
        ),
        hints=HINTS,
        sibling="role-after",
        program=("look back",),
        inputs=_maps,
        example=_two_heads,
        about="(n_heads,): a score for each head",
    ),
    FunctionExercise(
        name="role-after",
        lesson="05",
        task="Write role(weights), (n_heads, n, n) -> (n_heads,): the mean weight on the word *after* each word.",
        trains="the same on the other side of the diagonal",
        minutes=6,
        difficulty=2,
        stub="def my_role(weights):\n    # the mean weight on the next word; the last has none\n    ...",
        solution=(
            "def my_role(weights):\n"
            "    rows = np.arange(weights.shape[-1] - 1)\n"
            "    return weights[:, rows, rows + 1].mean(axis=-1)"
        ),
        hints=AFTER_HINTS,
        home=False,
        program=("look ahead",),
        inputs=_maps,
        example=_two_heads,
        about="(n_heads,): a score for each head",
    ),
)
