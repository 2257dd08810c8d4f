"""Reading an alignment off a map: which word looks at which."""

from attention_lab.exercises.mistake import Mistake

MISTAKES = (
    Mistake(
        "pairs-by-column",
        "an alignment read by columns",
        lambda s: "Your number asks each *column* which row is its largest.",
        "Row looks at column: whoever translates asks, and each row has one favourite.",
        (
            "Who shares out 100%: a row or a column?",
            "Take the largest weight of each row, and see whether it stands at that word's partner.",
            "`np.argmax(weights, axis=-1)` is where each row looks most.",
        ),
    ),
)
