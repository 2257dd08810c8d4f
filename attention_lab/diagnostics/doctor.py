"""The head doctor: what every head of a model does with one text, in a few numbers and one word."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.diagnostics.entropy import attention_entropy
from attention_lab.diagnostics.roles import head_roles
from attention_lab.masks import fit_mask
from attention_lab.shapes import BoolArray, FloatArray, ShapeError, as_floats, bind, check_weights, read_only

# The rules, in the order in which they are tried; the first that holds is the verdict.
EVEN = 0.9  # of the weight lies where an even head would lay it
HALF_THE_WEIGHT = 0.5  # goes to one column, over all words
HALF_THE_BITS = 0.5  # of those that an even head would need
RULES = {
    "dead": "a word that may look has no weights: they are all 0, or NaN",
    "uniform": f"{EVEN:.0%} of the weight, or more, lies where a head that looks evenly would lay it",
    "sink": f"one column, the same for all words, gets {HALF_THE_WEIGHT:.0%} of the weight or more",
    "specific": f"the entropy is at most {HALF_THE_BITS:.0%} of what it can be: words look at few others",
    "broad": "none of the others",
}


@dataclass(frozen=True, eq=False, repr=False)
class HeadReport:
    """What `head_doctor` found: arrays of ``(n_layers, n_heads)``, read-only, a mean over the words that look.

    Attributes
    ----------
    verdict : of str
        One of "dead", "uniform", "sink", "specific", "broad"; `RULES` says what each means.
    entropy : float
        A share of the most that is possible: 0 for one key, 1 for all visible keys alike.
    entropy_without_sink : float
        Without the sink's column, the rest of each row shared out anew.
    sink_share : float
        How much of its weight a word gives to the column that gets most, over all words.
    sink_key : int
        Which column that is, counted from 0.
    uniformity : float
        How much of the weight lies where an even head would lay it.
    previous, following, itself, same : float
        How much a word gives to the word before, the one after, itself, and the other words that are the same. NaN
        where no word is asked, as for the same word without tokens.
    """

    verdict: NDArray[np.str_]
    entropy: FloatArray
    entropy_without_sink: FloatArray
    sink_share: FloatArray
    sink_key: NDArray[np.int64]
    uniformity: FloatArray
    previous: FloatArray
    following: FloatArray
    itself: FloatArray
    same: FloatArray

    def __repr__(self) -> str:
        n_layers, n_heads = self.verdict.shape
        found = [f"{(self.verdict == name).sum()} {name}" for name in RULES if (self.verdict == name).any()]
        return f"HeadReport({n_layers} layers, {n_heads} heads: {', '.join(found)})"

    def table(self) -> str:
        """Write a line for each head, layers and heads counted from 1."""
        lines = [f"{'layer':>5} {'head':>4}  {'verdict':8} entropy  w/o sink  sink at  even  prev  next  self  same"]
        for layer, head in np.ndindex(self.verdict.shape):
            at = (layer, head)
            entropies = f"{self.entropy[at]:7.2f}  {self.entropy_without_sink[at]:8.2f}"
            sink = f"{self.sink_share[at]:4.2f} {self.sink_key[at]:2}"
            rest = "  ".join(f"{getattr(self, name)[at]:4.2f}" for name in NUMBERS[4:])
            lines.append(f"{layer + 1:5} {head + 1:4}  {self.verdict[at]!s:8} {entropies}  {sink:>7}  {rest}")
        return "\n".join(lines)

    def rows(self) -> Iterator[list[Any]]:
        """Give what `COLUMNS` names for each head, layers and heads counted from 1."""
        for layer, head in np.ndindex(self.verdict.shape):
            yield [layer + 1, head + 1, *(getattr(self, name)[layer, head] for name in COLUMNS[2:])]

    def to_csv(self, path: str | Path) -> None:
        """Write a file with a row for each head, layers and heads counted from 1."""
        write_csv(path, COLUMNS, self.rows())


NUMBERS = tuple(field.name for field in fields(HeadReport)[1:])  # all that it measures, in order
COLUMNS = ("layer", "head", "verdict", *NUMBERS)


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a file with a line of names, and one for each row."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def head_doctor(weights: ArrayLike, tokens: ArrayLike | None = None, mask: ArrayLike | None = None) -> HeadReport:
    """Describe every head by what it does with one text.

    Formula: each number is a mean over the words i that may look at two or more keys, n of them visible:
    entropy ``-sum_j w[i, j] log2 w[i, j] / log2 n``, uniformity ``1 - sum_j |w[i, j] - 1 / n| / 2``, and the sink is
    the column j with the largest mean weight. A low entropy is no praise: look at the sink first.

    Parameters
    ----------
    weights : ``(n_layers, n_heads, n_tokens, n_tokens)``
        Attention weights of any model: row looks at column.
    tokens : words or whole numbers, ``(n_tokens,)``, optional
        The text; without it nothing is said about the same word.
    mask : bool array, ``(n_tokens, n_tokens)``, optional
        True = may look, as for the future that a decoder hides.

    Returns
    -------
    HeadReport
        Its ``table()`` is text, ``to_csv(path)`` writes a file, and `plotting.doctor_map` draws its verdicts.

    Raises
    ------
    ShapeError
        If weights has other axes, or the tokens or the mask do not fit it; if no word may look at two keys.
    TypeError, ValueError
        For arrays that hold no numbers, a mask that is not boolean, or a weight below 0, above 1 or on a hidden key.

    Source: Clark et al. 2019, "What Does BERT Look At?", sections 3.1 to 3.3; for sinks Xiao et al. 2023, "Efficient
    Streaming Language Models with Attention Sinks".

    Examples
    --------
    Three heads over five words: one looks at the word before, one at the first, one evenly:

    >>> before, first = np.eye(5)[[0, 0, 1, 2, 3]], [[0.8, 0.05, 0.05, 0.05, 0.05]] * 5
    >>> report = head_doctor([[before, first, [[0.2] * 5] * 5]])
    >>> report.verdict.tolist()
    [['specific', 'sink', 'uniform']]
    >>> report.sink_share.round(2).tolist()
    [[0.4, 0.8, 0.2]]

    How to get the weights out of PyTorch and Hugging Face, and what goes wrong there: ``docs/head_doctor.md``.
    """
    (numbers,), _ = as_floats(weights=weights)
    sizes = bind(weights=(numbers, "n_layers n_heads n_queries n_keys"))
    if sizes["n_queries"] != sizes["n_keys"]:
        raise ShapeError(
            f"weights has n_queries = {sizes['n_queries']}, but n_keys = {sizes['n_keys']}: the doctor reads "
            "self-attention, where they are the same."
        )
    check_weights(numbers)
    n = sizes["n_keys"]
    visible = np.ones((n, n), bool) if mask is None else fit_mask(mask, (n, n))
    looking = visible.sum(axis=-1) > 1
    if not looking.any():
        raise ShapeError(f"weights has n_keys = {n}, and no word may look at two: there is nothing to choose.")
    attention_entropy(numbers, mask=visible)  # refuses rows that do not sum to 1, and weights on hidden keys
    numbers = np.where(visible, numbers, 0).astype(np.float64)
    empty = np.isnan(numbers).any(axis=-1) | (numbers == 0).all(axis=-1)
    dead = (empty & visible.any(axis=-1)).any(axis=-1)
    even = visible / np.maximum(visible.sum(axis=-1, keepdims=True), 1)
    numbers = np.where(dead[..., None, None], even, numbers)  # their numbers are left out below
    found = _measure(numbers, even, looking)
    roles = head_roles(numbers, tokens)
    for name, role in (("previous", "previous word"), ("following", "next word"), ("itself", "itself")):
        found[name] = roles[role]
    found["same"] = roles.get("same word", np.full(dead.shape, np.nan))
    found = {name: np.where(dead, np.nan if name != "sink_key" else -1, array) for name, array in found.items()}
    verdict = _judge(found, dead)
    return HeadReport(verdict, **{name: read_only(found[name]) for name in NUMBERS})


def _measure(weights: FloatArray, even: FloatArray, looking: BoolArray) -> dict[str, NDArray[Any]]:
    """Compute everything but the roles, of heads that all have weights."""
    off = np.abs(weights - even).sum(axis=-1) / 2
    columns = weights[..., looking, :].mean(axis=-2)
    sink = columns.argmax(axis=-1)
    seen = np.broadcast_to((even > 0) & looking[:, None], weights.shape)
    rest = seen & (np.arange(weights.shape[-1]) != sink[..., None, None])
    return {
        "entropy": _mean_entropy(weights, seen),
        "entropy_without_sink": _mean_entropy(weights, rest),
        "sink_share": columns.max(axis=-1),
        "sink_key": sink,
        "uniformity": 1 - off[..., looking].mean(axis=-1),
    }


def _mean_entropy(weights: FloatArray, seen: BoolArray) -> FloatArray:
    """Share each row out anew over the keys that are seen; NaN where no row has two of them and any weight."""
    shares = np.where(seen, weights, 0)
    sums = shares.sum(axis=-1, keepdims=True)
    shares = np.divide(shares, sums, out=np.zeros_like(shares), where=sums > 0)
    bits = attention_entropy(shares, mask=seen, normalised=True)
    counted = np.isfinite(bits) & (sums[..., 0] > 0)
    total, rows = np.where(counted, bits, 0).sum(axis=-1), counted.sum(axis=-1)
    return np.where(rows > 0, total / np.maximum(rows, 1), np.nan)


def _judge(found: dict[str, NDArray[Any]], dead: BoolArray) -> NDArray[np.str_]:
    """Give each head the first verdict whose rule holds."""
    holds = [
        dead,
        found["uniformity"] >= EVEN,
        found["sink_share"] >= HALF_THE_WEIGHT,
        found["entropy"] <= HALF_THE_BITS,
    ]
    return read_only(np.select(holds, list(RULES)[:-1], default="broad"))
