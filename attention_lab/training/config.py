"""What a small Transformer looks like, before it is made."""

from dataclasses import dataclass

import numpy as np

from attention_lab.shapes import finite_number, whole_number
from attention_lab.training.heads import HIDES
from attention_lab.training.sizes import check_dtype, check_sizes


@dataclass(frozen=True, kw_only=True)
class Config:
    """What a model looks like.

    Attributes
    ----------
    n_symbols, n_outputs : int
        How many different tokens there are, and how many answers; as many as symbols unless given.
    context : int
        The most tokens that it reads at once.
    d_model, n_heads, n_layers : int
    mlp : int
        The width of the perceptron behind each attention, in d_model; 0 for attention alone.
    hide : str or tuple of str
        When the future is hidden, for all layers or for each: "before" the softmax, "never", "after" it, or
        "renormalised": after it, and shared out anew.
    scale : float, optional
        What scores are multiplied by; ``1 / sqrt(d_k)`` unless given.
    positions, norm : bool
        Whether a position's vector is added to each token; whether layers are normed.
    dtype : type
        float64 for checks, float32 for speed.
    """

    n_symbols: int
    context: int
    n_outputs: int | None = None
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    mlp: int = 4
    hide: str | tuple[str, ...] = "before"
    scale: float | None = None
    positions: bool = True
    norm: bool = True
    dtype: type = np.float32

    def __post_init__(self) -> None:
        sizes = ("n_symbols", "context", "d_model", "n_heads", "n_layers")
        check_sizes(**{name: getattr(self, name) for name in sizes})
        if self.n_outputs is not None:
            check_sizes(n_outputs=self.n_outputs)
        check_dtype(self.dtype)
        whole_number("mlp", self.mlp)
        if self.scale is not None:
            finite_number("scale", self.scale)
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model = {self.d_model} cannot be split into n_heads = {self.n_heads} equal heads.")
        if unknown := set(self.hides) - set(HIDES):
            raise ValueError(f"hide is one of {', '.join(HIDES)}, not {unknown.pop()!r}.")
        if len(self.hides) != self.n_layers:
            raise ValueError(f"hide has {len(self.hides)} words for n_layers = {self.n_layers}.")

    @property
    def d_k(self) -> int:
        """The width of a query, a key and a value."""
        return self.d_model // self.n_heads

    @property
    def hides(self) -> tuple[str, ...]:
        """When each layer hides the future."""
        return (self.hide,) * self.n_layers if isinstance(self.hide, str) else self.hide

    @property
    def factor(self) -> float:
        """What the scores are multiplied by."""
        return 1 / np.sqrt(self.d_k) if self.scale is None else self.scale
