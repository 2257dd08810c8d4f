"""Random arguments for the exercises, fresh for each check, and the three words.

The sizes differ from each other, and from one set of arguments to the next: a size that is right by chance is not right
twice. Scores are of moderate size.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_lab.examples import BANK, ONE_WAY
from attention_lab.exercises.exercise import Arguments
from attention_lab.exercises.steps import weigh

Rng = np.random.Generator
Inputs = Callable[[Rng, bool], Arguments]


def several(inputs: Inputs, rng: Rng, square: bool, number: int) -> list[Arguments]:
    """Draw arguments until no axis has the same length in all of them: a length must not pass for a constant."""
    for _ in range(10_000):
        many = [inputs(rng, square) for _ in range(number)]
        lengths = zip(*([n for value in given.values() for n in _lengths(value)] for given in many), strict=True)
        if all(len(set(one)) > 1 or one[0] == 1 for one in lengths):
            return many
    raise RuntimeError("an exercise draws an axis of the same length each time")  # or its learners would wait for ever


def _lengths(value: Any) -> tuple[int, ...]:
    return value.shape if isinstance(value, np.ndarray) else (value,)


def _sizes(rng: Rng, square: bool, n: int, *, start: int = 2, to: int = 9) -> list[int]:
    """Draw n sizes that differ from each other, or n equal ones; a table has at least two rows."""
    if square:
        return [int(rng.integers(4, 7))] * n
    return [int(size) for size in rng.permutation(np.arange(start, to))[:n]]


def words_that_look(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v, all of other sizes; d_k is at least 3, so that its root is no other size's."""
    d_k, n_queries, n_keys, d_v = _sizes(rng, square, 4, start=3)
    shapes = {"q": (n_queries, d_k), "k": (n_keys, d_k), "v": (n_keys, d_v)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def with_mask(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v and a mask without an empty row, and without a full one."""
    given = words_that_look(rng, square)
    return {**given, "mask": _mask(rng, len(given["q"]), len(given["k"]))}


def with_empty_rows(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v and a mask in which at least one row, but not all, is empty."""
    given = with_mask(rng, square)
    given["mask"][rng.integers(len(given["mask"]))] = False
    return given


def scores_with_empty_rows(rng: Rng, square: bool) -> Arguments:
    """Draw scores and such a mask."""
    given = with_empty_rows(rng, square)
    return {"scores": given["q"] @ rng.normal(size=(given["q"].shape[-1], len(given["k"]))), "mask": given["mask"]}


def sentences_with_lengths(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v of several sentences, and how long each is: one lacks a word, the others more of them."""
    n, n_sentences, d_k, d_v = _sizes(rng, square, 4, start=4)
    given = {name: rng.normal(size=(n_sentences, n, d)) for name, d in (("q", d_k), ("k", d_k), ("v", d_v))}
    lengths = rng.integers(2, n - 1, size=n_sentences)
    lengths[rng.integers(n_sentences)] = n - 1
    return {**given, "lengths": lengths}


def _mask(rng: Rng, n_queries: int, n_keys: int) -> np.ndarray:
    """Hide some keys: each row shows two at least, or its scores would not matter, and hides one at least."""
    mask = rng.random((n_queries, n_keys)) < 0.5
    for row in mask:
        first, second, third = rng.permutation(n_keys)[:3]
        row[[first, second]] = True
        row[third] = False
    return mask


def self_attention(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v of one sequence: as many queries as keys."""
    n, d_k, d_v = _sizes(rng, square, 3, start=3)
    return {name: rng.normal(size=(n, d)) for name, d in (("q", d_k), ("k", d_k), ("v", d_v))}


def projections(rng: Rng, square: bool) -> Arguments:
    """Draw two sequences and one head's learned matrices."""
    n_queries, n_keys, d_model, d_k, d_v = _sizes(rng, square, 5, start=4, to=11)
    return {
        "x": rng.normal(size=(n_queries, d_model)),
        "context": rng.normal(size=(n_keys, d_model)),
        **_matrices(rng, (), d_model, d_k, d_v),
    }


def one_head(rng: Rng, square: bool) -> Arguments:
    """Draw one sequence and one head's learned matrices."""
    n, d_model, d_k, d_v = _sizes(rng, square, 4, start=3)
    return {"x": rng.normal(size=(n, d_model)), **_matrices(rng, (), d_model, d_k, d_v)}


def projections_with_lengths(rng: Rng, square: bool) -> Arguments:
    """Add a padding mask of one row to them: at least two words of the context are there, and two are not."""
    given = projections(rng, square)
    n_keys = len(given["context"])
    return {**given, "mask": (np.arange(n_keys) < rng.integers(2, n_keys - 1))[None]}


def many_heads(rng: Rng, square: bool) -> Arguments:
    """Draw one sequence and each head's learned matrices; with `square`, d_model = d_k = d_v."""
    n, d_model, d_k, d_v = _sizes(rng, square, 4, start=3, to=10)
    n_heads = int(rng.choice([h for h in (2, 3, 4, 5) if h not in (n, d_model, d_k, d_v)] or [2]))
    W_O = rng.normal(size=(n_heads, d_v, d_model)) / np.sqrt(n_heads * d_v)
    return {"x": rng.normal(size=(n, d_model)), **_matrices(rng, (n_heads,), d_model, d_k, d_v), "W_O": W_O}


def _matrices(rng: Rng, heads: tuple[int, ...], d_model: int, d_k: int, d_v: int) -> Arguments:
    widths = (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v))
    return {name: rng.normal(size=(*heads, d_model, d)) / np.sqrt(d_model) for name, d in widths}


def numbers_of_words(rng: Rng, square: bool) -> Arguments:
    """Draw x, and a number of heads that divides its width."""
    n_heads, n, d_head = _sizes(rng, square, 3)
    return {"x": rng.normal(size=(n, n_heads * d_head)), "n_heads": n_heads}


def sentences_of_words(rng: Rng, square: bool) -> Arguments:
    """Draw a batch of them."""
    n_heads, n, d_head, batch = _sizes(rng, square, 4)
    return {"x": rng.normal(size=(batch, n, n_heads * d_head)), "n_heads": n_heads}


def heads(rng: Rng, square: bool) -> Arguments:
    """Draw what each head found."""
    return {"heads": rng.normal(size=_sizes(rng, square, 3))}


def heads_of_sentences(rng: Rng, square: bool) -> Arguments:
    """Draw the same for a batch."""
    return {"heads": rng.normal(size=_sizes(rng, square, 4))}


def scores_far_apart(rng: Rng, square: bool) -> Arguments:
    """Draw scores: some of one row lie 1,000 above, all of another one below; float32 holds them exactly."""
    n_queries, n_keys = _sizes(rng, square, 2, start=3)
    scores = np.round(rng.normal(size=(n_queries, n_keys)) * 16) / 8
    high, low = rng.permutation(n_queries)[:2]
    scores[high, rng.permutation(n_keys)[:2]] += 1000
    scores[low] -= 1000
    return {"scores": scores}


def scores_and_temperature(rng: Rng, square: bool) -> Arguments:
    """Draw scores of a few units, and a temperature that is not 1."""
    return {"scores": rng.normal(size=_sizes(rng, square, 2)) * 2, "temperature": float(rng.uniform(2, 4))}


def with_temperature(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v and a temperature that is not 1."""
    return {**words_that_look(rng, square), "temperature": float(rng.uniform(2, 4))}


def a_number(rng: Rng, square: bool) -> Arguments:
    """Draw how many words."""
    return {"n": int(rng.integers(4, 9))}


def a_number_and_a_width(rng: Rng, square: bool) -> Arguments:
    """Draw how many words, and how near a word must be to be seen."""
    n = int(rng.integers(5, 9))
    return {"n": n, "width": int(rng.integers(1, n - 1))}


def lengths(rng: Rng, square: bool) -> Arguments:
    """Draw how long each sentence is, and how many keys the table has room for."""
    n_sentences, n_keys = _sizes(rng, square, 2, start=3)
    lengths = rng.integers(1, n_keys, size=n_sentences)
    lengths[rng.integers(n_sentences)] = n_keys  # one sentence fills its row
    return {"lengths": lengths, "n_keys": n_keys}


def table(rng: Rng, square: bool) -> Arguments:
    """Draw numbers, one of them negative, whose sums are positive."""
    numbers = rng.uniform(1, 9, size=_sizes(rng, square, 2))
    numbers[rng.integers(len(numbers)), rng.integers(numbers.shape[1])] = -0.5
    return {"table": numbers}


def with_slope(rng: Rng, square: bool) -> Arguments:
    """Draw q, k, v, and how a loss changes with the output."""
    given = words_that_look(rng, square)
    return {**given, "d_output": rng.normal(size=(len(given["q"]), given["v"].shape[-1]))}


def softmax_and_slope(rng: Rng, square: bool) -> Arguments:
    """Draw scores, a temperature, and how a loss changes with the weights."""
    given = scores_and_temperature(rng, square)
    return {**given, "d_weights": rng.normal(size=given["scores"].shape)}


def shares_and_values(rng: Rng, square: bool) -> Arguments:
    """Draw weights that sum to 1 in each row, and values."""
    n_rows, n_keys, d_v = _sizes(rng, square, 3)
    return {"weights": weigh(rng.normal(size=(n_rows, n_keys))), "values": rng.normal(size=(n_keys, d_v))}


def amounts_and_values(rng: Rng, square: bool) -> Arguments:
    """Draw positive weights that do not sum to 1, and values."""
    given = shares_and_values(rng, square)
    return {**given, "weights": given["weights"] * rng.uniform(2, 5, size=(len(given["weights"]), 1))}


def shares(rng: Rng, square: bool) -> Arguments:
    """Draw weights that sum to 1 in each row, one of them exactly 0."""
    weights = weigh(rng.normal(size=_sizes(rng, square, 2)) * 2)
    weights[rng.integers(len(weights)), rng.integers(weights.shape[1])] = 0
    return {"weights": weights / weights.sum(-1, keepdims=True)}


def three_words(*names: str) -> Callable[[], Arguments]:
    """Make the function that gives the worked example's arrays of these names."""

    def example() -> Arguments:
        scores = BANK.q @ BANK.k.T / np.sqrt(2)
        visible = np.tril(np.ones((3, 3), bool))
        extra = {"scores": scores, "weights": weigh(scores), "mask": visible, "n": 3, "n_keys": 3, "width": 2}
        extra |= {"table": scores, "values": BANK.v, "lengths": np.array([3, 2]), "n_heads": 2}
        extra |= {"context": BANK.x, "temperature": 2.0, "d_output": np.ones((3, 2)), "d_weights": BANK.v @ BANK.v.T}
        return {name: extra.get(name, getattr(BANK, name, None)) for name in names}

    return example


def three_words_two_heads() -> Arguments:
    """Give the worked example's and the second example's matrices to two heads."""
    pairs = {name: np.stack([getattr(BANK, name), getattr(ONE_WAY, name)]) for name in ("W_Q", "W_K", "W_V")}
    return {"x": BANK.x, **pairs, "W_O": np.stack([np.eye(2), np.eye(2)])}


def three_words_as_heads() -> Arguments:
    """Cut the two numbers of each word between two heads."""
    return {"heads": BANK.v[None].swapaxes(0, 2)}
