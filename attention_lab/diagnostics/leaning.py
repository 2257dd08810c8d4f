"""Two groups of vectors: whether each is more like its own group than like the other."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind


def leaning(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Measure how much more each vector is like the first group than like the second; itself is left out.

    Formula: ``mean of cos(x, y) over y in first - mean of cos(x, y) over y in second``, without ``y = x``. Give the two
    results to `auc`: it is 1 if every vector of the first group leans more to it than any of the second.

    Parameters
    ----------
    first, second : ``(..., n_sentences, d_model)``
        Such as one word, in sentences of one sense and of another; as many of each, two at least.

    Returns
    -------
    pair of ``(..., n_sentences)``
        How much each of the first, and of the second, leans to the first group: from -2 to 2. By chance a little below
        0 for the first and above 0 for the second, since each lacks itself among its own.

    Raises
    ------
    ShapeError
        If the shapes do not fit, or there are fewer than two vectors in a group.
    ValueError
        If a vector is 0, NaN or infinite: it has no direction.

    Source: a nearest-mean rule, tested by leaving one out; see Wiedemann and others 2019, "Does BERT Make Any Sense?",
    for the senses of words.

    Examples
    --------
    >>> to_first, to_second = leaning([[1, 0], [1, 0]], [[0, 1], [1, 1]])
    >>> to_first.round(2), to_second.round(2)
    (array([0.65, 0.65]), array([-0.71,  0.  ]))
    """
    (first, second), _ = as_floats(first=first, second=second)
    axes = "... n_sentences d_model"
    n = bind(first=(first, axes), second=(second, axes))["n_sentences"]
    if n < 2:
        raise ShapeError(f"first and second have n_sentences = {n}: each vector needs another one to be like.")
    first, second = _directions("first", first), _directions("second", second)
    across = first @ np.swapaxes(second, -1, -2)
    return _own(first, n) - across.mean(axis=-1), across.mean(axis=-2) - _own(second, n)


def _own(group: FloatArray, n: int) -> FloatArray:
    """Mean likeness of each vector to the others of its group."""
    alike = group @ np.swapaxes(group, -1, -2)
    return np.asarray((alike * ~np.eye(n, dtype=bool)).sum(axis=-1) / (n - 1))


def _directions(name: str, vectors: FloatArray) -> FloatArray:
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0)
    if not (np.isfinite(largest) & (largest > 0)).all():
        raise ValueError(f"{name} holds a vector that is 0, NaN or infinite: it has no direction.")
    vectors = vectors / largest  # or squares of very large or very small numbers would be infinite, or 0
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
