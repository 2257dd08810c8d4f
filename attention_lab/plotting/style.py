"""Every colour, size and font of the course's pictures, decided once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

DPI = 144  # pixels an inch in the file
SHOWN_DPI = 96  # and on the page: half as many again for sharp screens

INK = "#222222"
QUIET = "#666666"
PAPER = "white"
HIDDEN_FACE, HIDDEN_LINE = "#e4e4e4", "#9a9a9a"  # not allowed to look: never a colour of the map

# Okabe-Ito without its yellow, too pale for a line; each with a dash of its own, so that colour is never alone.
LINE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
LINE_DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)), (0, (3, 1)))
POINT_MARKS = ("o", "s", "^", "D", "v", "P")  # and a mark each, where a line may be one point

# What a map of numbers looks like: colour map, whether it is symmetric about 0, what the colour bar says.
WEIGHTS_MAP = mpl.colormaps["viridis"]
SIGNED_MAP = mpl.colormaps["PuOr"]
STEEPEST = 0.25  # a weight of a half against its own score: no softmax is steeper
INFLUENCE_MAP = mpl.colormaps["Greys"]
LEAK = "#d55e00"  # the frame round an output that saw a later word

# The font is part of matplotlib, so pictures are the same on every machine; a learner's own settings are left out.
_SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelsize": 9,
    "axes.labelcolor": QUIET,
    "axes.edgecolor": QUIET,
    "axes.linewidth": 0.8,
    "text.color": INK,
    "text.parse_math": False,  # a word may hold a dollar sign
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "hatch.linewidth": 0.6,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw and save inside this: matplotlib's own defaults plus the settings above, put back afterwards."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def title_of(figure: Figure, title: str) -> None:
    """Write the finding above a picture; it hangs from the left edge, since it may be wider than a small map."""
    if title:
        figure.suptitle(title, x=0.02, ha="left", fontsize=11)


def new_figure(width: float, height: float) -> Figure:
    """Make an empty figure, sizes in inches; no pyplot, so nothing is registered anywhere and nothing leaks."""
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def name_axes(axes: Axes, x_label: str, y_label: str) -> None:
    """Say what two axes measure; nothing is drawn above and to the right of them."""
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.spines[["top", "right"]].set_visible(False)


def name_bars(axes: Axes, names: Sequence[str], *, end: float, label: str) -> None:
    """Name bars that lie on their sides, the first on top; their numbers stand beside them, so no axis repeats them."""
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, end)
    axes.set_xticks([])
    axes.set_xlabel(label)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "bottom"]].set_visible(False)


def ink_on(colour: ArrayLike) -> str:
    """Choose white or black digits, whichever stands out more on a colour (red, green, blue from 0 to 1).

    Formula: relative luminance as in WCAG 2.1; the better of the two always has a contrast of at least 4.5.

    >>> ink_on((0.0, 0.0, 0.0)), ink_on((1.0, 1.0, 0.0))
    ('white', 'black')
    """
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.asarray(colour, float)[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


def scale_of(kind: str, numbers: NDArray[Any]) -> tuple[Colormap, Normalize]:
    """Give the colour map of a kind, and its ends: weights from 0 to 1, all others symmetric about 0, slopes fixed."""
    if kind == "weights":
        return WEIGHTS_MAP, Normalize(0, 1)
    largest = STEEPEST if kind == "slopes" else float(abs(numbers).max(initial=0)) or 1.0
    return SIGNED_MAP, Normalize(-largest, largest)
