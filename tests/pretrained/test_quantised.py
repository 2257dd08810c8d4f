"""Weights in a quarter of the space, and the file that they lie in."""

import zipfile

import numpy as np
import pytest

from attention_lab.pretrained.quantised import digest, pack, quantise, read_arrays, restore, unpack, write_arrays
from attention_lab.shapes import ShapeError


def test_a_group_is_rounded_by_hand():
    row = np.zeros((1, 64), dtype=np.float32)
    row[0, :3], row[0, 32:34] = [127, -1.4, 0.6], [-0.5, 0.25]
    whole, scales = quantise(row)
    assert whole[0, :3].tolist() == [127, -1, 1]
    assert whole[0, 32:34].tolist() == [-127, 63] or whole[0, 32:34].tolist() == [-127, 64]
    np.testing.assert_allclose(scales, [[1, 0.5 / 127]], rtol=1e-3)


def test_a_large_number_makes_only_its_own_group_coarse():
    row = np.full((1, 64), 0.01, dtype=np.float32)
    row[0, 0] = 100
    restored = restore(*quantise(row))
    assert (restored[0, 1:32] == 0).all()
    np.testing.assert_allclose(restored[0, 32:], 0.01, rtol=1e-3)


def test_no_number_moves_further_than_half_a_step():
    matrix = np.random.default_rng(0).normal(size=(50, 96)).astype(np.float32)
    whole, scales = quantise(matrix)
    assert (whole.dtype, scales.dtype, scales.shape) == (np.int8, np.float16, (50, 3))
    assert np.abs(whole.astype(int)).max() == 127
    steps = scales.astype(np.float32).repeat(32, axis=1)
    assert (np.abs(restore(whole, scales) - matrix) <= steps * 0.57).all()  # a rounded scale may clip the largest


def test_zeros_stay_zeros():
    assert (restore(*quantise(np.zeros((2, 32), dtype=np.float32))) == 0).all()


def test_large_matrices_are_packed_and_everything_else_stays_as_it_is():
    rng = np.random.default_rng(0)
    arrays = {
        "large": rng.normal(size=(32, 64)).astype(np.float32),
        "small": rng.normal(size=(31, 64)).astype(np.float32),
        "vector": rng.normal(size=64).astype(np.float32),
        "half": rng.normal(size=(32, 64)).astype(np.float16),
    }
    packed = pack(arrays)
    assert {name: array.dtype.name for name, array in packed.items()} == {
        "large": "int8",
        "large.scale": "float16",
        "small": "float32",
        "vector": "float32",
        "half": "float16",
    }
    restored = unpack(packed)
    assert restored.keys() == arrays.keys()
    np.testing.assert_allclose(restored["large"], arrays["large"], atol=0.02)
    assert all((restored[name] == arrays[name]).all() for name in ("small", "vector", "half"))


def test_a_file_is_the_same_byte_by_byte_whenever_and_in_whatever_order_it_is_written(tmp_path):
    arrays = {"b": np.arange(6, dtype=np.int8).reshape(2, 3), "a": np.array([0.5])}
    write_arrays(tmp_path / "one.npz", arrays)
    write_arrays(tmp_path / "two.npz", dict(reversed(arrays.items())))
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.npz") as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    read = read_arrays(tmp_path / "one.npz")
    assert read.keys() == arrays.keys()
    assert all((read[name] == arrays[name]).all() for name in arrays)


@pytest.mark.parametrize(
    "other", [{"b": np.arange(3)}, {"a": np.arange(3.0)}, {"a": np.arange(3)[None]}, {"a": [0, 1, 1]}]
)
def test_a_digest_sees_names_types_shapes_and_numbers(other):
    assert digest({"a": np.arange(3)}) == digest({"a": np.arange(6)[::2] // 2})
    assert digest(other) != digest({"a": np.arange(3)})


# Refusal


def test_columns_that_make_no_groups_are_refused():
    with pytest.raises(ShapeError, match=r"^matrix has 33 columns, which is no multiple of 32\.$"):
        quantise(np.zeros((2, 33), dtype=np.float32))


@pytest.mark.parametrize("spoil", [lambda content: content[:-100], lambda content: b"no zip", lambda content: b""])
def test_a_broken_file_is_refused_in_a_sentence(tmp_path, spoil):
    file = tmp_path / "x.npz"
    write_arrays(file, {"a": np.arange(1000.0)})
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(ValueError, match=r"x\.npz is no \.npz file of plain arrays, or it is cut short\.$"):
        read_arrays(file)


def test_objects_are_never_unpickled(tmp_path):
    np.savez(tmp_path / "x.npz", a=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match=r"no \.npz file of plain arrays"):
        read_arrays(tmp_path / "x.npz")
