"""The algebra under streaming: what some keys contribute, and how two such contributions become one."""

from dataclasses import dataclass

import numpy as np

from attention_lab.shapes import FloatArray, bind, read_only, show_shapes


@dataclass(frozen=True, eq=False, repr=False)
class Partial:
    """What some of the keys contribute, for each query; the arrays are read-only.

    Attributes
    ----------
    maximum : ``(..., n_queries)``
        The largest score among these keys; -inf where none of them may be looked at.
    total : ``(..., n_queries)``
        The sum of ``exp(score - maximum)``.
    blend : ``(..., n_queries, d_v)``
        The values, blended by ``exp(score - maximum)`` and not divided by the sum yet.
    """

    maximum: FloatArray
    total: FloatArray
    blend: FloatArray

    @property
    def output(self) -> FloatArray:
        """What attention would answer if there were no other keys: ``blend / total``, 0 where there are none."""
        return read_only(divide(self.blend, self.total))

    def __repr__(self) -> str:
        return show_shapes(self, ("maximum", "total", "blend"))


def merge_partials(first: Partial, *others: Partial) -> Partial:
    """Make one contribution of several, as if their keys had been looked at together.

    Formula, for two: ``m = max(m1, m2)``, ``total = total1 * exp(m1 - m) + total2 * exp(m2 - m)``, and the same for the
    blends. Order and grouping do not count (beyond rounding), so keys may be shared out between machines.

    Parameters
    ----------
    first, *others : Partial
        For the same queries, each from other keys (see `partial_attention`).

    Returns
    -------
    Partial

    Raises
    ------
    TypeError
        For anything that is not a Partial.
    ShapeError
        If they are not of the same queries and the same d_v, or the arrays of one do not fit together.

    Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", section 3.1.

    Examples
    --------
    "bank" has looked at The and bank (scores 4 and 2); now it looks at river (score 10):

    >>> import numpy as np
    >>> seen = Partial(np.array([4.0]), np.array([1 + np.exp(-2)]), np.array([[1.0, 2 * np.exp(-2)]]))
    >>> river = Partial(np.array([10.0]), np.array([1.0]), np.array([[2.0, 2.0]]))
    >>> merged = merge_partials(seen, river)
    >>> merged.maximum, merged.total.round(4), merged.output.round(2)
    (array([10.]), array([1.0028]), array([[2., 2.]]))
    """
    merged = _checked(first)
    for other in others:
        bind(first=(merged.blend, "... n_queries d_v"), another=(_checked(other).blend, "... n_queries d_v"))
        merged = _merge_two(merged, other)
    return merged


def _merge_two(one: Partial, two: Partial) -> Partial:
    with np.errstate(all="ignore"):
        maximum = np.maximum(one.maximum, two.maximum)
        level = np.where(np.isneginf(maximum), 0, maximum)  # neither has seen a key: -inf - -inf would be NaN
        fades = np.exp(one.maximum - level), np.exp(two.maximum - level)
        total = one.total * fades[0] + two.total * fades[1]
        blend = one.blend * fades[0][..., None] + two.blend * fades[1][..., None]
    return Partial(read_only(maximum), read_only(total), read_only(blend))


def _checked(part: Partial) -> Partial:
    if not isinstance(part, Partial):
        raise TypeError(f"merge_partials takes what partial_attention gives back, not {part!r:.40}.")
    words = "... n_queries"
    bind(maximum=(part.maximum, words), total=(part.total, words), blend=(part.blend, f"{words} d_v"))
    return part


def divide(blend: FloatArray, total: FloatArray) -> FloatArray:
    """Divide each row of a blend by its sum; a row that has seen nothing stays as it is."""
    with np.errstate(all="ignore"):
        return blend / np.where(total == 0, 1, total)[..., None]
