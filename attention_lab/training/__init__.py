"""Small models that learn: gradients written by hand, in NumPy, and the tasks that they learn.

Start with ``attention_gradient`` in ``gradient.py``: the backward pass of attention in six lines. ``Transformer`` has
the same lines for many heads and sentences at once; ``train`` changes its numbers, step by step.
"""

from attention_lab.training.gradient import attention_gradient
from attention_lab.training.loop import History, train
from attention_lab.training.transformer import Config, Transformer
from attention_lab.training.writing import honest_losses, write

__all__ = ["Config", "History", "Transformer", "attention_gradient", "honest_losses", "train", "write"]
