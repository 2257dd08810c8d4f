"""The oracle: PyTorch, where it is installed."""

from tests.test_agreement import torch

__all__ = ["torch"]
