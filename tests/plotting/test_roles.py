"""The picture of heads and their roles."""

import numpy as np
import pytest

from attention_lab import ShapeError, plotting

ROLES = ["subject", "word before", "first word"]
SHARES = [[0.02, 0.98, 0.3], [0.91, 0.05, 0.6]]
LOST = [[-0.01, 0.8, 0.0], [0.5, 0.0, 0.1]]


def maps_of(picture):
    return [axes for axes in picture.figure.axes if axes.images]


def numbers_in(axes):
    return {(int(text.get_position()[1]), int(text.get_position()[0])): text.get_text() for text in axes.texts}


def test_a_row_is_a_head_and_a_column_a_role():
    (axes,) = maps_of(plotting.role_maps({"weight": SHARES}, roles=ROLES))
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ROLES
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["head 1", "head 2"]
    assert numbers_in(axes) == {(i, j): f"{SHARES[i][j]:.2f}" for i in range(2) for j in range(3)}


def test_each_map_has_its_name_and_all_share_one_scale_whatever_is_in_them():
    picture = plotting.role_maps({"weight": SHARES, "lost": LOST, "little": np.full((2, 3), 0.1)}, roles=ROLES)
    assert [axes.get_title(loc="left") for axes in maps_of(picture)] == ["weight", "lost", "little"]
    assert {(axes.images[0].norm.vmin, axes.images[0].norm.vmax) for axes in maps_of(picture)} == {(0, 1)}
    assert numbers_in(maps_of(picture)[1])[0, 0] == "-0.01"


def test_of_two_maps_the_sentence_names_the_head_of_each_role():
    picture = plotting.role_maps({"weight": SHARES, "lost": LOST}, roles=ROLES, title="mine")
    assert repr(picture) == (
        "2 heads by 3 roles, weight: most of subject in head 2 (0.91), word before in head 1 (0.98), "
        "first word in head 2 (0.60); lost: most in head 2, head 1, head 2 (0.50, 0.80, 0.10)."
    )
    assert picture.figure.get_suptitle() == "mine"


def test_of_more_maps_it_says_in_how_many_heads_the_roles_are():
    apart = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    one = [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    two = [[1, 1, 0], [0, 0, 1], [0, 0, 0]]
    picture = plotting.role_maps({"start 0": apart, "start 1": one, "start 2": two}, roles=ROLES)
    assert repr(picture) == (
        "3 heads by 3 roles, start 0: each role in another head; start 1: 3 roles in 1 head; "
        "start 2: 3 roles in 2 heads."
    )
    assert picture.figure.get_suptitle() == "Each role is strongest in another head: in 1 of 3"
    two_maps = plotting.role_maps({"weight": two, "lost": apart}, roles=ROLES)
    assert two_maps.figure.get_suptitle() == "Strongest: 3 roles in 2 heads"


def test_many_maps_stand_in_rows_of_three_and_each_column_is_named_below():
    picture = plotting.role_maps({f"start {i}": SHARES for i in range(5)}, roles=ROLES)
    shown = [axes for axes in maps_of(picture) if axes.get_visible()]
    assert len(shown) == 5
    assert len({round(axes.get_position().y0, 2) for axes in shown}) == 2
    named = [any(label.get_visible() and label.get_text() for label in axes.get_xticklabels()) for axes in shown]
    assert named == [False, False, True, True, True]


def test_a_share_that_rounds_to_0_has_no_sign():
    (axes,) = maps_of(plotting.role_maps({"lost": [[-0.001, 0.5, 1.0]]}, roles=ROLES))
    assert numbers_in(axes)[0, 0] == "0.00"


@pytest.mark.parametrize("n_letters", range(1, 60))
def test_the_sentence_ends_once_and_within_250_characters_however_long_the_names_are(n_letters):
    sentence = plotting.role_maps({"weight": SHARES}, roles=["r" * n_letters] * 3).sentence
    assert len(sentence) <= 250
    assert sentence.endswith(").") == ("…" not in sentence)


@pytest.mark.parametrize(
    ("shares", "roles", "kind", "said"),
    [
        ({}, ROLES, ShapeError, "no map"),
        (
            {"weight": SHARES[0]},
            ROLES,
            ShapeError,
            r"weight has shape \(3,\).* \(n_heads, n_roles\)",
        ),
        ({"weight": SHARES, "lost": LOST[:1]}, ROLES, ShapeError, r"lost has shape \(1, 3\), but the first map has"),
        ({"weight": SHARES}, ROLES[:2], ShapeError, "roles has 2 words, but weight has n_roles = 3"),
        ({"weight": SHARES}, "subject", TypeError, "not one text"),
        ({"weight": [[0.5, 1.5, 0.0]]}, ROLES, ValueError, r"weight holds 1\.50"),
        ({"weight": [[0.5, np.nan, 0.0]]}, ROLES, ValueError, "weight holds NaN"),
    ],
)
def test_what_does_not_fit_is_refused(shares, roles, kind, said):
    with pytest.raises(kind, match=said):
        plotting.role_maps(shares, roles=roles)
