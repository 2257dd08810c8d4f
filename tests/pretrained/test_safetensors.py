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


def test_every_array_comes_back_as_it_was(tmp_path):
    arrays = {kind: (np.arange(6) / 2).astype(kind).reshape(2, 3) for kind in NAMES} | {"number": np.array(4.0)}
    write_safetensors(tmp_path / "x", arrays)
    read = read_safetensors(tmp_path / "x")
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(read[name], array, strict=True)
        assert not read[name].flags.writeable


@pytest.mark.parametrize("end", [0, 4, 40, -1])
def test_a_file_cut_short_is_refused(tmp_path, end):
    write_safetensors(tmp_path / "x", {"a": np.arange(5.0)})
    content = (tmp_path / "x").read_bytes()
    (tmp_path / "x").write_bytes(content[:end])
    with pytest.raises(ValueError, match=r"x is no safetensors file, or it is cut short\.$"):
        read_safetensors(tmp_path / "x")


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04 a zip, for example", b"\x02" + bytes(7) + b"[]", b"\x04" + bytes(7) + b'"ab"']
)
def test_another_kind_of_file_is_refused(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(ValueError, match="is no safetensors file"):
        read_safetensors(tmp_path / "x")


def test_a_number_type_that_numpy_lacks_is_named(tmp_path):
    write_safetensors(tmp_path / "x", {"a": np.zeros(2, dtype=np.float16)}, {"float16": "BF16"})
    with pytest.raises(ValueError, match=r"^a is stored as BF16, which cannot be read: only F64, F32"):
        read_safetensors(tmp_path / "x")
