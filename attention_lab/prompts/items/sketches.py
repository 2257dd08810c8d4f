"""Every line that a learner draws before seeing it. Adding one is one entry; the tests pick it up."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import attention_scores
from attention_lab.explorers.sketch import FAR, times

_SLACK = 1e-9  # rounding decides nothing


@dataclass(frozen=True, kw_only=True)
class Power:
    """One way to grow, which a drawn line can be nearest to.

    Attributes
    ----------
    power : float
        The line is x to this power: 0 for one that stays flat, 1 for one that doubles with x.
    text : str
        The same in words.
    because : str
        Why it grows so; for a wrong one: what many expect, and why it is not so.
    code : str
        The misconception behind a wrong one; "" for the one that is measured.
    """

    power: float
    text: str
    because: str
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class Growth:
    """A line to draw: how something grows with x, relative to its first value.

    Attributes
    ----------
    name : str
        The lesson's number and a word: "03-spread".
    text : str
        The question, without a word about the answer.
    x_label, y_label : str
        What stands at the axes.
    x : tuple of int
        Where the handles stand, in rising order; the first handle is fixed.
    ends : (float, float)
        The lowest and the highest place of a handle, powers of 4. What can be expected must fit, and falling, too.
    powers : tuple of Power
        What a line is taken for: the nearest of these, by ratios, or none where all are far.
    measure : function () -> ``(n_points,)``
        The values at x, computed with the package.
    """

    name: str
    text: str
    x_label: str
    y_label: str
    x: tuple[int, ...]
    ends: tuple[float, float]
    powers: tuple[Power, ...]
    measure: Callable[[], ArrayLike]

    @property
    def codes(self) -> set[str]:
        """The misconceptions behind its wrong lines."""
        return {power.code for power in self.powers} - {""}

    @cached_property
    def measured(self) -> list[float]:
        """The values relative to the first; rounded, since the last digits differ between machines."""
        values = np.asarray(self.measure(), float)
        relative: list[float] = np.round(values / values[0], 2).tolist()
        return relative

    @cached_property
    def ordered(self) -> tuple[Power, ...]:
        """The ways to grow, the measured one first: of two that are as near to a guess, the first counts."""
        right, _ = self._nearest(self.measured, self.powers)
        return (right, *(power for power in self.powers if power is not right))

    def nearest(self, guess: Sequence[float]) -> Power | None:
        """Return the way to grow that a line is nearest to; None for a line that is far from all of them.

        Parameters
        ----------
        guess : ``(n_points,)``
            Positive numbers, relative to the first.

        Returns
        -------
        Power or None

        Examples
        --------
        >>> SKETCHES["07-scores"].nearest([1, 2, 3, 8, 20]).text
        'twice the words, twice the numbers'
        >>> SKETCHES["07-scores"].nearest([1, 64, 2, 64, 2]) is None
        True
        """
        power, distance = self._nearest(guess, self.ordered)
        return power if distance <= FAR + _SLACK else None

    def _nearest(self, line: Sequence[float], powers: Iterable[Power]) -> tuple[Power, float]:
        """Find the nearest, and how far it is, in doublings: the root of the mean square, without the first place."""

        def off(power: Power) -> float:
            steps = [math.log2(x / self.x[0]) for x in self.x]
            squares = [(math.log2(y) - power.power * step) ** 2 for y, step in zip(line, steps, strict=True)]
            return math.sqrt(sum(squares) / (len(squares) - 1))

        distances = {power: off(power) for power in powers}
        least = min(distances.values())
        return next((power, distance) for power, distance in distances.items() if distance <= least + _SLACK)

    def says(self, guess: Sequence[float]) -> str:
        """Name the gap between a line and the measured one.

        >>> SKETCHES["07-scores"].says([1, 2, 4, 8, 16])
        'From n = 512 to 8192: you drew 16 times, measured 256 times.'
        """
        return f"{self._span} you drew {times(guess[-1])} times, measured {times(self.measured[-1])} times."

    def reason(self, power: Power | None) -> str:
        """Write what is said to a line that is nearest to this way to grow, or like none."""
        right = self.ordered[0]
        so = f"{right.text}. {right.because}"
        if power is None:
            return f"Your line is like none that is known here. What was measured: {so}"
        if power is right:
            return f"Your line is most like the measured one: {so}"
        return f"Your line is most like this: {power.text}. {power.because} So: {so}"

    @property
    def answer(self) -> str:
        """What is said to those who drew no line."""
        right = self.ordered[0]
        return f"{self._span} measured {times(self.measured[-1])} times. So: {right.text}. {right.because}"

    @property
    def _span(self) -> str:
        return f"From {self.x_label} = {self.x[0]} to {self.x[-1]}:"


_SIZES = (4, 8, 16, 32, 64)
_LENGTHS = (512, 1024, 2048, 4096, 8192)


def _spread(d_k: int, pairs: int = 50_000) -> float:
    """Draw pairs of a query and a key, and measure how far their scores spread."""
    q, k = np.random.default_rng(3).standard_normal((2, pairs, 1, d_k))
    return float(attention_scores(q, k, scale=1.0).std())


def _scores_held(n: int) -> int:
    """Count the scores of n words; a stack of no sentences has their sizes, and takes no memory."""
    none = np.empty((0, n, 1))
    return math.prod(attention_scores(none, none).shape[-2:])


_ALL = (
    Growth(
        name="03-spread",
        text="q and k hold d_k random numbers each. What becomes of the spread of their score q · k as d_k grows?",
        x_label="d_k",
        y_label="spread of q · k",
        x=_SIZES,
        ends=(0.25, 256),
        powers=(
            Power(
                power=0,
                text="the spread does not grow",
                because="Many expect plus and minus to cancel. In the average they do, but each further product is one "
                "more chance to land far from it.",
                code="averages-out",
            ),
            Power(
                power=1,
                text="twice the d_k, twice the spread",
                because="That would be so if all products pulled the same way. But some are positive, some negative, "
                "and they cancel in part.",
                code="grows-with-d",
            ),
            Power(
                power=0.5,
                text="four times the d_k, twice the spread",
                because="The score is a sum of d_k independent products. Their variances add up, and the spread is the "
                "root of the variance.",
            ),
        ),
        measure=lambda: [_spread(d_k) for d_k in _SIZES],
    ),
    Growth(
        name="07-scores",
        text="A text of n words attends to itself. What becomes of the count of its scores as n grows?",
        x_label="n",
        y_label="numbers in the score matrix",
        x=_LENGTHS,
        ends=(0.25, 16384),
        powers=(
            Power(
                power=1,
                text="twice the words, twice the numbers",
                because="Many expect a cost for each word. But a score belongs to a pair of words.",
                code="double-is-double",
            ),
            Power(
                power=3,
                text="twice the words, eight times the numbers",
                because="That would need three words for each score: but there are two, the one that looks and the one "
                "looked at.",
                code="cubic",
            ),
            Power(
                power=2,
                text="twice the words, four times the numbers",
                because="The matrix has a row and a column for each word: twice the rows, and each twice as long.",
            ),
        ),
        measure=lambda: [_scores_held(n) for n in _LENGTHS],
    ),
)
SKETCHES: dict[str, Growth] = {growth.name: growth for growth in _ALL}
