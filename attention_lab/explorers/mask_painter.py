"""Lesson 04's explorer: hide and show any cell of a mask, and see what the weights become."""

from html import escape
from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray

from attention_lab.attention import softmax
from attention_lab.examples import INTEREST, Example
from attention_lab.explorers.aimed import AimedExplorer, aimed_script, aimed_style
from attention_lab.explorers.mask_goals import MaskGoal
from attention_lab.explorers.matrices import attention_of, matrices_of
from attention_lab.explorers.script import array, explorer_script, given, html_table, source
from attention_lab.masks import fit_mask
from attention_lab.plotting import heatmap
from attention_lab.plotting.words import number, share
from attention_lab.shapes import BoolArray, FloatArray, read_only


def _mask(_: str, value: Any, before: NDArray[Any] | None) -> BoolArray:
    """Take a mask over, made as large as the one before it."""
    mask = np.asarray(value) if before is None else fit_mask(value, before.shape)
    return read_only(mask.copy())


class MaskPainter(AimedExplorer):
    """What ``mask_painter`` gives: the mask as it is on the page now, and the weights that follow from it.

    Attributes
    ----------
    words : list of str
        The words, in order.
    scores : list of list, ``(n_tokens, n_tokens)``
        Their scaled scores.
    mask : bool array, ``(n_tokens, n_tokens)``
        True = may look. Python may set it too, to whatever broadcasts to the scores.
    """

    _script, _ = explorer_script("moving.js", "mask_painter_numbers.js", "mask_painter.js")
    _kind = MaskGoal
    _esm = aimed_script(_script, MaskGoal)
    _plain_css = source("shared.css") + source("mask_painter.css")
    _css = aimed_style(_plain_css)

    words = given(traitlets.List, traitlets.Unicode())
    scores = given(traitlets.List)
    mask = array(_mask)

    def __init__(self, example: Example) -> None:
        matrices: dict[str, Any] = matrices_of(example)
        scores = attention_of(Example(tuple(example.words), **matrices)).scores
        if not np.isfinite(scores).all():
            raise ValueError("The numbers of the example are too large: a score is not finite.")
        super().__init__(mask=np.ones(scores.shape, dtype=bool))
        self.set_trait("words", list(example.words))
        self.set_trait("scores", scores.tolist())

    @traitlets.observe("mask")
    def _painted(self, _: Any) -> None:
        self.tick()

    @property
    def weights(self) -> FloatArray:
        """What each word gives to each, with what is hidden hidden: ``(n_tokens, n_tokens)``."""
        return read_only(softmax(np.where(self.mask, self.scores, -np.inf)))

    @property
    def sentence(self) -> str:
        """At how many words each may look."""
        counts = [int(row.sum()) for row in self.mask]
        unit = {0: "", 1: " word"}.get(counts[0], " words")
        parts = [f"{word} at {count or 'nothing'}" for word, count in zip(self.words, counts, strict=True)]
        parts[0] = f"{self.words[0]} may look at {counts[0] or 'nothing'}{unit}"
        return f"{', '.join(parts)}: {sum(counts)} of {self.mask.size} cells are open."

    def still(self) -> str:
        """Write the sentence, a picture of the weights, and the mask, the scores and the weights in tables."""
        words, weights = list(self.words), self.weights

        def square(caption: str, cells: list[list[str]]) -> str:
            return html_table(caption, rows=words, columns=words, cells=cells)

        tables = [
            square("Hide: who may look at whom", [["may look" if o else "hidden" for o in row] for row in self.mask]),
            square("Scaled scores, before hiding", [[number(score) for score in row] for row in self.scores]),
            square("Weigh: softmax of what may be seen", [[share(weight) for weight in row] for row in weights]),
        ]
        intro = (
            f"<p>{escape(self.sentence)}</p>\n<p>Run this cell to hide and show cells. In the tables, a row is the "
            "word looking, a column the word looked at. A row that may look nowhere has the weights 0.</p>"
        )
        picture = heatmap(weights, rows=words, mask=self.mask)
        return "\n".join([intro, picture.html(), *tables, *self.still_goals()])


def mask_painter(example: Example = INTEREST) -> MaskPainter:
    """Show the scores of a sentence, of which any can be hidden, and the weights that are left.

    Formula: ``weights = softmax(scores where mask, else -inf)``, along each row; a row that may look nowhere has the
    weights 0.

    Parameters
    ----------
    example : Example
        The sentence; ``examples.INTEREST``, six words, unless another is given. Eight words still fit on a page.

    Returns
    -------
    MaskPainter
        In a notebook it shows itself; ``explorer.mask`` and ``explorer.weights`` follow the page.

    Raises
    ------
    TypeError
        If it is not an ``Example``, or its matrices do not hold numbers.
    ShapeError
        If its matrices do not fit together.
    ValueError
        If a number or a score is not finite.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.

    Examples
    --------
    >>> from attention_lab import causal_mask
    >>> explorer = mask_painter()
    >>> explorer.mask = causal_mask(6)
    >>> explorer
    The may look at 1 word, bank at 2, raised at 3, its at 4, interest at 5, rate at 6: 21 of 36 cells are open.
    >>> explorer.weights[1].round(3)
    array([0.804, 0.196, 0.   , 0.   , 0.   , 0.   ])
    """
    if not isinstance(example, Example):
        raise TypeError(f"mask_painter takes an Example, such as examples.INTEREST, not {type(example).__name__}.")
    return MaskPainter(example)
