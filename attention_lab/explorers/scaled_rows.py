"""Lesson 03's explorer: one row of weights, unscaled and scaled, for any d_k and temperature."""

from html import escape
from typing import Any

import numpy as np
import traitlets

from attention_lab.attention import attention_scores, softmax
from attention_lab.diagnostics import attention_entropy
from attention_lab.explorers.script import Explorer, NotAChoice, explorer_script, given, html_table, moved, source
from attention_lab.plotting import curves
from attention_lab.plotting.words import number, share
from attention_lab.shapes import FloatArray, finite_number, read_only

SIZES = (2, 4, 8, 16, 32, 64, 128, 256, 512)  # the d_k of the slider
_IN_STILL = (2, 8, 64, 512)
_N_KEYS = 32
_SEED = 731  # a row like most at every d_k: a test compares it with 4,000 others

_STEPS = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)  # ten a decade, each about a quarter more than the last
TEMPERATURES = (*(t / 10 for t in _STEPS), *_STEPS, *(t * 10 for t in _STEPS), *(t * 100 for t in _STEPS), 1000)
_START = {"d_k": 64, "temperature": 1.0}


def _all_scores() -> list[list[float]]:
    """Compare one query with every key, once for each d_k: the same words, of which more numbers count each time."""
    rng = np.random.default_rng(_SEED)
    q, k = rng.standard_normal((1, SIZES[-1])), rng.standard_normal((_N_KEYS, SIZES[-1]))
    rows = [attention_scores(q[:, :d_k], k[:, :d_k], scale=1.0)[0] for d_k in SIZES]
    return [row.round(4).tolist() for row in rows]


def _number(name: str, value: Any) -> float:
    """Give back a number, or refuse it so that a message of the page is taken back."""
    try:
        return finite_number(name, value)
    except ValueError as wrong:
        raise NotAChoice(str(wrong)) from None


def short(value: float) -> str:
    """Write a temperature or a count, as the page does.

    >>> short(1.0), short(0.125), short(1000)
    ('1', '0.125', '1000')
    """
    return f"{value:.3f}".rstrip("0").rstrip(".")


