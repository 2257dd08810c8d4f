"""Scale: what is done to the scores in place of dividing them by the root of d_k."""

import numpy as np

from attention_lab.exercises.mistake import FITTED, Mistake, in_all, yours
from attention_lab.exercises.steps import State, Step, Steps

_LINE = "`scores = q @ k.T / np.sqrt(k.shape[-1])`"
_RULE = "Scale: divide each score by the square root of d_k, the length of one key."


def _there_and_back(step: Step, there: str = "scale") -> tuple[Steps, Steps]:
    """Do a step to the scores otherwise: on the way there, and on the way back of their slopes as well."""
    back: Step = lambda s: step(State(**{**vars(s), "scores": s.d_scores}))  # noqa: E731
    return {there: step}, {there: step, f"{there} back": back}


def _cooled(s: State) -> str:
    return ", then divided by the temperature" if hasattr(s, "temperature") else ""


MISTAKES = (
    Mistake(
        "scale-missing",
        "no scale",
        lambda s: yours(s, "scores", "as large as comparing made them" + _cooled(s)),
        "A sum of more products lies further from zero, so scores are brought back before they are weighed.",
        ("What do you do with the scores between *compare* and *weigh*?", _RULE, _LINE),
        _there_and_back(lambda s: s.scores),
        ("juho-lee/set_transformer #18",),
    ),
    Mistake(
        "scale-by-d_k",
        "divided by d_k",
        lambda s: yours(s, "scores", "divided by all of d_k" + _cooled(s)),
        "A sum of d_k products spreads like the root of d_k, so dividing by d_k itself makes the scores too small.",
        ("How large do you expect a sum of d_k random products to be: like d_k, or less?", _RULE, _LINE),
        _there_and_back(lambda s: s.scores / s.q.shape[-1]),
        ("thegregyang/NTK4A #3", "duoan/TorchCode #17"),
    ),
    Mistake(
        "scale-by-d_model",
        "scaled by the model's width",
        lambda s: "Your scores are divided by the root of the width of `x`.",
        "A score adds up the products of one head's query and key, so the head's width counts, not the model's.",
        ("How many products does one score add up: as many as `x` has numbers, or as many as a key has?", _RULE, _LINE),
        ({"scale": lambda s: s.scores / np.sqrt(s.x.shape[-1])},),
        ("lucidrains/vit-pytorch #65", "karpathy/ng-video-lecture #55"),
    ),
    Mistake(
        "scale-by-n_keys",
        "scaled by the number of keys",
        lambda s: (
            "Your scores are divided by a number that comes from how many words there are: "
            "on the three words, by the root of 3."
        ),
        "How many words there are does not change one score; how many numbers a key has does.",
        ("Which axis of `k` counts the words, and which one the numbers of a key?", _RULE, _LINE),
        _there_and_back(lambda s: s.scores / np.sqrt(s.k.shape[-2])),
    ),
    Mistake(
        "scale-multiplied",
        "multiplied by the root",
        lambda s: yours(s, "scores", "the root of d_k made them larger" + _cooled(s)),
        "The root of d_k is what makes scores grow; multiplying by it doubles the trouble.",
        ("Should scaling bring the scores closer together, or further apart?", _RULE, _LINE),
        _there_and_back(lambda s: s.scores * np.sqrt(s.q.shape[-1])),
        ("karpathy/ng-video-lecture #46",),
    ),
    Mistake(
        "scale-after-softmax",
        "scaled after the softmax",
        lambda s: yours(s, "weights", f"{in_all(s, 'less than 1')} in all"),
        "Scaling is about how far apart the scores are; after the softmax there are no scores left.",
        ("At which step do the scores turn into weights?", "Scale the scores, before they are weighed.", _LINE),
        ({"scale": lambda s: s.scores, "settle": lambda s: s.weights / np.sqrt(s.q.shape[-1])},),
    ),
    Mistake(
        "temperature-missing",
        "a temperature that is not used",
        lambda s: "Your function gives the same, whatever the temperature is.",
        "The temperature divides the scores: a high one brings the weights closer together.",
        (
            "Where does the temperature come into your function?",
            "Divide the scores by the temperature, before they are weighed.",
            "`scores = scores / temperature`",
        ),
        _there_and_back(lambda s: s.scores, "cool"),
    ),
    Mistake(
        "scale-fixed",
        "a fixed number as the scale",
        lambda s: f"Your scores are divided by {s.fitted:.4g}, whatever the length of a key.",
        "The divisor follows from the keys: with other keys it is another number.",
        ("Where does your divisor come from: from an example, or from `k`?", _RULE, _LINE),
        _there_and_back(lambda s: s.scores / getattr(s, FITTED)),
    ),
)
