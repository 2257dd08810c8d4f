"""What PyTorch and tokenizers answered, kept."""
