"""The roofline: its roof, its points, and what it says about them."""

import numpy as np
import pytest

from attention_lab import plotting
from attention_lab.costs import Machine
from attention_lab.plotting import style

MACHINE = Machine("a machine", operations=1e11, exponentials=2e9, bandwidth=1e10)  # they meet at 10 operations a byte
POINTS = {"plain": (8.0, 4e10), "streaming": (1000.0, 6e10)}


def axes_of(picture):
    (axes,) = picture.figure.axes
    return axes


def test_the_roof_rises_as_fast_as_memory_and_is_flat_from_the_ridge_on():
    axes = axes_of(plotting.roofline(MACHINE, POINTS))
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    (low, ridge, high), rates = axes.lines[0].get_data()
    assert (low, ridge, high) == (1, 10, 8000)
    np.testing.assert_allclose(rates, [10, 100, 100])  # billions


def test_each_point_stands_at_its_intensity_with_a_colour_a_mark_and_its_name():
    axes = axes_of(plotting.roofline(MACHINE, POINTS))
    plain, streaming = axes.lines[1:]
    np.testing.assert_allclose([line.get_xydata()[0] for line in (plain, streaming)], [(8, 40), (1000, 60)])
    assert [line.get_color() for line in (plain, streaming)] == list(style.LINE_COLOURS[:2])
    assert plain.get_marker() != streaming.get_marker()
    named = {text.get_text(): text.xy for text in axes.texts}
    assert named["plain: 40%"] == (8, 40)
    assert named["streaming: 60%"] == (1000, 60)


def test_the_sentence_says_both_rates_where_they_meet_and_each_share():
    assert plotting.roofline(MACHINE, POINTS).sentence == (
        "Roofline of a machine, at most 100 billion operations and 10 billion bytes a second, which meet at 10 "
        "operations a byte: plain at 8 does 40% of those operations, streaming at 1,000 does 60%."
    )


@pytest.mark.parametrize(
    ("intensities", "title"),
    [
        ((8, 1000), "memory limits plain, arithmetic limits streaming"),
        ((20, 1000), "arithmetic limits plain and streaming"),
        ((2, 8), "memory limits plain and streaming"),
        ((10, 10), "arithmetic limits plain and streaming"),
    ],
)
def test_the_picture_finds_its_title_in_the_points(intensities, title):
    points = dict(zip(POINTS, [(intensity, 1e9) for intensity in intensities], strict=True))
    assert plotting.roofline(MACHINE, points).figure.get_suptitle() == title
    assert plotting.roofline(MACHINE, points, title="mine").figure.get_suptitle() == "mine"


def test_a_ceiling_is_drawn_from_the_slope_on_and_named():
    axes = axes_of(plotting.roofline(MACHINE, POINTS, ceiling=(5e10, "with exponentials")))
    xs, ys = axes.lines[1].get_data()
    np.testing.assert_allclose([xs[0], *ys], [5, 50, 50])
    assert "with exponentials" in [text.get_text() for text in axes.texts]
    assert "with exponentials" not in [text.get_text() for text in axes_of(plotting.roofline(MACHINE, POINTS)).texts]


def test_small_numbers_keep_two_digits():
    slow = Machine("a pocket", operations=1.25e8, exponentials=1e6, bandwidth=5e7)
    assert plotting.roofline(slow, {"plain": (0.213, 2.5e5), "streaming": (3, 1e8)}).sentence == (
        "Roofline of a pocket, at most 0.12 billion operations and 0.05 billion bytes a second, which meet at 2.5 "
        "operations a byte: plain at 0.21 does 0.2% of those operations, streaming at 3 does 80%."
    )


def shifts_of(axes):
    return {text.get_text().split(":")[0]: text.xyann[1] for text in axes.texts}


def test_names_of_points_that_stand_together_are_moved_apart_and_others_are_not():
    points = {"a": (8, 4e10), "b": (8.5, 4e10), "c": (9, 4e10), "far": (1000, 4e10)}
    shifts = shifts_of(axes_of(plotting.roofline(MACHINE, points)))
    assert shifts["far"] == -11
    assert sorted(shifts[name] for name in "abc") == pytest.approx([-11, 0, 11])


def test_a_ceiling_as_high_as_the_roof_does_not_lie_on_its_name():
    together = shifts_of(axes_of(plotting.roofline(MACHINE, POINTS, ceiling=(1e11, "with exponentials"))))
    assert together["arithmetic"] - together["with exponentials"] >= 10
    apart = shifts_of(axes_of(plotting.roofline(MACHINE, POINTS, ceiling=(3e10, "with exponentials"))))
    assert apart["arithmetic"] == shifts_of(axes_of(plotting.roofline(MACHINE, POINTS)))["arithmetic"]


@pytest.mark.parametrize("rate", [6e10, 1e8, 1e2, 1e-3])
def test_however_many_powers_of_ten_there_are_the_rates_can_be_read(rate):
    axes = axes_of(plotting.roofline(MACHINE, {"plain": (8, rate)}))
    low, high = axes.get_ylim()
    assert 3 <= sum(low <= tick <= high for tick in axes.get_yticks()) <= 13


def test_powers_of_ten_are_written_out():
    axes = axes_of(plotting.roofline(MACHINE, POINTS))
    axes.figure.canvas.draw()
    assert "1,000" in [tick.label1.get_text() for tick in axes.xaxis.get_major_ticks()]


@pytest.mark.parametrize(
    ("points", "ceiling", "message"),
    [
        ({}, None, "points holds 0 points; a picture takes 1 to 6"),
        ({str(i): (1, 1) for i in range(7)}, None, "points holds 7 points"),
        ({"plain": (0, 1e9)}, None, "plain holds"),
        ({"plain": (1, float("nan"))}, None, "plain holds"),
        ({"plain": (1, 1e9)}, (-1, "low"), "ceiling holds"),
        ({"ceiling": (0, 1e9)}, (1, "low"), r"ceiling holds \(0,"),
        ({"ceiling": (0, 1e9)}, None, r"ceiling holds \(0,"),
    ],
)
def test_bad_input_is_refused_in_words(points, ceiling, message):
    with pytest.raises(ValueError, match=message):
        plotting.roofline(MACHINE, points, ceiling=ceiling)
