"""What to paint in ``mask_painter``: a mask that the text says in words. It is met when every cell is as asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from attention_lab.explorers.goal import Goal
from attention_lab.masks import causal_mask, window_mask
from attention_lab.shapes import BoolArray

N_WORDS = 6  # enough for a window to leave something out on both sides

_PREFIX = causal_mask(N_WORDS)
_PREFIX[:2, :2] = True


def _cells(mask: BoolArray) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(row) for row in mask.tolist())


@dataclass(frozen=True, kw_only=True)
class MaskGoal(Goal):
    """A mask to paint.

    Attributes
    ----------
    target : tuple of tuple of bool, ``(n_tokens, n_tokens)``
        The mask; True = may look.
    """

    explorer = "mask_painter"
    script = "mask_goals.js"
    task = "Paint the mask that each of them asks for."

    target: tuple[tuple[bool, ...], ...]

    @property
    def begins(self) -> str:
        """The count of words; which words they are does not matter."""
        return f"a sentence of {len(self.target)} words"

    def begins_in(self, explorer: Any) -> bool:
        """Tell whether the explorer's sentence is as long as the text says."""
        return len(explorer.words) == len(self.target)

    def met_in(self, explorer: Any) -> str:
        """Say of a mask that is as asked how much it shows; nothing of any other."""
        cells = _cells(explorer.mask)
        return f"{_open(cells)}." if cells == self.target else ""

    def answer(self) -> str:
        """Say what each row shows, counting the words, and what to learn from it."""
        places = [str(i + 1) for i in range(len(self.target))]
        rows = "; ".join(may_look(f"word {place}", places, row) for place, row in zip(places, self.target, strict=True))
        return f"{rows}. {_open(self.target)}. {self.because}"

    def as_data(self) -> dict[str, Any]:
        """Write it for the page's script."""
        return {**super().as_data(), "target": self.target}


def _open(cells: Sequence[Sequence[bool]]) -> str:
    return f"{sum(map(sum, cells))} of {len(cells) ** 2} cells are open"


def may_look(word: str, words: Sequence[str], row: Iterable[bool]) -> str:
    """Say at whom a word may look.

    >>> may_look("bank", ["The", "bank", "river"], [True, True, False])
    'bank may look at The and bank'
    """
    names = [name for name, open_ in zip(words, row, strict=True) if open_]
    if len(names) == len(words) > 1:
        return f"{word} may look at all {len(words)} words"
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names) or "nothing"
    return f"{word} may look at {listed}"


MASK_GOALS = (
    MaskGoal(
        name="paint-window",
        text="Each word may look at itself, at the word before it and at the word after it",
        because="Models for long texts look through such windows. A row has three cells at most, however many words "
        "there are, so twice the text costs twice as much, not four times. What stands farther away comes through over "
        "several layers.",
        target=_cells(window_mask(N_WORDS, width=2)),
    ),
    MaskGoal(
        name="paint-prefix",
        text="The first two words may look at each other; apart from that, each word may look at itself and at all "
        "before it",
        because="So a model can read a question and write the answer to it. The question is all there, and its words "
        "may look at each other. The answer comes word by word, and its future stays hidden.",
        target=_cells(_PREFIX),
    ),
)
