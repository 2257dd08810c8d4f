"""A report says the same in words and in HTML, in any theme, and to who does not see it."""

import dataclasses
from html.parser import HTMLParser

import pytest

from attention_lab.exercises import Report
from attention_lab.exercises.report import COLOURS, QUIET, SIGNS, Note, rich

VERDICTS = ("right", "not yet", "not tried yet")
MESSAGES = [
    "Each *column* sums to 1.",
    "It stops in your line `a < b & c` with ValueError: <script>alert(1)</script>.",
    "Two `x * y` and `z * w`, *seen*.",
    "A lone ` and a lone * and 2 * 3 * 4.",
    "",
]


class Words(HTMLParser):
    """The text of a page, without what is hidden from who listens; and its tags, which must close."""

    def __init__(self, html):
        super().__init__()
        self.open, self.words, self.tags = [], [], []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append((tag, dict(attrs)))
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if not any(attrs.get("aria-hidden") for _, attrs in self.open):
            self.words.append(data)

    def text(self):
        return " ".join("".join(self.words).split())


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("message", MESSAGES)
def test_html_says_the_same_words(verdict, message):
    spoken = Words(Report("scores", verdict, message=message)._repr_html_()).text()
    for mark in "`* ":
        spoken, message = spoken.replace(mark, ""), message.replace(mark, "")
    assert spoken == f"{verdict.capitalize()}.".replace(" ", "") + message


@pytest.mark.parametrize("message", MESSAGES)
def test_nothing_of_a_message_becomes_a_tag_of_its_own(message):
    tags = {tag for tag, _ in Words(rich(message)).tags}
    assert tags <= {"em", "code"}


def test_code_and_stress_are_shown_as_such():
    assert rich("each *column* of `a < b`") == "each <em>column</em> of <code>a &lt; b</code>"
    assert rich("`a * b * c`") == "<code>a * b * c</code>"
    assert rich("2 * 3 * 4") == "2 * 3 * 4"
    assert rich("a lone ` stays") == "a lone ` stays"


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_sign_stands_beside_the_words_for_who_sees_it(verdict):
    html = Report("scores", verdict)._repr_html_()
    tag, attributes = Words(html).tags[0]
    assert (tag, attributes["role"]) == ("div", "note")
    assert f'aria-hidden="true">{SIGNS[verdict]}<' in html
    assert f"<strong>{verdict.capitalize()}.</strong>" in html


def test_the_verdicts_signs_differ_without_their_colours():
    assert len({SIGNS[verdict] for verdict in VERDICTS}) == len(VERDICTS)


def luminance(colour):
    """How bright a colour is, as the guidelines for accessible pages define it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(c * share for c, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("colour", [*COLOURS.values(), QUIET])
@pytest.mark.parametrize("page", ["#ffffff", "#111111"])
def test_the_line_at_the_side_is_seen_on_white_and_on_black(colour, page):
    lower, higher = sorted((luminance(colour), luminance(page)))
    assert (higher + 0.05) / (lower + 0.05) >= 3


def test_the_words_have_the_colour_of_the_theme():
    html = Report("scores", "not yet", message="Each *column* of `a`.")._repr_html_()
    html += Note("hint", "Hint.", "Who?", "a")._repr_html_()
    assert " color:" not in html
    assert "var(" not in html


def test_code_stands_below_in_a_block_of_its_own():
    note = Note("solution", "Solution.", "One way.", "def f(a):\n    return a < 1")
    assert repr(note) == "Solution. One way.\n\ndef f(a):\n    return a < 1"
    assert "def f(a):\n    return a &lt; 1</pre>" in note._repr_html_()


def test_without_code_there_is_no_block():
    assert "<pre" not in Note("hint", "Hint.", "Who?")._repr_html_()


def test_a_report_without_a_message_ends_with_its_verdict():
    assert repr(Report("mix", "right")) == "Right."


@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_right_is_true(verdict):
    assert bool(Report("mix", verdict)) == (verdict == "right")


def test_the_first_mistake_is_the_mistake():
    assert Report("mix", "not yet").mistake is None
    assert Report("mix", "not yet", ("a", "b")).mistake == "a"


def test_a_report_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Report("mix", "not yet").verdict = "right"
