"""A reading: what is kept, how it prints, and where a word stands."""

import pytest

TEXT = "The banks by the riverbank, the bank."


@pytest.fixture(scope="module")
def reading(encoder):
    return encoder.read(TEXT)


def test_a_reading_prints_its_shapes(encoder):
    assert repr(encoder.read("The bank.")) == (
        "Reading(q 6x12x5x32, k 6x12x5x32, v 6x12x5x32, scores 6x12x5x5, weights 6x12x5x5, head_outputs 6x12x5x32, "
        "hidden 7x5x384)"
    )


def test_a_word_is_found_by_its_letters_whatever_the_capitals(reading):
    assert reading.text == TEXT
    assert reading.tokens[reading.at("Bank")] == "bank"
    assert reading.at("[CLS]") == 0
    assert reading.at("[sep]") == len(reading.tokens) - 1


def test_a_word_that_stands_there_twice_needs_its_number(reading):
    assert [reading.at("the", nth=i) for i in range(3)] == [i for i, t in enumerate(reading.tokens) if t == "the"]
    with pytest.raises(ValueError, match=r'^"the" stands at positions 1, 4 and \d: say which with nth=0, nth=1 or'):
        reading.at("the")
    with pytest.raises(ValueError, match=r'^There is no nth=3 of "the": it stands there 3 x, counted from 0\.$'):
        reading.at("the", nth=3)


def test_what_is_no_word_or_no_whole_number_is_refused(reading):
    with pytest.raises(TypeError, match=r"^word must be a str, such as 'bank', not int\.$"):
        reading.at(5)
    with pytest.raises(TypeError, match=r"^nth must be a whole number, not 1\.0\.$"):
        reading.at("the", 1.0)
    with pytest.raises(ValueError, match=r"^nth must not be negative, but is -1\.$"):
        reading.at("the", -1)


def test_a_word_in_pieces_is_answered_with_its_pieces(reading):
    assert reading.tokens[5:7] == ("river", "##bank")
    assert reading.at("##bank") == 6
    with pytest.raises(ValueError, match=r'^"riverbank" is cut into river, ##bank at position 5 and after'):
        reading.at("riverbank")


def test_a_word_that_is_not_there_is_answered_with_what_is(reading):
    with pytest.raises(ValueError, match=r'^"money" is not in the text\. Its pieces are: \[CLS\] the banks by the'):
        reading.at("money")


@pytest.mark.parametrize("name", ["q", "k", "v", "scores", "weights", "head_outputs", "hidden"])
def test_the_arrays_are_read_only(reading, name):
    array = getattr(reading, name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0
