"""The ledger: every claim of the lesson, measured. One file for each part of the lesson; this is all that they share.

A claim is added in three steps: an entry in the file of its part; its id in the metadata of the cell that shows it
(``"claims": ["qkv-scores"]``); and ``python -m tests.claims``, which writes docs/claims.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.lesson_numbers import numbers


@dataclass(frozen=True)
class Claim:
    """One claim of the lesson.

    Attributes
    ----------
    says : str
        The claim in the course's words.
    lessons : tuple of str
        Where it belongs, such as "02" or "appendix_reach".
    measure : function or None
        Computes the claim's value with the package; None while its lesson is not written.
    expected : array, number or words
        What the measured value is compared with.
    tolerance : float or None
        The largest difference that is right; None: it must be equal.
    given : tuple of number
        Numbers in the claim's words that are no result: a setting, an input.
    """

    says: str
    lessons: tuple[str, ...]
    measure: Callable[[], Any] | None = None
    expected: Any = None
    tolerance: float | None = None
    given: tuple[float, ...] = ()

    def holds(self, measured: Any) -> bool:
        """Say whether a measured value is what is claimed."""
        if self.tolerance is None:
            return bool(np.array_equal(measured, self.expected))
        return bool(np.allclose(measured, self.expected, rtol=0, atol=self.tolerance))

    def says_what_is(self, values: Any) -> bool:
        """Say whether the results in the claim's words are these values: all of them in order, rounded as written.

        A claim without results in its words says nothing that could be wrong.
        """
        said = [number for number in numbers(self.says) if number.value not in self.given]
        flat = np.asarray(values, dtype=float).ravel()
        if not said or len(said) != len(flat):
            return not said
        return all(mine.is_of(100 * value if mine.percent else value) for mine, value in zip(said, flat, strict=True))


def ledger() -> dict[str, Claim]:
    """All claims by their ids, in the order of the lesson."""
    from tests.claims import cost, heads, masks, qkv, reading, scale, why

    claims: dict[str, Claim] = {}
    for part in (why, qkv, scale, masks, heads, cost, reading):
        twice = claims.keys() & part.CLAIMS.keys()
        if twice:
            raise ValueError(f"two claims have the id {min(twice)}")
        claims |= part.CLAIMS
    return claims
