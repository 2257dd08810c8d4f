"""What attention computes and moves, counted by hand; a machine's rates, and which of them holds some work up."""

import numpy as np
import pytest

from attention_lab.costs import (
    A100,
    H100,
    Machine,
    Work,
    attention_cost,
    exponential_rate,
    machine_rates,
    matrix_rate,
    memory_rate,
    plain_work,
    streaming_work,
)
from attention_lab.streaming.tiles import BLOCK, blocks

SLOW = Machine("slow", operations=100.0, exponentials=10.0, bandwidth=20.0)

# By hand


def test_three_words_of_two_numbers_are_counted_by_hand():
    work = plain_work(3, d_k=2, bytes_each=4, passes=8)
    assert work.operations == 2 * (9 * 2 * 2)  # two products: nine pairs, two multiplications and two additions each
    assert work.exponentials == 9
    assert work.bytes_moved == 4 * (8 * 9 + 4 * 6)  # eight times the scores; q, k, v and the output once
    assert streaming_work(3, d_k=2, bytes_each=4).bytes_moved == 4 * (4 * 6)
    assert streaming_work(3, d_k=2, bytes_each=4, block=2).bytes_moved == 4 * (2 * 6 + 2 * 2 * 6)  # k and v twice


def test_a_roof_rises_to_the_ridge_and_is_flat_from_there():
    assert SLOW.ridge == 5
    assert [SLOW.roof(intensity) for intensity in (1, 2.5, 5, 50)] == [20, 50, 100, 100]


def test_the_longer_of_moving_and_computing_is_the_time_that_it_takes_at_least():
    moves, computes = Work(operations=100, exponentials=5, bytes_moved=60), Work(300, 5, 20)
    assert (SLOW.seconds(moves), SLOW.limited_by(moves)) == (3, "memory")
    assert (SLOW.seconds(computes), SLOW.limited_by(computes)) == (3, "arithmetic")
    assert SLOW.computing_seconds(computes) == 3 + 0.5


def test_work_without_operations_or_without_traffic_takes_the_time_of_the_other():
    nothing_computed, nothing_moved = Work(0, 0, 100), Work(100, 0, 0)
    assert (SLOW.seconds(nothing_computed), SLOW.limited_by(nothing_computed)) == (5, "memory")
    assert (SLOW.seconds(nothing_moved), SLOW.limited_by(nothing_moved)) == (1, "arithmetic")
    assert (SLOW.roof(0), SLOW.roof(np.inf)) == (0, 100)


def test_the_data_sheets_say_what_their_makers_wrote():
    assert (A100.operations, A100.bandwidth) == (312e12, 1.555e12)
    assert (H100.operations, H100.bandwidth) == (989.4e12, 3.35e12)
    assert H100.exponentials == pytest.approx(3.9e12, rel=0.01)  # as FlashAttention-3, section 3.1, has it
    assert A100.exponentials == pytest.approx(2.4e12, rel=0.02)


# Law


@pytest.mark.parametrize("n", [1, 7, 64, 1000])
def test_both_ways_compute_the_same_and_only_the_traffic_differs(n):
    plain, streaming = plain_work(n), streaming_work(n)
    assert (plain.operations, plain.exponentials) == (streaming.operations, streaming.exponentials)
    assert plain.bytes_moved - streaming.bytes_moved == 4 * n**2 * 2


def test_a_longer_text_leaves_the_intensity_of_plain_alone_and_raises_that_of_streaming():
    plain, streaming = ([way(n).intensity for n in (2**12, 2**16, 2**20)] for way in (plain_work, streaming_work))
    np.testing.assert_allclose(plain, 32, rtol=0.02)  # 4 * 64 / (4 * 2)
    np.testing.assert_allclose(np.diff(np.log2(streaming)), 4)


