"""Weights in a quarter of the space: whole numbers from -127 to 127, and one scale for each 32 of them.

Every group of 32 numbers that stand next to each other in a row shares a scale, so that one large number makes only its
own group coarse. Vectors and small matrices stay as they are.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lab.shapes import FloatArray, ShapeError

GROUP = 32
_LARGEST = 127
_SCALE = ".scale"  # what the name of a matrix's scales ends in
Arrays = Mapping[str, NDArray[Any]]


def quantise(matrix: FloatArray) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Round a matrix to int8, group by group.

    Formula: ``scale = max |group| / 127`` in float16, ``whole = round(group / scale)``.

    Parameters
    ----------
    matrix : ``(n_rows, n_columns)``, ``n_columns`` a multiple of 32
        Finite numbers.

    Returns
    -------
    (``(n_rows, n_columns)`` int8, ``(n_rows, n_columns / 32)`` float16)
        The whole numbers, and the scale of each group.

    Raises
    ------
    ShapeError
        If the columns cannot be put into groups of 32.

    Examples
    --------
    >>> import numpy as np
    >>> whole, scales = quantise(np.linspace(-1, 1, 32, dtype=np.float32)[None])
    >>> whole[0, :4], scales
    (array([-127, -119, -111, -102], dtype=int8), array([[0.00787]], dtype=float16))
    >>> bool(abs(restore(whole, scales) - np.linspace(-1, 1, 32)).max() < 0.005)
    True
    """
    n_rows, n_columns = matrix.shape
    if n_columns % GROUP:
        raise ShapeError(f"matrix has {n_columns} columns, which is no multiple of {GROUP}.")
    groups = matrix.astype(np.float32).reshape(n_rows, -1, GROUP)
    scales = (np.abs(groups).max(axis=-1) / np.float32(_LARGEST)).astype(np.float16)
    divisors = np.where(scales == 0, 1, scales).astype(np.float32)[..., None]
    whole = np.clip(np.rint(groups / divisors), -_LARGEST, _LARGEST).astype(np.int8)
    return whole.reshape(n_rows, n_columns), scales


def restore(whole: NDArray[np.int8], scales: NDArray[np.float16]) -> FloatArray:
    """Give back a matrix in float32: each whole number times its group's scale."""
    restored = np.empty(whole.shape, dtype=np.float32)
    groups = (*scales.shape, GROUP)
    np.multiply(whole.reshape(groups), scales.astype(np.float32)[..., None], out=restored.reshape(groups))
    return restored


def pack(arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Quantise every float32 matrix that has at least 32 rows; its scales are called ``name.scale``."""
    packed: dict[str, NDArray[Any]] = {}
    for name, array in arrays.items():
        if array.dtype == np.float32 and array.ndim == 2 and len(array) >= GROUP:
            packed[name], packed[name + _SCALE] = quantise(array)
        else:
            packed[name] = array
    return packed


def unpack(packed: Arrays) -> dict[str, NDArray[Any]]:
    """Restore what ``pack`` quantised."""
    return {
        name: restore(array, packed[name + _SCALE]) if name + _SCALE in packed else array
        for name, array in packed.items()
        if not name.endswith(_SCALE)
    }


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write an ``.npz`` file that is the same, byte by byte, wherever and whenever it is written.

    ``np.savez`` puts the time of writing into the file.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(arrays[name]), version=(1, 0), allow_pickle=False)
            file.writestr(entry, content.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read an ``.npz`` file of plain arrays.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is cut short, or is none of this format.
    """
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return dict(file)
    except (zipfile.BadZipFile, ValueError, EOFError, AttributeError, TypeError):  # np.load answers with any of them
        raise ValueError(f"{path} is no .npz file of plain arrays, or it is cut short.") from None


def digest(arrays: Arrays) -> str:
    """Compute the sha256 of arrays: their names, types, shapes and numbers, in the order of their names.

    Examples
    --------
    >>> import numpy as np
    >>> digest({"scores": np.array([4, 2, 10], dtype=np.int8)})[:16]
    '1f31d4ce24af39a5'
    """
    hashed = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        hashed.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        hashed.update(array.tobytes())
    return hashed.hexdigest()
