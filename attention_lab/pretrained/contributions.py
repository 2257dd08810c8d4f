"""How much each word really adds to another: a weight says how often, a contribution how much."""

import numpy as np

from attention_lab.pretrained.encoder import Encoder
from attention_lab.pretrained.reading import Reading
from attention_lab.shapes import FloatArray, read_only


def contributions(encoder: Encoder, reading: Reading) -> FloatArray:
    """Measure how long the vector is that each word hands to each other one, through every head.

    Formula: ``| weights[i, j] * v[j] @ W_O |``. A large weight on a short ``v[j] @ W_O`` adds little. Source: Kobayashi
    and others 2020, "Attention is Not Only a Weight", section 3; here without the bias of W_O, which is nobody's.

    Parameters
    ----------
    encoder : Encoder
        The one that read.
    reading : Reading
        What it read.

    Returns
    -------
    ``(n_layers, n_heads, n_tokens, n_tokens)``
        Lengths, not shares. To compare with weights, add up heads first and divide by the sum along the keys then.

    Examples
    --------
    >>> from attention_lab.pretrained import load_encoder
    >>> encoder = load_encoder()
    >>> reading = encoder.read("The bank by the river was steep.")
    >>> bank, river = reading.at("bank"), reading.at("river")
    >>> for name, arrays in (("weights", reading.weights), ("contributions", contributions(encoder, reading))):
    ...     of_bank = arrays[:, :, bank].sum(axis=(0, 1))  # over all layers and heads
    ...     to_start, to_river = (of_bank / of_bank.sum())[[0, river]]
    ...     print(f"{name}: {to_start:.0%} from [CLS], {to_river:.0%} from river")
    weights: 65% from [CLS], 5% from river
    contributions: 10% from [CLS], 17% from river
    """
    written = [np.linalg.norm(v @ layer.W_O, axis=-1) for v, layer in zip(reading.v, encoder.layers, strict=True)]
    return read_only(reading.weights * np.stack(written)[:, :, None, :])
