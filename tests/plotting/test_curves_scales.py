"""Curves on a log scale: where equal steps are equal factors."""

import numpy as np
import pytest

from attention_lab import plotting
from attention_lab.plotting.curves import power

LABELS = {"x_label": "d_k", "y_label": "slope"}


def tick_texts(axis):
    return [tick.label1.get_text() for tick in axis.get_major_ticks() if tick.label1.get_text()]


def test_equal_factors_are_equal_steps_up_the_picture_and_doublings_along_it():
    axes = plotting.curves([2, 8, 32], {"a": [1, 0.1, 0.01]}, x_scale="log", y_scale="log", **LABELS).figure.axes[0]
    (line,) = axes.lines
    places = axes.transData.transform(line.get_xydata())
    np.testing.assert_allclose(np.diff(places, axis=0)[0], np.diff(places, axis=0)[1])
    axes.figure.canvas.draw()
    assert {"2", "4", "8", "16", "32"} <= set(tick_texts(axes.xaxis))
    assert "1e−02" in tick_texts(axes.yaxis)
    assert not any("$" in text for text in [*tick_texts(axes.xaxis), *tick_texts(axes.yaxis)])


def test_each_scale_is_linear_unless_it_is_asked_for():
    axes = plotting.curves([1, 2], {"a": [1, 2]}, **LABELS).figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "linear")
    axes = plotting.curves([1, 2], {"a": [1, 2]}, x_scale="log", **LABELS).figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")


def test_the_sentence_and_the_title_name_small_numbers_by_their_size():
    picture = plotting.curves([1, 2], {"unscaled": [0.2, 7.4e-8], "scaled": [0.2, 0.2]}, y_scale="log", **LABELS)
    assert picture.sentence == (
        "Curves of slope against d_k, from 1 to 2, on a log scale: unscaled falls from 0.20 to 7e-08; "
        "scaled stays at 0.20."
    )
    assert picture.figure.get_suptitle() == "unscaled falls from 0.20 to 7e-08, scaled stays at 0.20"


def test_on_a_linear_scale_small_numbers_are_written_as_ever():
    assert plotting.curves([1, 2], {"a": [0.2, 7.4e-8]}, **LABELS).sentence.endswith("from 0.20 to 0.00.")


@pytest.mark.parametrize(
    ("value", "text"), [(7.4e-8, "7e-08"), (-2e-5, "-2e-05"), (0.0, "0"), (0.01, "0.01"), (12.5, "12.50")]
)
def test_a_power_is_written_for_what_is_small_alone(value, text):
    assert power(value) == text


def test_names_of_lines_that_end_a_power_of_ten_apart_stay_where_they_end():
    lines = {"low": [1, 1e-8], "middle": [1, 1e-4], "high": [1, 1]}
    axes = plotting.curves([1, 2], lines, y_scale="log", **LABELS).figure.axes[0]
    assert [text.xyann[1] for text in axes.texts] == [0, 0, 0]


def test_names_of_lines_that_end_together_on_a_log_scale_stand_above_each_other():
    lines = {"one": [1, 1e-8], "two": [1, 1.01e-8]}
    axes = plotting.curves([1, 2], lines, y_scale="log", **LABELS).figure.axes[0]
    shifts = [text.xyann[1] for text in axes.texts]
    assert shifts[0] == 0
    assert 10 <= shifts[1] <= 12


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"x_scale": "wide"}, "x_scale must be linear or log, not 'wide'"),
        ({"y_scale": "wide"}, "y_scale must be linear or log, not 'wide'"),
        ({"x_scale": "log"}, "x holds 0; a log scale shows only what is above 0"),
        ({"y_scale": "log"}, "low holds -1; a log scale"),
        ({"y_scale": "log", "lines": {"a": [1, 2]}, "y_range": (0, 1)}, "y_range holds 0; a log scale"),
        ({"y_scale": "log", "lines": {"a": [1, 2]}, "floor": (0, "none")}, "floor holds 0; a log scale"),
    ],
)
def test_what_a_scale_cannot_show_is_refused_in_words(asked, message):
    with pytest.raises(ValueError, match=message):
        plotting.curves([0, 1], **({"lines": {"low": [2, -1]}} | LABELS | asked))
