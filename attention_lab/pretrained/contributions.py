"""How much each word really adds to another: a weight says how often, a contribution how much."""

import numpy as np

from attention_lab.pretrained.encoder import Encoder
from attention_lab.pretrained.reading import Reading
from attention_lab.shapes import FloatArray, bind, read_only


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

    Raises
    ------
    ShapeError
        If the encoder has another number of layers or heads, or another ``d_k``, than the one that read.

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
    W_O = np.stack([layer.W_O for layer in encoder.layers])
    bind(W_O=(W_O, "n_layers n_heads d_k d_model"), v=(reading.v, "n_layers n_heads n_tokens d_k"))
    return read_only(reading.weights * np.linalg.norm(reading.v @ W_O, axis=-1)[:, :, None, :])
