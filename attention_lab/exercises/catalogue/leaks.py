"""Black boxes of lesson 04: which one leaks, and where, is found by nudging the words."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from attention_lab.diagnostics import future_influence
from attention_lab.exercises.black_boxes import BlackBox, black_boxes
from attention_lab.exercises.exercise import Exercise, Finding, ValueExercise
from attention_lab.exercises.report import Note
from attention_lab.exercises.typed import is_blank, number, written
from attention_lab.shapes import BoolArray

N_WORDS = 8  # enough for every leak to show
ASKS = "Type a letter, in quotes, and a number in place of the dots."
_SOLUTION = """words = np.random.default_rng(0).normal(size=(8, 4))
sees = {{}}
for letter, box in black_boxes("{}").items():
    sees[letter] = np.triu(future_influence(box, words), k=1).max(axis=1) > 1e-9
leaking = next(letter for letter in sees if sees[letter].any())
leak = {{"box": leaking, "position": int(sees[leaking].argmax())}}"""


def later_words_seen(box: BlackBox) -> BoolArray:
    """Tell which output sees which later word, ``(n_tokens, n_tokens)``: everything else is False."""
    x = np.random.default_rng(0).normal(size=(N_WORDS, 4))
    return np.asarray(np.triu(future_influence(box, x), k=1) > 1e-9)


def _look_at_leak(name: str, answer: Any) -> Finding:
    boxes = black_boxes(name)
    assert not isinstance(boxes, Note)
    if not isinstance(answer, Mapping):
        raise ValueError('A dict with "box" and "position" is expected.')
    for key in answer:
        if key not in ("box", "position"):
            raise ValueError(f'There is no {written(key)}; "box" and "position" are asked for.')
    letter, position = answer.get("box", ...), answer.get("position", ...)
    if is_blank(letter) and is_blank(position):
        return Finding("not tried yet", seen=ASKS)
    if is_blank(letter) or is_blank(position):
        return Finding("not yet", seen=f"Still open: {'box' if is_blank(letter) else 'position'}.")
    known = letter.strip().upper() if isinstance(letter, str) else ""
    if known not in boxes:
        raise ValueError(f"box: one of the letters {', '.join(boxes)} is expected; yours is {written(letter)}.")
    place = number("position", position)
    if place < 0 or place != int(place):
        raise ValueError(f"position: the number of an output, counted from 0; yours is {written(position)}.")
    return _judged(known, later_words_seen(boxes[known]), int(place))


def _judged(letter: str, seen: BoolArray, position: int) -> Finding:
    """Say what is true of the box that was named, and of that output of it."""
    leaking = np.flatnonzero(seen.any(axis=1))
    if not len(leaking):
        return Finding("not yet", seen=f"Box {letter} passes the leak test: no output moves when a later word does.")
    if position == leaking[0]:
        return Finding(
            "right", seen=f"Output {position} of box {letter} sees a later word, and no output before it does."
        )
    if position in leaking:
        say = f"output {position} does see a later word, and so does an output before it."
    elif position == seen[leaking[0]].argmax():
        say = f"word {position} is the one that is seen too early. Which output sees it?"
    else:
        say = f"output {position} sees no later word."
    return Finding("not yet", seen=f"Box {letter} leaks; {say}")


def _find_the_leak(name: str, sibling: str) -> ValueExercise:
    """Make one of the two exercises that are alike but for the boxes."""
    return ValueExercise(
        name=name,
        lesson="04",
        task=(
            f'In one of the three `black_boxes("{name}")`, outputs see later words. Test each with {N_WORDS} words; '
            "name the box, and the first of its outputs that does, counted from 0."
        ),
        trains="a leak test that needs no look at the code",
        minutes=6,
        difficulty=2,
        stub='leak = {"box": ..., "position": ...}',
        solution=_SOLUTION.format(name),
        hints=(
            "If an output saw a later word, what would happen to it when that word changes?",
            "Nudge one word at a time; above the diagonal, nothing may move. Row: the output. Column: the word.",
            '`np.triu(future_influence(boxes["A"], x), k=1)`, with any x of 8 words',
        ),
        sibling=sibling,
        home=bool(sibling),
        asks=ASKS,
        look=partial(_look_at_leak, name),
    )


EXERCISES: tuple[Exercise, ...] = (
    _find_the_leak("find-the-leak", "find-the-leak-again"),
    _find_the_leak("find-the-leak-again", ""),
)
