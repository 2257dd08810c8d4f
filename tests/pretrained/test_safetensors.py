"""The file format safetensors."""

import json

import numpy as np
import pytest

from attention_lab.pretrained.safetensors import read_safetensors

NAMES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "int64": "I64",
    "int32": "I32",
    "int8": "I8",
    "uint8": "U8",
}

BROKEN = r"x is no safetensors file, or it is damaged or cut short\.$"


def write_safetensors(path, arrays, names=NAMES):
    """Write a file as the format's page describes it."""
    header, content = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        start = len(content)
        content += array.tobytes()
        kind = names[array.dtype.name]
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [start, len(content)]}
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)


def write_entries(path, entries, size):
    """Write a file whose header says what it wants of that many bytes."""
    text = json.dumps(entries).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(size))


def entry(start, end, shape=(2,), kind="F32"):
    return {"dtype": kind, "shape": list(shape), "data_offsets": [start, end]}


def test_every_array_comes_back_as_it_was(tmp_path):
    arrays = {kind: (np.arange(6) / 2).astype(kind).reshape(2, 3) for kind in NAMES} | {"number": np.array(4.0)}
    write_safetensors(tmp_path / "x", arrays)
    read = read_safetensors(tmp_path / "x")
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(read[name], array, strict=True)
        assert not read[name].flags.writeable


def test_arrays_may_be_named_in_another_order_than_they_lie_in_and_may_be_empty(tmp_path):
    write_entries(tmp_path / "x", {"b": entry(8, 16), "none": entry(8, 8, (0, 3)), "a": entry(0, 8)}, 16)
    assert {name: array.shape for name, array in read_safetensors(tmp_path / "x").items()} == {
        "b": (2,),
        "none": (0, 3),
        "a": (2,),
    }


@pytest.mark.parametrize("end", [0, 4, 40, -1])
def test_a_file_cut_short_is_refused(tmp_path, end):
    write_safetensors(tmp_path / "x", {"a": np.arange(5.0)})
    content = (tmp_path / "x").read_bytes()
    (tmp_path / "x").write_bytes(content[:end])
    with pytest.raises(ValueError, match=BROKEN):
        read_safetensors(tmp_path / "x")


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 a zip, for example",
        b"\x02" + bytes(7) + b"[]",
        b"\x04" + bytes(7) + b'"ab"',
        b"\x03" + bytes(7) + b"{}",  # the header ends beyond the file
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
    ],
)
def test_another_kind_of_file_is_refused(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(ValueError, match=BROKEN):
        read_safetensors(tmp_path / "x")


@pytest.mark.parametrize(
    ("entries", "size"),
    [
        ({"a": entry(0, 8), "b": entry(4, 12)}, 12),
        ({"a": entry(0, 8), "b": entry(0, 8)}, 8),
        ({"a": entry(0, 8), "b": entry(12, 20)}, 20),
        ({"a": entry(4, 12)}, 12),
        ({"a": entry(0, 8)}, 9),
        ({"a": entry(0, 8)}, 7),
        ({"a": entry(-8, -1)}, 8),
        ({"a": entry(0, 8), "b": entry(8, 0), "c": entry(0, 8)}, 8),
        ({}, 8),
        ({"a": entry(0, 8, (3,))}, 8),
        ({"a": entry(0, 8, (-1,))}, 8),
        ({"a": entry(0, 8, kind="F16")}, 8),
        ({"a": entry(0, 0, (10**30, 0))}, 0),
        ({"a": entry(0, 8) | {"shape": 2}}, 8),
        ({"a": entry(0, 8) | {"data_offsets": [0.0, 8.0]}}, 8),
        ({"a": entry(0, 8) | {"data_offsets": ["0", "8"]}}, 8),
        ({"a": entry(0, 8) | {"data_offsets": [0, 4, 8]}}, 8),
        ({"a": entry(0, 8) | {"dtype": ["F32"]}}, 8),
        ({"a": [0, 8]}, 8),
    ],
)
def test_arrays_that_do_not_lie_one_after_the_other_to_the_end_are_refused(tmp_path, entries, size):
    write_entries(tmp_path / "x", entries, size)
    with pytest.raises(ValueError, match=BROKEN):
        read_safetensors(tmp_path / "x")


def test_a_header_that_ends_beyond_the_file_is_refused_whatever_it_says(tmp_path):
    text = json.dumps({"a": entry(0, -5, (0,))}).encode()
    (tmp_path / "x").write_bytes((len(text) + 5).to_bytes(8, "little") + text)
    with pytest.raises(ValueError, match=BROKEN):
        read_safetensors(tmp_path / "x")


def test_a_number_type_that_numpy_lacks_is_named(tmp_path):
    write_safetensors(tmp_path / "x", {"a": np.zeros(2, dtype=np.float16)}, {"float16": "BF16"})
    with pytest.raises(ValueError, match=r"^a is stored as BF16, which cannot be read: only F64, F32"):
        read_safetensors(tmp_path / "x")
