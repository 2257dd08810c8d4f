"""What a learner commits to before seeing it: predictions, warm-ups, and the questions at a lesson's end."""

from attention_lab.prompts.asking import explain, predict
from attention_lab.prompts.rounds import questions, warm_up

__all__ = ["explain", "predict", "questions", "warm_up"]
