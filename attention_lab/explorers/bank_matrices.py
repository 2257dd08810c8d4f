"""Lesson 02's explorer: edit any number of x, W_Q, W_K and W_V and see every later stage change."""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attention_lab.attention import Attention, attention_scores
from attention_lab.examples import BANK, Example
from attention_lab.explorers.aimed import AimedExplorer, aimed_script
from attention_lab.explorers.edit_goals import EditGoal
from attention_lab.explorers.matrices import TAUGHT, attention_of, matrices_of, matrix
from attention_lab.explorers.script import array, explorer_script, given, html_table
from attention_lab.plotting import heatmap
from attention_lab.plotting.words import looks, number, share


class BankMatrices(AimedExplorer):
    """What ``bank_matrices`` gives: the matrices as they are on the page now, and what follows from them.

    Attributes
    ----------
    words : list of str
        The words, in order.
    x : ``(n_tokens, d_model)``
        Their embeddings. This and the matrices may be set from Python too; they keep their sizes.
    W_Q, W_K, W_V : ``(d_model, d_k)``, ``(d_model, d_k)``, ``(d_model, d_v)``
        The learned matrices.
    start : dict
        The four as they were in the beginning.
    """

    _script, _ = explorer_script("bank_matrices_numbers.js", "bank_matrices.js")
    _esm = aimed_script(_script, EditGoal)
    _kind = EditGoal

    words = given(traitlets.List, traitlets.Unicode())
    x, W_Q, W_K, W_V = array(matrix), array(matrix), array(matrix), array(matrix)
    start = given(traitlets.Dict)

    def __init__(self, example: Example) -> None:
        matrices = matrices_of(example)
        super().__init__(**matrices)
        self.set_trait("words", list(example.words))
        self.set_trait("start", {name: matrix.tolist() for name, matrix in matrices.items()})

    @traitlets.observe(*TAUGHT)
    def _edited(self, _: Any) -> None:
        self.tick()

    @property
    def example(self) -> Example:
        """The words with the matrices as they are now."""
        return Example(tuple(self.words), self.x, self.W_Q, self.W_K, self.W_V)

    @property
    def attention(self) -> Attention:
        """What the package computes from the matrices as they are now: scaled scores, weights, output."""
        return attention_of(self.example)

    @property
    def sentence(self) -> str:
        """Whom each word looks at most."""
        return f"{looks(self.attention.weights, self.words, self.words)}."

    @np.errstate(all="ignore")
    def still(self) -> str:
        """Write the sentence, a picture of the weights, and every number in tables."""
        now, attention, words = self.example, self.attention, list(self.words)
        flow = {"x": now.x, "q": now.q, "k": now.k, "v": now.v}
        scores = attention_scores(now.q, now.k, scale=1.0)
        learned = {name: getattr(now, name) for name in ("W_Q", "W_K", "W_V")}
        rows = [f"row {i + 1}" for i in range(len(now.W_Q))]
        root = f"√{now.k.shape[1]}"
        tables = [
            _vectors("Ask, label, hand over: q, k and v from x", words, flow),
            _vectors("Learned matrices", rows, learned),
            html_table("Compare: scores = q · k", rows=words, columns=words, cells=_texts(scores)),
            html_table(f"Scale: scores / {root}", rows=words, columns=words, cells=_texts(attention.scores)),
            html_table(
                "Weigh: softmax of each row",
                rows=words,
                columns=words,
                cells=[[share(weight) for weight in row] for row in attention.weights],
            ),
            _vectors("Blend: weights · v", words, {"output": attention.output}),
        ]
        picture = heatmap(attention.weights, rows=words)
        intro = (
            f"<p>{escape(self.sentence)}</p>\n<p>Run this cell to edit every number of x, W_Q, W_K and W_V. "
            "In the tables, a row is the word looking, a column the word looked at.</p>"
        )
        return "\n".join([intro, picture.html(), *tables, *self.still_goals()])


def _texts(matrix: ArrayLike) -> list[list[str]]:
    return [[number(value) for value in row] for row in np.asarray(matrix)]


def _vectors(caption: str, rows: list[str], matrices: Mapping[str, ArrayLike]) -> str:
    """Write matrices side by side, a row of each in one cell."""
    by_matrix = [[", ".join(line) for line in _texts(matrix)] for matrix in matrices.values()]
    return html_table(caption, rows=rows, columns=list(matrices), cells=zip(*by_matrix, strict=True))


def bank_matrices(example: Example = BANK) -> BankMatrices:
    """Show an example whose every number can be edited, stage by stage.

    Parameters
    ----------
    example : Example
        The start; ``examples.BANK`` unless another is given. Eight words still fit on a page.

    Returns
    -------
    BankMatrices
        In a notebook it shows itself; ``explorer.x``, ``explorer.attention`` and ``explorer.example`` follow the page.

    Raises
    ------
    TypeError
        If it is not an ``Example``, or its matrices do not hold numbers.
    ShapeError
        If its matrices do not fit together.
    ValueError
        If a number is not finite.

    Examples
    --------
    >>> explorer = bank_matrices()
    >>> explorer
    The looks most at river (93.2%), bank at river (98.2%), river at river (100.0%).
    >>> explorer.W_Q = [[2, 0], [-2, 3]]  # one edit, and "bank" looks elsewhere
    >>> explorer
    The looks most at river (93.2%), bank at The (87.0%), river at river (99.7%).
    """
    if not isinstance(example, Example):
        raise TypeError(f"bank_matrices takes an Example, such as examples.BANK, not {type(example).__name__}.")
    return BankMatrices(example)
