"""What a learner commits to before seeing it: predictions, and what was measured beside them."""

from attention_lab.questions.asking import explain, predict

__all__ = ["explain", "predict"]
