"""The map of influence."""

import numpy as np
import pytest

from attention_lab import ShapeError, plotting
from attention_lab.plotting import style

WORDS = ["The", "bank", "was", "steep"]
CAUSAL = np.tril(np.full((4, 4), 0.5))


def frames(picture):
    (axes, *_) = picture.figure.axes
    return sorted((int(patch.get_y() + 0.5), int(patch.get_x() + 0.5)) for patch in axes.patches)


def title(picture):
    return picture.figure.get_suptitle()


def test_every_cell_of_the_future_that_moves_is_framed():
    leaky = CAUSAL.copy()
    leaky[0, 2], leaky[1, 3] = 0.1, 0.2
    picture = plotting.leak_map(leaky, words=WORDS)
    assert frames(picture) == [(0, 2), (1, 3)]
    assert title(picture) == "2 of 6 later pairs leak"
    assert repr(picture) == (
        "Influence of 4 words on 4 outputs: 2 of 6 later pairs leak, first the output of The with was (0.10)."
    )


def test_what_moved_by_rounding_alone_is_no_leak():
    rounded = CAUSAL.copy()
    rounded[0, 3] = 1e-16
    assert frames(plotting.leak_map(rounded, words=WORDS)) == []


def test_a_causal_map_has_no_frame_and_says_so():
    picture = plotting.leak_map(CAUSAL, words=WORDS)
    assert frames(picture) == []
    assert title(picture) == "No output sees a later word"
    assert repr(picture) == "Influence of 4 words on 4 outputs: no output moves with a later word."


def test_the_axes_say_who_is_nudged_and_who_moves():
    (axes, bar) = plotting.leak_map(CAUSAL, words=WORDS).figure.axes
    assert axes.get_xlabel() == "word that is nudged"
    assert axes.get_ylabel() == "output that moves"
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS
    assert bar.get_ylabel() == "how far"
    assert axes.images[0].get_cmap().name == style.INFLUENCE_MAP.name


def test_a_map_where_nothing_moves_can_be_drawn():
    assert "no output moves" in repr(plotting.leak_map(np.zeros((2, 2)), words=["a", "b"]))


def test_a_title_can_be_given():
    assert title(plotting.leak_map(CAUSAL, words=WORDS, title="mine")) == "mine"


@pytest.mark.parametrize(
    ("influence", "words", "error", "said"),
    [
        (np.zeros((2, 3)), ["a", "b"], ShapeError, r"influence is \(2, 3\)"),
        (np.zeros(3), ["a"], ShapeError, "influence"),
        (-CAUSAL, WORDS, ValueError, "negative number or NaN"),
        (CAUSAL * np.nan, WORDS, ValueError, "negative number or NaN"),
        (CAUSAL, WORDS[:3], ShapeError, "words"),
    ],
)
def test_what_is_no_influence_is_refused(influence, words, error, said):
    with pytest.raises(error, match=said):
        plotting.leak_map(influence, words=words)
