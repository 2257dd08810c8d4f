"""Exercises of the appendix on positions."""

from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Arguments, Exercise, FunctionExercise
from attention_lab.exercises.probes import Rng, three_words

_ANGLES = (
    "    rates = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)\n    angles = np.arange(n_tokens)[:, None] * rates\n"
)


def _sizes(rng: Rng, square: bool) -> Arguments:
    """Draw how many places, and how many numbers each has: pairs of them."""
    return {"n_tokens": int(rng.integers(4, 9)), "d_model": 2 * int(rng.integers(3, 6))}


def _words(rng: Rng, square: bool) -> Arguments:
    """Draw words whose numbers make pairs."""
    return {"x": rng.normal(size=tuple(_sizes(rng, square).values()))}


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="positions",
        optional=True,
        lesson="position",
        task=(
            "Make a vector for each place: pairs of sine and cosine. The pair i turns by 10000 to the power of "
            "-2i / d_model from place to place."
        ),
        trains="one rate for each pair; places count from 0",
        minutes=6,
        difficulty=2,
        stub=(
            "def my_positions(n_tokens, d_model):\n"
            "    # (n_tokens, d_model): sine and cosine side by side, the fastest pair in front\n"
            "    ..."
        ),
        solution=(
            "def my_positions(n_tokens, d_model):\n"
            + _ANGLES
            + "    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_tokens, d_model)"
        ),
        hints=BY_CODE["rate-for-each-number"].hints,
        sibling="turn",
        program=("count places", "set rates", "make waves"),
        inputs=_sizes,
        example=lambda: {"n_tokens": 3, "d_model": 2},
        about="a row for each place, d_model numbers each",
    ),
    FunctionExercise(
        name="turn",
        lesson="position",
        task="Turn each pair (a, b) of x (n_tokens, d_model) by its place times its rate: rotary positions.",
        trains="the same rates, used to turn instead of to add",
        minutes=6,
        difficulty=3,
        stub=("def my_turn(x):\n    # (a, b) becomes (a cos - b sin, a sin + b cos); pairs are neighbours\n    ..."),
        solution=(
            "def my_turn(x):\n"
            "    n_tokens, d_model = x.shape\n" + _ANGLES + "    a, b = x[:, 0::2], x[:, 1::2]\n"
            "    first = a * np.cos(angles) - b * np.sin(angles)\n"
            "    second = a * np.sin(angles) + b * np.cos(angles)\n"
            "    return np.stack([first, second], axis=-1).reshape(n_tokens, d_model)"
        ),
        hints=BY_CODE["turned-backwards"].hints,
        home=False,
        program=("count places", "set rates", "turn"),
        inputs=_words,
        example=three_words("x"),
        about="a row for each word, d_model numbers each",
    ),
)
