"""Why attention: two sentences, a blend, and what a summary of fixed size loses."""

import numpy as np

from attention_lab import clue_recall, scaled_dot_product_attention
from attention_lab.examples import COLOURS, INTEREST, RIVER
from attention_lab.training import Recurrent, RecurrentConfig, reach
from tests.claims import Claim


def _which_neighbours_decide() -> str:
    """In each sentence, the words that get a large share of what "bank" gives."""
    found = []
    for example in (RIVER, INTEREST):
        row = scaled_dot_product_attention(example.q, example.k, example.v).weights[1]
        found.append(" and ".join(word for word, weight in zip(example.words, row, strict=True) if weight > 0.4))
    return " / ".join(found)


def _distance_to_the_nearest_word() -> float:
    """The smallest distance between the mix of lesson 01 and any single word's colour."""
    colours = np.array([COLOURS[word] for word in ("the", "bank", "river", "interest")])
    mix = np.array([0.16, 0.10, 0.74, 0.00]) @ colours
    return float(np.linalg.norm(colours - mix, axis=-1).min())


def _told_right_at_20_words() -> list[float]:
    summary, look_back = clue_recall([20], n_sentences=2000, rng=np.random.default_rng(5))
    return [float(summary[0]), float(look_back[0])]


def _weight_of_the_clue_10_to_1000_words_back() -> list[float]:
    """The same thousand words, with the clue further and further back."""
    rest = np.random.default_rng(0).normal(scale=0.5, size=(1000, 2))
    weights = []
    for back in (10, 100, 1000):
        said = np.insert(rest, 1000 - back, [4.0, 1.0], axis=0)
        look = scaled_dot_product_attention([[4.0]], said[:, :1], said[:, 1:])
        weights.append(float(look.weights[0, 1000 - back]))
    return weights


def _heard_from_200_steps_back() -> str:
    """How much of the nearest step's gradient arrives at an LSTM that has not learned yet, for four forget biases."""
    said = []
    for bias in (1.0, 2.0, 3.0, 5.0):
        model = Recurrent(RecurrentConfig(n_symbols=16, forget_bias=bias, dtype=np.float64), np.random.default_rng(0))
        rng = np.random.default_rng(1)
        tokens, directions = rng.integers(0, 16, (32, 301)), rng.standard_normal((32, 64))
        share = reach(model.input_gradient(tokens, directions)).relative[200]
        words = {"nothing": 1e-9, "a trace": 1e-3, "a part": 0.5, "all": np.inf}
        said.append(f"bias {bias:.0f}: {next(word for word, most in words.items() if share < most)}")
    return "; ".join(said)


CLAIMS = {
    "why-neighbour": Claim(
        'Which neighbour decides what "bank" means depends on the sentence, by the same learned matrices.',
        ("00", "02"),
        _which_neighbours_decide,
        "river / interest and rate",
    ),
    "why-blend": Claim(
        "The result is a blend weighted by relevance, not a copy: so far from the nearest word's own colour.",
        ("01", "02"),
        _distance_to_the_nearest_word,
        0.18,
        0.02,
    ),
    "why-bottleneck": Claim(
        "A summary of fixed size, overwritten word by word, guesses after 20 words; a weighted look back is right.",
        ("01", "appendix_reach"),
        _told_right_at_20_words,
        [0.5, 1.0],
        0.05,
        given=(20,),
    ),
    "why-one-step": Claim(
        "A look back reaches any earlier word in one step: a clue weighs the same 10, 100 and 1,000 words back.",
        ("01", "appendix_reach"),
        _weight_of_the_clue_10_to_1000_words_back,
        [0.999, 0.999, 0.999],
        0.001,
        given=(10, 100, 1000),
    ),
    "reach-lstm": Claim(
        "A forget gate held open still degrades past about two hundred steps, depending on its bias. From there:",
        ("appendix_reach",),
        _heard_from_200_steps_back,
        "bias 1: nothing; bias 2: a trace; bias 3: a part; bias 5: all",
    ),
}
