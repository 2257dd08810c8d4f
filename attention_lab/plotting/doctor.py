"""The verdicts of the head doctor: a cell for each head, a row for each layer."""

from collections import Counter

import numpy as np
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence
from attention_lab.shapes import ShapeError, rectangular

# A colour for each verdict; the word stands in the cell as well.
_COLOURS = {"dead": "#222222", "uniform": "#d9d9d9", "sink": "#e69f00", "specific": "#0072b2", "broad": "#a6dbc8"}
_WIDTH, _HEIGHT = 0.66, 0.52  # inches of a cell


def doctor_map(verdict: ArrayLike, entropy: ArrayLike, *, title: str = "") -> Picture:
    """Draw what each head is: a word and a colour, and its entropy as a number below.

    Parameters
    ----------
    verdict : of str, ``(n_layers, n_heads)``
        As `head_doctor` gives it.
    entropy : ``(n_layers, n_heads)``
        A share of the most that is possible; NaN is left out.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If the two do not have the same two axes.
    ValueError
        For a verdict that the doctor does not give.

    Examples
    --------
    >>> doctor_map([["specific", "sink", "sink"]], [[0.1, 0.4, 0.3]])
    Verdicts on 3 heads, layers 1 to 1 by heads 1 to 3: 2 sink, 1 specific; the lowest entropy is that of layer 1 head
    1, 0.10.
    """
    words, numbers = rectangular("verdict", verdict), numbers_for("entropy", entropy, 2, "n_layers, n_heads")
    if words.shape != numbers.shape:
        raise ShapeError(f"verdict has shape {words.shape}, but entropy has {numbers.shape}: they must be the same.")
    strange = sorted({str(word) for word in words.flat} - set(_COLOURS))
    if strange:
        raise ValueError(f"verdict holds {strange[0]!r}; it must be one of {', '.join(_COLOURS)}.")
    n_layers, n_heads = words.shape
    counted = Counter(str(word) for word in words.flat).most_common()
    with style.house_style():
        figure = style.new_figure(n_heads * _WIDTH + 0.9, n_layers * _HEIGHT + 1.0)
        axes = figure.add_subplot()
        for layer, head in np.ndindex(words.shape):
            colour = _COLOURS[str(words[layer, head])]
            axes.add_patch(Rectangle((head - 0.5, layer - 0.5), 1, 1, facecolor=colour, edgecolor=style.PAPER))
            ink = style.ink_on([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
            value = float(numbers[layer, head])
            text = f"{words[layer, head]}\n{number(value)}" if np.isfinite(value) else str(words[layer, head])
            axes.text(head, layer, text, ha="center", va="center", fontsize=8, color=ink)
        axes.set_xlim(-0.5, n_heads - 0.5)
        axes.set_ylim(n_layers - 0.5, -0.5)
        axes.set_xticks(range(n_heads), [str(head + 1) for head in range(n_heads)])
        axes.set_yticks(range(n_layers), [str(layer + 1) for layer in range(n_layers)])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlabel("head; the number is its entropy, as a share of the most possible")
        axes.set_ylabel("layer")
        style.title_of(figure, title or f"{counted[0][0]}: {counted[0][1]} of {words.size} heads")
    said = ", ".join(f"{count} {word}" for word, count in counted)
    size = f"Verdicts on {words.size} heads, layers 1 to {n_layers} by heads 1 to {n_heads}: {said}"
    return Picture(figure, sentence(size, _lowest(numbers), end="."))


def _lowest(numbers: np.ndarray) -> str:
    if not np.isfinite(numbers).any():
        return ""
    layer, head = np.unravel_index(np.nanargmin(numbers), numbers.shape)
    of = f"layer {layer + 1} head {head + 1}"
    return f"; the lowest entropy is that of {of}, {number(float(numbers[layer, head]))}"
