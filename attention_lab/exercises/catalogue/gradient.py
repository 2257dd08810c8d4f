"""Exercises of the appendix on the gradient."""

from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import Exercise, FunctionExercise
from attention_lab.exercises.probes import softmax_and_slope, three_words, with_slope

EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="attention-gradient",
        optional=True,
        lesson="gradient",
        task="Write the way back through attention: from how a loss changes with the output, how it does with q, k, v.",
        trains="each verb once more, backwards: blend, weigh, scale, compare",
        minutes=8,
        difficulty=3,
        stub=(
            "def my_gradient(q, k, v, d_output):\n"
            "    # compare, scale, weigh; then back: blend, weigh, scale, compare\n"
            "    # return d_q, d_k and d_v\n"
            "    ..."
        ),
        solution=(
            "def my_gradient(q, k, v, d_output):\n"
            "    weights = softmax(q @ k.T / np.sqrt(k.shape[-1]))\n"
            "    d_v = weights.T @ d_output\n"
            "    d_weights = d_output @ v.T\n"
            "    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))\n"
            "    d_scores = d_scores / np.sqrt(k.shape[-1])\n"
            "    return d_scores @ k, d_scores.T @ q, d_v"
        ),
        hints=(
            "Which shape must d_q have, and which product of two tables has it?",
            "Walk back: d_v and d_weights from d_output, d_scores from d_weights, d_q and d_k from d_scores.",
            "`d_v = weights.T @ d_output`, then d_weights, then d_scores; last `d_scores @ k` and `d_scores.T @ q`",
        ),
        sibling="softmax-gradient",
        program=(
            *("compare", "scale", "weigh", "settle", "blend back to v", "blend back to weights"),
            *("weigh back", "scale back", "compare back to q", "compare back to k", "hand in three"),
        ),
        inputs=with_slope,
        example=three_words("q", "k", "v", "d_output"),
        about="d_q has the shape of q, d_k that of k, d_v that of v",
        gives=("d_q", "d_k", "d_v"),
    ),
    FunctionExercise(
        name="softmax-gradient",
        lesson="gradient",
        task="Write the way back through softmax(scores / temperature): from d_weights to d_scores.",
        trains="softmax backwards, with a divisor in front of it",
        minutes=5,
        difficulty=3,
        stub="def my_gradient(scores, temperature, d_weights):\n    # divide, weigh; then back to d_scores\n    ...",
        solution=(
            "def my_gradient(scores, temperature, d_weights):\n"
            "    weights = softmax(scores / temperature)\n"
            "    mean = (d_weights * weights).sum(axis=-1, keepdims=True)\n"
            "    return weights * (d_weights - mean) / temperature"
        ),
        hints=BY_CODE["gradient-sum-missing"].hints,
        home=False,
        program=("cool", "weigh", "weigh back", "cool back"),
        inputs=softmax_and_slope,
        example=three_words("scores", "temperature", "d_weights"),
        about="the shape of the scores",
    ),
)
