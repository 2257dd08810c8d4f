"""Word pieces: cut by hand, cut by the same rules everywhere, and cut as `tokenizers` does."""

import json
import unicodedata

import pytest

from attention_lab.pretrained import WordPieces
from tests.pretrained.mixed_text import mixed_lines
from tests.pretrained.oracle.make_answers import PIECES
from tests.pretrained.tokenizers_pieces import reference_splitter

SMALL = ["[UNK]", "[CLS]", "[SEP]", "[MASK]", "bank", "##s", "##ide", "river", "a", "##a", "é", "e", "."]


def cut(text, pieces=SMALL, **options):
    return WordPieces(pieces, **options).tokens(text)[1:-1]


# By hand


def test_the_longest_piece_that_is_known_is_taken_first():
    assert cut("banks riverside") == ["bank", "##s", "river", "##s", "##ide"]
    assert cut("riverside", [*SMALL, "rivers"]) == ["rivers", "##ide"]


def test_a_word_with_no_way_to_the_end_is_unknown_as_a_whole():
    assert cut("bankx xbank bank") == ["[UNK]", "[UNK]", "bank"]
    assert cut("riverside", [*SMALL, "riversi"]) == ["[UNK]"]  # the longest piece leads nowhere; no second try


def test_capitals_and_accents_make_no_difference_unless_they_do():
    assert cut("BANK É e\u0301") == ["bank", "e", "e"]
    assert cut("ΟΔΟΣ", [*SMALL, "οδοσ"]) == ["οδοσ"]  # the last sigma is a letter like the others
    assert cut("BANK bank é", lower=False) == ["[UNK]", "bank", "é"]


def test_every_punctuation_mark_is_a_word():
    assert cut("bank.bank..") == ["bank", ".", "bank", ".", "."]
    assert cut("a$a", [*SMALL, "$"]) == ["a", "$", "a"]


def test_chinese_characters_are_words():
    assert cut("a河a", [*SMALL, "河"]) == ["a", "河", "a"]
    assert cut("a\U0002b920a") == ["a", "[UNK]", "a"]
    assert cut("a\U0002b91fa") == ["[UNK]"]  # forgotten in the reference


def test_control_characters_vanish_and_spaces_of_every_kind_separate():
    assert cut("ba\x00n\u200bk\u00a0a\u2028a\ta\x0ba") == ["bank", "a", "a", "a", "##a"]


@pytest.mark.parametrize("code", [0x378, 0xFDD0, 0x1FAE8, 0x2FFFF])
def test_a_character_that_unicode_does_not_have_or_has_not_had_for_long_is_kept(code):
    assert cut(f"a {chr(code)} bank") == ["a", "[UNK]", "bank"]
    assert cut(f"a{chr(code)}", ["a" + chr(code), *SMALL]) == ["a" + chr(code)]


def test_a_special_piece_in_a_text_is_that_piece():
    assert cut("a[MASK]a [mask]") == ["a", "[MASK]", "a", "[UNK]", "[UNK]", "[UNK]"]


def test_a_word_of_a_hundred_letters_is_cut_and_a_longer_one_is_unknown():
    assert cut("a" * 100) == ["a", *["##a"] * 99]
    assert cut("a" * 101) == ["[UNK]"]


def test_an_empty_text_has_a_start_and_an_end():
    assert WordPieces(SMALL).tokens("") == ["[CLS]", "[SEP]"]


# Law


def test_no_ascii_word_is_unknown_to_the_shipped_vocabulary(encoder):
    for line in ("Zyzzyva qwxjz 0x7f {~|}", "antidisestablishmentarianism", "".join(map(chr, range(33, 127)))):
        assert "[UNK]" not in encoder.pieces.tokens(line)


def test_numbers_are_places_among_the_pieces(encoder):
    tokens = encoder.pieces.tokens("The bank by the river was steep.")
    assert [encoder.pieces.pieces[i] for i in encoder.pieces.ids(tokens)] == tokens


# Agreement


def test_kept_lines_are_cut_as_tokenizers_cut_them(encoder):
    kept = json.loads(PIECES.read_text(encoding="utf-8"))
    assert len(kept) >= 300
    assert [line for line, pieces in kept if encoder.pieces.tokens(line) != pieces] == []


@pytest.mark.parametrize("lower", [True, False])
def test_ten_thousand_lines_of_mixed_text_are_cut_as_tokenizers_cuts_them(encoder, lower):
    pytest.importorskip("tokenizers", reason="tokenizers is not installed; the kept lines were compared.")
    split, ours = reference_splitter(encoder.pieces.pieces, lower), WordPieces(encoder.pieces.pieces, lower=lower)
    assert [line for line in mixed_lines(10_000, seed=1) if ours.tokens(line) != split(line)] == []


@pytest.mark.parametrize("lower", [True, False])
def test_characters_that_are_not_assigned_are_cut_as_tokenizers_cuts_them(encoder, lower):
    pytest.importorskip("tokenizers", reason="tokenizers is not installed; the kept lines were compared.")
    split, ours = reference_splitter(encoder.pieces.pieces, lower), WordPieces(encoder.pieces.pieces, lower=lower)
    unassigned = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cn"]
    some = [c for i, c in enumerate(unassigned) if ord(c) < 0x20000 or i % 1000 == 0]
    assert len(some) > 20_000
    assert [hex(ord(c)) for c in some if ours.tokens(f"a{c}b {c}") != split(f"a{c}b {c}")] == []


# Refusal


def test_a_piece_that_the_vocabulary_lacks_has_no_number():
    with pytest.raises(ValueError, match=r'^The vocabulary has no piece "xyzzy"\.$'):
        WordPieces(SMALL).ids(["bank", "xyzzy"])


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match=r"text must be a str, such as 'The bank by the river\.', not list\."):
        WordPieces(SMALL).tokens(["bank"])


def test_a_vocabulary_without_a_special_piece_or_with_a_piece_twice_is_refused():
    with pytest.raises(ValueError, match=r"^The vocabulary lacks the piece \[SEP\]\.$"):
        WordPieces(["[CLS]", "[UNK]"])
    with pytest.raises(ValueError, match=r'^The vocabulary has the piece "bank" twice\.$'):
        WordPieces([*SMALL, "bank"])
