"""The page on the exercises says what the catalogue and the bank say."""

from tests.exercises.page import PAGE, written


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == written(), "run `python -m tests.exercises`"
