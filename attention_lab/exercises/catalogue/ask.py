"""Exercises of lesson 02."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from attention_lab.examples import ONE_WAY
from attention_lab.exercises.exercise import Exercise, Finding, FunctionExercise, OrderExercise, ValueExercise
from attention_lab.exercises.letters import letters_of
from attention_lab.exercises.personal import PersonalNumbers
from attention_lab.exercises.probes import three_words, with_temperature, words_that_look
from attention_lab.exercises.traces import BOXES, look_at_boxes
from attention_lab.exercises.typed import is_blank

ATTENTION_HINTS = (
    "On which line does your function compare, scale, weigh and blend?",
    "Compare q with k, scale by the root of d_k, weigh along each row, blend v.",
    "`scores = q @ k.T / np.sqrt(k.shape[-1])`, then `softmax(scores) @ v`",
)
SCORES_HINTS = (
    "Which two vectors does the score in row i and column j compare?",
    "Row i holds the dot products of query i with every key, divided by the root of d_k.",
    "`q @ k.T / np.sqrt(k.shape[-1])`",
)
SOLVED_SECOND = 'row = {\n    "weights": [0.023, 0.191, 0.786],\n    "output": [1.59, 1.95],\n}'
SOLVED_BY_HAND = """q = mine.x[1] @ mine.W_Q
scores = q @ (mine.x @ mine.W_K).T
weights = softmax(scores / np.sqrt(2))
by_hand = {
    "numbers": mine,
    "q": q,
    "k": mine.x @ mine.W_K,
    "scores": scores,
    "scaled": scores / np.sqrt(2),
    "weights": weights,
    "output": weights @ mine.x @ mine.W_V,
}"""


def _look_by_hand(secret: str | None, answer: Any) -> Finding:
    if not isinstance(answer, Mapping):
        raise ValueError('A dict with "numbers" and six boxes is expected.')
    numbers = answer.get("numbers", ...)
    boxes = tuple(BOXES)
    if not isinstance(numbers, PersonalNumbers):
        if all(is_blank(answer.get(box, ...)) for box in boxes):
            return Finding("not tried yet", seen="Make your own numbers first, then type into the boxes.")
        raise ValueError('"numbers" must hold what personal_numbers("your name") gave you.')
    if secret is not None and numbers.secret != secret:
        raise ValueError(f'Here the numbers are those of personal_numbers("your name", secret="{secret}").')
    return look_at_boxes(numbers, boxes, answer)


def _by_hand(name: str, secret: str | None, sibling: str) -> ValueExercise:
    """Make one of the two exercises that are alike but for the numbers."""
    blank = "".join(f'    "{box}": ...,\n' for box in BOXES)
    which = f', those with secret="{secret}"' if secret else ""
    return ValueExercise(
        name=name,
        lesson="02",
        kind="trace",
        task=f'Compute the row of "bank" by hand, with your own numbers{which}; two digits after the point are enough.',
        trains="compare, scale, weigh and blend for one word, on paper",
        minutes=8,
        difficulty=2,
        stub='by_hand = {\n    "numbers": mine,\n' + blank + "}",
        solution=SOLVED_BY_HAND,
        hints=(
            "Which box is the first that is not right, and which numbers go into it?",
            "q is a row of x times W_Q; k is all of x times W_K; a score is a dot product; the root is that of 2.",
            "`scores = [q · key of The, q · key of bank, q · key of river]`",
        ),
        sibling=sibling,
        home=secret is None,
        look=partial(_look_by_hand, secret),
    )


ORDERED = (
    "scores = q @ k.T",
    "scores = scores / np.sqrt(k.shape[-1])",
    "weights = softmax(scores)",
    "output = weights @ v",
)
MIXED_IN = (
    "scores = k @ q.T",
    "scores = scores / k.shape[-1]",
    "weights = softmax(scores, axis=0)",
    "weights = weights / np.sqrt(k.shape[-1])",
    "output = weights @ k",
)


EXERCISES: tuple[Exercise, ...] = (
    ValueExercise(
        name="second-example",
        lesson="02",
        kind="trace",
        task='The scores of "bank" are 1, 4 and 6, before the scale. Find its weights and its output.',
        trains="scale, weigh and blend on paper, where no weight swallows the others",
        minutes=3,
        difficulty=1,
        stub='row = {\n    "weights": [..., ..., ...],\n    "output": [..., ...],\n}',
        solution=SOLVED_SECOND,
        hints=(
            "By what do you divide the three scores before you weigh them?",
            "Exponentials of the scaled scores, divided by their sum; then the values, each times its weight.",
            "e^0.71, e^2.83 and e^4.24, each divided by their sum",
        ),
        sibling="by-hand",
        look=partial(look_at_boxes, ONE_WAY, ("weights", "output")),
    ),
    _by_hand("by-hand", None, "by-hand-again"),
    OrderExercise(
        name="order-attention",
        lesson="02",
        task="Pick four of the lines and put them in order, so that they make attention.",
        trains="the four steps and their order, before writing them",
        minutes=4,
        difficulty=1,
        stub='order("attention", ...)',
        solution=f'order("attention", "{letters_of("order-attention", ORDERED, MIXED_IN)}")',
        hints=(
            "Which line can stand first, since it needs nothing that another line makes?",
            "One line for each verb, in this order: compare, scale, weigh, blend.",
            "`scores = q @ k.T` comes first, and `output = weights @ v` last.",
        ),
        sibling="attention",
        lines=ORDERED,
        wrong=MIXED_IN,
        of="attention",
        takes=("q", "k", "v"),
    ),
    FunctionExercise(
        name="scores",
        optional=True,
        lesson="02",
        task="Compare every query with every key, and scale.",
        trains="the transpose, and the root of d_k",
        minutes=3,
        difficulty=1,
        stub="def my_scores(q, k):\n    # compare, then scale\n    ...",
        solution="def my_scores(q, k):\n    return q @ k.T / np.sqrt(k.shape[-1])",
        hints=SCORES_HINTS,
        sibling="scores-temperature",
        program=("compare", "scale"),
        inputs=lambda rng, square: _without(words_that_look(rng, square), "v"),
        example=three_words("q", "k"),
        about="one row for each query, one column for each key",
    ),
    FunctionExercise(
        name="attention",
        lesson="02",
        task="From queries, keys and values to the output: compare, scale, weigh, blend.",
        trains="the whole way, in your own code",
        minutes=5,
        difficulty=2,
        stub="def my_attention(q, k, v):\n    # compare, scale, weigh, blend\n    ...",
        solution=(
            "def my_attention(q, k, v):\n    scores = q @ k.T / np.sqrt(k.shape[-1])\n    return softmax(scores) @ v"
        ),
        hints=ATTENTION_HINTS,
        sibling="attention-temperature",
        program=("compare", "scale", "weigh", "settle", "blend"),
        inputs=words_that_look,
        example=three_words("q", "k", "v"),
        about="one row for each query, d_v numbers each",
    ),
    _by_hand("by-hand-again", "again", ""),
    FunctionExercise(
        name="scores-temperature",
        lesson="02",
        task="Write scores(q, k, temperature): compare, scale, and divide by the temperature as well.",
        trains="the same, with one more divisor",
        minutes=3,
        difficulty=1,
        stub="def my_scores(q, k, temperature):\n    # compare, scale, divide by the temperature\n    ...",
        solution="def my_scores(q, k, temperature):\n    return q @ k.T / np.sqrt(k.shape[-1]) / temperature",
        hints=SCORES_HINTS,
        home=False,
        program=("compare", "scale", "cool"),
        inputs=lambda rng, square: _without(with_temperature(rng, square), "v"),
        example=three_words("q", "k", "temperature"),
        about="one row for each query, one column for each key",
    ),
    FunctionExercise(
        name="attention-temperature",
        lesson="02",
        task="Write attention(q, k, v, temperature): the scaled scores are divided by the temperature, then weighed.",
        trains="the whole way, with one more divisor",
        minutes=5,
        difficulty=2,
        stub="def my_attention(q, k, v, temperature):\n    # compare, scale, divide, weigh, blend\n    ...",
        solution=(
            "def my_attention(q, k, v, temperature):\n"
            "    scores = q @ k.T / np.sqrt(k.shape[-1]) / temperature\n"
            "    return softmax(scores) @ v"
        ),
        hints=ATTENTION_HINTS,
        home=False,
        program=("compare", "scale", "cool", "weigh", "settle", "blend"),
        inputs=with_temperature,
        example=three_words("q", "k", "v", "temperature"),
        about="one row for each query, d_v numbers each",
    ),
)


def _without(arguments: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if key != name}
