"""The page on the questions says what the questions say."""

from tests.prompts.page import PAGE, written


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == written(), "run `python -m tests.prompts`"
