"""Points by two of their numbers."""

import pytest

from attention_lab import ShapeError, plotting

LABELS = {"x_label": "entropy", "y_label": "loss"}


def test_each_point_stands_at_its_numbers_and_each_group_has_its_own_colour_mark_and_name():
    picture = plotting.points([1, 3, 2], {"cut": [0.1, 0.3, 0.2], "even": [5, 6, 7]}, **LABELS)
    (axes,), (legend,) = picture.figure.axes, picture.figure.legends
    assert [line.get_xydata().tolist() for line in axes.lines] == [
        [[1, 0.1], [3, 0.3], [2, 0.2]],
        [[1, 5], [3, 6], [2, 7]],
    ]
    assert len({line.get_color() for line in axes.lines}) == len({line.get_marker() for line in axes.lines}) == 2
    assert [text.get_text() for text in legend.get_texts()] == ["cut", "even"]


def test_the_sentence_and_the_title_compare_the_lower_half_of_x_with_the_upper():
    picture = plotting.points([4, 1, 2, 3], {"cut": [9, 1, 2, 5], "even": [1, 4, 2, 1]}, **LABELS)
    trends = "cut rises from 1.50 to 7; even falls from 3 to 1"
    assert picture.figure.get_suptitle() == trends
    assert picture.sentence == (
        f"loss against entropy, as 4 points of each group. Median, from the lower half of x to the upper: {trends}."
    )


def test_on_a_log_scale_small_numbers_keep_their_size():
    picture = plotting.points([1, 2], {"cut": [1e-5, 2e-3]}, y_scale="log", title="mine", **LABELS)
    assert "cut rises from 1e-05 to 2e-03" in picture.sentence
    (axes,) = picture.figure.axes
    assert axes.get_yscale() == "log"
    assert "1e−03" in [label.get_text() for label in axes.get_yticklabels()]  # mathematics would not be parsed
    assert picture.figure.get_suptitle() == "mine"


@pytest.mark.parametrize(
    ("x", "groups", "more", "error", "message"),
    [
        ([1, 2], {"a": [1, 2, 3]}, {}, ShapeError, "a has n_points = 3, but x has n_points = 2"),
        ([1, 2], {}, {}, ValueError, "groups holds 0 groups; a picture takes 1 to 3"),
        ([1, 2], {name: [1, 2] for name in "abcd"}, {}, ValueError, "groups holds 4 groups"),
        ([2, 2], {"a": [1, 2]}, {}, ValueError, "x has no upper half"),
        ([1, float("nan")], {"a": [1, 2]}, {}, ValueError, "x holds NaN"),
        ([1, float("inf")], {"a": [1, 2]}, {}, ValueError, "x holds inf"),
        ([1, 2], {"a": [0, 2]}, {"y_scale": "log"}, ValueError, "a holds 0; a log scale shows only what is above 0"),
        ([1, 2], {"a": [1, 2]}, {"y_scale": "square"}, ValueError, "y_scale must be linear or log"),
    ],
)
def test_bad_input_is_refused_in_words(x, groups, more, error, message):
    with pytest.raises(error, match=message):
        plotting.points(x, groups, **LABELS, **more)
