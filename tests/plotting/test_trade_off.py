import numpy as np
import pytest

from attention_lab import ShapeError, plotting
from attention_lab.approximations import trade_offs
from attention_lab.plotting import style

TRICKS = {"window": ([0.1, 0.2, 0.5], [1.4, 0.7, 0.3]), "linear": ([0.25], [0.9]), "8 bits": ([0.25], [0.0237])}


def axes_of(picture):
    return picture.figure.axes[0]


# By hand


def test_the_sentence_names_the_best_that_a_quarter_pays_for_first_and_the_average_last() -> None:
    assert plotting.trade_off(TRICKS, average=0.92).sentence == (
        "Error against cost of 3 tricks. At 25% of the exact cost or less: 8 bits 0.024, window 0.7, linear 0.9; "
        "the plain average 0.92."
    )


def test_the_title_names_the_two_best_unless_one_is_given() -> None:
    assert plotting.trade_off(TRICKS, average=1).figure.get_suptitle() == "At 25% of the cost: 8 bits 0.024, window 0.7"
    assert plotting.trade_off(TRICKS, average=1, title="Bits win").figure.get_suptitle() == "Bits win"


def test_a_trick_that_costs_more_than_a_quarter_is_drawn_but_not_compared() -> None:
    picture = plotting.trade_off({"float16": ([0.5], [0.001]), "window": ([0.25], [0.7])}, average=0.9)
    assert "float16" not in picture.sentence
    assert [list(line.get_xdata()) for line in axes_of(picture).lines[:2]] == [[0.5], [0.25]]


def test_where_a_quarter_pays_for_no_trick_the_picture_says_so() -> None:
    picture = plotting.trade_off({"float16": ([0.5], [0.001])}, average=0.9)
    assert picture.figure.get_suptitle() == "At 25% of the cost: no trick costs so little"
    assert picture.sentence == (
        "Error against cost of 1 trick. At 25% of the exact cost or less: no trick costs so little; "
        "the plain average 0.9."
    )


def test_where_nothing_is_wrong_the_axis_of_errors_still_has_a_length() -> None:
    assert axes_of(plotting.trade_off({"window": ([0.5], [0])}, average=0)).get_ylim() == (0, pytest.approx(1.1))


# Law


def test_each_trick_has_a_colour_a_mark_and_a_name_of_its_own() -> None:
    tricks = {f"trick {i}": ([0.1, 0.5], [1.0, 0.1 * i]) for i in range(6)}
    axes = axes_of(plotting.trade_off(tricks, average=0.5))
    lines = axes.lines[:6]
    assert len({line.get_color() for line in lines}) == 6
    assert tuple(line.get_marker() for line in lines) == style.POINT_MARKS
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert [colours[name] for name in tricks] == [line.get_color() for line in lines]


def test_exact_attention_stands_at_the_whole_cost_with_no_error_and_the_average_is_a_level() -> None:
    axes = axes_of(plotting.trade_off(TRICKS, average=0.92))
    average, exact = axes.lines[-2:]
    assert list(average.get_ydata()) == [0.92, 0.92]
    assert (list(exact.get_xdata()), list(exact.get_ydata())) == ([1], [0])
    assert {"plain average", "exact"} <= {text.get_text() for text in axes.texts}
    assert axes.get_ylim() == (0, pytest.approx(1.1 * 1.4))


def test_names_that_end_together_are_moved_apart_and_others_are_not() -> None:
    tricks = {"a": ([0.1, 0.49], [1, 0.5]), "b": ([0.1, 0.5], [1, 0.5]), "c": ([0.1, 0.2], [1, 0.5])}
    shifts = {text.get_text(): text.xyann[1] for text in axes_of(plotting.trade_off(tricks, average=1)).texts}
    assert abs(shifts["a"] - shifts["b"]) >= 10
    assert shifts["c"] == min(shifts["a"], shifts["b"])


@pytest.mark.parametrize("costs", [[1.0], [0.1, 1.0]])
def test_a_name_that_ends_at_the_whole_cost_does_not_lie_on_exact(costs: list[float]) -> None:
    tricks = {"all": (costs, np.zeros(len(costs))), "most": ([0.2, 0.9], [1, 0])}
    shifts = {text.get_text(): text.xyann[1] for text in axes_of(plotting.trade_off(tricks, average=1)).texts}
    assert shifts["exact"] == 8
    assert shifts["most"] - shifts["all"] >= 10
    assert shifts["all"] - shifts["exact"] >= 10


@pytest.mark.parametrize(("n_tokens", "d_k"), [(32, 8), (32, 64), (512, 8)])
def test_what_trade_offs_finds_can_be_drawn_from_one_word_each_to_long_texts(n_tokens: int, d_k: int) -> None:
    rng = np.random.default_rng(0)
    found = trade_offs(*rng.normal(size=(3, n_tokens, d_k)), rng=rng)
    axes = axes_of(plotting.trade_off(found.typical(), average=found.average))
    cheapest = min(costs[0] for costs in found.costs.values())
    assert axes.get_xlim()[0] <= 1 / 32
    assert axes.get_xlim()[0] < cheapest


# Refusal


@pytest.mark.parametrize(
    ("tricks", "error", "message"),
    [
        ({}, ValueError, "tricks holds 0 tricks; a picture takes 1 to 6"),
        ({str(i): ([0.5], [1]) for i in range(7)}, ValueError, "tricks holds 7 tricks"),
        ({"a": ([0.5], [1, 2])}, ShapeError, "errors of a has n_points = 2, but costs of a has n_points = 1"),
        ({"a": ([0.5, 1.5], [1, 2])}, ValueError, "costs of a goes from 0.5 to 1.5"),
        ({"a": ([0, 0.5], [1, 2])}, ValueError, "costs of a goes from 0 to 0.5"),
        ({"a": ([0.5, 0.25], [1, 2])}, ValueError, "costs of a falls from 0.50 to 0.25; it must rise"),
        ({"a": ([0.5], [-1])}, ValueError, "errors of a holds -1; a relative error is 0 or more"),
        ({"a": ([0.5], [np.nan])}, ValueError, "errors of a holds NaN"),
        ({"a": ([0.5, 0.6], [np.inf, 1])}, ValueError, "errors of a holds inf"),
    ],
)
def test_bad_input_is_refused_in_words(tricks, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.trade_off(tricks, average=1)


@pytest.mark.parametrize(("average", "said"), [(np.nan, "NaN"), (np.inf, "inf"), (-0.5, "-0.50")])
def test_an_average_that_is_no_error_is_refused(average: float, said: str) -> None:
    with pytest.raises(ValueError, match=f"average holds {said}; a relative error is 0 or more, and finite"):
        plotting.trade_off(TRICKS, average=average)


def test_an_average_for_each_head_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"average has shape \(2,\), but a picture needs \(one number\)"):
        plotting.trade_off(TRICKS, average=[0.5, 0.6])
