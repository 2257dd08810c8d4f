"""What is asked of streaming: the checked arguments, and one head's share of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lab.shapes import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Question:
    """The checked arguments; all leading axes are broadcast, as views: nothing grows."""

    q: FloatArray
    k: FloatArray
    v: FloatArray
    mask: BoolArray | None
    bias: NDArray[Any] | None
    lengths: IntArray | None  # how many keys may be looked at
    shift: int  # query i stands at key i + shift
    causal: bool
    window: int | None
    factor: float  # the scale of the scores
    calm: bool  # no number is NaN or near the ends of its type: the fast way is exact
    answer_in: np.dtype[np.floating[Any]]
    answer_leading: tuple[int, ...]  # as the caller knows them: here, heads that share keys have an axis of their own

    @property
    def leading(self) -> tuple[int, ...]:
        """Sizes of the leading axes."""
        return self.q.shape[:-2]

    def head(self, index: tuple[int, ...]) -> "Head":
        """Give back what is asked at one index of the leading axes."""
        return Head(
            self,
            self.q[index],
            self.k[index],
            self.v[index],
            None if self.mask is None else self.mask[index],
            None if self.bias is None else self.bias[index],
            self.k.shape[-2] if self.lengths is None else int(self.lengths[index]),
        )

    def room(self, *shape: int) -> FloatArray:
        """Make room for an answer of every head, in the type that is computed in."""
        return np.zeros((*self.leading, *shape), self.q.dtype)

    def as_asked(self, answer: FloatArray) -> FloatArray:
        """Give an answer the leading axes that the caller knows."""
        return answer.reshape(*self.answer_leading, *answer.shape[len(self.leading) :])


@dataclass(frozen=True, eq=False)
class Head:
    """What one head of one sentence is asked: its arrays have two axes, mask and bias those of its scores."""

    question: Question
    q: FloatArray
    k: FloatArray
    v: FloatArray
    mask: BoolArray | None
    bias: NDArray[Any] | None
    length: int
