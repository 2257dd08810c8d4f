import pytest

from attention_lab import ShapeError, plotting
from attention_lab.plotting import style

LABELS = {"x_label": "words ago", "y_label": "share told right"}


def test_each_line_has_its_own_colour_its_own_dash_and_its_name_at_its_end() -> None:
    lines = {f"line {i}": [0.1 * i, 0.1 * i + 0.05] for i in range(6)}
    axes = plotting.curves([1, 2], lines, **LABELS).figure.axes[0]
    assert len({line.get_color() for line in axes.lines}) == 6
    assert len(set(map(str, style.LINE_DASHES))) == 6
    assert [(text.get_text(), text.xy) for text in axes.texts] == [(name, (2, y[-1])) for name, y in lines.items()]


def test_the_sentence_says_where_each_line_starts_and_ends() -> None:
    picture = plotting.curves([1, 40], {"look back": [1, 1], "summary": [0.9, 0.5]}, **LABELS)
    assert picture.sentence == (
        "Curves of share told right against words ago, from 1 to 40: "
        "look back stays at 1; summary falls from 0.90 to 0.50."
    )


def test_the_picture_finds_its_title_in_the_lines() -> None:
    figure = plotting.curves([1, 2], {"loss": [2.5, 0.1], "accuracy": [0.1, 0.9]}, **LABELS).figure
    assert figure.get_suptitle() == "loss falls from 2.50 to 0.10, accuracy rises from 0.10 to 0.90"


def test_the_y_axis_has_the_ends_that_are_asked_for() -> None:
    assert plotting.curves([1, 2], {"a": [0.9, 0.6]}, y_range=(0, 1), **LABELS).figure.axes[0].get_ylim() == (0, 1)


def test_a_floor_is_drawn_and_named() -> None:
    axes = plotting.curves([1, 2], {"summary": [0.9, 0.6]}, floor=(0.5, "guessing"), **LABELS).figure.axes[0]
    assert axes.lines[-1].get_ydata()[0] == 0.5
    assert axes.texts[-1].get_text() == "guessing"


@pytest.mark.parametrize(
    ("x", "lines", "error", "message"),
    [
        ([1, 2], {"a": [1, 2, 3]}, ShapeError, "a has n_points = 3, but x has n_points = 2"),
        ([1, 2], {}, ValueError, "lines holds 0 lines; a picture takes 1 to 6"),
        ([1], {str(i): [1] for i in range(7)}, ValueError, "lines holds 7 lines"),
        ([], {"a": []}, ShapeError, "there is nothing to draw"),
    ],
)
def test_bad_input_is_refused_in_words(x, lines, error, message: str) -> None:
    with pytest.raises(error, match=message):
        plotting.curves(x, lines, **LABELS)


def test_names_of_lines_that_end_together_stand_above_each_other_and_others_stay_where_they_end():
    picture = plotting.curves(
        [1, 2], {"low": [1, 0.0], "one": [0, 0.5], "two": [0, 0.5]}, x_label="x", y_label="y", y_range=(0, 1)
    )
    (axes,) = picture.figure.axes
    shifts = {text.get_text(): text.xyann[1] for text in axes.texts}
    assert shifts["low"] == shifts["one"] == 0
    assert shifts["two"] >= 10
