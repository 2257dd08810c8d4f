"""Exercises of lesson 00."""

from typing import Any

from attention_lab.attention import softmax
from attention_lab.exercises.exercise import Exercise, Finding, FunctionExercise, ValueExercise
from attention_lab.exercises.probes import table, three_words
from attention_lab.exercises.typed import is_blank, numbers

WANTED = 0.9  # the second weight must be larger


def _look_at_scores(answer: Any) -> Finding:
    if is_blank(answer):
        return Finding("not tried yet", seen="Type a number in place of the dots.")
    second = float(softmax(numbers("my_scores", answer, (2,)))[1])
    if second > WANTED:
        return Finding("right", seen=f"The second weight is {second:.3f}.")
    return Finding("not yet", seen=f"The second weight is {second:.3f}, not above {WANTED}.")


EXERCISES: tuple[Exercise, ...] = (
    ValueExercise(
        name="first-check",
        lesson="00",
        task="Choose the second score so that the second weight is above 0.9.",
        trains="changing a cell and checking it; what a gap between two scores does",
        minutes=2,
        difficulty=1,
        stub="my_scores = [0.0, ...]",
        solution="my_scores = [0.0, 3.0]",
        hints=(
            "Which way does the second weight go when its score goes up?",
            "A gap of 2.3 makes a weight ten times the other.",
            "`my_scores = [0.0, 3.0]`, or anything above 2.2",
        ),
        look=_look_at_scores,
    ),
    FunctionExercise(
        name="rows",
        optional=True,
        lesson="00",
        task="Divide a table so that each of its rows sums to 1.",
        trains="axis and keepdims",
        minutes=3,
        difficulty=1,
        stub="def my_rows(table):\n    # the table, divided\n    ...",
        solution="def my_rows(table):\n    return table / table.sum(axis=-1, keepdims=True)",
        hints=(
            "How many sums do you need, and what shape should they have?",
            "Sum along the last axis, and keep that axis.",
            "`table / table.sum(axis=-1, keepdims=True)`",
        ),
        sibling="columns",
        program=("even out",),
        inputs=table,
        example=three_words("table"),
        about="the table's own shape",
    ),
    FunctionExercise(
        name="columns",
        lesson="00",
        task="Write columns(table): divide a table so that each of its *columns* sums to 1.",
        trains="the same, along the other axis",
        minutes=3,
        difficulty=1,
        stub="def my_columns(table):\n    # the table, divided\n    ...",
        solution="def my_columns(table):\n    return table / table.sum(axis=0, keepdims=True)",
        hints=(
            "Along which axis do the numbers of one column lie?",
            "Sum along the first axis: one sum for each column.",
            "`table / table.sum(axis=0, keepdims=True)`",
        ),
        home=False,
        program=("even out the columns",),
        inputs=table,
        example=three_words("table"),
        about="the table's own shape",
    ),
)
