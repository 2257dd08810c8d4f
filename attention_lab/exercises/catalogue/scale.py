"""Exercises of lesson 03."""

from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Exercise, FunctionExercise
from attention_lab.exercises.probes import scores_and_temperature, scores_far_apart, three_words

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
)
