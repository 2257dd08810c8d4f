"""Keep: what goes wrong where the keys and values of earlier words are kept, and only new words look."""

import numpy as np

from attention_lab.exercises.mistake import Mistake
from attention_lab.exercises.steps import State, Steps

_KEEP_LINE = "`keys = np.concatenate([keys, k])`, and the same for the values, before anything is compared"

_NEW_ALONE: Steps = {"look up the keys": lambda s: s.k, "look up the values": lambda s: s.v}


def _in_front(cache: np.ndarray, new: np.ndarray) -> np.ndarray:
    return np.concatenate([new, cache])


def _first_key_alone(s: State) -> np.ndarray:
    """Weights of one new word whose causal mask has its corner at the first key."""
    if len(s.q) > 1:
        raise ValueError("several words see several keys")
    return np.eye(1, len(s.keys))


MISTAKES = (
    Mistake(
        "new-word-unseen",
        "a new word that does not see itself",
        lambda s: "Your new word looks at the words that were kept before it came, and not at itself.",
        "A word has been read when it looks: it may see itself.",
        (
            "How many weights does the new word need: as many as there were words, or one more?",
            "Keep first, then look: the new key and value are in the cache when the query is compared.",
            _KEEP_LINE,
        ),
        (
            {
                "look up the keys": lambda s: s.keys[: -len(s.k)],
                "look up the values": lambda s: s.values[: -len(s.v)],
            },
        ),
    ),
    Mistake(
        "cache-not-looked-at",
        "a new word that looks at nothing that was kept",
        lambda s: "Your new words look at new words alone; what was kept is handed on, and nobody looks at it.",
        "A word looks at all that came before it: for that, keys and values are kept.",
        (
            "How many words does the new one have to look at?",
            "Compare the new query with every key of the cache, and blend every value.",
            "`scores = q @ keys.T / np.sqrt(k.shape[-1])`, with the keys that hold the new one as well",
        ),
        (
            _NEW_ALONE,
            {**_NEW_ALONE, "see back": lambda s: np.tri(len(s.q), dtype=bool)},
        ),
    ),
    Mistake(
        "cache-in-front",
        "the new word kept in front of the others",
        lambda s: "In your keys, your values or both, the new word stands in front of the words before it.",
        "Key and value of a word stand in the same row, in the order of the text.",
        (
            "In which row of the cache does the newest word belong?",
            "The cache is in the order of the text, keys and values alike: the newest word comes last.",
            _KEEP_LINE,
        ),
        (
            {
                "keep the key": lambda s: _in_front(s.keys, s.k),
                "keep the value": lambda s: _in_front(s.values, s.v),
            },
            {"keep the key": lambda s: _in_front(s.keys, s.k)},
            {"keep the value": lambda s: _in_front(s.values, s.v)},
        ),
    ),
    Mistake(
        "query-kept",
        "the query kept in place of the key",
        lambda s: "Your keys end with what the new word asks, not with its label.",
        "Later words compare their queries with keys; an old query is never needed again.",
        (
            "What will the next word compare its query with?",
            "Keep what others look at: keys and values. A query is used once, when its word comes.",
            _KEEP_LINE,
        ),
        ({"keep the key": lambda s: np.concatenate([s.keys, s.q])},),
    ),
    Mistake(
        "mask-aligned-at-start",
        "a causal mask that begins at the first key",
        lambda s: "Your first new word sees the first word of the text alone, however many words were kept.",
        "The last query belongs to the last key, so the triangle ends there; all that was kept lies before it.",
        (
            "At which key does the newest word stand: at the first one, or at the last?",
            "Align at the end: row i sees all that was kept, and the new words up to its own.",
            "`np.tril(np.ones((n, n), dtype=bool))` for the new words alone, with a block of True on its left",
        ),
        (
            {"weigh": _first_key_alone},
            {"see back": lambda s: np.tri(len(s.q), len(s.keys), dtype=bool)},
        ),
        ("pytorch #144858", "pytorch #108108"),
    ),
)
