"""What attention costs: counted by hand, measured, fitted; and the choice that follows from it."""

import tracemalloc

import numpy as np
import pytest

from attention_lab import scaled_dot_product_attention
from attention_lab.costs import MODELS, attention_cost, choose, growth, peak_memory, seconds
from attention_lab.exercises import check, hint
from attention_lab.exercises.catalogue.choosing import CASES, METHODS, key
from attention_lab.shapes import ShapeError
from attention_lab.streaming import streaming_attention

# By hand


def test_three_words_in_two_heads_of_one_layer_are_counted_by_hand():
    cost = attention_cost(3, d_model=4, n_heads=2, n_layers=1, bytes_each=2)
    assert cost.multiplications == 2 * (9 * 2) + 2 * (9 * 2)  # in each head: nine pairs, two numbers each, twice
    assert cost.score_bytes == 2 * 9 * 2
    assert cost.cache_bytes == 2 * 3 * 4 * 2


def test_at_8192_tokens_the_scores_of_a_layer_weigh_as_much_as_all_keys_and_values():
    below, there, above = (attention_cost(n) for n in (8191, 8192, 8193))
    assert below.score_bytes < below.cache_bytes
    assert there.score_bytes == there.cache_bytes == 2**32
    assert above.score_bytes > above.cache_bytes


def test_a_new_word_with_a_cache_is_counted_by_hand():
    cost = attention_cost(3, n_queries=1, d_model=4, n_heads=2, n_layers=1, bytes_each=2)
    assert cost.multiplications == 2 * (3 * 2) + 2 * (3 * 2)  # one row of three pairs, in each head, twice
    assert cost.score_bytes == 2 * 3 * 2
    assert cost.cache_bytes == 2 * 3 * 4 * 2  # all three words are kept, whoever looks


@pytest.mark.parametrize(
    ("model", "bytes_of_a_token"),  # layers * keys and values * heads of them * width of a head * 2
    [
        ("Llama 2 7B", 32 * 2 * 32 * 128 * 2),
        ("Llama 2 70B", 80 * 2 * 8 * 128 * 2),
        ("Llama 3 8B", 32 * 2 * 8 * 128 * 2),
        ("Falcon 7B", 32 * 2 * 1 * 64 * 2),
    ],
)
def test_a_token_in_the_cache_of_a_real_model_is_counted_by_hand(model, bytes_of_a_token):
    assert attention_cost(1, **MODELS[model]).cache_bytes == bytes_of_a_token


def test_every_model_has_its_count_by_hand_and_the_first_is_what_is_counted_unless_asked():
    assert list(MODELS) == ["Llama 2 7B", "Llama 2 70B", "Llama 3 8B", "Falcon 7B"]
    assert attention_cost(100, **MODELS["Llama 2 7B"]) == attention_cost(100)
    with pytest.raises(TypeError):
        MODELS["Llama 2 7B"]["n_heads"] = 1


# Laws


@pytest.mark.parametrize("power", [0, 0.5, 1, 2, 3])
def test_growth_finds_the_power_whatever_the_constant(power):
    sizes = np.array([10, 30, 50, 400])
    found = growth(sizes, 7.5 * sizes**power)
    assert (found.power, found.lowest, found.highest) == pytest.approx((power,) * 3, abs=1e-12)


def test_growth_is_the_slope_of_a_least_squares_line_and_tells_the_spread():
    sizes, values = [1, 2, 4, 8], [1, 3, 17, 60]
    found = growth(sizes, values)
    assert found.power == pytest.approx(np.polyfit(np.log(sizes), np.log(values), 1)[0])
    assert found.lowest == pytest.approx(np.log2(3))
    assert found.highest == pytest.approx(np.log2(17 / 3))
    assert repr(found) == "n to the 2.02 (from 1.58 to 2.50 between neighbours)"


def test_work_grows_as_the_square_and_the_cache_as_the_text():
    sizes = [2**i for i in range(4, 21, 4)]
    costs = [attention_cost(n) for n in sizes]
    powers = [
        growth(sizes, [getattr(cost, name) for cost in costs]).power
        for name in ("multiplications", "score_bytes", "cache_bytes")
    ]
    assert powers == pytest.approx([2, 2, 1])


def test_heads_share_the_work_and_each_has_scores_of_its_own():
    one, eight = (attention_cost(100, d_model=64, n_heads=n) for n in (1, 8))
    assert one.multiplications == eight.multiplications
    assert eight.score_bytes == 8 * one.score_bytes


