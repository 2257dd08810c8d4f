"""Many heads, and one sequence that asks another."""

from functools import cache
from typing import Any

import numpy as np

from attention_lab import MultiHeadAttention, scaled_dot_product_attention, split_heads
from attention_lab.diagnostics import role_score
from attention_lab.examples import BANK, GERMAN
from attention_lab.training import Config, Transformer, Translator, tasks, train
from attention_lab.training.tasks import questions
from attention_lab.training.tasks.relations import QUESTIONS, answered, looked_for
from tests.claims import Claim

_rng = np.random.default_rng(0)
_x = _rng.standard_normal((5, 12))
_W_Q, _W_K, _W_V = _rng.standard_normal((3, 3, 12, 4)) / 2
_W_O = _rng.standard_normal((3, 4, 12))
_heads = MultiHeadAttention(_W_Q, _W_K, _W_V, _W_O)(_x)


def _whose_queries() -> str:
    """Whether the heads cut from one big matrix are the heads with small ones, and whether their maps differ."""
    made = {"queries": (_W_Q, _heads.q), "keys": (_W_K, _heads.k), "values": (_W_V, _heads.v)}
    same = [
        name
        for name, (small, found) in made.items()
        if np.allclose(split_heads(_x @ np.hstack(small), 3), found, rtol=0, atol=1e-12)
    ]
    maps = min(np.abs(_heads.weights[a] - _heads.weights[b]).max() for a, b in ((0, 1), (0, 2), (1, 2)))
    return f"{', '.join(same)}: cut from one big matrix; maps: {'different' if maps > 0.1 else 'alike'}"


def _sum_of_heads() -> float:
    apart = [found @ matrix for found, matrix in zip(_heads.head_outputs, _W_O, strict=True)]
    return float(np.abs(sum(apart) - _heads.output).max())


def _one_layer(
    task: Any, n_heads: int, *, d_model: int, start: int, steps: int, rate: float
) -> tuple[Transformer, Any]:
    """Train one layer of attention alone, and draw new sentences to measure it with."""
    config = Config(
        n_symbols=len(task.symbols), n_outputs=len(task.answers), context=task.context, d_model=d_model,
        n_heads=n_heads, n_layers=1, mlp=0, hide="never",
    )  # fmt: skip
    model = Transformer(config, np.random.default_rng(start))
    train(model, task.draw, steps=steps, rng=np.random.default_rng(1), n_sentences=64, rate=rate)
    return model, task.draw_held_out(300, np.random.default_rng(2))


@cache
def _with_two_relations(n_heads: int) -> tuple[Transformer, Any]:
    return _one_layer(tasks.two_relations(), n_heads, d_model=48, start=1, steps=600, rate=3e-3)


def _roles(n_heads: int) -> dict[str, np.ndarray]:
    model, new = _with_two_relations(n_heads)
    weights, places = model.weights(new.tokens)[0], looked_for(new.tokens)
    return {question: role_score(weights, places[question]).mean(axis=0) for question in QUESTIONS}


def _who_does_what() -> str:
    """For each question: whether a head has it as its role, and which answers are gone without that head."""
    model, new = _with_two_relations(2)
    said = []
    for question, scores in _roles(2).items():
        left = answered(model.without(0, int(scores.argmax())), new)
        gone = " and ".join(name for name, share in left.items() if share < 0.4)
        stays = " and ".join(name for name, share in left.items() if share > 0.9)
        said.append(f"{question}: {'its own head' if scores.max() > 0.7 else 'shared'}, without it {gone} goes, ")
        said[-1] += f"{stays} stays"
    return "; ".join(said)


@cache
def _who_does_which_of_four() -> str:
    """Whether grammar, order, meaning and position have a head each, which takes its own answers along."""
    model, new = _one_layer(tasks.four_relations(), n_heads=4, d_model=64, start=0, steps=800, rate=5e-3)
    places = np.stack([*questions.looked_for(new.tokens).values()])
    roles = role_score(model.weights(new.tokens)[0], places).mean(axis=1)  # (n_questions, n_heads)
    lost, owner = questions.lost_without(model, new), roles.argmax(axis=1)
    own = roles.max(axis=1).min() > 0.7 and lost[owner, range(4)].min() > 0.4
    lost[owner, range(4)] = 0
    return f"four questions: {len(set(owner))} heads, {'each with its own' if own and lost.max() < 0.1 else 'shared'}"


def _specialists() -> str:
    return f"{_who_does_what()}; {_who_does_which_of_four()}"


def _how_much_for_each() -> str:
    """The weight that goes to each of two relations: in one head, and in the head that has it as its role."""
    one = [float(scores.max()) for scores in _roles(1).values()]
    two = [float(scores.max()) for scores in _roles(2).values()]
    shared = "about half each" if 0.3 < min(one) <= max(one) < 0.6 else "otherwise"
    return f"one head: {shared}; of two heads: {'most' if min(two) > 0.7 else 'otherwise'}"


def _finds_partners(task: Any, steps: int) -> bool:
    """Train a translator that is told no alignment, and say whether it looks where the true partners are."""
    model = Translator(len(task.symbols), len(task.answers), task.context, np.random.default_rng(0))
    train(model, task.draw, steps=steps, rng=np.random.default_rng(1), n_sentences=32, rate=5e-3)
    fresh = task.draw(300, np.random.default_rng(2))
    partners = task.partners(fresh)
    return bool((model.weights(fresh).argmax(axis=-1) == partners)[partners >= 0].mean() > 0.9)


def _asked_across() -> str:
    weights = scaled_dot_product_attention(GERMAN.q, BANK.k, BANK.v).weights
    asks = (f"{word} asks {BANK.words[key]}" for word, key in zip(GERMAN.words, weights.argmax(axis=-1), strict=True))
    sevens = scaled_dot_product_attention(GERMAN.q, BANK.k, np.full((3, 2), 7)).output
    blended = "the context" if np.allclose(sevens, 7) else "something else"
    found = _finds_partners(tasks.translation(), 1000), _finds_partners(tasks.pictures(), 600)
    return f"{', '.join(asks)}; blended: {blended}; partners found: {found[0]}, {found[1]}"


CLAIMS = {
    "heads-one-kind": Claim(
        "One pass captures one kind of relation.",
        ("05", "appendix_depth"),
        _how_much_for_each,
        "one head: about half each; of two heads: most",
    ),
    "heads-own-matrices": Claim(
        "Each head has its own W_Q, W_K, W_V, and so its own queries, keys and values.",
        ("05",),
        _whose_queries,
        "queries, keys, values: cut from one big matrix; maps: different",
    ),
    "heads-specialise": Claim(
        "Heads specialise: grammar, meaning, position.",
        ("05", "appendix_roles", "08"),
        _specialists,
        "subject: its own head, without it subject goes, word before stays; "
        "word before: its own head, without it word before goes, subject stays; "
        "four questions: 4 heads, each with its own",
    ),
    "heads-combined": Claim("Their outputs are combined.", ("05",), _sum_of_heads, 0, 1e-12),
    "cross-attention": Claim(
        "One sequence asks another: translation, captions, conditioning.",
        ("06", "appendix_conditioning"),
        _asked_across,
        "Ufer asks bank, Fluss asks river; blended: the context; partners found: True, True",
    ),
}
