"""Ablation: each head is cut once, and the sentence's vector tells how much was lost."""

import numpy as np

from attention_lab.pretrained.cuts import UniformHead, ZeroHead
from attention_lab.pretrained.encoder import Encoder
from attention_lab.pretrained.reading import Reading
from attention_lab.shapes import FloatArray, read_only


def turned(whole: Reading, cut: Reading) -> float:
    """Measure how far the vector of a sentence turned: 0 not at all, 1 to a right angle.

    Formula: ``1 - cos(a, b)``, where a and b are the means of the last layer's words. This mean is what
    all-MiniLM-L6-v2 was trained to give: the vector that sentences are compared by.

    Parameters
    ----------
    whole, cut : Reading
        Of one text, or of two: of two sentences it tells how different they are.

    Returns
    -------
    float
        From 0 to 2.

    Source: Reimers and Gurevych 2019, "Sentence-BERT", section 3.

    Examples
    --------
    >>> from attention_lab.pretrained import load_encoder
    >>> encoder = load_encoder()
    >>> steep, shore = (encoder.read(f"The {word} by the river was steep.") for word in ("bank", "shore"))
    >>> round(turned(steep, shore), 2)
    0.23
    """
    a, b = (reading.hidden[-1].astype(np.float64).mean(axis=0) for reading in (whole, cut))
    return float(np.clip(1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b), 0, 2))  # rounding may lead out of it


def cut_each_head(encoder: Encoder, text: str, kind: type[ZeroHead] | type[UniformHead] = ZeroHead) -> FloatArray:
    """Cut each head once, the others whole, and measure how far the sentence's vector turns.

    Parameters
    ----------
    encoder : Encoder
        The one that reads.
    text : str
        What it reads, once whole and once for each head.
    kind : ZeroHead or UniformHead
        What "without this head" means: it hands over nothing, or it looks everywhere alike.

    Returns
    -------
    ``(n_layers, n_heads)``
        As ``turned`` measures it.

    Raises
    ------
    TypeError
        If kind is something else.

    Source: Michel, Levy and Neubig 2019, "Are Sixteen Heads Really Better than One?", section 3.

    Examples
    --------
    >>> from attention_lab.pretrained import load_encoder
    >>> lost = cut_each_head(load_encoder(), "The bank by the river was steep.")
    >>> lost.shape, round(float(lost.max()), 2)
    ((6, 12), 0.12)
    """
    if kind is not ZeroHead and kind is not UniformHead:
        raise TypeError(f"kind must be ZeroHead or UniformHead, not {getattr(kind, '__name__', kind)}.")
    whole = encoder.read(text)
    lost = np.zeros(whole.weights.shape[:2])
    for layer, head in np.ndindex(lost.shape):
        lost[layer, head] = turned(whole, encoder.read(text, cut=kind(layer, head)))
    return read_only(lost)
