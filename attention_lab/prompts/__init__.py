"""What a learner commits to before seeing it: predictions, warm-ups, and the questions at a lesson's end."""

from attention_lab.prompts.asking import explain, predict
from attention_lab.prompts.before_and_after import end_test, gain, start_test
from attention_lab.prompts.rounds import questions, warm_up

__all__ = ["end_test", "explain", "gain", "predict", "questions", "start_test", "warm_up"]
