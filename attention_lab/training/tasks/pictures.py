"""Pictures of three times three patches, two of which hold a thing, and what is to be said of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_lab.shapes import IntArray
from attention_lab.training.tasks.translation import END, PADDING, read
from attention_lab.training.translator import Pairs

COLOURS, SHAPES = ("red", "blue", "green", "white"), ("circle", "square", "star")
EMPTY, AND = "empty", "and"
SIDE = 3  # patches
N_PATCHES = SIDE * SIDE


@dataclass(frozen=True)
class Pictures:
    """Pictures to describe, in the order in which one reads, and which patch each word is about.

    Attributes
    ----------
    symbols, answers : tuple of str
        What a patch can hold, and the words of a caption. Number 0 is padding, which no picture has.
    context : int
        Patches of a picture.
    floor : float
        The smallest loss, in nats: 0, since nothing in a caption is left to chance.
    """

    symbols: tuple[str, ...] = (PADDING, EMPTY, *(f"{colour} {shape}" for colour in COLOURS for shape in SHAPES))
    answers: tuple[str, ...] = (PADDING, END, AND, *COLOURS, *SHAPES)
    context: int = N_PATCHES
    floor: float = 0.0

    def __repr__(self) -> str:
        kinds = f"{len(self.symbols)} kinds of patch to {len(self.answers)} words"
        return f"Pictures({kinds}, {self.context} patches, floor {self.floor:.3f})"

    def draw(self, n_pictures: int, rng: np.random.Generator) -> Pairs:
        """Draw pictures, a row of patches each, and their captions."""
        rows = np.arange(n_pictures)[:, None]
        places = np.sort(np.argsort(rng.random((n_pictures, N_PATCHES)), axis=1)[:, :2], axis=1)
        things = rng.integers(2, len(self.symbols), places.shape)
        source = np.full((n_pictures, N_PATCHES), self.symbols.index(EMPTY))
        source[rows, places] = things
        captions = [self._caption(one) for one in things]
        target = np.array([[self.answers.index(word) for word in words] for words in captions])
        return Pairs(source, np.full(n_pictures, N_PATCHES), target, np.ones(target.shape))

    def partners(self, pairs: Pairs) -> IntArray:
        """Say which patch each word of a caption is about; -1 for "and" and the end, which are about none."""
        places = np.array([np.flatnonzero(tokens != self.symbols.index(EMPTY)) for tokens in pairs.source])
        found = np.full(pairs.target.shape, -1)
        found[:, [0, 1, 3, 4]] = places.repeat(2, axis=1)
        return found

    def drawn(self, tokens: Sequence[int] | IntArray) -> str:
        """Write a picture as three lines of three patches."""
        patches = [f"{self.symbols[token]:13}" for token in tokens]
        lines = ["".join(patches[at : at + SIDE]).rstrip() for at in range(0, N_PATCHES, SIDE)]
        return "\n".join(lines)

    def read_answers(self, tokens: Sequence[int] | IntArray) -> str:
        """Write a caption as text, without its padding."""
        return read(tokens, self.answers)

    def _caption(self, things: IntArray) -> list[str]:
        first, second = (self.symbols[thing].split() for thing in things)
        return [*first, AND, *second, END]


def pictures() -> Pictures:
    """Describe a picture: "red star and blue circle .".

    >>> pictures()
    Pictures(14 kinds of patch to 10 words, 9 patches, floor 0.000)
    """
    return Pictures()
