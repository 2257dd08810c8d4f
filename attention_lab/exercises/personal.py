"""A worked example of one's own: small integers that follow from a name, chosen so that no mistake goes unseen."""

import hashlib
import unicodedata
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from attention_lab.examples import BANK, Example
from attention_lab.exercises.bank import BY_CODE
from attention_lab.exercises.exercise import start
from attention_lab.exercises.report import Note
from attention_lab.exercises.steps import Array, State, Steps, run
from attention_lab.exercises.traces import PROGRAM

# The mistakes that must change the answer, and by how much at least.
MUST_SHOW: tuple[Steps, ...] = (
    *(BY_CODE[code].ways[0] for code in ("scale-missing", "scale-by-d_k", "scale-multiplied", "queries-keys-swapped")),
    *(BY_CODE[code].ways[0] for code in ("softmax-over-queries", "weights-transposed")),
    *BY_CODE["values-replaced"].ways[:2],
    {"hand over": lambda s: s.x},  # W_V left out
)
# Of the output of "bank". As no two values lie more than 12 apart, its weights change by 0.0125 then, where a mistake
# touches them; both are more than what `traces` allows for rounding.
LEAST_CHANGE = 0.15
LARGEST_WEIGHT = 0.9
SMALLEST_WEIGHTS = (0.001, 0.005)  # of any word, and of "bank": one that can be written down
LARGEST_SCORE, LARGEST_VALUE = 9, 6
SETS_AT_ONCE = 2048
# name: how many numbers, the smallest, how many different ones
DRAWN = {"x": (6, -1, 4), "W_Q": (4, -2, 5), "W_K": (4, -2, 5), "W_V": (4, -2, 6)}


@dataclass(frozen=True, eq=False, repr=False)
class PersonalNumbers(Example):
    """A worked example that belongs to a name.

    Attributes
    ----------
    name : str
        Whose it is.
    secret : str or None
        The class's secret that it was made with.
    """

    name: str = ""
    secret: str | None = None

    def __repr__(self) -> str:
        lines = [f"The numbers of {self.name}. One word a row in x: {', '.join(self.words)}."]
        for matrix in ("x", "W_Q", "W_K", "W_V"):
            rows = np.array2string(getattr(self, matrix)).splitlines()
            lines += [f"{matrix:4} {rows[0]}", *(f"     {line}" for line in rows[1:])]
        return "\n".join(lines)


def personal_numbers(name: Any = ..., secret: str | None = None) -> PersonalNumbers | Note:
    """Make the worked example that belongs to a name: the same for the same name, everywhere.

    No score is the same both ways, and no learned matrix; each word looks most at another one, no weight is above 0.9,
    no score above 9, and each of nine known mistakes moves the output of "bank" by more than 0.15.

    Parameters
    ----------
    name : str
        Capitals, blanks around it or doubled, and how its letters are encoded do not count. `...` asks for a name.
    secret : str, optional
        A class's own word, so that nobody outside knows the numbers beforehand.

    Returns
    -------
    PersonalNumbers
        Three words, `x`, `W_Q`, `W_K` and `W_V`; or a note that asks for a name, where none was given.

    Examples
    --------
    >>> personal_numbers("Ada").x.shape
    (3, 2)
    >>> (personal_numbers(" ada ").W_Q == personal_numbers("Ada").W_Q).all()
    np.True_
    """
    if name is ...:
        return Note("not tried yet", "Whose numbers?", "Type your name, in quotes, in place of the dots.")
    if not isinstance(name, str) or not (secret is None or isinstance(secret, str)):
        return Note("not tried yet", "Whose numbers?", 'Names are text in quotes, such as `personal_numbers("Ada")`.')
    key = unicodedata.normalize("NFKC", " ".join(unicodedata.normalize("NFKC", name).casefold().split()))
    if not key:
        return Note("not tried yet", "Whose numbers?", "Type your name between the quotes.")
    for batch in count():
        drawn = _draw(f"{key}\n{secret or ''}\n{batch}")
        good = _good(drawn)
        if good.size:
            chosen = {matrix: numbers[good[0]] for matrix, numbers in drawn.items()}
            return PersonalNumbers(BANK.words, **chosen, name=name.strip(), secret=secret)
    raise RuntimeError("the numbers never end")


def _draw(seed: str) -> dict[str, Array]:
    """Draw many sets of small integers from a hash, which no version of NumPy can change."""
    a_set = sum(number for number, _, _ in DRAWN.values())
    stream = hashlib.shake_256(seed.encode("utf-8", "surrogatepass")).digest(SETS_AT_ONCE * a_set)
    many = np.frombuffer(stream, np.uint8).reshape(SETS_AT_ONCE, a_set).astype(int)
    drawn, at = {}, 0
    for matrix, (number, smallest, different) in DRAWN.items():
        drawn[matrix] = (many[:, at : at + number] % different + smallest).reshape(SETS_AT_ONCE, -1, 2)
        at += number
    return drawn


def _computed(drawn: dict[str, Array], instead: Steps) -> State:
    state = run(PROGRAM, start(drawn), instead)
    if state is None:
        raise RuntimeError("a mistake that must show cannot be made")
    return state


def _good(drawn: dict[str, Array]) -> Array:
    """List the sets that hide nothing: see `personal_numbers`. Whole numbers are looked at first, they are quick."""
    kept = np.flatnonzero(_good_scores(drawn) & _small(drawn["x"] @ drawn["W_V"], LARGEST_VALUE) & _one_way(drawn))
    drawn = {matrix: numbers[kept] for matrix, numbers in drawn.items()}
    right = _computed(drawn, {})
    good = (right.weights.max((-1, -2)) < LARGEST_WEIGHT) & (right.weights.min((-1, -2)) > SMALLEST_WEIGHTS[0])
    good &= right.weights[:, 1].min(-1) > SMALLEST_WEIGHTS[1]
    for way in MUST_SHOW:
        good &= np.abs(_computed(drawn, way).output - right.output)[:, 1].max(-1) > LEAST_CHANGE
    return np.asarray(kept[good])


def _good_scores(drawn: dict[str, Array]) -> Array:
    """Tell where no score is the same both ways, no row has two equal ones, and the three largest lie apart."""
    scores = (drawn["x"] @ drawn["W_Q"]) @ (drawn["x"] @ drawn["W_K"]).swapaxes(-1, -2)
    one_way = (scores != scores.swapaxes(-1, -2)).sum((-1, -2)) == 6  # none of the three pairs agrees
    no_ties = (np.diff(np.sort(scores, axis=-1), axis=-1) > 0).all((-1, -2))
    favourites = (np.sort(scores.argmax(-1), axis=-1) == np.arange(3)).all(-1)
    return np.asarray(one_way & no_ties & favourites & _small(scores, LARGEST_SCORE))


def _one_way(drawn: dict[str, Array]) -> Array:
    """Tell where no learned matrix is its own transpose: multiplied the wrong way round, it would give the same."""
    learned = np.stack([drawn[matrix] for matrix in ("W_Q", "W_K", "W_V")])
    return np.asarray((learned[..., 0, 1] != learned[..., 1, 0]).all(axis=0))


def _small(numbers: Array, largest: int) -> Array:
    return np.asarray(np.abs(numbers).max((-1, -2)) <= largest)
