"""What a learner moves: each explorer is one script, alive with a kernel and without one, and a table where none runs.

The only room that imports a widget library. An explorer's script computes attention in the browser, so that an edit is
seen at once; the tests compare it with the package.
"""

from attention_lab.explorers.bank_matrices import BankMatrices, bank_matrices
from attention_lab.explorers.mask_painter import MaskPainter, mask_painter
from attention_lab.explorers.progress_bar import progress_bar
from attention_lab.explorers.scaled_rows import ScaledRows, scaled_rows
from attention_lab.explorers.script import Explorer
from attention_lab.explorers.text_cost import TextCost, text_cost

__all__ = [
    "BankMatrices",
    "Explorer",
    "MaskPainter",
    "ScaledRows",
    "TextCost",
    "bank_matrices",
    "mask_painter",
    "progress_bar",
    "scaled_rows",
    "text_cost",
]