def test_shared_keys_and_values_shrink_the_cache_and_nothing_else():
    own, four, one = (attention_cost(100, d_model=64, n_heads=8, n_kv_heads=n) for n in (8, 4, 1))
    assert own == attention_cost(100, d_model=64, n_heads=8)
    assert own.cache_bytes == 2 * four.cache_bytes == 8 * one.cache_bytes
    assert own.multiplications == four.multiplications == one.multiplications
    assert own.score_bytes == four.score_bytes == one.score_bytes


def test_the_words_of_a_text_one_by_one_are_the_visible_half_of_it_at_once():
    steps = sum(attention_cost(n, n_queries=1).multiplications for n in range(1, 101))
    assert steps / attention_cost(100).multiplications == 101 / 200


# Measured


def test_the_peak_is_the_most_that_was_held_at_once_and_not_the_sum():
    def one_after_the_other():
        for _ in range(3):
            np.ones(100_000)

    assert 800_000 <= peak_memory(one_after_the_other) < 810_000
    assert 1_600_000 <= peak_memory(lambda: (np.ones(100_000), np.ones(100_000))) < 1_610_000


def test_what_was_held_before_does_not_count_and_a_trace_that_runs_goes_on():
    tracemalloc.start()
    try:
        np.ones(3_000_000)  # gone, but the highest so far
        held = np.ones(1_000_000)
        assert 800_000 <= peak_memory(lambda: np.ones(100_000)) < 810_000
        assert tracemalloc.is_tracing()
        assert held.size
    finally:
        tracemalloc.stop()
    peak_memory(lambda: None)
    assert not tracemalloc.is_tracing()


def test_one_measurement_within_another_loses_nothing_of_it():
    def early():
        np.ones(1_000_000)
        return peak_memory(lambda: np.ones(10))

    def late():
        peak_memory(lambda: np.ones(1_000_000))

    for outer in (early, late):
        assert 8_000_000 <= peak_memory(outer) < 8_100_000
    with pytest.raises(ZeroDivisionError):
        peak_memory(lambda: peak_memory(lambda: 1 / 0))
    assert peak_memory(lambda: np.ones(100_000)) < 810_000


def test_a_function_that_stops_leaves_no_trace_running():
    with pytest.raises(ZeroDivisionError):
        peak_memory(lambda: 1 / 0)
    assert not tracemalloc.is_tracing()


def test_plain_memory_grows_as_the_square_and_streaming_does_not_grow_beside_its_output():
    sizes, plain, lean = (512, 1024, 2048), [], []
    for n in sizes:
        q, k, v = np.random.default_rng(0).standard_normal((3, n, 16), dtype=np.float32)
        plain.append(peak_memory(lambda q=q, k=k, v=v: scaled_dot_product_attention(q, k, v)))
        lean.append(peak_memory(lambda q=q, k=k, v=v: streaming_attention(q, k, v)) - v.nbytes)
    assert growth(sizes, plain).power == pytest.approx(2, abs=0.05)
    assert growth(sizes, lean).power == pytest.approx(0, abs=0.05)


