"""The file format ``safetensors``: a header in JSON that says where each array lies, then the arrays.

The arrays lie one after the other and fill the file to its end: no byte belongs to two of them, or to none. Source: the
format's own page, https://github.com/huggingface/safetensors. Nothing in such a file is run.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}


def read_safetensors(path: str | Path) -> dict[str, NDArray[Any]]:
    """Read every array of a file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    dict from a name to an array
        Read-only.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged or cut short, is none of this format, or holds a number type that NumPy lacks, such as
        BF16.

    Examples
    --------
    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> header = b'{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "two.safetensors")
    ...     _ = file.write_bytes(len(header).to_bytes(8, "little") + header + np.array([4, 2], "<f4").tobytes())
    ...     read_safetensors(file)
    {'x': array([4., 2.], dtype=float32)}
    """
    content = memoryview(Path(path).read_bytes())
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(bytes(content[8:start]))
        header.pop("__metadata__", None)
        _check_places([entry["data_offsets"] for entry in header.values()], len(content) - start)
        return {name: _array(name, entry, content[start:]) for name, entry in header.items()}
    except _NumberTypeError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ValueError(f"{path} is no safetensors file, or it is damaged or cut short.") from None


class _NumberTypeError(ValueError):
    """A number type that cannot be read."""


def _check_places(places: list[list[int]], n_bytes: int) -> None:
    """Refuse gaps, overlaps, and bytes after the last array."""
    reached = 0
    for start, end in sorted(places):
        if not start == reached <= end:
            raise ValueError
        reached = end
    if reached != n_bytes:
        raise ValueError


def _array(name: str, entry: dict[str, Any], content: memoryview) -> NDArray[Any]:
    if entry["dtype"] not in _TYPES:
        raise _NumberTypeError(f"{name} is stored as {entry['dtype']}, which cannot be read: only {', '.join(_TYPES)}.")
    start, end = entry["data_offsets"]
    array = np.frombuffer(content[start:end], dtype=_TYPES[entry["dtype"]]).reshape(entry["shape"])
    if list(array.shape) != entry["shape"]:  # a shape with -1 means any size to NumPy
        raise ValueError
    return array
