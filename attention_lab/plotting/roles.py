"""What each head does: a row for each head, a column for each role; several maps side by side, on one colour scale."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from attention_lab.plotting import style
from attention_lab.plotting.heatmap import draw_map
from attention_lab.plotting.picture import Picture
from attention_lab.plotting.words import number, numbers_for, sentence, words_for
from attention_lab.shapes import FloatArray, ShapeError

_MOST_ACROSS = 3
_WIDTH, _HEIGHT = 0.66, 0.42  # inches of a cell


def role_maps(shares: Mapping[str, ArrayLike], *, roles: Sequence[str], title: str = "") -> Picture:
    """Draw how much each head has of each role: one map for each thing measured, all on the scale from 0 to 1.

    Parameters
    ----------
    shares : mapping from a name to ``(n_heads, n_roles)``
        From 0 to 1, such as ``role_score`` for each role, or the answers that are lost without a head: that may lie a
        little below 0, and is coloured as 0. All maps have as many heads.
    roles : list of str
        One for each column.
    title : str
        A finding; the picture finds one itself unless it is given: in how many heads the roles are strongest.

    Returns
    -------
    Picture

    Raises
    ------
    ShapeError
        If shares hold no map, or maps that have not two axes, or differ in shape; if the roles do not fit.
    TypeError
        If roles is one text, or shares are not numbers.
    ValueError
        If a share is NaN, above 1 or below -1.

    Examples
    --------
    >>> role_maps({"weight on the role": [[0.02, 0.98], [0.91, 0.05]]}, roles=["subject", "word before"])
    2 heads by 2 roles, weight on the role: most of subject in head 2 (0.91), word before in head 1 (0.98).
    """
    maps = {name: numbers_for(name, found, 2, "n_heads, n_roles") for name, found in shares.items()}
    if not maps:
        raise ShapeError("shares holds no map: there is nothing to draw.")
    n_heads, n_roles = next(iter(maps.values())).shape
    roles = words_for("roles", roles, "n_roles", n_roles, next(iter(maps)))
    for name, numbers in maps.items():
        _check(name, numbers, (n_heads, n_roles))
    with style.house_style():
        figure = _draw(maps, roles)
        style.title_of(figure, title or _finding(list(maps.values())))
    return Picture(figure, _describe(maps, roles))


def _draw(maps: Mapping[str, FloatArray], roles: list[str]) -> Figure:
    n_heads, n_roles = next(iter(maps.values())).shape
    across = min(len(maps), _MOST_ACROSS)
    down = -(-len(maps) // across)
    width, height = across * (n_roles * _WIDTH + 0.2) + 1.6, down * (n_heads * _HEIGHT + 0.4) + 1.2
    figure = style.new_figure(max(width, 4.2), height)
    grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for axes, (name, numbers) in zip(grid.flat, maps.items(), strict=False):
        image = draw_map(axes, numbers, np.ones(numbers.shape, bool), "weights")
        axes.set_aspect("auto")
        axes.set_title(name, fontsize=9, pad=4)
        for i, j in np.ndindex(numbers.shape):
            ink = style.ink_on(image.to_rgba(numbers[i, j]))
            axes.text(j, i, _two_digits(float(numbers[i, j])), ha="center", va="center", fontsize=9, color=ink)
    _name_axes(grid, roles, n_heads, len(maps))
    bar = figure.colorbar(image, ax=grid, fraction=0.03, pad=0.02, ticks=[0, 0.5, 1])
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)
    return figure


def _check(name: str, numbers: FloatArray, shape: tuple[int, int]) -> None:
    if numbers.shape != shape:
        raise ShapeError(f"{name} has shape {numbers.shape}, but the first map has {shape}: they must be the same.")
    wrong = numbers[~(np.abs(numbers) <= 1 + 1e-6)]
    if wrong.size:
        raise ValueError(f"{name} holds {number(wrong[0])}: a share lies between 0 and 1, or a little below 0.")


def _name_axes(grid: NDArray[Any], roles: list[str], n_heads: int, n_maps: int) -> None:
    """Name the heads at the left, and the roles below each column: below its last map, where the row is not full."""
    grid[0, 0].set_xticks(range(len(roles)), roles)
    grid[0, 0].set_yticks(range(n_heads), [f"head {head + 1}" for head in range(n_heads)])
    for place, axes in enumerate(grid.flat):
        axes.set_visible(place < n_maps)
        axes.tick_params(axis="x", labelbottom=place + grid.shape[1] >= n_maps, labelrotation=35, labelsize=9, pad=1)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
            label.set_rotation_mode("anchor")


def _two_digits(share: float) -> str:
    return f"{share:.2f}".replace("-0.00", "0.00")


def _finding(maps: list[FloatArray]) -> str:
    """Count where the roles part; of two maps the second is the first one's counterpart, such as what is lost."""
    if len(maps) < 3:
        return f"Strongest: {_where(maps[0])}"
    parted = [len(set(numbers.argmax(axis=0).tolist())) == numbers.shape[1] for numbers in maps]
    return f"Each role is strongest in another head: in {sum(parted)} of {len(maps)}"


def _where(numbers: FloatArray) -> str:
    """Say in how many heads the roles are strongest."""
    n_heads, n_roles = len(set(numbers.argmax(axis=0).tolist())), numbers.shape[1]
    if n_heads == n_roles:
        return "each role in another head"
    return f"{n_roles} roles in {n_heads} {'head' if n_heads == 1 else 'heads'}"


def _describe(maps: Mapping[str, FloatArray], roles: list[str]) -> str:
    """Name the head of each role, for one map or two; of more maps, say in how many heads the roles are."""
    (first, numbers), *others = maps.items()
    if len(maps) > 2:
        said = [f"{name}: {_where(found)}" for name, found in maps.items()]
    else:
        most = [f"{role} in {head} ({share})" for role, head, share in zip(roles, *_strongest(numbers), strict=True)]
        said = [f"{first}: most of {', '.join(most)}"]
        for name, found in others:  # the roles were named already
            heads, shares = _strongest(found)
            said.append(f"{name}: most in {', '.join(heads)} ({', '.join(shares)})")
    n_heads = len(numbers)
    size = f"{n_heads} {'head' if n_heads == 1 else 'heads'} by {len(roles)} roles"
    return sentence(f"{size}, {said[0]}", *(f"; {part}" for part in said[1:]), end=".")


def _strongest(numbers: FloatArray) -> tuple[list[str], list[str]]:
    """Find for each role the head that has most of it, and how much that is."""
    heads = [f"head {head + 1}" for head in numbers.argmax(axis=0)]
    return heads, [_two_digits(float(share)) for share in numbers.max(axis=0)]
