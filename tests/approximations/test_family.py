"""The whole family side by side."""

import numpy as np
import pytest

from attention_lab import ShapeError, scaled_dot_product_attention, window_mask
from attention_lab.approximations import (
    block_attention,
    linear_attention,
    relative_error,
    rounded_attention,
    seen_blocks,
    trade_offs,
)


def texts(*leading, n_tokens=64, seed=0):
    return np.random.default_rng(seed).normal(size=(3, *leading, n_tokens, 16))


def found(*qkv, seed=0):
    return trade_offs(*qkv, rng=np.random.default_rng(seed))


# By hand


def test_the_window_within_a_quarter_is_the_widest_one_that_is_cheap_enough():
    q, k, v = texts()
    tricks, exact = found(q, k, v), scaled_dot_product_attention(q, k, v).output
    window = scaled_dot_product_attention(q, k, v, mask=window_mask(64, width=9)).output
    assert window_mask(64, width=9).mean() == tricks.costs["window"][2] < 1 / 4 < window_mask(64, width=10).mean()
    assert tricks.errors["window"][2] == pytest.approx(relative_error(window, exact))


def test_what_linear_attention_and_bits_cost_by_hand():
    q, k, v = texts()
    costs = found(q, k, v).costs
    assert costs["linear"] == (2 * 64 * 16 * 16 / (64 * 64 * (16 + 16)),)
    assert costs["fewer bits"] == (4 / 32, 8 / 32, 16 / 32)
    assert costs["random features"] == costs["blocks"] == (1 / 16, 1 / 8, 1 / 4, 1 / 2)


# Law


def test_no_trick_spends_more_than_its_budget_and_all_but_the_finest_nearly_all_of_it():
    for name, costs in found(*texts()).costs.items():
        for cost, budget in zip(costs[::-1], (1 / 2, 1 / 4, 1 / 8, 1 / 16), strict=False):
            assert name == "linear" or 0.7 * budget < cost <= budget


def test_the_leading_axes_are_kept_and_typical_is_the_median_over_them():
    q, k, v = texts(2, 3)
    tricks = found(q, k, v)
    assert tricks.errors["window"].shape == (4, 2, 3)
    assert tricks.average.shape == (2, 3)
    costs, errors = tricks.typical()["window"]
    assert costs == tricks.costs["window"]
    assert errors[2] == np.median(tricks.errors["window"][2])


def test_within_a_budget_each_trick_takes_the_most_it_can_pay_for_and_none_it_cannot():
    tricks = found(*texts())
    assert tricks.within(1 / 4)["fewer bits"] == tricks.errors["fewer bits"][1]
    assert tricks.within(1 / 4)["blocks"] == tricks.errors["blocks"][2]
    assert "fewer bits" not in tricks.within(1 / 10)


@pytest.mark.parametrize("seed", range(5))
def test_no_trick_that_leaves_out_or_regroups_is_best_on_flat_scores_and_on_near_ones(seed):
    q, k, v = texts(n_tokens=128, seed=seed)
    near = np.cumsum(np.random.default_rng(seed).normal(size=(128, 16)), axis=0)  # a walk: neighbours are alike
    near -= near.mean(axis=0)
    for best, (asks, offers) in {"linear": (q / 4, k / 4), "window": (near, near)}.items():
        errors = found(asks, offers, v, seed=seed).within(1 / 4)
        del errors["fewer bits"]
        assert min(errors, key=errors.get).startswith(best)


@pytest.mark.parametrize("seed", range(5))
def test_on_flat_scores_a_window_is_worse_than_silence_and_linear_no_better_than_the_average(seed):
    q, k, v = texts(n_tokens=128, seed=seed)
    tricks = found(q / 4, k / 4, v, seed=seed)
    assert tricks.within(1 / 4)["window"] > 1
    assert tricks.within(1 / 4)["linear"] > 0.8 * tricks.average


@pytest.mark.parametrize(("d_k", "drawn"), [(16, True), (32, True), (33, False), (64, False)])
def test_what_would_cost_more_than_exact_attention_is_left_out(d_k, drawn):
    q, k, v = np.random.default_rng(0).normal(size=(3, 32, d_k))
    tricks = found(q, k, v)
    assert ("linear" in tricks.costs) == ("linear" in tricks.errors) == drawn
    assert max(max(costs) for costs in tricks.costs.values()) <= 1


def test_numbers_beyond_float16_are_wrong_by_nan_in_half_the_bits():
    q, k, v = texts()
    assert np.isnan(found(1e5 * q, k, v).errors["fewer bits"]).tolist() == [False, False, True]


# Agreement


def test_each_error_is_that_of_its_trick():
    q, k, v = texts()
    tricks, exact = found(q, k, v), scaled_dot_product_attention(q, k, v).output
    own = {
        "blocks": block_attention(q, k, v, seen=seen_blocks(16, 1, rng=np.random.default_rng(0))),
        "linear": linear_attention(q, k, v),
        "fewer bits": rounded_attention(q, k, v, bits=4),
    }
    for name, output in own.items():
        assert tricks.errors[name][0] == pytest.approx(relative_error(output, exact))
    halves = (array.astype(np.float16).astype(float) for array in (q, k, v))
    in_float16 = scaled_dot_product_attention(*halves).output
    assert tricks.errors["fewer bits"][-1] == pytest.approx(relative_error(in_float16, exact), rel=1e-9)
    average = np.tile(v.mean(axis=0), (64, 1))
    assert tricks.average == pytest.approx(relative_error(average, exact))


# Refusal


@pytest.mark.parametrize("n_tokens", [0, 48])
def test_a_text_that_cannot_be_cut_is_refused(n_tokens):
    with pytest.raises(ShapeError, match=f"q has n_tokens = {n_tokens}, which is no multiple of 32"):
        found(*texts(n_tokens=n_tokens))


def test_keys_of_another_length_are_refused():
    q, k, v = texts()
    with pytest.raises(ShapeError, match="k has n_tokens = 63, but q has n_tokens = 64"):
        found(q, k[1:], v)
