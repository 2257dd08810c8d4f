"""The head doctor over the steps of a training: what each head was, and when it changed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lab.diagnostics.doctor import COLUMNS, HeadReport, head_doctor, write_csv
from attention_lab.shapes import ShapeError, whole_number


class HeadLog:
    """A report of the head doctor for each step that is added, of one text throughout.

    Attributes
    ----------
    steps : list of int
        In rising order.
    reports : list of HeadReport
        One for each step.

    Examples
    --------
    A head that looked evenly, and then at the first word:

    >>> even, first = np.full((1, 1, 4, 4), 0.25), np.eye(4)[[[[0, 0, 0, 0]]]]
    >>> log = HeadLog()
    >>> log.add(0, even), log.add(20, first)
    (HeadReport(1 layers, 1 heads: 1 uniform), HeadReport(1 layers, 1 heads: 1 sink))
    >>> log
    HeadLog(2 steps, 0 to 20, of 1 layers, 1 heads)
    >>> log.over_steps("entropy")[:, 0, 0]
    array([1., 0.])
    """

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.reports: list[HeadReport] = []
        self._sizes: dict[str, int] = {}
        self._tokens: list[Any] | None = None  # once a step has said them

    def __repr__(self) -> str:
        if not self.steps:
            return "HeadLog(no steps)"
        n_layers, n_heads = self.reports[0].verdict.shape
        steps = f"{len(self.steps)} steps, {self.steps[0]} to {self.steps[-1]}"
        return f"HeadLog({steps}, of {n_layers} layers, {n_heads} heads)"

    def add(
        self, step: int, weights: ArrayLike, tokens: ArrayLike | None = None, mask: ArrayLike | None = None
    ) -> HeadReport:
        """Look at the heads after a step, and keep what was found.

        Parameters
        ----------
        step : int
            0 or more, and later than the last one.
        weights : ``(n_layers, n_heads, n_tokens, n_tokens)``
            Of the same text each time: a head may be called otherwise on another one.
        tokens, mask
            As for ``head_doctor``. Tokens are the same wherever they are given.

        Returns
        -------
        HeadReport
            What was found.

        Raises
        ------
        ShapeError
            If there are other layers, heads or tokens than before, by number; as ``head_doctor``.
        TypeError, ValueError
            If the step is not a whole number, or not later than the last; if the tokens are of another text; as
            ``head_doctor``.
        """
        step = whole_number("step", step)
        if self.steps and step <= self.steps[-1]:
            raise ValueError(f"step = {step} comes after step {self.steps[-1]}: steps must rise.")
        report = head_doctor(weights, tokens, mask)
        self._keep_text(np.shape(weights), None if tokens is None else np.asarray(tokens).tolist())
        self.steps.append(step)
        self.reports.append(report)
        return report

    def _keep_text(self, shape: tuple[int, ...], tokens: list[Any] | None) -> None:
        """Refuse another model or another text than that of the steps before."""
        sizes = dict(zip(("n_layers", "n_heads", "n_tokens"), shape, strict=False))
        if self._sizes not in ({}, sizes):
            now, then = (", ".join(f"{word} = {size}" for word, size in both.items()) for both in (sizes, self._sizes))
            raise ShapeError(
                f"weights has {now}, but those of step {self.steps[0]} had {then}: a log is of one model and one text."
            )
        if tokens is not None and self._tokens not in (None, tokens):
            raise ValueError("tokens are not those of an earlier step: a log is of one text.")
        self._sizes, self._tokens = sizes, self._tokens or tokens

    def over_steps(self, name: str) -> NDArray[Any]:
        """Give one of the report's arrays at every step: ``(n_steps, n_layers, n_heads)``, such as "entropy".

        Raises
        ------
        ValueError
            If a report has nothing of that name, or there is no step yet.
        """
        if name not in COLUMNS[2:]:
            raise ValueError(f"name must be one of {', '.join(COLUMNS[2:])}, not {name!r}.")
        if not self.reports:
            raise ValueError("The log has no steps yet.")
        return np.stack([getattr(report, name) for report in self.reports])

    def to_csv(self, path: str | Path) -> None:
        """Write one file with a row for each step and head, layers and heads counted from 1."""
        write_csv(path, ("step", *COLUMNS), self._rows())

    def _rows(self) -> Iterator[list[Any]]:
        for step, report in zip(self.steps, self.reports, strict=True):
            for row in report.rows():
                yield [step, *row]
