"""Questions of lesson 07; what doubling does is drawn (see ``sketches.py``)."""

from typing import Any

import numpy as np

from attention_lab.attention import scaled_dot_product_attention
from attention_lab.prompts.item import Item, Option
from attention_lab.shapes import FloatArray
from attention_lab.streaming import stream_steps

ROUNDING = 1e-9  # far above what rounding makes of numbers around 1, and far below what anybody would see


def _text(n: int) -> FloatArray:
    return np.random.default_rng(0).standard_normal((3, n, 4))


def streamed_work(n: int) -> tuple[int, float]:
    """Stream through a text of n words; count the scores, and say how far the output is from that of plain attention.

    >>> streamed_work(64)[0]
    4096
    """
    q, k, v = _text(n)
    steps = list(stream_steps(q, k, v, tile=16))
    off = np.abs(steps[-1].output - scaled_dot_product_attention(q, k, v).output).max()
    return sum(len(step.keys) * n for step in steps), float(off)


def _doubled() -> dict[str, float]:
    (once, _), (twice, off) = streamed_work(64), streamed_work(128)
    return {"work": twice / once, "off": off}


def _reversed() -> tuple[FloatArray, FloatArray]:
    q, k, v = _text(64)
    *_, forward = stream_steps(q, k, v, tile=16)
    *_, backward = stream_steps(q, k, v, tile=16, order=range(4)[::-1])
    return forward.output, backward.output


def _gap(outputs: Any) -> float:
    return float(np.abs(np.subtract(*outputs)).max())


ITEMS = (
    Item(
        name="07-stream",
        text="Tile by tile, and the text is twice as long. How much more is computed, and is the answer the same?",
        options=(
            Option(
                text="twice as much; the same answer",
                holds=lambda found: found["work"] < 3 and found["off"] < ROUNDING,
                because="Many hope so. But every word is still compared with every other one.",
                code="flash-is-linear",
            ),
            Option(
                text="four times as much; slightly off",
                holds=lambda found: found["work"] > 3 and found["off"] > ROUNDING,
                because="Many think that what is never held as a whole must be lost in part. But nothing is left out.",
                code="approximate",
            ),
            Option(
                text="four times as much; the same answer",
                holds=lambda found: found["work"] > 3 and found["off"] < ROUNDING,
                because="All scores are computed, and none is kept. What is saved is memory.",
            ),
        ),
        measure=_doubled,
        says=lambda found: (
            f"{found['work']:.0f} times the scores are compared, and the outputs are "
            f"{'equal up to rounding' if found['off'] < ROUNDING else 'not equal'}."
        ),
    ),
    Item(
        name="07-tiles",
        text="The tiles come in the opposite order, the last words first. What becomes of the output?",
        options=(
            Option(
                text="it is another one, since the largest score comes at another time",
                holds=lambda outputs: _gap(outputs) > 0.01,
                because="Many think that softmax must know the whole row first. But what was added is scaled later.",
                code="exact-needs-all",
            ),
            Option(
                text="it is slightly off",
                holds=lambda outputs: ROUNDING < _gap(outputs) <= 0.01,
                because="Sums do not depend on their order, and the maximum does not, either.",
                code="approximate",
            ),
            Option(
                text="it stays the same",
                holds=lambda outputs: _gap(outputs) <= ROUNDING,
                because="A sum, a blend and a maximum do not depend on the order. Machines may share out the tiles.",
            ),
        ),
        measure=_reversed,
        says=lambda outputs: (
            "The two outputs are equal up to rounding."
            if _gap(outputs) <= ROUNDING
            else f"The two outputs differ by {_gap(outputs):.2g}."
        ),
    ),
)
