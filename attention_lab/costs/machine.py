"""How fast a machine computes and how fast it moves numbers, and which of the two holds some work up."""

from dataclasses import dataclass
from math import inf
from numbers import Real

from attention_lab.costs.traffic import Work


@dataclass(frozen=True)
class Machine:
    """The rates of a machine: the best that each of its parts does alone.

    Attributes
    ----------
    name : str
    operations : float
        Multiplications and additions a second, in products of matrices.
    exponentials : float
        A second.
    bandwidth : float
        Bytes a second to and from main memory.

    Raises
    ------
    ValueError
        For a rate that is no positive number.
    """

    name: str
    operations: float
    exponentials: float
    bandwidth: float

    def __post_init__(self) -> None:
        for what in ("operations", "exponentials", "bandwidth"):
            rate = getattr(self, what)
            if not (isinstance(rate, Real) and 0 < float(rate) < inf):
                raise ValueError(f"{what} must be a positive rate, but is {rate!r}.")

    @property
    def ridge(self) -> float:
        """Operations for each byte at which computing takes as long as moving."""
        return self.operations / self.bandwidth

    def roof(self, intensity: float) -> float:
        """Say how many operations a second are possible, at most, at so many operations for each byte.

        Formula: ``min(operations, bandwidth * intensity)``.

        Raises
        ------
        ValueError
            For an intensity below 0, or NaN.

        Source: Williams, Waterman and Patterson 2009, "Roofline", Communications of the ACM 52(4).

        Examples
        --------
        >>> A100.roof(10) / A100.operations, A100.roof(1000) / A100.operations
        (0.0498..., 1.0)
        """
        if not intensity >= 0:
            raise ValueError(f"intensity must be at least 0, but is {intensity}.")
        return min(self.operations, self.bandwidth * intensity)

    def seconds(self, work: Work) -> float:
        """Say how long some work takes at least, if all else happens meanwhile.

        Formula: ``max(work.operations / operations, work.bytes_moved / bandwidth)``.
        """
        return max(self._parts(work))

    def limited_by(self, work: Work) -> str:
        """Say which of the two holds some work up: "memory" or "arithmetic".

        Examples
        --------
        >>> from attention_lab.costs import plain_work, streaming_work
        >>> A100.limited_by(plain_work(4096)), A100.limited_by(streaming_work(4096))
        ('memory', 'arithmetic')
        """
        moving, computing = self._parts(work)
        return "memory" if moving > computing else "arithmetic"

    def _parts(self, work: Work) -> tuple[float, float]:
        """Seconds of moving, and of products."""
        return work.bytes_moved / self.bandwidth, work.operations / self.operations

    def computing_seconds(self, work: Work) -> float:
        """Say how long the products and exponentials take one after the other, as on one core.

        Formula: ``work.operations / operations + work.exponentials / exponentials``.
        """
        return work.operations / self.operations + work.exponentials / self.exponentials


# From data sheets, measured by nobody here. Operations: 16-bit tensor cores, dense. Exponentials: 16 a clock in each
# multiprocessor (the way of counting: Shah et al. 2024, "FlashAttention-3", section 3.1), by their number and clock.
# NVIDIA A100 data sheet (40 GB, SXM4; 108 multiprocessors at 1.41 GHz): that of the FlashAttention paper.
A100 = Machine("A100", operations=312e12, exponentials=16 * 108 * 1.41e9, bandwidth=1.555e12)
# NVIDIA H100 data sheet (80 GB, SXM5; 132 multiprocessors at 1.83 GHz).
H100 = Machine("H100", operations=989.4e12, exponentials=16 * 132 * 1.83e9, bandwidth=3.35e12)
