"""The real encoder."""
