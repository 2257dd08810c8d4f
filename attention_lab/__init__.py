"""Attention, computed by hand, seen, changed, broken and diagnosed: the package under the attention-lab course.

Start with ``scaled_dot_product_attention`` in ``attention_lab.attention``; the way a number takes through the package
is drawn in ``docs/design.md``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attention_lab.attention import (
        Attention,
        attention_scores,
        scaled_dot_product_attention,
        softmax,
    )
    from attention_lab.diagnostics.entropy import attention_entropy
    from attention_lab.diagnostics.leaks import CausalityError, assert_causal, future_influence
    from attention_lab.diagnostics.roles import head_roles, role_score
    from attention_lab.exercises.black_boxes import black_boxes
    from attention_lab.exercises.checking import check
    from attention_lab.exercises.help import hint, progress, solution
    from attention_lab.exercises.lying import wrong_line
    from attention_lab.exercises.ordering import order
    from attention_lab.exercises.personal import personal_numbers
    from attention_lab.exercises.report import Report
    from attention_lab.heads import MultiHead, MultiHeadAttention, merge_heads, split_heads
    from attention_lab.installation import check_installation
    from attention_lab.masks import causal_mask, padding_mask, window_mask
    from attention_lab.positions import distance_bias, rotate_by_position, sinusoidal_positions
    from attention_lab.pretrained.load import load_encoder
    from attention_lab.prompts.aiming import aim
    from attention_lab.prompts.asking import explain, predict
    from attention_lab.prompts.before_and_after import end_test, gain, start_test
    from attention_lab.prompts.rounds import questions, warm_up
    from attention_lab.prompts.sketching import sketch
    from attention_lab.shapes import ShapeError, bind
    from attention_lab.streaming.attention import streaming_attention
    from attention_lab.streaming.partial import merge_partials
    from attention_lab.streaming.steps import partial_attention, stream_steps
    from attention_lab.summary import clue_recall, running_summary
    from attention_lab.tokens import Vocabulary, split_words

__version__ = "0.1.0"

__all__ = [
    "Attention",
    "CausalityError",
    "MultiHead",
    "MultiHeadAttention",
    "Report",
    "ShapeError",
    "Vocabulary",
    "aim",
    "assert_causal",
    "attention_entropy",
    "attention_scores",
    "bind",
    "black_boxes",
    "causal_mask",
    "check",
    "check_installation",
    "clue_recall",
    "distance_bias",
    "end_test",
    "explain",
    "future_influence",
    "gain",
    "head_roles",
    "hint",
    "load_encoder",
    "merge_heads",
    "merge_partials",
    "order",
    "padding_mask",
    "partial_attention",
    "personal_numbers",
    "predict",
    "progress",
    "questions",
    "role_score",
    "rotate_by_position",
    "running_summary",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
    "sketch",
    "softmax",
    "solution",
    "split_heads",
    "split_words",
    "start_test",
    "stream_steps",
    "streaming_attention",
    "warm_up",
    "window_mask",
    "wrong_line",
]

# Which room a name lives in. Rooms are opened when a name of theirs is first asked for, so that
# `import attention_lab` costs next to nothing; a test keeps this table equal to `__all__` and to the imports above.
_NAMES_OF_ROOM = {
    "shapes": ("ShapeError", "bind"),
    "tokens": ("Vocabulary", "split_words"),
    "masks": ("causal_mask", "padding_mask", "window_mask"),
    "attention": ("Attention", "attention_scores", "scaled_dot_product_attention", "softmax"),
    "heads": ("MultiHead", "MultiHeadAttention", "merge_heads", "split_heads"),
    "positions": ("distance_bias", "rotate_by_position", "sinusoidal_positions"),
    "pretrained.load": ("load_encoder",),
    "streaming.attention": ("streaming_attention",),
    "streaming.partial": ("merge_partials",),
    "streaming.steps": ("partial_attention", "stream_steps"),
    "summary": ("clue_recall", "running_summary"),
    "installation": ("check_installation",),
    "diagnostics.entropy": ("attention_entropy",),
    "diagnostics.leaks": ("CausalityError", "assert_causal", "future_influence"),
    "diagnostics.roles": ("head_roles", "role_score"),
    "exercises.black_boxes": ("black_boxes",),
    "exercises.checking": ("check",),
    "exercises.help": ("hint", "progress", "solution"),
    "exercises.lying": ("wrong_line",),
    "exercises.ordering": ("order",),
    "exercises.personal": ("personal_numbers",),
    "exercises.report": ("Report",),
    "prompts.aiming": ("aim",),
    "prompts.asking": ("explain", "predict"),
    "prompts.before_and_after": ("end_test", "gain", "start_test"),
    "prompts.rounds": ("questions", "warm_up"),
    "prompts.sketching": ("sketch",),
}
_ROOM_OF_NAME = {name: room for room, names in _NAMES_OF_ROOM.items() for name in names}
_ROOMS = {*(room.partition(".")[0] for room in _NAMES_OF_ROOM), "examples", "plotting", "explorers", "training"}


def __getattr__(name: str) -> Any:
    """Open the room that a name lives in, once."""
    if name in _ROOM_OF_NAME:
        value = getattr(import_module(f"attention_lab.{_ROOM_OF_NAME[name]}"), name)
    elif name in _ROOMS:
        value = import_module(f"attention_lab.{name}")
    else:
        raise AttributeError(f"attention_lab has no {name!r}; it has {', '.join([*__all__, *sorted(_ROOMS)])}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
