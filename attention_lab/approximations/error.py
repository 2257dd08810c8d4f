"""How far an output is from the exact one."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, as_floats, bind


def relative_error(output: ArrayLike, exact: ArrayLike) -> FloatArray:
    """Compare an output with the exact one: how long the difference is, beside the exact output itself.

    Formula: ``||output - exact|| / ||exact||``, where ``||.||`` is the root of the sum of all squares of the last two
    axes (Frobenius). 0 is exact; 1 is what an output of nothing but zeros gets; more is worse than saying nothing.

    Parameters
    ----------
    output, exact : ``(..., n_queries, d_v)``
        Leading axes, such as heads, are kept.

    Returns
    -------
    ``(...)``
        NaN where the exact output is all 0 and the output is, too; infinite where only the exact one is.

    Raises
    ------
    ShapeError
        If their sizes differ.
    TypeError
        For complex numbers, objects and text.

    Source: the relative error in the Frobenius norm; Golub and Van Loan, "Matrix Computations", section 2.3.

    Examples
    --------
    >>> exact = [[3.0, 4.0]]
    >>> [float(relative_error(output, exact)) for output in ([[3.0, 4.0]], [[3.0, 3.0]], [[0.0, 0.0]])]
    [0.0, 0.2, 1.0]
    """
    (output, exact), _ = as_floats(output=output, exact=exact)
    bind(output=(output, "... n_queries d_v"), exact=(exact, "... n_queries d_v"))
    with np.errstate(all="ignore"):
        largest = np.abs(exact).max(axis=(-2, -1), keepdims=True, initial=0)
        unit = np.where(largest == 0, 1, largest)  # in this unit the squares neither overflow nor vanish
        output, exact = output / unit, exact / unit
        error: FloatArray = np.linalg.norm(output - exact, axis=(-2, -1)) / np.linalg.norm(exact, axis=(-2, -1))
    return error
