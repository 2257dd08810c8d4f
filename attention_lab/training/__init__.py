"""Small models that learn: gradients written by hand, in NumPy, and the tasks that they learn.

Start with ``attention_gradient`` in ``gradient.py``: the backward pass of attention in six lines. ``Transformer`` has
the same lines for many heads and sentences at once; ``train`` changes its numbers, step by step.
"""

from attention_lab.training.config import Config
from attention_lab.training.gradient import attention_gradient
from attention_lab.training.jacobian import softmax_jacobian
from attention_lab.training.loop import History, train
from attention_lab.training.recurrent import Recurrent, RecurrentConfig
from attention_lab.training.recurrent_reach import reach
from attention_lab.training.transformer import Transformer
from attention_lab.training.translator import Pairs, Translator
from attention_lab.training.writing import accuracy, honest_losses, write

__all__ = [
    "Config",
    "History",
    "Pairs",
    "Recurrent",
    "RecurrentConfig",
    "Transformer",
    "Translator",
    "accuracy",
    "attention_gradient",
    "honest_losses",
    "reach",
    "softmax_jacobian",
    "train",
    "write",
]
