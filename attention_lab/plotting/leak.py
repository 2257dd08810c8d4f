"""A map of influence: which output moves when which word is nudged."""

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from attention_lab.plotting import style
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence, tick_words, words_for
from attention_lab.shapes import ShapeError

_MOST_TICKS = 32
ROUNDING = 1e-9  # of the largest: what moved less has not moved


def leak_map(influence: ArrayLike, *, words: Sequence[str], title: str = "") -> Picture:
    """Draw how far each output moves with each word: a column that colours a row above it looks back in time.

    Parameters
    ----------
    influence : ``(n_tokens, n_tokens)``
        As `future_influence` gives it: row t is output t, column s the word that was nudged. Cells right of the
        diagonal are the future; those that are not 0 are framed.
    words : list of str
        The words, ``n_tokens`` of them.
    title : str
        A finding; the picture finds one itself unless it is given.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If influence is not square, or the words do not fit.
    ValueError
        If a number is negative or NaN.

    Examples
    --------
    >>> leak_map([[0.5, 0.0], [0.5, 0.5]], words=["The", "bank"])
    Influence of 2 words on 2 outputs: no output moves with a later word.
    >>> leak_map([[0.5, 0.2], [0.5, 0.5]], words=["The", "bank"])
    Influence of 2 words on 2 outputs: 1 of 1 later pairs leaks, first the output of The with bank (0.20).
    """
    moved = numbers_for("influence", influence, 2, "n_tokens, n_tokens")
    if moved.shape[0] != moved.shape[1]:
        raise ShapeError(f"influence is {moved.shape}: one row and one column a word are needed.")
    if not (moved >= 0).all():
        raise ValueError("influence holds a negative number or NaN: it says how far something moved.")
    words = words_for("words", words, "n_tokens", len(moved), "influence")
    leaks = np.argwhere(np.triu(moved > ROUNDING * moved.max(initial=0), k=1))
    with style.house_style():
        side = max(2.0, min(5.0, 0.45 * len(words)))
        figure = style.new_figure(side + 2.1, side + 1.3)
        axes = figure.add_subplot()
        image = axes.imshow(moved, cmap=style.INFLUENCE_MAP, vmin=0, vmax=float(moved.max()) or 1)
        for t, s in leaks:
            axes.add_patch(Rectangle((s - 0.5, t - 0.5), 1, 1, fill=False, edgecolor=style.LEAK, linewidth=1.2))
        places, names = tick_words(words, _MOST_TICKS)
        long_words = max(map(len, words)) > 2
        axes.set_xticks(places, names, rotation=45 if long_words else 0, ha="right" if long_words else "center")
        axes.set_yticks(places, names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlabel("word that is nudged")
        axes.set_ylabel("output that moves")
        bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.03)
        bar.outline.set_visible(False)
        bar.set_label("how far")
        style.title_of(figure, title or _finding(len(leaks), len(words)))
        size = f"Influence of {len(words)} words on {len(words)} outputs: "
        return Picture(figure, sentence(size + _leaks(moved, leaks, words) + "."))


def _finding(n_leaks: int, n_words: int) -> str:
    return f"{n_leaks} of {n_words * (n_words - 1) // 2} later pairs leak" if n_leaks else "No output sees a later word"


def _leaks(moved: np.ndarray, leaks: np.ndarray, words: Sequence[str]) -> str:
    if not len(leaks):
        return "no output moves with a later word"
    pairs, (t, s) = len(words) * (len(words) - 1) // 2, leaks[0]
    verb = "leak" if len(leaks) > 1 else "leaks"
    how_far = number(moved[t, s])
    return f"{len(leaks)} of {pairs} later pairs {verb}, first the output of {words[t]} with {words[s]} ({how_far})"
