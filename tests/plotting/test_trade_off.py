import numpy as np
import pytest

from attention_lab import ShapeError, plotting
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


# Refusal


@pytest.mark.parametrize(
    ("tricks", "error", "message"),
    [
        ({}, ValueError, "tricks holds 0 tricks; a picture takes 1 to 6"),
        ({str(i): ([0.5], [1]) for i in range(7)}, ValueError, "tricks holds 7 tricks"),
        ({"a": ([0.5], [1, 2])}, ShapeError, "errors of a has n_points = 2, but costs of a has n_points = 1"),
        ({"a": ([0.5, 1.5], [1, 2])}, ValueError, "costs of a goes from 0.5 to 1.5"),
        ({"a": ([0.01], [1])}, ValueError, "costs of a goes from 0.01 to 0.01"),
        ({"a": ([0.5], [-1])}, ValueError, "errors of a holds -1; a relative error is 0 or more"),
        ({"a": ([0.5], [np.nan])}, ValueError, "errors of a holds NaN"),
    ],
)
def test_bad_input_is_refused_in_words(tricks, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.trade_off(tricks, average=1)
