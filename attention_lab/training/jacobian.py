"""How the weights of one softmax move with its scores: the one place where a score's gradient can get lost."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, as_floats, bind, check_row_sums, check_weights


def softmax_jacobian(weights: ArrayLike) -> FloatArray:
    """Return how fast each weight of a row moves with each score of that row.

    Formula: ``J = diag(a) - a aᵀ``, so ``J[i, j]`` is ``a_i (1 - a_i)`` where i = j, and ``-a_i a_j`` elsewhere.

    Parameters
    ----------
    weights : ``(..., n_keys)``
        Rows a = softmax(scores); the scores themselves are not needed.

    Returns
    -------
    ``(..., n_keys, n_keys)``
        One square a row: nudge the score of key j by a little, and the weight of key i moves ``J[i, j]`` times as far.
        It is symmetric, and each of its rows sums to 0. An empty row of weights (all 0) has a square of zeros, a row
        with NaN one of NaN.

    Raises
    ------
    ValueError
        If a weight is below 0 or above 1, or a row sums to neither 1 nor 0.
    TypeError, ShapeError
        For arrays that are not numbers or have no axis.

    Source: Bridle 1990, "Probabilistic Interpretation of Feedforward Classification Network Outputs"; that the scale is
    there for its sake: Vaswani et al. 2017, section 3.2.1.

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5, 0.0])  # two rivals: each gains what the other loses, and the third gets nothing
    array([[ 0.25, -0.25,  0.  ],
           [-0.25,  0.25,  0.  ],
           [ 0.  ,  0.  ,  0.  ]])
    """
    (weights,), answer_in = as_floats(weights=weights)
    n_keys = bind(weights=(weights, "... n_keys"))["n_keys"]
    check_weights(weights)
    check_row_sums(weights)
    own = np.eye(n_keys, dtype=weights.dtype) * weights[..., None]
    return np.asarray(own - weights[..., :, None] * weights[..., None, :], dtype=answer_in)
