"""Why attention: two sentences, a blend, and what a summary of fixed size loses."""

import numpy as np

from attention_lab import clue_recall, scaled_dot_product_attention
from attention_lab.examples import COLOURS, INTEREST, RIVER
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
    mix = np.array([0.15, 0.10, 0.74, 0.01]) @ colours
    return float(np.linalg.norm(colours - mix, axis=-1).min())


def _told_right_at_20_words() -> list[float]:
    summary, look_back = clue_recall([20], n_sentences=2000, rng=np.random.default_rng(5))
    return [float(summary[0]), float(look_back[0])]


def _told_right_from_10_to_1000_words() -> list[float]:
    return clue_recall([10, 100, 1000], n_sentences=200, rng=np.random.default_rng(1))[1].tolist()


CLAIMS = {
    "why-neighbour": Claim(
        'Which neighbour decides what "bank" means depends on the sentence, by the same learned matrices.',
        ("01", "02"),
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
    ),
    "why-one-step": Claim(
        "A look back reaches any earlier word in one step: right after 10, 100 and 1,000 words.",
        ("01", "appendix_reach"),
        _told_right_from_10_to_1000_words,
        [1.0, 1.0, 1.0],
        0.01,
    ),
    "reach-lstm": Claim(
        "A forget gate held open still degrades past about two hundred steps, depending on its bias.",
        ("appendix_reach",),
    ),
}
