import base64
import io
import sys

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from attention_lab import plotting
from attention_lab.plotting import style

WEIGHTS = [[0.9, 0.1], [0.25, 0.75]]


def a_picture(title: str = "") -> plotting.Picture:
    return plotting.heatmap(WEIGHTS, rows=["bank", "river"], title=title)


def test_a_picture_shows_itself_as_an_image_with_its_sentence_and_as_the_sentence() -> None:
    picture = a_picture()
    shown = picture._repr_mimebundle_()
    assert shown["text/plain"] == repr(picture) == picture.sentence
    assert f'alt="{picture.sentence}"' in shown["text/html"]
    assert set(shown) == {"text/html", "text/plain"}


def test_a_sentence_with_quotes_and_angle_brackets_is_still_one_attribute() -> None:
    picture = plotting.heatmap([[1.0]], rows=['<b>"river"</b>'])
    assert 'alt="Attention weights, 1 query by 1 key: &lt;b&gt;&quot;river' in picture.html()


def test_the_same_numbers_give_the_same_bytes() -> None:
    assert a_picture().png == a_picture().png


def test_another_number_gives_another_picture() -> None:
    assert a_picture().png != plotting.heatmap([[0.9, 0.1], [0.26, 0.74]], rows=["bank", "river"]).png


def test_the_page_shows_it_at_two_thirds_of_its_pixels(tmp_path) -> None:
    picture = a_picture()
    picture.save(tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as saved:
        pixels = saved.width
    assert f'width="{round(pixels * style.SHOWN_DPI / style.DPI)}"' in picture.html()
    assert base64.b64encode((tmp_path / "map.png").read_bytes()).decode() in picture.html()


def test_drawing_leaves_the_learners_own_settings_alone_and_is_not_changed_by_them() -> None:
    plain = a_picture().png
    with mpl.rc_context({"font.size": 30, "image.cmap": "magma", "savefig.dpi": 20}):
        assert a_picture().png == plain
        assert mpl.rcParams["font.size"] == 30


def test_drawing_does_not_load_pyplot() -> None:
    a_picture()
    assert "matplotlib.pyplot" not in sys.modules


def test_a_word_in_a_script_that_the_font_lacks_is_drawn_without_a_warning() -> None:
    picture = plotting.heatmap([[1.0]], rows=["河"])
    assert picture.png
    assert "河" in picture.sentence


def test_a_word_with_dollar_signs_is_a_word_and_not_a_formula() -> None:
    assert plotting.heatmap(np.eye(2), rows=["$x$", "$\\frac{"]).png


@pytest.mark.parametrize(
    "title", ["", "a finding that is a good deal wider than the small map under it, and then some"]
)
def test_a_long_title_is_not_cut_off(title: str) -> None:
    picture = a_picture(title)
    wide = Image.open(io.BytesIO(picture.png)).convert("L")
    edges = np.concatenate([np.asarray(wide)[:, :2].ravel(), np.asarray(wide)[:, -2:].ravel()])
    assert (edges == 255).all()
