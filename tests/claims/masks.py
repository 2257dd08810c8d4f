"""How far a word may look, and the trap."""

from functools import cache

import numpy as np

from attention_lab import causal_mask, future_influence, scaled_dot_product_attention
from attention_lab.examples import BANK
from attention_lab.training import Config, Transformer, accuracy, honest_losses, tasks, train
from tests.claims import Claim

_open = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v)
_mask = causal_mask(3)
_causal = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v, mask=_mask)
_LANGUAGE = tasks.markov_text()


def _what_is_different() -> str:
    visible = "same" if np.array_equal(_causal.scores[_mask], _open.scores[_mask]) else "other"
    hidden = "-inf" if np.isneginf(_causal.scores[~_mask]).all() else "other"
    return f"visible scores: {visible}; hidden scores: {hidden}"


def _outputs_that_see_a_later_word() -> list[int]:
    """With one open layer of two, and with one open head of two: of five outputs."""
    config = Config(n_symbols=5, context=5, d_model=8, n_heads=2, hide=("before", "never"), dtype=np.float64)
    model = Transformer(config, np.random.default_rng(0))
    layers = future_influence(model.after_embedding, model.embedded([[0, 1, 2, 3, 4]])[0])

    def two_heads(x: np.ndarray) -> np.ndarray:
        masked, unmasked = (
            scaled_dot_product_attention(x, x, x, mask=mask).output for mask in (causal_mask(len(x)), None)
        )
        return np.concatenate([masked, unmasked], axis=-1)

    heads = future_influence(two_heads, np.random.default_rng(0).standard_normal((5, 2)))
    return [*(int((np.triu(seen, k=1).max(axis=1) > 1e-9).sum()) for seen in (layers, heads)), 5]


@cache
def _trained(hide: str) -> tuple[float, list[float]]:
    """Train on a text whose floor is known; return the last loss, and the honest ones on short beginnings."""
    config = Config(n_symbols=12, context=_LANGUAGE.context, d_model=32, n_heads=2, hide=hide)
    model = Transformer(config, np.random.default_rng(0))
    history = train(model, _LANGUAGE.draw, steps=300, rng=np.random.default_rng(1))
    honest = honest_losses(model, _LANGUAGE.draw_held_out, [1, 4, 8], np.random.default_rng(2))
    return float(history.smooth[-1]), honest


def _beside_the_floor() -> str:
    masked, unmasked = _trained("before")[0], _trained("never")[0]
    said = "near" if abs(masked - _LANGUAGE.floor) < 0.1 else "far from"
    return f"masked {said} it; unmasked {'below half of it' if unmasked < _LANGUAGE.floor / 2 else 'not far below'}"


def _beside_a_blind_guess() -> str:
    blind = np.log(len(_LANGUAGE.symbols))
    masked, unmasked = _trained("before")[1], _trained("never")[1]
    of_masked = "better" if max(masked) < blind else "worse"
    return f"masked {of_masked}; unmasked {'worse' if min(unmasked) > blind else 'better'}"


def _right(task: tasks.Task, hide: str) -> str:
    """Train a reader that gives one answer to a sentence, and say how often it is right."""
    size = {"context": task.context, "d_model": 16, "n_heads": 2, "n_layers": 1, "mlp": 0}
    config = Config(n_symbols=len(task.symbols), n_outputs=len(task.answers), hide=hide, **size)
    model = Transformer(config, np.random.default_rng(0))
    train(model, task.draw, steps=300, rng=np.random.default_rng(1))
    share = accuracy(model, task.draw_held_out, np.random.default_rng(2))
    near = {"right": 1, "three quarters": 0.75, "a guess": 0.5}
    return next((words for words, about in near.items() if abs(share - about) < 0.09), f"{share:.2f}")


def _who_understands() -> str:
    said = []
    for name, task in {
        "read first": tasks.sentence_topics(asked="first"),
        "read last": tasks.sentence_topics(asked="last"),
        "at the word": tasks.bank_senses(),
    }.items():
        said.append(f"{name}: open {_right(task, 'never')}, causal {_right(task, 'before')}")
    return "; ".join(said)


CLAIMS = {
    "mask-bidirectional": Claim(
        "Without a mask a word sees before and after: 9 weights of the toy are above zero; with the causal mask, 6.",
        ("04",),
        lambda: [int((one.weights > 0).sum()) for one in (_open, _causal)],
        [9, 6],
    ),
    "mask-causal-zero": Claim(
        "-inf before the softmax gives a weight of exactly 0: so for all 3 words of the future.",
        ("04",),
        lambda: [float(_causal.weights[~_mask].max()), int((~_mask).sum())],
        [0, 3],
    ),
    "mask-only-difference": Claim(
        "That restriction is the difference between encoder- and decoder-style attention. With the causal mask:",
        ("04",),
        _what_is_different,
        "visible scores: same; hidden scores: -inf",
    ),
    "mask-before-not-after": Claim(
        "The mask goes before the softmax: put there, bank keeps a weight of 1.000 in all; after it, 0.018.",
        ("04",),
        lambda: [float(_causal.weights[1].sum()), float((_open.weights * _mask)[1].sum())],
        [1.0, 0.018],
        0.0005,
    ),
    "mask-every-head": Claim(
        "It is needed in every layer and head: with one layer open 4, with one head open 4 of 5 outputs see ahead.",
        ("04",),
        _outputs_that_see_a_later_word,
        [4, 4, 5],
    ),
    "trap-loss": Claim(
        "Without the mask the training loss goes below the text's own entropy, its floor:",
        ("04",),
        _beside_the_floor,
        "masked near it; unmasked below half of it",
    ),
    "trap-generation": Claim(
        "And what it then writes is near random: on beginnings, its loss beside that of a blind guess:",
        ("04",),
        _beside_a_blind_guess,
        "masked better; unmasked worse",
    ),
    "use-encoder": Claim(
        "Bidirectional attention for classification and understanding. Three tasks, with it and with a causal mask:",
        ("appendix_mask_museum",),
        _who_understands,
        "read first: open right, causal a guess; read last: open right, causal right; "
        "at the word: open right, causal three quarters",
    ),
}