def test_with_blocks_the_keys_and_values_are_fetched_once_for_each():
    n, once = 10 * BLOCK + 1, streaming_work(10 * BLOCK + 1)
    assert len(blocks(n)) == 11
    assert streaming_work(n, block=BLOCK).bytes_moved - once.bytes_moved == 10 * (2 * n * 64 * 2)
    assert streaming_work(n, block=5 * n) == once


def test_an_operation_is_a_multiplication_or_an_addition():
    work, cost = plain_work(512, d_k=64), attention_cost(512, d_model=64, n_heads=1, n_layers=1)
    assert work.operations == 2 * cost.multiplications


@pytest.mark.parametrize("intensity", [0.1, 4.9, 5.1, 1e4])
def test_no_roof_is_above_either_rate(intensity):
    assert SLOW.roof(intensity) <= SLOW.operations
    assert SLOW.roof(intensity) <= SLOW.bandwidth * intensity


# What is measured


def test_rates_are_counts_over_the_fastest_seconds(monkeypatch):
    asked = []

    def two_seconds(jobs, *, rounds):
        asked.append(rounds)
        for job in jobs.values():
            job()
        return dict.fromkeys(jobs, 2.0)

    monkeypatch.setattr("attention_lab.costs.rates.seconds", two_seconds)
    assert matrix_rate(rounds=3) == 1024**3  # as many additions
    assert exponential_rate(rounds=4) == 20 * 2**17 / 2
    assert memory_rate(2**26, rounds=5) == 2**26  # read and written
    assert memory_rate(2**20, rounds=6) == 2**24  # sixteen times
    assert machine_rates(rounds=7) == Machine("this machine", 1024**3, 20 * 2**17 / 2, 2**28)
    assert asked == [3, 4, 5, 6, 7, 7, 7]


def test_an_exponential_takes_longer_than_an_operation_of_a_product():
    assert matrix_rate(rounds=2) > 2 * exponential_rate(rounds=2)


# Refusals


@pytest.mark.parametrize("name", ["n_tokens", "d_k", "bytes_each", "passes"])
def test_a_size_that_is_not_positive_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} must be at least 1, but is 0"):
        plain_work(**{"n_tokens": 3, name: 0})
    with pytest.raises(TypeError, match=name):
        plain_work(**{"n_tokens": 3, name: 1.5})


def test_an_empty_block_an_array_without_a_number_and_no_rounds_are_refused():
    with pytest.raises(ValueError, match="block must be at least 1, but is 0"):
        streaming_work(3, block=0)
    with pytest.raises(ValueError, match="n_bytes must be at least 4, the size of one number, but is 3"):
        memory_rate(3)
    with pytest.raises(TypeError, match="n_bytes"):
        memory_rate(2.5)
    with pytest.raises(ValueError, match="rounds must be at least 1, but is 0"):
        matrix_rate(rounds=0)


@pytest.mark.parametrize("bytes_each", [3, 5, 16])
@pytest.mark.parametrize("count", [plain_work, streaming_work, attention_cost])
def test_a_number_that_no_machine_has_is_refused(count, bytes_each):
    with pytest.raises(ValueError, match=f"bytes_each must be 1, 2, 4 or 8, but is {bytes_each}"):
        count(3, bytes_each=bytes_each)


@pytest.mark.parametrize("intensity", [-5, np.nan, -np.inf])
def test_an_intensity_that_cannot_be_is_refused(intensity):
    with pytest.raises(ValueError, match="intensity must be at least 0, but is"):
        SLOW.roof(intensity)


@pytest.mark.parametrize("rate", [0, -1.0, np.nan, np.inf, "1", None])
@pytest.mark.parametrize("what", ["operations", "exponentials", "bandwidth"])
def test_a_rate_that_is_not_positive_is_refused(what, rate):
    rates = {"operations": 1.0, "exponentials": 1.0, "bandwidth": 1.0, what: rate}
    with pytest.raises(ValueError, match=f"{what} must be a positive rate, but is"):
        Machine("broken", **rates)
