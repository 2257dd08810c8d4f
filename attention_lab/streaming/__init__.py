"""Streaming: exact attention, one tile of keys at a time, in memory that grows with the text and not with its square.

``short.py`` is the version to read, ``steps.py`` the one to watch, ``forward.py`` the fast one; ``partial.py`` is the
algebra that all three rest on.
"""

from attention_lab.streaming.attention import streaming_attention
from attention_lab.streaming.gradient import streaming_gradient
from attention_lab.streaming.partial import Partial, merge_partials
from attention_lab.streaming.short import short_attention
from attention_lab.streaming.steps import Step, partial_attention, stream_steps

__all__ = [
    "Partial",
    "Step",
    "merge_partials",
    "partial_attention",
    "short_attention",
    "stream_steps",
    "streaming_attention",
    "streaming_gradient",
]
