"""Many heads side by side, on one colour scale."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.masks import fit_mask
from attention_lab.plotting import style
from attention_lab.plotting.heatmap import colour_bar, draw_map
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import numbers_for, sentence, share, tick_words, words_for
from attention_lab.shapes import ShapeError, check_weights, rectangular

_MOST_COLUMNS = 6


def head_grid(
    weights: ArrayLike, *, tokens: Sequence[str], mask: ArrayLike | None = None, titles: Sequence[str] | None = None
) -> Picture:
    """Draw every head's map, small, all on the one scale from 0 to 1; with layers, a row of maps for each.

    Parameters
    ----------
    weights : ``(n_heads, n_tokens, n_tokens)`` or ``(n_layers, n_heads, n_tokens, n_tokens)``
        Each row sums to 1.
    tokens : list of str
        The words, ``n_tokens`` of them.
    mask : bool array, ``(n_tokens, n_tokens)``, optional
        True = may look; the same for every head.
    titles : list of str, optional
        One for each head, layer by layer; "head 1", ... by default.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If weights has another shape, or the words, titles or mask do not fit it.
    TypeError, ValueError
        As for ``heatmap``.

    Examples
    --------
    >>> import numpy as np
    >>> head_grid(np.stack([np.eye(2), np.full((2, 2), 0.5)]), tokens=["river", "bank"])
    Attention weights of 2 heads, 2 queries by 2 keys each: the largest is river looking at river in head 1 (100.0%).
    """
    ndim = rectangular("weights", weights).ndim
    numbers = numbers_for("weights", weights, ndim if ndim in (3, 4) else 3, "n_heads, n_tokens, n_tokens")
    layered = numbers.reshape(-1, *numbers.shape[-3:])
    n_layers, n_heads, n_tokens, n_keys = layered.shape
    if n_tokens != n_keys:
        raise ShapeError(f"weights has n_queries = {n_tokens}, but n_keys = {n_keys}: head_grid draws square maps.")
    tokens = words_for("tokens", tokens, "n_tokens", n_tokens)
    names = _head_names(n_layers, n_heads, titles)
    visible = np.ones((n_tokens, n_keys), bool) if mask is None else fit_mask(mask, (n_tokens, n_keys))
    check_weights(layered[..., visible])
    maps = layered.reshape(-1, n_tokens, n_keys)
    across = n_heads if n_layers > 1 else min(n_heads, _MOST_COLUMNS)
    down = -(-len(maps) // across)
    with style.house_style():
        size = max(1.0, min(1.7, 10 / across))
        figure = style.new_figure(across * size + 1.3, down * (size + 0.25) + 0.9)
        grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
        for axes, head, name in zip(grid.flat, maps, names, strict=False):
            image = draw_map(axes, head, visible, "weights")
            axes.set_title(name, fontsize=8, pad=3, loc="center")
        for axes in grid.flat[len(maps) :]:
            axes.set_visible(False)
        for axes in grid.flat:
            places, words = tick_words(tokens, 12)
            axes.set_xticks(places, words, rotation=90, fontsize=7)
            axes.set_yticks(places, words, fontsize=7)
        figure.supxlabel("key: the word looked at", fontsize=9, color=style.QUIET)
        figure.supylabel("query: the word looking", fontsize=9, color=style.QUIET)
        colour_bar(figure.colorbar(image, ax=grid, fraction=0.03, pad=0.02), "weights")
    shown = np.where(visible & ~np.isnan(maps), maps, 0)
    h, i, j = np.unravel_index(shown.argmax(), shown.shape)
    return Picture(
        figure,
        sentence(
            f"Attention weights of {len(maps)} heads, {n_tokens} queries by {n_keys} keys each: ",
            f"the largest is {tokens[i]} looking at {tokens[j]} in {names[h]} ({share(shown[h, i, j])}).",
        ),
    )


def _head_names(n_layers: int, n_heads: int, titles: Sequence[str] | None) -> list[str]:
    if titles is not None:
        return words_for("titles", titles, "n_heads" if n_layers == 1 else "n_layers * n_heads", n_layers * n_heads)
    if n_layers == 1:
        return [f"head {head + 1}" for head in range(n_heads)]
    return [f"layer {layer + 1} head {head + 1}" for layer in range(n_layers) for head in range(n_heads)]
