"""Exercises of lesson 08 on the heads of the real encoder: six to sort, and a claim to break."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from attention_lab.diagnostics import head_doctor
from attention_lab.exercises.exercise import Exercise, Finding, ValueExercise
from attention_lab.exercises.typed import is_blank, written
from attention_lab.pretrained import Encoder, load_encoder

KINDS = ("specific", "flat", "sink")
TEXTS = {
    "sort-heads": "The bank by the river was steep.",
    "sort-heads-again": "The keys to the old cabinet are on the table.",
}
# Layer and head, as people count.
HEADS = {
    "sort-heads": {"A": (2, 12), "B": (1, 4), "C": (1, 3), "D": (2, 9), "E": (3, 10), "F": (1, 1)},
    "sort-heads-again": {"A": (1, 1), "B": (2, 9), "C": (5, 6), "D": (6, 7), "E": (2, 2), "F": (1, 3)},
}
HALF = 0.5  # below it, the claim of `break-it` is refuted
STORY = (0, 4)  # layer 1 head 5
ASKS = 'Type "specific", "flat" or "sink" in place of each of the dots.'


@cache
def encoder() -> Encoder:
    """Load the encoder once, and only when somebody asks for it."""
    return load_encoder()


@cache
def kinds(name: str) -> dict[str, str]:
    """Sort the six heads as the head doctor does; flat is whatever is neither a sink nor specific."""
    verdict = head_doctor(encoder().read(TEXTS[name]).weights).verdict
    found = {letter: str(verdict[layer - 1, head - 1]) for letter, (layer, head) in HEADS[name].items()}
    return {letter: kind if kind in KINDS else "flat" for letter, kind in found.items()}


def _look_at_kinds(name: str, answer: Any) -> Finding:
    right = kinds(name)
    if not isinstance(answer, Mapping) or set(answer) != set(right):
        raise ValueError(f"A dict with the letters {', '.join(right)} is expected.")
    if all(map(is_blank, answer.values())):
        return Finding("not tried yet", seen=ASKS)
    typed = {letter: kind.strip().lower() if isinstance(kind, str) else kind for letter, kind in answer.items()}
    for letter, kind in typed.items():
        if not is_blank(kind) and kind not in KINDS:
            raise ValueError(f"{letter}: one of {', '.join(KINDS)} is expected; yours is {written(kind)}.")
    if still := [letter for letter, kind in typed.items() if is_blank(kind)]:
        return Finding("not yet", seen=f"Still open: {', '.join(still)}.")
    wrong = [letter for letter in right if typed[letter] != right[letter]]
    if not wrong:
        return Finding("right", seen="Two of each: only the specific ones say something about a word.")
    if any(typed[letter] == "specific" and right[letter] == "sink" for letter in wrong):
        return Finding("not yet", ("sharp-taken-for-specific",))
    return Finding("not yet", seen=f"{len(right) - len(wrong)} of {len(right)} are where they belong.")


def _sort_heads(name: str, order: str, sibling: str) -> ValueExercise:
    """Make one of the two exercises that are alike but for the sentence and the heads."""
    of = ", ".join(f"{letter} {layer}.{head}" for letter, (layer, head) in HEADS[name].items())
    answers = zip(HEADS[name], order.split(), strict=True)
    return ValueExercise(
        name=name,
        lesson="08",
        task=f'Sort six heads of `load_encoder().read("{TEXTS[name]}")` into specific, flat and sink: {of}.',
        trains="three kinds of maps: sharp alone is no finding",
        minutes=4,
        difficulty=1,
        stub="my_kinds = {" + ", ".join(f'"{letter}": ...' for letter in HEADS[name]) + "}",
        solution="my_kinds = {" + ", ".join(f'"{letter}": "{kind}"' for letter, kind in answers) + "}",
        hints=(
            "Do the words look at one column, at different ones, or at all of them?",
            "One column for all: sink. A few columns, another one in each row: specific. No bright cell: flat.",
            "`weights.mean(axis=0).max()` is a half or more for a sink, and so is a row's largest in a specific head.",
        ),
        sibling=sibling,
        home=bool(sibling),
        asks=ASKS,
        look=partial(_look_at_kinds, name),
    )


def _look_at_sentence(answer: Any) -> Finding:
    if not isinstance(answer, str):
        raise ValueError(f"A sentence is expected, in quotes; yours is {written(answer)}.")
    reading = encoder().read(answer)
    for word in ("bank", "river"):
        if reading.tokens.count(word) != 1:
            raise ValueError(f'The sentence needs "{word}" as a word, once; its pieces are: {" ".join(reading.tokens)}')
    weight = float(reading.weights[STORY][reading.at("bank"), reading.at("river")])
    seen = f'"bank" gives "river" {weight:.0%}.'
    if weight < HALF:
        return Finding("right", seen=f"{seen} The claim does not hold wherever both stand.")
    return Finding("not yet", seen=f"{seen} That speaks for the claim.")


EXERCISES: tuple[Exercise, ...] = (
    _sort_heads("sort-heads", "sink flat specific specific sink flat", "sort-heads-again"),
    _sort_heads("sort-heads-again", "flat specific sink flat sink specific", ""),
    ValueExercise(
        name="break-it",
        optional=True,
        lesson="08",
        task=(
            'Somebody claims: "In layer 1 head 5, bank looks mostly at river wherever both stand in a sentence." '
            "Find a sentence with both, once each, where it gives river less than half."
        ),
        trains="a claim is tested where it may fail",
        minutes=6,
        difficulty=2,
        stub="my_sentence = ...",
        solution='my_sentence = "The bank gave the loan of money to a river boat company."',
        hints=(
            "What else could draw the attention of a bank, and what if the river stands far away?",
            "Put other things next to it that often stand with a bank, and let the river come late.",
            "A loan right behind the bank, and a river that only names a boat, near the end.",
        ),
        asks="Type a sentence, in quotes, in place of the dots.",
        look=_look_at_sentence,
    ),
)
