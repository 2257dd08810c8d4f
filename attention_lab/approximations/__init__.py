"""Attention for less: what leaves out pairs, regroups them, guesses or rounds them; each with what it costs.

Exact attention stands elsewhere (`attention.py`, `streaming/`), and so does the simplest trick: a window is a mask,
`window_mask`, and `streaming_attention(window=...)` never touches what it hides. ``sparse.py`` leaves out blocks of
pairs, ``linear.py`` moves a bracket, ``random_features.py`` guesses the softmax, ``rounding.py`` uses fewer bits. None
is of use without ``relative_error``; ``family.py`` has them all side by side.
"""

from attention_lab.approximations.error import relative_error
from attention_lab.approximations.family import TradeOffs, trade_offs
from attention_lab.approximations.linear import elu_plus_one, linear_attention, linear_recurrent, linear_weights
from attention_lab.approximations.random_features import positive_features, random_directions
from attention_lab.approximations.rounding import rounded, rounded_attention
from attention_lab.approximations.sparse import block_attention, seen_blocks

__all__ = [
    "TradeOffs",
    "block_attention",
    "elu_plus_one",
    "linear_attention",
    "linear_recurrent",
    "linear_weights",
    "positive_features",
    "random_directions",
    "relative_error",
    "rounded",
    "rounded_attention",
    "seen_blocks",
    "trade_offs",
]
