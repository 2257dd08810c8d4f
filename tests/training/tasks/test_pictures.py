"""Pictures to describe."""

import numpy as np

from attention_lab.training.tasks import pictures


def test_a_caption_names_the_two_things_in_reading_order_and_its_partners_are_their_patches():
    task = pictures()
    pairs = task.draw(300, np.random.default_rng(0))
    for source, target, partners in zip(pairs.source, pairs.target, task.partners(pairs), strict=True):
        first, second = np.flatnonzero(source != task.symbols.index("empty"))
        assert partners.tolist() == [first, first, -1, second, second, -1]
        assert task.read_answers(target) == f"{task.symbols[source[first]]} and {task.symbols[source[second]]} ."


def test_every_patch_is_there_and_every_word_counts():
    pairs = pictures().draw(20, np.random.default_rng(0))
    assert pairs.source.shape == (20, 9)
    assert (pairs.lengths == 9).all()
    assert (pairs.counted == 1).all()
    assert pairs.source.min() > 0


def test_things_stand_at_any_two_places_and_are_of_any_kind():
    task = pictures()
    pairs = task.draw(3000, np.random.default_rng(0))
    empty = pairs.source == task.symbols.index("empty")
    assert len({tuple(np.flatnonzero(~row)) for row in empty}) == 36
    np.testing.assert_allclose((~empty).mean(axis=0), 2 / 9, atol=0.03)
    assert set(pairs.source[~empty]) == set(range(2, len(task.symbols)))


def test_a_picture_is_written_in_three_lines():
    task = pictures()
    tokens = [1] * 9
    tokens[5] = task.symbols.index("red star")
    assert [line.split() for line in task.drawn(tokens).splitlines()] == [
        ["empty"] * 3,
        ["empty", "empty", "red", "star"],
        ["empty"] * 3,
    ]


def test_the_same_seed_draws_the_same_and_nothing_in_a_caption_is_left_to_chance():
    task = pictures()
    one, same, other = (task.draw(50, np.random.default_rng(seed)) for seed in (0, 0, 1))
    for mine, theirs in zip(one, same, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert (one.source != other.source).any()
    assert task.floor == 0