def test_jobs_take_turns_after_a_warm_up(monkeypatch):
    calls, clock = [], iter([0, 5, 5, 6, 6, 8, 8, 12])
    monkeypatch.setattr("attention_lab.costs.measured.time.thread_time", lambda: next(clock))
    jobs = {"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}
    assert seconds(jobs, rounds=2) == {"a": 2, "b": 1}  # a took 5 and 2, b took 1 and 4
    assert "".join(calls) == "ababab"


# The choice


@pytest.mark.parametrize(
    ("n_tokens", "asked", "kind", "computed"),
    [
        (8192, {"sees_later": True}, "encoder", "plain"),
        (8193, {"sees_later": True}, "encoder", "streaming"),
        (10, {"sees_later": False}, "causal", "plain"),
        (9000, {"sees_later": False}, "causal", "streaming"),
        (9000, {"sees_later": False, "other_sequence": True}, "cross", "streaming"),
        (9000, {"sees_later": False, "too_slow": True}, "causal", "approximate"),
    ],
)
def test_who_may_look_decides_the_kind_and_the_length_how_it_is_computed(n_tokens, asked, kind, computed):
    choice = choose(n_tokens, **asked)
    assert (choice.kind, choice.computed) == (kind, computed)
    assert repr(choice) == (
        f"{kind.capitalize()} attention: {choice.because[0]}\n{computed.capitalize()}: {choice.because[1]}"
    )


@pytest.mark.parametrize("name", CASES)
def test_the_exercise_needs_every_exact_method_once(name):
    assert sorted(key(name).values()) == ["A", "B", "C", "D", "E"]
    assert check(key(name), name)
    assert check({case: f" {letter.lower()} " for case, letter in key(name).items()}, name)


def test_an_approximation_is_named_before_anything_else():
    answer = {**key("choose"), "book": "F", "chat": "A"}
    assert check(answer, "choose").mistakes == ("approximate-first",)
    assert "its time, or its memory?" in str(hint("choose"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"chat": "A"}, "chat: A lets every word look at all words of its own text."),
        ({"subtitles": "B"}, "subtitles: B hides the later words."),
        ({"reviews": "C"}, "reviews: C takes keys and values from another sequence."),
        ({"book": "A"}, "book: with 100,000 tokens, one head's table has 10,000,000,000 scores."),
        ({"reviews": "D"}, "reviews: with 300 tokens, one head's table has 90,000 scores."),
        ({"book": "Z"}, "book: one of the letters A, B, C, D, E, F is expected; yours is 'Z'."),
        ({"book": 3}, "book: one of the letters A, B, C, D, E, F is expected; yours is 3."),
        ({"book": ...}, "Still open: book."),
        ({"film": "A"}, "A dict with a letter for each of book, chat, reviews, code, subtitles is expected."),
    ],
)
def test_another_choice_is_answered_by_what_it_would_do(change, said):
    report = check({**key("choose"), **change}, "choose")
    assert report.verdict == "not yet"
    assert report.message.startswith(said)
    assert not report.mistakes


def test_what_is_no_dict_is_answered_with_a_sentence():
    assert check("A B C", "choose").message.startswith("A dict with a letter for each of")
    assert check({"book": "A"}, "choose").verdict == "not yet"
    assert len(METHODS) == 6


# Refusals


@pytest.mark.parametrize(
    "name", ["n_tokens", "n_queries", "d_model", "n_heads", "n_kv_heads", "n_layers", "bytes_each"]
)
def test_a_size_that_is_not_positive_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} must be at least 1, but is 0"):
        attention_cost(**{"n_tokens": 3, name: 0})
    with pytest.raises(TypeError, match=name):
        attention_cost(**{"n_tokens": 3, name: 1.5})


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match="n_heads = 3 does not divide d_model = 8"):
        attention_cost(3, d_model=8, n_heads=3)
    with pytest.raises(ValueError, match="n_kv_heads = 3 does not divide n_heads = 8"):
        attention_cost(3, d_model=8, n_heads=8, n_kv_heads=3)


def test_more_words_that_look_than_there_are_is_refused():
    with pytest.raises(ValueError, match="n_queries = 4 words cannot be among n_tokens = 3"):
        attention_cost(3, n_queries=4)


@pytest.mark.parametrize(
    ("sizes", "values", "error", "said"),
    [
        ([1, 2], [1, 2, 3], ShapeError, r"values has the shape \(3,\), but sizes has the shape \(2,\)"),
        ([[1, 2]], [[1, 2]], ShapeError, "both are"),
        ([1], [1], ValueError, "at least two numbers"),
        ([2, 1], [1, 2], ValueError, "in rising order"),
        ([1, 1], [1, 2], ValueError, "in rising order"),
        ([1e16, 1e16 + 2], [1, 2], ValueError, "in rising order"),
        ([1, np.inf], [1, 2], ValueError, "sizes must hold positive numbers"),
        ([0, 1], [1, 2], ValueError, "sizes must hold positive numbers"),
        ([1, 2], [0, 2], ValueError, "values must hold positive numbers"),
        ([1, 2], [np.nan, 2], ValueError, "values must hold positive numbers"),
    ],
)
def test_growth_refuses_what_has_no_power(sizes, values, error, said):
    with pytest.raises(error, match=said):
        growth(sizes, values)


def test_no_rounds_and_no_tokens_are_refused():
    with pytest.raises(ValueError, match="rounds must be at least 1, but is 0"):
        seconds({}, rounds=0)
    with pytest.raises(ValueError, match="n_tokens must be at least 1, but is 0"):
        choose(0, sees_later=True)
    with pytest.raises(TypeError, match="n_tokens"):
        choose(1.5, sees_later=True)
