"""The exercise of lesson 06 that gives an alignment a number."""

from functools import partial
from typing import Any

import numpy as np

from attention_lab.examples import EARLY, EARLY_TOO, Alignment
from attention_lab.exercises.exercise import Exercise, Finding, ValueExercise
from attention_lab.exercises.typed import number

CLOSE = 0.005  # two digits are enough
ASKS = "Type a number in place of the dots."


def shares(alignment: Alignment) -> dict[str, float]:
    """Score a map in three ways: by its rows, which is asked for, by its columns, and by the weight on the partners."""
    weights, partners = alignment.weights, np.array(alignment.partners)
    rows = np.arange(len(partners))
    return {
        "rows": float((weights.argmax(axis=-1) == partners).mean()),
        "columns": float((weights.argmax(axis=0)[partners] == rows).mean()),
        "weight": float(weights[rows, partners].mean()),
    }


def _look_at_score(alignment: Alignment, answer: Any) -> Finding:
    score = number("my_score", answer)
    n, known = len(alignment.words), shares(alignment)
    if not 0 <= score <= 1:
        raise ValueError(f"A share of the {n} words is asked for: a number from 0 to 1.")
    if abs(score - known["rows"]) < CLOSE:
        seen = f"{known['rows'] * n:.0f} of {n} words look most at their partner."
        return Finding("right", seen=seen)
    if abs(score - known["columns"]) < CLOSE:
        return Finding("not yet", ("pairs-by-column",))
    if abs(score - known["weight"]) < CLOSE:
        seen = "That is the mean weight on the partners: how sure the map is. Asked is how often it is right."
        return Finding("not yet", seen=seen)
    return Finding("not yet", seen=f"{score:g} would be {score * n:.3g} of {n} words.")


def _alignment(name: str, of: str, alignment: Alignment, sibling: str) -> ValueExercise:
    """Make one of the two exercises that are alike but for the map."""
    return ValueExercise(
        name=name,
        optional=True,
        lesson="06",
        task=(
            f"Score the map `{of}.weights` against the true pairs, `{of}.partners`, both in `attention_lab.examples`: "
            "give the share of words that look most at their partner."
        ),
        trains="a map against the truth: rows look, and a number says how well",
        minutes=5,
        difficulty=2,
        stub="my_score = ...",
        solution=f"my_score = {shares(alignment)['rows']:g}",
        hints=(
            "Where does each of the words that ask look most, and is that its partner?",
            "Find the largest weight of each row, compare its column with the partner, and count.",
            "`np.argmax(weights, axis=-1)` gives a column for each row.",
        ),
        sibling=sibling,
        home=bool(sibling),
        asks=ASKS,
        look=partial(_look_at_score, alignment),
    )


EXERCISES: tuple[Exercise, ...] = (
    _alignment("alignment", "EARLY", EARLY, "alignment-again"),
    _alignment("alignment-again", "EARLY_TOO", EARLY_TOO, ""),
)
