"""A picture and its sentence, shown together wherever a notebook is read."""

import base64
import io
import warnings
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from attention_lab.plotting.style import DPI, SHOWN_DPI, house_style


class Picture:
    """A figure with the sentence that says what it shows.

    A notebook shows it as ``text/html`` (an ``<img>`` whose ``alt`` is the sentence) and ``text/plain`` (the sentence):
    the only way that JupyterLab, a static page, a screen reader and the tests all get it.

    Attributes
    ----------
    figure : matplotlib Figure
    sentence : str
        Made from the data by the function that drew the picture.
    """

    def __init__(self, figure: Figure, sentence: str) -> None:
        self.figure = figure
        self.sentence = sentence

    def __repr__(self) -> str:
        return self.sentence

    @cached_property
    def png(self) -> bytes:
        """The picture as the bytes of a PNG file, the same for the same figure."""
        buffer = io.BytesIO()
        with house_style(), warnings.catch_warnings():
            # A learner's word in a script that the font lacks is drawn as boxes; the sentence still has it.
            warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
            self.figure.savefig(buffer, format="png", bbox_inches="tight", pad_inches=0.08, metadata={"Software": None})
        return buffer.getvalue()

    def html(self) -> str:
        """Write the picture as one ``<img>``, at its size on the page, with the sentence as ``alt``."""
        width = round(int.from_bytes(self.png[16:20], "big") * SHOWN_DPI / DPI)  # a PNG's width stands there
        data = base64.b64encode(self.png).decode("ascii")
        return f'<img alt="{escape(self.sentence)}" width="{width}" src="data:image/png;base64,{data}">'

    def save(self, path: str | Path) -> None:
        """Write the PNG file."""
        Path(path).write_bytes(self.png)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.sentence}
