"""From a file to an encoder: the one in this folder, or any folder of a model in the style of BERT."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from attention_lab.pretrained.build import build_encoder
from attention_lab.pretrained.encoder import Encoder
from attention_lab.pretrained.quantised import read_arrays, unpack
from attention_lab.pretrained.safetensors import read_safetensors
from attention_lab.pretrained.word_pieces import WordPieces

CONFIG_FILE, SPLITTING_FILE, VOCABULARY_FILE = "config.json", "tokenizer_config.json", "vocab.txt"
WEIGHTS_FILE = "model.safetensors"
SHIPPED = Path(__file__).with_name("all-MiniLM-L6-v2-int8.npz")
CONFIG, VOCABULARY = "config", "vocabulary"  # two texts among the arrays of the shipped file


def load_encoder(folder: str | Path | None = None, *, dtype: DTypeLike = np.float32) -> Encoder:
    """Load an encoder; without a folder the one that the package has, which needs no network.

    Parameters
    ----------
    folder : str or Path, optional
        A folder with ``config.json``, ``model.safetensors`` and ``vocab.txt`` of a model in the style of BERT. Its
        ``tokenizer_config.json``, where there is one, says whether capitals make a difference.
    dtype : float32 or float64
        What the encoder computes in.

    Returns
    -------
    Encoder
        Without a folder: all-MiniLM-L6-v2, 6 layers of 12 heads, its weights rounded to int8 in groups of 32, with
        the most frequent third of its word pieces and 128 positions (``NOTICE`` says what was changed).

    Raises
    ------
    FileNotFoundError
        If a file of the folder is missing.
    ValueError
        If a file is damaged, lacks an array or says that the model is of another kind; for another dtype.
    ShapeError
        If an array has another shape than ``config.json`` says.

    Examples
    --------
    >>> load_encoder()
    Encoder(6 layers, 12 heads, d_model 384, d_k 32, 10171 word pieces, 128 positions)
    """
    _check_dtype(dtype)
    if folder is None:
        packed = read_arrays(SHIPPED)
        config = json.loads(packed.pop(CONFIG).tobytes())
        vocabulary = packed.pop(VOCABULARY).tobytes().decode()
        return build_encoder(config, unpack(packed), WordPieces(vocabulary.split("\n")), dtype)
    folder = Path(folder)
    for name in (CONFIG_FILE, WEIGHTS_FILE, VOCABULARY_FILE):
        if not (folder / name).is_file():
            raise FileNotFoundError(f"The folder {folder} has no file {name}.")
    config, arrays = read_json(folder / CONFIG_FILE), read_safetensors(folder / WEIGHTS_FILE)
    return build_encoder(config, arrays, _word_pieces(folder), dtype)


def _check_dtype(dtype: DTypeLike) -> None:
    try:
        name = str(np.dtype(dtype))
    except TypeError:
        name = str(dtype)
    if name not in ("float32", "float64"):
        raise ValueError(f"dtype must be float32 or float64, not {name}.")


def _word_pieces(folder: Path) -> WordPieces:
    splitting = folder / SPLITTING_FILE
    lower = read_json(splitting).get("do_lower_case", True) if splitting.is_file() else True
    if not isinstance(lower, bool):
        raise ValueError(f"{splitting} has do_lower_case {json.dumps(lower)}; it must be true or false.")
    return WordPieces(read_vocabulary(folder / VOCABULARY_FILE), lower=lower)


def read_vocabulary(path: Path) -> list[str]:
    """Read a vocabulary, one piece a line, or say that it is none."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8.") from None
    return lines if lines[-1] else lines[:-1]


def read_json(path: Path) -> dict[str, Any]:
    """Read a file of names and values, or say that it is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise ValueError(f"{path} is no JSON file of names and values, or it is cut short.")
    return content
