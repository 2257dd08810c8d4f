"""A function that gives several arrays: any three are looked at, and anything else is told in a sentence."""

import numpy as np
import pytest

from attention_lab.exercises import check
from attention_lab.exercises.returned import Trouble, arrays

THREE = ("d_q", "d_k", "d_v")


class Unreadable(list):
    def __iter__(self):
        raise RuntimeError("not today")


class Endless(list):
    def __iter__(self):
        while True:
            pass


@pytest.mark.parametrize("kind", [tuple, list])
def test_three_arrays_come_back_by_themselves_from_a_tuple_or_a_list(kind):
    given = kind([np.zeros((2, 3)), [[1, 2]], 4.0])
    found = arrays(given, THREE)
    assert [array.shape for array in found] == [(2, 3), (1, 2), ()]
    assert not any(array is part for array, part in zip(found, given, strict=True))


def test_one_array_is_one_where_no_names_are_given():
    (found,) = arrays(([1.0, 2.0], [3.0, 4.0]))
    assert found.shape == (2, 2)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.zeros((3, 2)), "Your function returns one array: return three arrays, d_q, d_k and d_v."),
        (np.zeros((3, 4, 4)), "Your function returns one array: return three arrays, d_q, d_k and d_v."),
        (1.5, "Your function returns a single number: return three arrays, d_q, d_k and d_v."),
        (([1], [2]), "Your function returns 2 things: return three arrays, d_q, d_k and d_v."),
        (([1],), "Your function returns 1 thing: return three arrays, d_q, d_k and d_v."),
        ([1, 2, 3, 4], "Your function returns 4 things: return three arrays, d_q, d_k and d_v."),
        (((1, [2]), 2, 3), "As d_q, your function returns 2 things: return one array."),
        ((1, "k", 3), "As d_k, your function returns text, not an array of numbers."),
        ((1, 2, None), "As d_v, your function returns None: put its array there."),
        ((1, ..., 3), "As d_k, your function returns `...`: put your code in its place."),
        ((1, 2, [[1], [1, 2]]), "As d_v, your function returns rows of different lengths, which make no array."),
        ({"d_q": 1}, "Your function returns a value of the type `dict`, not an array of numbers."),
        (None, "Your function returns nothing: does every way through it end with `return`?"),
        (Unreadable(), "Your function returns a value of the type `Unreadable`, which cannot be read: RuntimeError: "
        "not today."),
    ],
)  # fmt: skip
def test_anything_else_is_told_in_a_sentence(value, said):
    with pytest.raises(Trouble) as trouble:
        arrays(value, THREE)
    assert str(trouble.value) == said
    assert not trouble.value.stopped
    assert said in check(lambda q, k, v, d_output: value, "attention-gradient").message


def test_a_list_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr("attention_lab.exercises.limits.SECONDS", 0.3)
    report = check(lambda q, k, v, d_output: Endless(), "attention-gradient")
    assert "It did not end within 0.3 seconds" in report.message


@pytest.mark.parametrize(
    ("answer", "part", "has"),
    [
        (lambda q, k, v, d: (q, k, v.T), "d_v", "has the shape"),
        (lambda q, k, v, d: (v, q, k), "d_q", "has the shape"),
        (lambda q, k, v, d: (q, k.ravel(), v), "d_k", "has the shape"),
        (lambda q, k, v, d: (q, 3, v), "d_k", "is a single number"),
    ],
)
def test_a_part_of_another_shape_is_named_with_both_shapes(answer, part, has):
    report = check(answer, "attention-gradient")
    assert report.message.startswith(f"Your {part} {has}")
    assert "with these inputs the shape is (" in report.message
    assert "d_q has the shape of q, d_k that of k, d_v that of v." in report.message
    assert report.mistakes == ()


def test_parts_that_are_right_are_named_before_the_first_that_is_not():
    def doubled(q, k, v, d_output):
        weights = np.exp(q @ k.T / np.sqrt(k.shape[-1]))
        weights = weights / weights.sum(-1, keepdims=True)
        d_weights = d_output @ v.T
        d_scores = weights * (d_weights - (d_weights * weights).sum(-1, keepdims=True)) / np.sqrt(k.shape[-1])
        return d_scores @ k, d_scores.T @ q + 1, weights.T @ d_output

    said = check(doubled, "attention-gradient").message
    assert said.startswith("Right so far: d_q, d_v. d_k: its shape is right, and none of its numbers is.")


def test_a_function_that_writes_into_what_it_is_given_is_told_so():
    def in_place(q, k, v, d_output):
        q /= np.sqrt(q.shape[-1])
        weights = np.exp(q @ k.T)
        weights = weights / weights.sum(-1, keepdims=True)
        d_weights = d_output @ v.T
        d_scores = weights * (d_weights - (d_weights * weights).sum(-1, keepdims=True))
        return d_scores @ k / np.sqrt(k.shape[-1]), d_scores.T @ q, weights.T @ d_output

    assert check(in_place, "attention-gradient").mistakes == ("inputs-changed",)
