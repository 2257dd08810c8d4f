"""Answers in words: the rubric, and the numbers of the model answers."""

import numpy as np
import pytest

from attention_lab import scaled_dot_product_attention
from attention_lab.diagnostics import head_roles
from attention_lab.examples import BANK, ONE_WAY
from attention_lab.grading.written import ASSIGNED, RUBRIC
from attention_lab.pretrained import load_encoder, shuffled
from tests.run_notebooks import ROOT


def model(name):
    (found,) = [item.model for items in ASSIGNED.values() for item in items if item.name == name]
    return found


def test_the_rubric_is_a_table_of_four_lines_and_four_grades():
    rows = [line.split("|")[1:-1] for line in RUBRIC.splitlines()]
    assert {len(row) for row in rows} == {5}
    assert [row[0].strip(" *") for row in rows[2:]] == ["claim", "mechanism", "evidence", "limit"]


def test_the_page_for_instructors_has_the_same_rubric():
    assert RUBRIC in (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", ["98.2%", "7.4%", "0.0%", "80.4%", "[-4, 1]", "[2, 1]"])
def test_the_numbers_of_the_model_answer_are_those_of_the_lesson(word):
    x = BANK.x.copy()
    assert x[2].tolist() == [2, 1]
    x[2] = [-4, 1]
    edited = scaled_dot_product_attention(x @ BANK.W_Q, x @ BANK.W_K, x @ BANK.W_V).weights[1]
    bank = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v).weights[1]
    other = scaled_dot_product_attention(ONE_WAY.q, ONE_WAY.k, ONE_WAY.v).weights[0]
    known = [f"{share:.1%}" for share in (bank[2], other[2], edited[2], edited[0])]
    assert word in [*known, str([-4, 1]), str([2, 1])]
    assert word in model("who-looks-at-whom")


@pytest.fixture(scope="module")
def next_word():
    """What the head of the model answer for one-head gives the next word, and the best head of shuffled models."""
    encoder, rng = load_encoder(), np.random.default_rng(0)
    words = [piece for piece in encoder.pieces.pieces if piece.isascii() and piece.isalpha()]
    drawn = [rng.choice(words, 10, replace=False) for _ in range(20)]
    lists = [" ".join([*ten, *rng.permutation(ten)]) for ten in drawn]

    def mean(model, texts):
        return np.mean([head_roles(model.read(text).weights)["next word"] for text in texts], axis=0)

    by_chance = [mean(shuffled(encoder, np.random.default_rng(seed)), lists[:5]).max() for seed in range(5)]
    weights = encoder.read("The bank by the river was steep.").weights[1, 8]
    return {
        "on average": weights.diagonal(1).mean(),
        "up to": weights.diagonal(1).max(),
        "evenly": 1 / len(weights),
        "in lists": mean(encoder, lists)[1, 8],
        "by chance": max(by_chance),
        "river to was": weights[5, 6],
        "river to [CLS]": weights[5, 0],
    }


def test_the_numbers_of_the_model_answer_about_one_head_are_those_of_the_model(next_word):
    said = ["64%", "93%", "10%", "55%", "6%", "22%", "57%"]
    assert [f"{share:.0%}" for share in next_word.values()] == said
    assert [word.strip(".,;") for word in model("one-head").split() if "%" in word] == said
