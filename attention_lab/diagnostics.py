"""Numbers that tell whether attention is healthy: how broadly a word looks, and whether the future leaks."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.masks import fit_mask
from attention_lab.shapes import FloatArray, ShapeError, as_floats, bind


class CausalityError(ValueError):
    """An output depends on a later word; the message names the first leak."""


def attention_entropy(weights: ArrayLike, *, mask: ArrayLike | None = None, normalised: bool = False) -> FloatArray:
    """Measure how broadly each query looks, in bits: 0 for one key, log2(n) for n keys alike.

    Formula: ``H[i] = - sum over j of weights[i, j] * log2(weights[i, j])``, where 0 * log2(0) = 0.

    Parameters
    ----------
    weights : ``(..., n_queries, n_keys)``
        Each row sums to 1.
    mask : bool array that broadcasts to the weights, optional
        True = may look. Without it every key counts as visible.
    normalised : bool
        Divide by log2 of the number of visible keys, so that 1 is "evenly, among those it may see".

    Returns
    -------
    ``(..., n_queries)``
        Bits, or a share of the most that is possible. Normalised, a row with fewer than two visible keys is NaN. A row
        with NaN is NaN; an empty row (all 0) has no bits, 0.

    Raises
    ------
    ValueError
        If a weight is below 0, above 1, or lies on a hidden key.
    TypeError, ShapeError
        If the mask is not boolean or does not broadcast; for arrays that are not numbers.

    Source: Shannon 1948; for heads: Clark et al. 2019, "What Does BERT Look At?", section 3.3.

    Examples
    --------
    >>> attention_entropy([[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [1.0, 0.0, 0.0, 0.0]])
    array([1., 2., 0.])
    >>> attention_entropy([[0.5, 0.5, 0.0, 0.0]], normalised=True)
    array([0.5])
    """
    (weights,), answer_in = as_floats(weights=weights)
    bind(weights=(weights, "... n_queries n_keys"))
    visible = np.ones(weights.shape, bool) if mask is None else fit_mask(mask, weights.shape)
    if (weights < 0).any() or (weights > 1 + 1e-3).any():  # rounding in float16 is finer than that
        raise ValueError("weights must lie between 0 and 1. Were these scores?")
    if (weights[~visible] > 0).any():
        raise ValueError("weights is above 0 where the mask hides the key. Is this the mask it was computed with?")
    with np.errstate(all="ignore"):
        bits = -np.where(weights == 0, 0, weights * np.log2(np.where(weights == 0, 1, weights))).sum(axis=-1)
        if normalised:
            n_visible = visible.sum(axis=-1)
            bits = np.where(n_visible < 2, np.nan, bits / np.log2(np.maximum(n_visible, 2)))
        return np.asarray(bits + 0.0, dtype=answer_in)  # + 0.0 turns -0.0 into 0.0


def future_influence(attend: Callable[[FloatArray], ArrayLike], x: ArrayLike, *, nudge: float = 1.0) -> FloatArray:
    """Nudge one word at a time and see how far each output moves: a leak test that needs no look at the code.

    Formula: ``influence[t, s] = max over the numbers of output t of |attend(x with word s nudged) - attend(x)|``.

    Parameters
    ----------
    attend : function, ``(n_tokens, d) -> (n_tokens, anything)``
        Must give the same answer each time.
    x : ``(n_tokens, d)``
        A known input; random numbers do.
    nudge : float
        How far, in units of the spread of x (1 where x has none).

    Returns
    -------
    ``(n_tokens, n_tokens)``
        In the units of the output. Above the diagonal (s > t) everything is 0 where the future is hidden.

    Raises
    ------
    ShapeError
        If x is not ``(n_tokens, d)`` or the outputs are not one row a word.
    ValueError
        If an output is NaN or infinite, two calls with the same x differ (is dropout on?), or the nudge is too small
        to change x.

    Examples
    --------
    >>> import numpy as np
    >>> def sum_so_far(x):
    ...     return np.cumsum(x, axis=0)
    >>> future_influence(sum_so_far, [[1.0, 0.0], [0.0, 1.0]]).round(2)
    array([[0.49, 0.  ],
           [0.49, 0.49]])
    """
    influence, _ = _nudge_each_word(attend, x, nudge)
    return influence


def assert_causal(attend: Callable[[FloatArray], ArrayLike], x: ArrayLike) -> None:
    """Raise an error that names the first leak if an output depends on a later word.

    Parameters
    ----------
    attend, x
        As for ``future_influence``.

    Raises
    ------
    CausalityError
        If output t moves when a later word s is nudged, by more than rounding: 1,000 times the precision of x's type,
        relative to the largest number in the outputs and their movements.
    ShapeError, ValueError
        As ``future_influence``.

    Examples
    --------
    >>> def sees_everything(x):
    ...     return x + x.sum(axis=0)
    >>> assert_causal(sees_everything, [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    Traceback (most recent call last):
    attention_lab.diagnostics.CausalityError: Output 0 depends on word 1, which comes later: it moved by ... when word 1
        was nudged (3 of 3 later pairs leak).
    """
    influence, rounding = _nudge_each_word(attend, x, nudge=1.0)
    leaks = np.argwhere(np.triu(influence > rounding, k=1))
    if len(leaks):
        t, s = leaks[0]
        pairs = len(influence) * (len(influence) - 1) // 2
        raise CausalityError(
            f"Output {t} depends on word {s}, which comes later: it moved by {influence[t, s]:.2g} "
            f"when word {s} was nudged ({len(leaks)} of {pairs} later pairs leak)."
        )


def _nudge_each_word(attend: Callable[[FloatArray], ArrayLike], x: ArrayLike, nudge: float) -> tuple[FloatArray, float]:
    """Give back the influences and how large a movement rounding alone could make."""
    (x,), _ = as_floats(x=x)
    n_tokens, d = bind(x=(x, "n_tokens d")).values()
    spread = float(x.std(dtype=np.float64)) if x.size else 0.0
    # Irregular steps from 0.5 to 1.5: a function that adds up or subtracts a word's numbers must not cancel them.
    step = nudge * (spread or 1.0) * (0.5 + 1e3 * np.sin(np.arange(d)) % 1)
    before = _outputs(attend, x)
    if not np.array_equal(before, _outputs(attend, x)):
        raise ValueError("attend gave two different answers for the same x. Is dropout on?")
    influence = np.zeros((n_tokens, n_tokens))
    for s in range(n_tokens):
        nudged = x.copy()
        nudged[s] += step
        if np.array_equal(nudged[s], x[s]):
            raise ValueError(f"A nudge of {nudge} is lost in the rounding of x: use a larger nudge or smaller numbers.")
        after = _outputs(attend, nudged)
        if after.shape != before.shape:
            raise ShapeError(
                f"attend gave {before.size} numbers for x {x.shape}, but {after.size} once a word was nudged."
            )
        influence[:, s] = np.abs(after - before).max(axis=1, initial=0)
    largest = max(influence.max(initial=0), np.abs(before).max(initial=0))
    return influence, float(1000 * np.finfo(x.dtype).eps * largest)


def _outputs(attend: Callable[[FloatArray], ArrayLike], x: FloatArray) -> FloatArray:
    """Call attend on a copy, so that a function that writes to its input cannot spoil the next call."""
    (outputs,), _ = as_floats(outputs=attend(x.copy()))
    if outputs.ndim == 0 or len(outputs) != len(x):
        raise ShapeError(
            f"attend gave outputs of shape {outputs.shape}, but x has n_tokens = {len(x)}: one row a word is needed."
        )
    if not np.isfinite(outputs).all():
        raise ValueError("attend gave NaN or an infinity, so nothing can be said about its leaks.")
    outputs = outputs.astype(np.float64)  # a copy: the next call may write to the same buffer
    return outputs.reshape(len(x), math.prod(outputs.shape[1:]))
