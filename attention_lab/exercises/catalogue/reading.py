"""Exercises of lesson 08."""

from attention_lab.exercises import probes
from attention_lab.exercises.exercise import Exercise, FunctionExercise

_ENTROPY = "    logs = np.log2(np.where(weights > 0, weights, 1))\n"

EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        name="entropy",
        optional=True,
        lesson="08",
        task="Compute the entropy of each row of weights, in bits; a weight of exactly 0 adds nothing.",
        trains="one number for how widely a word looks",
        minutes=5,
        difficulty=2,
        stub="def my_entropy(weights):\n    # one number for each row, in bits\n    ...",
        solution="def my_entropy(weights):\n" + _ENTROPY + "    return -(weights * logs).sum(axis=-1)",
        hints=(
            "How many halvings does it take to single out one of eight equal weights?",
            "Minus the sum, along the row, of each weight times its logarithm to base 2; a weight of 0 adds 0.",
            "`-(weights * np.log2(np.where(weights > 0, weights, 1))).sum(axis=-1)`",
        ),
        sibling="effective-words",
        program=("count bits",),
        inputs=probes.shares,
        example=probes.three_words("weights"),
        about="one number for each row",
    ),
    FunctionExercise(
        name="effective-words",
        lesson="08",
        task="Write words(weights): how many words each row really looks at, 2 to the entropy.",
        trains="entropy as a number of words",
        minutes=5,
        difficulty=2,
        stub="def my_words(weights):\n    # 2 to the entropy of each row\n    ...",
        solution="def my_words(weights):\n" + _ENTROPY + "    return 2 ** -(weights * logs).sum(axis=-1)",
        hints=(
            "How many words does a row of four equal weights look at?",
            "Compute the entropy in bits, then 2 to the power of it.",
            "`2 ** entropy`",
        ),
        home=False,
        program=("count bits", "count words"),
        inputs=probes.shares,
        example=probes.three_words("weights"),
        about="one number for each row",
    ),
)
