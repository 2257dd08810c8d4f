"""What a learner moves: each explorer is one script, alive with a kernel and without one, and a table where none runs.

The only room that imports a widget library. An explorer's script computes attention in the browser, so that an edit is
seen at once; the tests compare it with the package.
"""

from attention_lab.explorers.bank_matrices import BankMatrices, bank_matrices
from attention_lab.explorers.scaled_rows import ScaledRows, scaled_rows
from attention_lab.explorers.script import Explorer

__all__ = ["BankMatrices", "Explorer", "ScaledRows", "bank_matrices", "scaled_rows"]
