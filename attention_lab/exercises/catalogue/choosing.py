"""Exercises of lesson 07: a method for each of five cases."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from attention_lab.costs import choose
from attention_lab.exercises.exercise import Exercise, Finding, ValueExercise
from attention_lab.exercises.typed import is_blank, written

METHODS = {
    "A": ("encoder", "plain"),
    "B": ("causal", "plain"),
    "C": ("cross", "plain"),
    "D": ("encoder", "streaming"),
    "E": ("causal", "streaming"),
    "F": ("any", "approximate"),
}
# What `choose` is asked for each case.
CASES: dict[str, dict[str, dict[str, Any]]] = {
    "choose": {
        "book": {"n_tokens": 100_000, "sees_later": True},
        "chat": {"n_tokens": 2_000, "sees_later": False},
        "reviews": {"n_tokens": 300, "sees_later": True},
        "code": {"n_tokens": 32_000, "sees_later": False},
        "subtitles": {"n_tokens": 40, "sees_later": True, "other_sequence": True},
    },
    "choose-again": {
        "poem": {"n_tokens": 500, "sees_later": False},
        "speech": {"n_tokens": 3_000, "sees_later": True, "other_sequence": True},
        "genome": {"n_tokens": 200_000, "sees_later": True},
        "names": {"n_tokens": 1_000, "sees_later": True},
        "novel": {"n_tokens": 60_000, "sees_later": False},
    },
}
ASKS = "Type a letter, in quotes, in place of each of the dots."


def key(name: str) -> dict[str, str]:
    """Return the right letter for each case, as `choose` has it."""
    letters = {method: letter for letter, method in METHODS.items()}
    chosen = {case: choose(**asked) for case, asked in CASES[name].items()}
    return {case: letters[choice.kind, choice.computed] for case, choice in chosen.items()}


def _look_at_choice(name: str, answer: Any) -> Finding:
    right = key(name)
    if not isinstance(answer, Mapping) or set(answer) != set(right):
        raise ValueError(f"A dict with a letter for each of {', '.join(right)} is expected.")
    still = [case for case in right if is_blank(answer[case])]
    if still:
        blank = len(still) == len(right)
        return Finding(
            "not tried yet" if blank else "not yet", seen=ASKS if blank else f"Still open: {', '.join(still)}."
        )
    typed = {case: letter.strip().upper() if isinstance(letter, str) else "" for case, letter in answer.items()}
    for case, letter in typed.items():
        if letter not in METHODS:
            raise ValueError(
                f"{case}: one of the letters {', '.join(METHODS)} is expected; yours is {written(answer[case])}."
            )
    if "F" in typed.values():
        return Finding("not yet", ("approximate-first",))
    return _judged(name, typed, right)


def _judged(name: str, typed: Mapping[str, str], right: Mapping[str, str]) -> Finding:
    """Say of the first case that is not right what its choice would do."""
    for case, letter in typed.items():
        (kind, computed), (right_kind, right_computed) = METHODS[letter], METHODS[right[case]]
        if kind != right_kind:
            hides = {
                "encoder": "lets every word look at all words of its own text",
                "causal": "hides the later words",
                "cross": "takes keys and values from another sequence",
            }
            return Finding("not yet", seen=f"{case}: {letter} {hides[kind]}. Does this case ask for that?")
        if computed != right_computed:
            n = CASES[name][case]["n_tokens"]
            return Finding("not yet", seen=f"{case}: with {n:,} tokens, one head's table has {n * n:,} scores.")
    return Finding("right", seen="Each case has a mask by who may look, and a way to compute it by its length.")


def _choose(name: str, task: str, sibling: str) -> ValueExercise:
    """Make one of the two exercises that are alike but for the cases."""
    blanks, letters = (
        ", ".join(f'"{case}": {value}' for case, value in row.items())
        for row in (dict.fromkeys(CASES[name], "..."), {case: f'"{letter}"' for case, letter in key(name).items()})
    )
    return ValueExercise(
        name=name,
        lesson="07",
        task=task,
        trains="who may look first, then memory; exact before approximate",
        minutes=5,
        difficulty=2,
        stub=f"my_choice = {{{blanks}}}",
        solution=f"my_choice = {{{letters}}}",
        hints=(
            "Whom is a word allowed to look at in each case, and does the table of scores fit?",
            "Another sequence: cross. Later words are there: all. Else: causal. Beyond about 8,000 tokens: streaming.",
            "`choose(100_000, sees_later=True)` from `attention_lab.costs` says it for one case, with its reasons.",
        ),
        sibling=sibling,
        home=bool(sibling),
        asks=ASKS,
        look=partial(_look_at_choice, name),
    )


EXERCISES: tuple[Exercise, ...] = (
    _choose(
        "choose",
        "Pick a method, A to F, for each of the five cases that the lesson lists.",
        "choose-again",
    ),
    _choose(
        "choose-again",
        "The same methods for: writing a poem (500), translating a speech (3,000), "
        "labelling a genome (200,000) and names (1,000), writing a novel (60,000 tokens).",
        "",
    ),
)
