"""Exercises of lesson 03."""

from typing import Any

import numpy as np

from attention_lab.attention import softmax
from attention_lab.diagnostics import attention_entropy
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Exercise, Finding, FunctionExercise, ValueExercise
from attention_lab.exercises.probes import one_head, scores_and_temperature, scores_far_apart, three_words
from attention_lab.exercises.typed import number

SCORES = (8, 6, 5, 5, 3, 2, 0, -3)  # of the words whose temperature is asked for
FEWEST, MOST = 3.9, 4.1  # words that count as 4


def _look_at_temperature(answer: Any) -> Finding:
    temperature = number("my_temperature", answer)
    if temperature <= 0:
        raise ValueError("A temperature is above 0: the scores are divided by it.")
    gaps = np.array(SCORES) - max(SCORES)  # the same weights, and nothing overflows
    words = float(2 ** attention_entropy(softmax(gaps / temperature)[None])[0])
    seen = f"At a temperature of {temperature:g}, {words:.2f} of {len(SCORES)} words are looked at."
    return Finding("right" if FEWEST <= words <= MOST else "not yet", seen=seen)


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="softmax",
        lesson="03",
        task="Turn each row of scores into weights, also where scores are as large as 1,000.",
        trains="a softmax that survives large scores",
        minutes=4,
        difficulty=2,
        stub="def my_softmax(scores):\n    # along the last axis\n    ...",
        solution=(
            "def my_softmax(scores):\n"
            "    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
            "    return grown / grown.sum(axis=-1, keepdims=True)"
        ),
        hints=BY_CODE["softmax-overflow"].hints,
        sibling="softmax-temperature",
        program=("weigh",),
        inputs=scores_far_apart,
        example=three_words("scores"),
        about="the shape of the scores",
    ),
    FunctionExercise(
        name="softmax-temperature",
        lesson="03",
        task="Write softmax(scores, temperature): divide the scores by the temperature, then weigh each row.",
        trains="temperature is a divisor of the scores",
        minutes=4,
        difficulty=2,
        stub="def my_softmax(scores, temperature):\n    # divide, then weigh along the last axis\n    ...",
        solution=(
            "def my_softmax(scores, temperature):\n"
            "    scores = scores / temperature\n"
            "    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
            "    return grown / grown.sum(axis=-1, keepdims=True)"
        ),
        hints=(
            "Does a high temperature bring the weights closer together, or further apart?",
            "Divide the scores by the temperature, before the exponential.",
            "`np.exp(scores / temperature)`, with each row's maximum taken off first",
        ),
        home=False,
        program=("cool", "weigh"),
        inputs=scores_and_temperature,
        example=three_words("scores", "temperature"),
        about="the shape of the scores",
    ),
    ValueExercise(
        name="temperature",
        optional=True,
        lesson="03",
        task=(
            f"Eight words have the scores {', '.join(map(str, SCORES[:-1]))} and {SCORES[-1]}. A temperature "
            "divides them. Find one at which 4 of the 8 words are looked at, give or take 0.1."
        ),
        trains="how a divisor decides how many words are looked at",
        minutes=5,
        difficulty=2,
        stub="my_temperature = ...",
        solution="my_temperature = 1.9",
        hints=(
            "Which way does the number of words go when the temperature rises?",
            "Divide the scores by it, weigh them, and take 2 to the entropy of the weights. Then halve the distance.",
            "`weights = softmax(scores / temperature)`, then `2 ** -(weights * np.log2(weights)).sum()`",
        ),
        asks="Type a number in place of the dots.",
        look=_look_at_temperature,
    ),
    FunctionExercise(
        name="self-attention",
        lesson="03",
        task="Write attention(x, W_Q, W_K, W_V): one head, from the words to its output; x is (n_tokens, d_model).",
        trains="which width counts for the root",
        minutes=5,
        difficulty=2,
        stub="def my_attention(x, W_Q, W_K, W_V):\n    # ask, label, hand over; compare, scale, weigh, blend\n    ...",
        solution=(
            "def my_attention(x, W_Q, W_K, W_V):\n"
            "    q, k, v = x @ W_Q, x @ W_K, x @ W_V\n"
            "    scores = q @ k.T / np.sqrt(k.shape[-1])\n"
            "    return softmax(scores) @ v"
        ),
        hints=(
            "How many numbers does one key have: as many as a row of `x`, or another number?",
            "Project the words three times; then compare, scale by the root of d_k, weigh and blend.",
            "`q, k, v = x @ W_Q, x @ W_K, x @ W_V`, then `softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v`",
        ),
        home=False,
        program=("ask", "label", "hand over", "compare", "scale", "weigh", "settle", "blend"),
        inputs=one_head,
        example=three_words("x", "W_Q", "W_K", "W_V"),
        about="one row for each word, d_v numbers each",
    ),
)
