import hashlib
import time
import unicodedata
from statistics import median

import numpy as np
import pytest

from attention_lab import softmax
from attention_lab.exercises import personal_numbers

NAMES = [f"learner {i}" for i in range(1000)]
MATRICES = ("x", "W_Q", "W_K", "W_V")
# Whoever solved their numbers on paper must find the same ones in every later version.
PINNED = {
    ("Ada", None): [[-1, 0, 2, 1, 2, 2], [-2, -2, -1, 0], [-1, 2, 0, -1], [-2, 1, 0, -2]],
    ("Ada", "again"): [[1, 0, 1, -1, -1, -1], [-1, 1, -2, 0], [0, -1, -2, 1], [1, -1, 3, 1]],
    ("李雷", None): [[2, -1, 1, 0, 0, -1], [-2, 0, -1, -2], [-1, -1, 0, 1], [1, 1, -1, -1]],
}


def outputs_with_a_mistake(x, W_Q, W_K, W_V):
    """The weights and the output of "bank" with each of eight mistakes; no weights where those are right."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    scores = q @ k.T
    right = softmax(scores / np.sqrt(2))
    tables = {
        "no scale": softmax(scores),
        "divided by d_k": softmax(scores / 2),
        "multiplied": softmax(scores * np.sqrt(2)),
        "swapped": softmax(scores.T / np.sqrt(2)),
        "wrong axis": softmax(scores / np.sqrt(2), axis=0),
    }
    made = {name: (table[1], table[1] @ v) for name, table in tables.items()}
    return {
        **made,
        "transposed weights": (None, right[:, 1] @ v),
        "keys blended": (None, right[1] @ k),
        "queries blended": (None, right[1] @ q),
    }


@pytest.fixture(scope="module")
def everybody():
    return {name: [getattr(personal_numbers(name), matrix) for matrix in MATRICES] for name in NAMES}


def test_no_score_is_the_same_both_ways(everybody):
    for x, W_Q, W_K, _ in everybody.values():
        scores = (x @ W_Q) @ (x @ W_K).T
        assert all(scores[i, j] != scores[j, i] for i in range(3) for j in range(i))


def test_each_word_looks_most_at_another_one_and_no_weight_is_above_0_9(everybody):
    for x, W_Q, W_K, _ in everybody.values():
        weights = softmax((x @ W_Q) @ (x @ W_K).T / np.sqrt(2))
        assert sorted(weights.argmax(1)) == [0, 1, 2]
        assert weights.max() < 0.9


def test_each_of_eight_mistakes_moves_the_output_of_bank_by_more_than_a_tenth(everybody):
    for name, (x, W_Q, W_K, W_V) in everybody.items():
        right = softmax((x @ W_Q) @ (x @ W_K).T / np.sqrt(2))[1]
        mistakes = outputs_with_a_mistake(x, W_Q, W_K, W_V)
        assert len(mistakes) == 8
        for mistake, (weights, output) in mistakes.items():
            assert np.abs(output - right @ x @ W_V).max() > 0.15, (name, mistake)
            assert weights is None or np.abs(weights - right).max() > 0.0125, (name, mistake)


def test_the_numbers_are_pleasant_by_hand(everybody):
    for x, W_Q, W_K, W_V in everybody.values():
        for matrix, smallest, largest in ((x, -1, 2), (W_Q, -2, 2), (W_K, -2, 2), (W_V, -2, 3)):
            assert matrix.dtype.kind == "i"
            assert smallest <= matrix.min() <= matrix.max() <= largest
        scores = (x @ W_Q) @ (x @ W_K).T
        assert np.abs(scores).max() <= 9
        assert np.abs(x @ W_V).max() <= 6
        weights = softmax(scores / np.sqrt(2))
        assert weights.min() > 0.001
        assert weights[1].min() > 0.005
        assert all(len(set(row)) == 3 for row in scores)


def test_hardly_two_names_have_the_same_numbers(everybody):
    different = {tuple(np.concatenate([matrix.ravel() for matrix in numbers])) for numbers in everybody.values()}
    assert len(different) >= 990


def flat(numbers):
    return [getattr(numbers, matrix).ravel().tolist() for matrix in MATRICES]


@pytest.mark.parametrize(("name", "secret"), PINNED)
def test_the_numbers_of_a_name_never_change(name, secret):
    assert flat(personal_numbers(name, secret)) == PINNED[name, secret]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "ada"),
        ("Ada", "  ADA\t\n"),
        ("Ada Lovelace", "ada   lovelace"),
        ("Ada Lovelace", "ada\u00a0lovelace"),
        ("Straße", "STRASSE"),
        ("Zoë", unicodedata.normalize("NFD", "Zoë")),
        ("Żółć", unicodedata.normalize("NFD", "ŻÓŁĆ")),
        ("Ada", unicodedata.normalize("NFKC", "Ａｄａ")),
        ("ﬁona", "FIONA"),
        ("김", unicodedata.normalize("NFD", "김")),
    ],
)
def test_capitals_blanks_and_how_letters_are_encoded_do_not_count(name, other):
    assert flat(personal_numbers(name)) == flat(personal_numbers(other))


def test_another_name_or_a_secret_gives_other_numbers():
    sets = [personal_numbers("Ada"), personal_numbers("Eda"), personal_numbers("Ada", "red"), personal_numbers("A da")]
    sets.append(personal_numbers("Ada", secret="blue"))
    assert len({str(flat(numbers)) for numbers in sets}) == len(sets)


@pytest.mark.parametrize(
    "name", ["李雷", "محمد", "Олена", "🦊", "x" * 100_000, "O'Neill-Ångström", "\ud800", "a\nb", "ß"]
)
def test_any_name_has_numbers(name):
    numbers = personal_numbers(name)
    assert numbers.x.shape == (3, 2)
    assert numbers.words == ("The", "bank", "river")


@pytest.mark.parametrize("name", ["", "  ", "\n\t", "\u3000"])
def test_an_empty_name_is_asked_for_in_a_sentence(name):
    assert repr(personal_numbers(name)) == "Whose numbers? Type your name between the quotes."


@pytest.mark.parametrize(("name", "secret"), [(None, None), (3, None), (["Ada"], None), (b"Ada", None), ("Ada", 3)])
def test_what_is_no_text_is_refused_in_a_sentence(name, secret):
    said = 'Whose numbers? Names are text in quotes, such as `personal_numbers("Ada")`.'
    assert repr(personal_numbers(name, secret)) == said


def test_untouched_it_shows_a_fixed_note():
    assert repr(personal_numbers(...)) == "Whose numbers? Type your name, in quotes, in place of the dots."
    assert repr(personal_numbers(...)) == repr(personal_numbers(..., secret="red"))
    assert "Whose numbers?" in personal_numbers(...)._repr_html_()


def test_numbers_show_whose_they_are_and_can_be_read_row_by_row():
    shown = repr(personal_numbers("  Ada "))
    assert shown.startswith(
        "The numbers of Ada. One word a row in x: The, bank, river.\nx    [[-1  0]\n      [ 2  1]\n"
    )
    assert len(shown.splitlines()) == 10


def test_no_learned_matrix_gives_the_same_when_multiplied_the_wrong_way_round():
    for name in NAMES[:200]:
        numbers = personal_numbers(name)
        assert all((matrix != matrix.T).any() for matrix in (numbers.W_Q, numbers.W_K, numbers.W_V))


def test_numbers_cannot_be_changed_by_accident():
    with pytest.raises(ValueError, match="read-only"):
        personal_numbers("Ada").x[0, 0] = 5


def test_a_name_takes_less_than_20_ms():
    def seconds(name):
        start = time.perf_counter()
        personal_numbers(name)
        return time.perf_counter() - start

    assert median(seconds(name) for name in NAMES[:100]) < 0.02


def test_numbers_follow_from_a_hash_and_touch_no_random_state():
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002
    personal_numbers(hashlib.sha256(b"somebody").hexdigest())
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002
