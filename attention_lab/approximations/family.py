"""The whole family on the same queries, keys and values: what each costs, and what it gets wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.approximations.error import relative_error
from attention_lab.approximations.linear import linear_attention
from attention_lab.approximations.random_features import positive_features, random_directions
from attention_lab.approximations.rounding import rounded_attention
from attention_lab.approximations.sparse import block_attention, seen_blocks
from attention_lab.attention import scaled_dot_product_attention
from attention_lab.masks import window_mask
from attention_lab.shapes import BoolArray, FloatArray, ShapeError, as_floats, bind

BUDGETS = (1 / 16, 1 / 8, 1 / 4, 1 / 2)  # of the exact cost
_BLOCKS = 16  # a row of one block costs the smallest budget


@dataclass(frozen=True)
class TradeOffs:
    """What tricks cost, and what they get wrong.

    Attributes
    ----------
    costs : dict from a trick's name to a tuple of float
        Shares of exact attention's multiplications, each counted by its bits; in rising order.
    errors : dict from a trick's name to an array, ``(n_points, ...)``
        The relative error at each cost; the leading axes of the queries stay.
    average : ``(...)``
        The relative error of handing every word the plain average of all values.
    """

    costs: dict[str, tuple[float, ...]]
    errors: dict[str, FloatArray]
    average: FloatArray

    def __repr__(self) -> str:
        return f"TradeOffs({', '.join(self.costs)})"

    def typical(self) -> dict[str, tuple[tuple[float, ...], FloatArray]]:
        """Give each trick's costs, and the median of its errors at each."""
        medians = {name: np.median(errors.reshape(len(errors), -1), axis=1) for name, errors in self.errors.items()}
        return {name: (self.costs[name], median) for name, median in medians.items()}

    def within(self, budget: float) -> dict[str, FloatArray]:
        """Give the errors, ``(...)``, of each trick at the most that the budget pays for, if it pays for any."""
        paid = {name: sum(cost <= budget for cost in costs) for name, costs in self.costs.items()}
        return {name: self.errors[name][n_points - 1] for name, n_points in paid.items() if n_points}


def trade_offs(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    rng: "np.random.Generator",  # quoted, because NumPy loads its random part only when it is named
) -> TradeOffs:
    """Approximate one attention by every trick, at a sixteenth, an eighth, a quarter and half of the exact cost.

    Formula: cost is what is multiplied to compare and to blend, beside ``n_tokens^2 * (d_k + d_v)`` products of 32
    bits; a product of 8 bits counts a quarter. No trick spends more than its budget. Linear attention has one
    size alone, and is left out where it costs more than exact attention: in a text shorter than its vectors. Half the
    bits are float16, whose sums are wider, as on a machine. The error is ``relative_error``; it is NaN for float16
    where a number is above 65,504, the largest that it has.

    Parameters
    ----------
    q, k, v : ``(..., n_tokens, d_k)`` twice, ``(..., n_tokens, d_v)``
        Leading axes, such as heads, are kept. A multiple of 32 words.
    rng : np.random.Generator
        Draws blocks and random features.

    Returns
    -------
    TradeOffs

    Raises
    ------
    ShapeError
        If sizes do not fit, or n_tokens is no multiple of 32.
    TypeError
        For complex numbers, objects and text.

    Source: Tay et al. 2022, "Efficient Transformers: A Survey", for the family; that a product costs as its bits: the
    peak rates in NVIDIA's H100 data sheet, which double from TF32 to float16 and again to 8 bits.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> found = trade_offs(*rng.normal(size=(3, 64, 8)), rng=rng)
    >>> found
    TradeOffs(window, window + first, blocks, linear, random features, fewer bits)
    >>> found.costs["blocks"], found.errors["fewer bits"].round(2)
    ((0.0625, 0.125, 0.25, 0.5), array([0.22, 0.01, 0.  ]))
    """
    (q, k, v), _ = as_floats(q=q, k=k, v=v)
    sizes = bind(q=(q, "... n_tokens d_k"), k=(k, "... n_tokens d_k"), v=(v, "... n_tokens d_v"))
    if sizes["n_tokens"] == 0 or sizes["n_tokens"] % (2 * _BLOCKS):
        raise ShapeError(f"q has n_tokens = {sizes['n_tokens']}, which is no multiple of {2 * _BLOCKS}.")
    exact = scaled_dot_product_attention(q, k, v).output
    costs: dict[str, list[float]] = {}
    errors: dict[str, list[FloatArray]] = {}
    for name, cost, output in _approximated(q, k, v, rng):
        if cost > 1:
            continue
        costs.setdefault(name, []).append(float(cost))
        errors.setdefault(name, []).append(relative_error(output, exact))
    average = np.broadcast_to(v.mean(axis=-2, keepdims=True), exact.shape)
    return TradeOffs(
        {name: tuple(of_trick) for name, of_trick in costs.items()},
        {name: np.stack(of_trick) for name, of_trick in errors.items()},
        relative_error(average, exact),
    )


def _approximated(
    q: FloatArray, k: FloatArray, v: FloatArray, rng: "np.random.Generator"
) -> Iterator[tuple[str, float, FloatArray]]:
    """Give the name, the cost and the output of each trick, budget by budget."""
    n_tokens, d_k, d_v = q.shape[-2], q.shape[-1], v.shape[-1]
    for name, first in (("window", False), ("window + first", True)):
        for budget in BUDGETS:
            mask = _widest_window(n_tokens, budget, first=first)
            yield name, mask.mean(), scaled_dot_product_attention(q, k, v, mask=mask).output
    for budget in BUDGETS:
        seen = seen_blocks(_BLOCKS, int(budget * _BLOCKS), rng=rng)
        yield "blocks", seen.mean(), block_attention(q, k, v, seen=seen)
    yield "linear", 2 * d_k * d_v / (n_tokens * (d_k + d_v)), linear_attention(q, k, v)
    for budget in BUDGETS:
        n_features = int(budget * n_tokens / 2)  # each costs a product with q, with k, with v, and one to be read
        features = partial(positive_features, directions=random_directions(n_features, d_k, rng=rng))
        yield "random features", 2 * n_features / n_tokens, linear_attention(q, k, v, features=features)
    for bits in (4, 8):
        yield "fewer bits", bits / 32, rounded_attention(q, k, v, bits=bits)
    with np.errstate(over="ignore"):
        halves = [array.astype(np.float16).astype(array.dtype) for array in (q, k, v)]
    yield "fewer bits", 16 / 32, scaled_dot_product_attention(*halves).output


def _widest_window(n_tokens: int, budget: float, *, first: bool) -> BoolArray:
    """Find the widest window that the budget pays for, with or without a look at the first word."""
    best = np.eye(n_tokens, dtype=bool)
    for width in range(1, n_tokens + 1):
        mask = window_mask(n_tokens, width=width)
        mask[:, 0] |= first
        if mask.mean() > budget:
            break
        best = mask
    return best