class ScaledRows(Explorer):
    """What ``scaled_rows`` gives: one query that looks at 32 random keys, without the scale and with it.

    Attributes
    ----------
    d_k : int
        How many numbers the query and each key hold; one of `sizes`. Python may set it too.
    temperature : float
        What both rows of scores are divided by once more, from 0.1 to 1000. Python may set it too.
    sizes : list of int
        Every d_k of the slider.
    temperatures : list of float
        Every step of the other slider.
    all_scores : list of list, ``(n_sizes, n_keys)``
        q · k for each d_k, rounded to 4 digits.
    """

    _script, _esm = explorer_script("moving.js", "scaled_rows_numbers.js", "scaled_rows.js")
    _css = source("shared.css") + source("moving.css") + source("scaled_rows.css")

    d_k = moved(_START["d_k"])
    temperature = moved(_START["temperature"])
    start = given(traitlets.Dict, _START)
    sizes = given(traitlets.List, list(SIZES))
    temperatures = given(traitlets.List, list(TEMPERATURES))
    all_scores = given(traitlets.List)

    def __init__(self) -> None:
        super().__init__()
        self.set_trait("all_scores", _all_scores())

    @traitlets.validate("d_k")
    def _is_a_size(self, proposal: Any) -> int:
        d_k = _number("d_k", proposal["value"])
        if d_k not in SIZES:
            raise NotAChoice(f"d_k must be one of {', '.join(map(str, SIZES))}, not {proposal['value']!r}.")
        return int(d_k)

    @traitlets.validate("temperature")
    def _is_a_temperature(self, proposal: Any) -> float:
        temperature = _number("temperature", proposal["value"])
        low, high = TEMPERATURES[0], TEMPERATURES[-1]
        if not low <= temperature <= high:
            raise NotAChoice(f"temperature must lie from {low:g} to {high:g}, not {proposal['value']!r}.")
        return temperature

    @property
    def scores(self) -> FloatArray:
        """Give q · k for the d_k of now, neither scaled nor divided by the temperature: ``(n_keys,)``."""
        return read_only(np.array(self.all_scores[SIZES.index(self.d_k)]))

    @property
    def sentence(self) -> str:
        """How many words are really looked at now, unscaled and scaled."""
        plain, scaled = (self._words(self.d_k, scale) for scale in (False, True))
        hot = "" if self.temperature == 1 else f", temperature {short(self.temperature)}"
        return (
            f"One query and {_N_KEYS} keys at d_k = {self.d_k}{hot}: "
            f"unscaled it looks at {plain:.1f} of {_N_KEYS} words, scaled at {scaled:.1f}."
        )

    def _row(self, d_k: int, scale: bool) -> FloatArray:
        """Give what goes into the softmax: ``(1, n_keys)``."""
        scores: FloatArray = np.array(self.all_scores[SIZES.index(d_k)])[None]
        scores = scores / np.sqrt(d_k) if scale else scores
        return scores / float(self.temperature)

    def _words(self, d_k: int, scale: bool) -> float:
        return float(2 ** attention_entropy(softmax(self._row(d_k, scale)))[0])

    def _facts(self, d_k: int) -> list[str]:
        """Write the spread, the largest weight and the words looked at, unscaled and scaled."""
        rows = [self._row(d_k, scale) for scale in (False, True)]
        return [
            *(number(float(row.std())) for row in rows),
            *(share(float(softmax(row).max())) for row in rows),
            *(f"{self._words(d_k, scale):.1f}" for scale in (False, True)),
        ]

    def still(self) -> str:
        """Write the sentence, a picture of the words looked at against d_k, and what it is made of in a table."""
        table = html_table(
            f"Spread of the scores, largest weight, words looked at of {_N_KEYS}: by d_k, at temperature "
            f"{short(self.temperature)}",
            rows=[str(d_k) for d_k in _IN_STILL],
            columns=[f"{fact}, {how}" for fact in ("spread", "largest", "words") for how in ("unscaled", "scaled")],
            cells=[self._facts(d_k) for d_k in _IN_STILL],
        )
        lines = {how: [self._words(d_k, how == "scaled") for d_k in SIZES] for how in ("scaled", "unscaled")}
        ends = [f"{how} {words[0]:.1f} to {words[-1]:.1f} words" for how, words in lines.items()]
        title = f"From d_k = {SIZES[0]} to {SIZES[-1]}: {', '.join(ends)}"
        axes: Any = {"x_label": "log2 of d_k", "y_label": "words looked at", "y_range": (0, _N_KEYS)}
        picture = curves(np.log2(SIZES), lines, title=title, **axes)
        intro = f"<p>{escape(self.sentence)}</p>\n<p>Run this cell to move d_k and the temperature.</p>"
        return "\n".join([intro, picture.html(), table])


def scaled_rows() -> ScaledRows:
    """Show how many words a row of attention really looks at, without the scale and with it.

    One random query looks at 32 random keys. How many words it really looks at is 2 to the power of the entropy of
    its weights: 1 if one key has everything, 32 if all have the same.

    Returns
    -------
    ScaledRows
        In a notebook it shows itself; ``explorer.d_k``, ``explorer.temperature`` and ``explorer.scores`` follow the
        page.

    Examples
    --------
    >>> explorer = scaled_rows()
    >>> explorer
    One query and 32 keys at d_k = 64: unscaled it looks at 1.4 of 32 words, scaled at 20.0.
    >>> explorer.d_k = 2
    >>> explorer
    One query and 32 keys at d_k = 2: unscaled it looks at 17.5 of 32 words, scaled at 23.1.
    """
    return ScaledRows()
