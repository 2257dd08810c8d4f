"""Sets of exercises that go together: an assignment each. One entry is one set."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Set:
    """An assignment that is put together already.

    Attributes
    ----------
    title : str
    points : dict
        Points by the name of each exercise, in order.
    """

    title: str
    points: Mapping[str, int]


# Some need exercises of lessons still to come: such a set is not offered until they are there.
PLANNED: dict[str, Set] = {
    "hw1": Set(
        title="Homework 1: the mechanism",
        points={"by-hand": 4, "order-attention": 2, "attention": 4, "who-looks-at-whom": 3},
    ),
    "hw2": Set(
        title="Homework 2: trust",
        points={"softmax": 2, "causal-mask": 2, "masked-attention": 4, "find-the-leak": 3, "which-model": 4},
    ),
    "hw3": Set(
        title="Homework 3: heads",
        points={"split-heads": 2, "wrong-line-05-merge": 2, "multi-head-attention": 4, "role": 3},
    ),
    "hw4": Set(title="Homework 4: cost", points={"merge-two-tiles": 4, "order-streaming": 2, "choose": 4}),
    "project": Set(title="Project", points={"report": 6, "one-head": 4}),
}


def ready(known: Mapping[str, object]) -> dict[str, Set]:
    """Return the sets whose exercises are all there."""
    return {name: one for name, one in PLANNED.items() if not missing(name, known)}


def missing(name: str, known: Mapping[str, object]) -> list[str]:
    """List the exercises of a planned set that are not there yet."""
    return [exercise for exercise in PLANNED[name].points if exercise not in known]
