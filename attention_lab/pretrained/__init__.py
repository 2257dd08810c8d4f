"""A real encoder, in NumPy alone: all-MiniLM-L6-v2, every step of every head of it.

Start with ``load_encoder().read("The bank by the river was steep.")`` and look at ``weights``. Layers and heads are
counted from 0 here, and from 1 in the lessons' text: "layer 1 head 5" is ``weights[0, 4]``. ``cuts.py`` says what a
head can be forbidden, ``ablation.py`` what is lost by that; ``controls.py`` makes encoders that know nothing. The
weights are other people's: see ``NOTICE``.
"""

from attention_lab.pretrained.ablation import cut_each_head, turned
from attention_lab.pretrained.contributions import contributions
from attention_lab.pretrained.controls import shuffled, untrained
from attention_lab.pretrained.cuts import CutEntry, UniformHead, ZeroHead
from attention_lab.pretrained.encoder import Encoder, Layer
from attention_lab.pretrained.load import load_encoder
from attention_lab.pretrained.reading import Reading
from attention_lab.pretrained.senses import load_senses, word_vectors
from attention_lab.pretrained.word_pieces import WordPieces

__all__ = [
    "CutEntry",
    "Encoder",
    "Layer",
    "Reading",
    "UniformHead",
    "WordPieces",
    "ZeroHead",
    "contributions",
    "cut_each_head",
    "load_encoder",
    "load_senses",
    "shuffled",
    "turned",
    "untrained",
    "word_vectors",
]
