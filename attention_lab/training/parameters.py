"""What a model learns: arrays with names, which are views into one flat array; each gradient lies beside it."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from attention_lab.shapes import FloatArray


class Parameters:
    """Named arrays in one piece, so that one step of an optimiser is a few operations on two flat arrays.

    Parameters
    ----------
    start : dict of arrays
        By name, as they are in the beginning.
    dtype : {np.float32, np.float64}

    Attributes
    ----------
    flat, flat_gradient : ``(n_parameters,)``
        All of them, and the derivative of the loss by each.

    Examples
    --------
    >>> learned = Parameters({"W": np.zeros((2, 3)), "b": np.ones(3)})
    >>> learned.flat += 1
    >>> learned["b"]
    array([2., 2., 2.])
    """

    def __init__(self, start: Mapping[str, FloatArray], dtype: type = np.float64) -> None:
        self._shapes = {name: np.shape(array) for name, array in start.items()}
        n = sum(map(math.prod, self._shapes.values()))
        self.flat: FloatArray = np.empty(n, dtype)
        self.flat_gradient: FloatArray = np.zeros(n, dtype)
        self._views, self._gradients = self._cut(self.flat), self._cut(self.flat_gradient)
        for name, array in start.items():
            self._views[name][...] = array

    def _cut(self, flat: FloatArray) -> dict[str, FloatArray]:
        views, at = {}, 0
        for name, shape in self._shapes.items():
            size = math.prod(shape)
            views[name] = flat[at : at + size].reshape(shape)
            at += size
        return views

    def __getitem__(self, name: str) -> FloatArray:
        return self._views[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return self.flat.size

    def gradient(self, name: str) -> FloatArray:
        """Return the derivative of the loss by each number of an array, to be written into."""
        return self._gradients[name]
