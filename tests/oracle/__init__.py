"""PyTorch's answers, kept."""
