"""What attention computes, and what it has to carry to and from main memory for that: counted from its sizes."""

from dataclasses import dataclass

from attention_lab.costs.counted import positive_sizes


@dataclass(frozen=True)
class Work:
    """What one head has to do.

    Attributes
    ----------
    operations : int
        Multiplications and additions of the two products, to compare and to blend.
    exponentials : int
        One for each score.
    bytes_moved : int
        To and from main memory.
    """

    operations: int
    exponentials: int
    bytes_moved: int

    @property
    def intensity(self) -> float:
        """Operations for each byte that is moved."""
        return self.operations / self.bytes_moved


def plain_work(n_tokens: int, *, d_k: int = 64, bytes_each: int = 2, passes: int = 4) -> Work:
    """Count the work of one head whose scores stand in main memory, as many times as they are written or read.

    Formula: ``operations = 4 * n_tokens**2 * d_k``, since each of the two products has ``n_tokens**2 * d_k``
    multiplications and as many additions; ``bytes_moved = (passes * n_tokens**2 + 4 * n_tokens * d_k) * bytes_each``:
    the scores, and q, k, v and the output once each. For a long text the intensity is ``4 * d_k / (passes *
    bytes_each)``: it does not depend on the text.

    Parameters
    ----------
    n_tokens, d_k : int
        Sizes; values are as wide as keys. Nothing is hidden.
    bytes_each : int
        For each number: 1, 2, 4 or 8.
    passes : int
        How often the whole table is written or read. At best 4: compare writes the scores, softmax reads them and
        writes the weights, blend reads those.

    Returns
    -------
    Work

    Raises
    ------
    ValueError, TypeError
        For a size that is no positive whole number, or another bytes_each.

    Source: Dao et al. 2022, "FlashAttention", algorithm 0 and theorem 2.

    Examples
    --------
    >>> plain_work(4096)
    Work(operations=4294967296, exponentials=16777216, bytes_moved=136314880)
    >>> round(plain_work(4096).intensity, 1)
    31.5
    """
    n, d, each, passes = positive_sizes(n_tokens=n_tokens, d_k=d_k, bytes_each=bytes_each, passes=passes)
    return Work(4 * n**2 * d, n**2, (passes * n**2 + 4 * n * d) * each)


def streaming_work(n_tokens: int, *, d_k: int = 64, bytes_each: int = 2, block: int | None = None) -> Work:
    """Count the work of one head whose scores never leave the processor.

    Formula: as `plain_work`, but ``bytes_moved = 2 * n_tokens * d_k * (1 + n_blocks) * bytes_each``: q and the output
    once, k and v once for each block of queries, ``n_blocks = ceil(n_tokens / block)``.

    Parameters
    ----------
    n_tokens, d_k, bytes_each : int
        As for `plain_work`.
    block : int, optional
        How many queries are held at a time. Unless it is given, a cache keeps k and v for all blocks, so that they
        are fetched once: the least that is possible.

    Returns
    -------
    Work

    Raises
    ------
    ValueError, TypeError
        For a size that is no positive whole number, or another bytes_each.

    Source: Dao 2023, "FlashAttention-2", algorithm 1; the count is of the order of theorem 2 in Dao et al. 2022, with a
    fast memory of ``block * d_k`` numbers.

    Examples
    --------
    >>> streaming_work(4096)
    Work(operations=4294967296, exponentials=16777216, bytes_moved=2097152)
    >>> plain_work(4096).bytes_moved // streaming_work(4096).bytes_moved
    65
    >>> plain_work(4096).bytes_moved / streaming_work(4096, block=128).bytes_moved
    3.93...
    """
    n, d, each, block = positive_sizes(
        n_tokens=n_tokens, d_k=d_k, bytes_each=bytes_each, block=n_tokens if block is None else block
    )
    return Work(4 * n**2 * d, n**2, 2 * n * d * (1 + -(-n // block)) * each)
