"""Training: step by step towards a smaller loss, with Adam."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from attention_lab.shapes import FloatArray, finite_number, whole_number
from attention_lab.training.batch import Batch
from attention_lab.training.parameters import Parameters
from attention_lab.training.sizes import check_sizes

KEEPS = (0.9, 0.99)  # how much of the running mean, and of the running square, each step keeps
SMALLEST = 1e-8


class Learner(Protocol):
    """What can be trained: all its numbers in one piece, and how a loss changes with them."""

    learned: Parameters

    def loss_and_gradient(self, batch: Batch) -> float:
        """Compute the loss, and write its gradient into ``learned.flat_gradient``."""


class Adam:
    """Steps of about the same size for every number, whatever its gradient (Kingma and Ba, 2015, section 2)."""

    def __init__(self, learned: Parameters) -> None:
        self.learned = learned
        self.mean, self.square = np.zeros_like(learned.flat), np.zeros_like(learned.flat)
        self.step, self._room = 0, np.empty_like(learned.flat)

    def __call__(self, rate: float) -> None:
        """Change every number once."""
        self.step += 1
        kind = self.mean.dtype.type
        gradient, room = self.learned.flat_gradient, self._room
        for running, power, keeps in ((self.mean, 1, KEEPS[0]), (self.square, 2, KEEPS[1])):
            running *= kind(keeps)
            np.multiply(gradient, kind(1 - keeps), out=room)
            if power == 2:
                room *= gradient
            running += room
        np.sqrt(self.square, out=room)
        room += kind(SMALLEST)
        np.divide(self.mean, room, out=room)
        # Both started at 0, and would be too small in the first steps.
        room *= kind(rate * np.sqrt(1 - KEEPS[1] ** self.step) / (1 - KEEPS[0] ** self.step))
        self.learned.flat -= room  # in one piece: whoever interrupts finds a whole model


@dataclass(frozen=True)
class History:
    """How a training went.

    Attributes
    ----------
    losses : ``(n_steps,)``
        The loss of each batch, before the step that it led to.
    interrupted : bool
        Whether somebody stopped it; the model is as good as its last step.
    """

    losses: FloatArray
    interrupted: bool = False

    def __repr__(self) -> str:
        stopped = ", interrupted" if self.interrupted else ""
        if not len(self.losses):
            return f"History(no steps{stopped})"
        return f"History({len(self.losses)} steps, loss {self.losses[0]:.2f} to {self.smooth[-1]:.2f}{stopped})"

    @property
    def smooth(self) -> FloatArray:
        """The mean of each loss and of those before it, 20 at most: a curve to look at."""
        sums = np.cumsum(np.concatenate([[0.0], self.losses]))
        ends = np.arange(1, len(self.losses) + 1)
        begins = np.maximum(ends - 20, 0)
        return np.asarray((sums[ends] - sums[begins]) / (ends - begins))


def train(
    model: Learner,
    draw: Callable[[int, np.random.Generator], Batch],
    *,
    steps: int,
    rng: np.random.Generator,
    n_sentences: int = 16,
    rate: float = 3e-3,
    warm_up: int = 50,
    progress: Callable[[int, float], object] | None = None,
) -> History:
    """Train a model; it keeps what it has learned, also when it is interrupted (Ctrl-C, or the square button).

    Parameters
    ----------
    model : Transformer, Recurrent, or what has ``learned`` and ``loss_and_gradient``
        What is trained, in place.
    draw : function (n_sentences, rng) -> Batch
        Where sentences come from, such as ``tasks.text().draw``.
    steps, n_sentences : int
        How many batches, and how large each is.
    rng : np.random.Generator
        What the sentences are drawn with.
    rate, warm_up : float, int
        The size of a step; it rises over the first `warm_up` steps and falls to a tenth, along a cosine.
    progress : function (step, loss), optional
        Called after each step, such as ``explorers.progress_bar(steps)``.

    Returns
    -------
    History

    Raises
    ------
    TypeError, ValueError
        If steps, n_sentences or warm_up is no count, or rate is negative or not finite; or from `draw` and the model.
    """
    check_sizes(n_sentences=n_sentences)
    whole_number("steps", steps)
    whole_number("warm_up", warm_up)
    if finite_number("rate", rate) < 0:
        raise ValueError(f"rate must not be negative, but is {rate}.")
    adam, losses = Adam(model.learned), []
    interrupted = False
    try:
        for step in range(1, steps + 1):
            loss = model.loss_and_gradient(draw(n_sentences, rng))
            adam(rate * _share(step, steps, warm_up))
            losses.append(loss)
            if progress is not None:
                progress(step, losses[-1])
    except KeyboardInterrupt:
        interrupted = True
    return History(np.array(losses), interrupted)


def _share(step: int, steps: int, warm_up: int) -> float:
    """Return which share of the largest rate a step takes."""
    along_cosine = 0.1 + 0.45 * (1 + np.cos(np.pi * (step - 1) / steps))
    return float(min(1, step / max(warm_up, 1)) * along_cosine)
