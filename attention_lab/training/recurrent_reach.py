"""How far back a gradient reaches."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind


class Reach(NamedTuple):
    """How large a gradient is, ``(n_tokens,)``: entry t is that of the word t steps back, entry 0 the last word's own.

    ``relative`` is ``absolute`` divided by that of the nearest earlier word, so its entry 1 is 1.
    """

    absolute: FloatArray
    relative: FloatArray


def reach(gradients: ArrayLike) -> Reach:
    """Measure how far back a gradient reaches.

    Formula: ``absolute[t] = mean over sentences of |d(what stands at the end) / d(word t steps back)|``.

    Parameters
    ----------
    gradients : ``(n_sentences, n_tokens, d_model)``
        How something at the end changes with each word, such as ``Recurrent.input_gradient`` gives.

    Returns
    -------
    Reach

    Raises
    ------
    ShapeError
        If gradients has not three axes, no sentence, or fewer than two words.

    Notes
    -----
    Both belong in a report: a gradient may be the same at every distance, and small at all of them. For the product
    of many steps see Bengio, Simard and Frasconi, 1994, "Learning long-term dependencies with gradient descent is
    difficult".

    Examples
    --------
    >>> found = reach([[[0.0, 1.0], [0.0, 2.0], [3.0, 4.0]]])
    >>> found.absolute, found.relative
    (array([5., 2., 1.]), array([2.5, 1. , 0.5]))
    """
    (gradients,), _ = as_floats(gradients=gradients)
    sizes = bind(gradients=(gradients, "n_sentences n_tokens d_model"))
    if sizes["n_tokens"] < 2 or not sizes["n_sentences"]:
        raise ShapeError(f"gradients has shape {gradients.shape}: a reach takes one sentence and two words at least.")
    absolute = np.linalg.norm(gradients, axis=-1).mean(axis=0)[::-1]
    with np.errstate(all="ignore"):  # nothing may reach even the nearest word
        return Reach(absolute, absolute / absolute[1])
