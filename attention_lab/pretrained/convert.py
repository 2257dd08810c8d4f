"""Make the file in this folder again: ``python -m attention_lab.pretrained.convert``.

What is changed is written in ``NOTICE``. The same wheel gives the same arrays, bit by bit.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lab.pretrained.load import (
    CONFIG,
    CONFIG_FILE,
    SHIPPED,
    VOCABULARY,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    read_json,
    read_vocabulary,
)
from attention_lab.pretrained.quantised import digest, pack, write_arrays
from attention_lab.pretrained.safetensors import read_safetensors
from attention_lab.pretrained.wheel import FetchError, bring_model
from attention_lab.pretrained.word_pieces import WordPieces

SENTENCES = Path(__file__).with_name("sentences.txt")
N_POSITIONS = 128
# In BERT's vocabulary, single characters come first, then whole words, the most frequent ones before the others.
FREQUENT = range(1996, 11996)
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_POSITIONS = "embeddings.position_embeddings.weight"
_LEFT_OUT = ("pooler.", "embeddings.position_ids")


def kept_pieces(vocabulary: Sequence[str], sentences: Sequence[str]) -> list[int]:
    """Choose the rows of the word embeddings that stay.

    These are the special pieces, every single ASCII character (inside a word, too, so that no ASCII word is unknown),
    the 10,000 most frequent pieces, and every piece of the course's own sentences.
    """
    known = WordPieces(vocabulary)
    single = [i for i, piece in enumerate(vocabulary) if len(piece.removeprefix("##")) == 1 and piece.isascii()]
    course = [int(i) for sentence in sentences for i in known.ids(known.tokens(sentence))]
    special = [vocabulary.index(piece) for piece in _SPECIAL]
    return sorted({*special, *single, *FREQUENT, *course})


def convert(folder: Path) -> dict[str, NDArray[Any]]:
    """Make the arrays of the shipped file from a folder with the exact model.

    Parameters
    ----------
    folder : Path
        With ``config.json``, ``model.safetensors`` and ``vocab.txt``, as ``fetch`` brings them.

    Returns
    -------
    dict from a name to an array
        int8 matrices and their float16 scales, float16 position embeddings, float32 vectors, and two texts in UTF-8:
        config and vocabulary.
    """
    config, vocabulary = read_json(folder / CONFIG_FILE), read_vocabulary(folder / VOCABULARY_FILE)
    kept = kept_pieces(vocabulary, SENTENCES.read_text(encoding="utf-8").splitlines())
    arrays = {
        name: array for name, array in read_safetensors(folder / WEIGHTS_FILE).items() if not name.startswith(_LEFT_OUT)
    }
    rows = {
        "embeddings.word_embeddings.weight": kept,
        _POSITIONS: range(N_POSITIONS),
        "embeddings.token_type_embeddings.weight": range(1),
    }
    for name, chosen in rows.items():
        arrays[name] = arrays[name][list(chosen)]
    arrays[_POSITIONS] = arrays[_POSITIONS].astype(np.float16)  # int8 here would blur every word of every text
    config |= {"vocab_size": len(kept), "max_position_embeddings": N_POSITIONS, "type_vocab_size": 1}
    texts = {CONFIG: json.dumps(config, indent=2, sort_keys=True), VOCABULARY: "\n".join(vocabulary[i] for i in kept)}
    return pack(arrays) | {name: np.frombuffer(text.encode(), dtype=np.uint8) for name, text in texts.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m attention_lab.pretrained.convert", description=__doc__)
    parser.add_argument("--wheel", type=Path, help="the wheel, if it is there already: nothing is downloaded")
    parser.add_argument("--to", type=Path, default=SHIPPED, help="the file to write (default: the one in the package)")
    asked = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            bring_model(Path(folder), asked.wheel)
            arrays = convert(Path(folder))
    except FetchError as trouble:
        print(trouble, file=sys.stderr)
        return 1
    write_arrays(asked.to, arrays)
    size = asked.to.stat().st_size / 1e6
    print(f"{asked.to}: {size:.1f} MB, sha256 of the arrays {digest(arrays)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
