"""Keep what PyTorch and `tokenizers` answer: ``python -m tests.pretrained.oracle.make_answers FOLDER``.

The folder is the one that ``python -m attention_lab.pretrained.fetch`` makes. ``readings.npz`` has, for each sentence,
the attention maps of the exact weights (``0/exact``), and for two of them what PyTorch makes of the shipped weights
(``0/weights``, ``0/hidden``). ``word_pieces.json`` has lines of mixed text and their pieces, cut by `tokenizers` with
the shipped vocabulary. With both committed, machines without PyTorch, `tokenizers` and the exact weights compare, too.
"""

import json
import sys
from pathlib import Path

import numpy as np

from attention_lab.pretrained.load import CONFIG, SHIPPED, VOCABULARY
from attention_lab.pretrained.quantised import read_arrays, unpack, write_arrays
from attention_lab.pretrained.safetensors import read_safetensors
from attention_lab.pretrained.word_pieces import WordPieces
from tests.pretrained.mixed_text import mixed_lines
from tests.pretrained.tokenizers_pieces import reference_splitter
from tests.pretrained.torch_encoder import torch_reader

READINGS, PIECES = Path(__file__).with_name("readings.npz"), Path(__file__).with_name("word_pieces.json")
SENTENCES = (
    "The bank by the river was steep.",
    "The bank by the river raised its interest rate.",
    "The bank raised its interest rate.",
    "The keys to the cabinet are on the table.",
    "The dog chased the cat, and the cat chased the dog.",
    "Colorless green ideas sleep furiously.",
    "She lit the candle with a match; our team won the match.",
    "Paris is the capital of France, and Rome is the capital of Italy.",
)
N_SHIPPED, N_LINES = 2, 400


def shipped():
    """The config, the vocabulary and the arrays of the shipped file, by the names of the file."""
    packed = read_arrays(SHIPPED)
    config, pieces = json.loads(packed.pop(CONFIG).tobytes()), packed.pop(VOCABULARY).tobytes().decode().split("\n")
    return config, WordPieces(pieces), unpack(packed)


def readings(folder):
    """The arrays of ``readings.npz``."""
    config, pieces, arrays = shipped()
    exact = read_safetensors(folder / "model.safetensors")
    all_pieces = WordPieces((folder / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n"))
    read_exact, read_shipped = torch_reader(exact, config), torch_reader(arrays, config)
    kept = {}
    for i, sentence in enumerate(SENTENCES):
        weights, _ = read_exact(all_pieces.ids(all_pieces.tokens(sentence)))
        kept[f"{i}/exact"] = weights.astype(np.float16)  # errors are measured to three digits
        if i < N_SHIPPED:
            weights, hidden = read_shipped(pieces.ids(pieces.tokens(sentence)))
            kept[f"{i}/weights"], kept[f"{i}/hidden"] = weights, hidden[[0, 1, -1]]
    return kept


def word_pieces():
    """The content of ``word_pieces.json``: pairs of a line and its pieces."""
    split = reference_splitter(shipped()[1].pieces)
    return [[line, split(line)] for line in mixed_lines(N_LINES)]


if __name__ == "__main__":
    write_arrays(READINGS, readings(Path(sys.argv[1])))
    PIECES.write_text("".join(["[\n", ",\n".join(json.dumps(pair) for pair in word_pieces()), "\n]\n"]))
