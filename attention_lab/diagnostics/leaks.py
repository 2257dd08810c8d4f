"""Whether the future leaks: nudge a word, and see which outputs move."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import BoolArray, FloatArray, ShapeError, as_floats, bind, finite_number


class CausalityError(ValueError):
    """An output depends on a later word; the message names the first leak."""


def future_influence(attend: Callable[[FloatArray], ArrayLike], x: ArrayLike, *, nudge: float = 1.0) -> FloatArray:
    """Nudge one word at a time and see how far each output moves: a leak test that needs no look at the code.

    Formula: ``influence[t, s] = max over the numbers of output t of |attend(x with word s nudged) - attend(x)|``.

    Parameters
    ----------
    attend : function, ``(n_tokens, d) -> (n_tokens, anything)``
        Must give the same answer each time. One that computes in float32 should answer in float32: what counts as
        rounding is read off the types of x and of the answer.
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
        If x or an output is NaN or infinite, two calls with the same x differ (is dropout on?), or the nudge is not a
        finite number, too small to change x, or too large for it.

    Source: finite differences; the rule that a decoder must keep is in Vaswani et al. 2017, section 3.2.3.

    Examples
    --------
    >>> import numpy as np
    >>> def sum_so_far(x):
    ...     return np.cumsum(x, axis=0)
    >>> future_influence(sum_so_far, [[1.0, 0.0], [0.0, 1.0]]).round(2)
    array([[0.49, 0.  ],
           [0.49, 0.49]])
    """
    return _nudge_each_word(attend, x, finite_number("nudge", nudge))[0]


def assert_causal(attend: Callable[[FloatArray], ArrayLike], x: ArrayLike) -> None:
    """Raise an error that names the first leak if an output depends on a later word.

    Formula: ``influence[t, s] = 0`` for every s > t, up to rounding, for a nudge up and for one down: what is cut off
    at 0 may hear only one of them.

    Parameters
    ----------
    attend, x
        As for ``future_influence``.

    Raises
    ------
    CausalityError
        If a number of output t moves when a later word s is nudged, by more than rounding could move it.
    ShapeError, ValueError
        As ``future_influence``.

    Source: as ``future_influence``.

    Examples
    --------
    >>> def sees_everything(x):
    ...     return x + x.sum(axis=0)
    >>> assert_causal(sees_everything, [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    Traceback (most recent call last):
    attention_lab.diagnostics.leaks.CausalityError: Output 0 depends on word 1, which comes later: it
        moved by ... when word 1 was nudged (3 of 3 later pairs leak).
    """
    up, down = (_nudge_each_word(attend, x, nudge) for nudge in (1.0, -1.0))
    influence, moved = np.maximum(up[0], down[0]), up[1] | down[1]
    leaks = np.argwhere(np.triu(moved, k=1))
    if len(leaks):
        t, s = leaks[0]
        pairs = len(influence) * (len(influence) - 1) // 2
        raise CausalityError(
            f"Output {t} depends on word {s}, which comes later: it moved by {influence[t, s]:.2g} "
            f"when word {s} was nudged ({len(leaks)} of {pairs} later pairs leak)."
        )


def _nudge_each_word(
    attend: Callable[[FloatArray], ArrayLike], x: ArrayLike, nudge: float
) -> tuple[FloatArray, BoolArray]:
    """Give back how far each output moves with each word, and whether any of its numbers moves beyond rounding."""
    (x,), _ = as_floats(x=x)
    n_tokens, d = bind(x=(x, "n_tokens d")).values()
    if not np.isfinite(x).all():
        raise ValueError("x holds NaN or an infinity: nudging it would say nothing.")
    if d == 0:
        raise ShapeError("x has d = 0: there is nothing to nudge.")
    with np.errstate(all="ignore"):
        spread = float(x.std(dtype=np.float64)) if x.size else 0.0
    # Irregular steps from 0.5 to 1.5: a function that adds up or subtracts a word's numbers must not cancel them.
    step = nudge * (spread or 1.0) * (0.5 + 1e3 * np.sin(np.arange(d)) % 1)
    before, precision = _outputs(attend, x)
    if not np.array_equal(before, _outputs(attend, x)[0]):
        raise ValueError("attend gave two different answers for the same x. Is dropout on?")
    influence, moved = np.zeros((n_tokens, n_tokens)), np.zeros((n_tokens, n_tokens), dtype=bool)
    for s in range(n_tokens):
        nudged = x.copy()
        with np.errstate(all="ignore"):
            nudged[s] += step
        if np.array_equal(nudged[s], x[s]):
            raise ValueError(f"A nudge of {nudge} is lost in the rounding of x: use a larger nudge or smaller numbers.")
        if not np.isfinite(nudged[s]).all():
            raise ValueError(f"A nudge of {nudge} makes x infinite: use a smaller nudge or smaller numbers.")
        after, _ = _outputs(attend, nudged)
        if after.shape != before.shape:
            raise ShapeError(
                f"attend gave {before.size} numbers for x {x.shape}, but {after.size} once a word was nudged."
            )
        distance = np.abs(after - before)
        influence[:, s] = distance.max(axis=1, initial=0)
        moved[:, s] = (distance > _rounding(before, after, precision)).any(axis=1)
    return influence, moved


def _rounding(before: FloatArray, after: FloatArray, precision: float) -> FloatArray:
    """How far rounding alone could move each number: some 1,000 steps of its own, a few of its column's largest.

    A number's own size decides, so that a large number elsewhere (a score hidden by -1e9) cannot cover up a leak.
    """
    size = np.maximum(np.abs(before), np.abs(after))
    limit: FloatArray = 1000 * precision * size + 8 * precision * size.max(axis=0, initial=0)
    return limit


def _outputs(attend: Callable[[FloatArray], ArrayLike], x: FloatArray) -> tuple[FloatArray, float]:
    """Call attend on a copy, which it may write to; give back its numbers, and the coarser type's precision."""
    (outputs,), answered_in = as_floats(outputs=attend(x.copy()))
    if outputs.ndim == 0 or len(outputs) != len(x):
        raise ShapeError(
            f"attend gave outputs of shape {outputs.shape}, but x has n_tokens = {len(x)}: one row a word is needed."
        )
    if not np.isfinite(outputs).all():
        raise ValueError("attend gave NaN or an infinity, so nothing can be said about its leaks.")
    outputs = outputs.astype(np.float64)  # a copy: the next call may write to the same buffer
    precision = float(max(np.finfo(x.dtype).eps, np.finfo(answered_in).eps))
    return outputs.reshape(len(x), math.prod(outputs.shape[1:])), precision
