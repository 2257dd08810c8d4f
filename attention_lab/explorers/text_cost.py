"""Lesson 07's explorer: what a text's scores, and its keys and values, take in a real model, as the text grows."""

from html import escape
from numbers import Real
from typing import Any

import traitlets

from attention_lab.costs import MODELS, Cost, attention_cost
from attention_lab.explorers.script import Explorer, NotAChoice, explorer_script, given, html_table, moved, source
from attention_lab.plotting import curves

LENGTHS = tuple(2**power for power in range(10, 21))  # tokens: each step is twice the text
BYTES = (2, 1)  # for each number
MEMORY = 80 * 10**9  # bytes: what one large accelerator has
_START = {"n_tokens": 8192, "model": "Llama 2 7B", "bytes_each": 2}
_UNITS = ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB"))


def amount(n_bytes: int) -> str:
    """Write how many bytes, as the page does.

    >>> amount(4_294_967_296), amount(536_870_912), amount(70_368_744_177_664)
    ('4.3 GB', '537 MB', '70 TB')
    """
    size, unit = next((unit for unit in _UNITS if n_bytes >= unit[0]), _UNITS[-1])
    return f"{n_bytes / size:.{1 if n_bytes < 10 * size else 0}f} {unit}"


def fitting(cost: Cost) -> str:
    """Say what fits into the memory of one accelerator, as the page does.

    >>> fitting(attention_cost(8192))
    'Each of the two fits into 80 GB.'
    """
    scores, cache = cost.score_bytes <= MEMORY, cost.cache_bytes <= MEMORY
    which = {
        (True, True): "Each of the two fits",
        (True, False): "Only the scores fit",
        (False, True): "Only the keys and values fit",
        (False, False): "Neither fits",
    }
    return f"{which[scores, cache]} into {amount(MEMORY)}."


def _chosen(name: str, choices: tuple[Any, ...]) -> tuple[Any, Any]:
    """Make a trait that the page, or Python, sets to one of some choices, and what looks at it."""

    def is_one(_: Explorer, proposal: Any) -> Any:
        value = proposal["value"]
        if isinstance(value, bool) or not isinstance(value, str | Real) or value not in choices:
            raise NotAChoice(f"{name} must be one of {', '.join(map(str, choices))}, not {value!r}.")
        return choices[choices.index(value)]

    return moved(_START[name]), traitlets.validate(name)(is_one)


class TextCost(Explorer):
    """What ``text_cost`` gives: the memory that a text takes in a model, as it is on the page now.

    Attributes
    ----------
    n_tokens : int
        How long the text is; one of `lengths`. Python may set it too.
    model : str
        One of `models`. Python may set it too.
    bytes_each : {2, 1}
        For each number. Python may set it too.
    lengths : list of int
        Every step of the slider, each twice the one before.
    models : dict
        The sizes of every model, as in ``attention_lab.costs.MODELS``.
    memory : int
        The bytes of one large accelerator.
    """

    _script, _esm = explorer_script("moving.js", "text_cost_numbers.js", "text_cost.js")
    _css = source("shared.css") + source("moving.css") + source("text_cost.css")

    n_tokens, _n_tokens_is_one = _chosen("n_tokens", LENGTHS)
    model, _model_is_one = _chosen("model", tuple(MODELS))
    bytes_each, _bytes_each_is_one = _chosen("bytes_each", BYTES)
    start = given(traitlets.Dict, _START)
    lengths = given(traitlets.List, list(LENGTHS))
    models = given(traitlets.Dict)
    memory = given(traitlets.Int, MEMORY)

    @traitlets.default("models")
    def _own_models(self) -> dict[str, dict[str, int]]:
        return {name: dict(sizes) for name, sizes in MODELS.items()}

    @property
    def cost(self) -> Cost:
        """Count what the text of now costs the model of now."""
        return self._cost(self.n_tokens)

    def _cost(self, n_tokens: int) -> Cost:
        return attention_cost(n_tokens, bytes_each=self.bytes_each, **MODELS[self.model])

    @property
    def sentence(self) -> str:
        """What the two take now, and whether that fits."""
        each = f"{self.bytes_each} byte{'s' if self.bytes_each > 1 else ''} a number"
        return (
            f"{self.model}, {self.n_tokens:,} tokens, {each}: the scores of one layer take "
            f"{amount(self.cost.score_bytes)}, the keys and values of all {MODELS[self.model]['n_layers']} layers "
            f"{amount(self.cost.cache_bytes)}. {fitting(self.cost)}"
        )

    def still(self) -> str:
        """Write the sentence, a picture of both against the length, and their numbers in a table."""
        costs = [self._cost(n) for n in LENGTHS]
        table = html_table(
            f"{self.model}, bytes a number: {self.bytes_each}",
            rows=[f"{n:,} tokens" for n in LENGTHS],
            columns=["scores of one layer", "keys and values of all layers"],
            cells=[[amount(cost.score_bytes), amount(cost.cache_bytes)] for cost in costs],
        )
        lines = {
            "keys and values": [cost.cache_bytes / 1e9 for cost in costs],  # the first colour, as on the page
            "scores": [cost.score_bytes / 1e9 for cost in costs],
        }
        title = f"{self.model}: twice the text, 4 times the scores, twice the keys and values"
        axes: Any = {"x_label": "tokens / 1,024", "y_label": "GB", "x_scale": "log", "y_scale": "log"}
        picture = curves([n // 1024 for n in LENGTHS], lines, title=title, floor=(MEMORY / 1e9, amount(MEMORY)), **axes)
        intro = f"<p>{escape(self.sentence)}</p>\n<p>Run this cell to move the length and to change the model.</p>"
        return "\n".join([intro, picture.html(), table])


def text_cost() -> TextCost:
    """Show what a text takes in a real model: the scores of one layer, and the keys and values of all layers.

    Returns
    -------
    TextCost
        In a notebook it shows itself; ``explorer.n_tokens``, ``explorer.model``, ``explorer.bytes_each`` and
        ``explorer.cost`` follow the page.

    Examples
    --------
    >>> explorer = text_cost()
    >>> explorer
    Llama 2 7B, 8,192 tokens, 2 bytes a number: the scores of one layer take 4.3 GB, the keys and values of all 32 \
layers 4.3 GB. Each of the two fits into 80 GB.
    >>> explorer.n_tokens, explorer.model = 131_072, "Llama 3 8B"
    >>> explorer.cost.cache_bytes
    17179869184
    """
    return TextCost()
