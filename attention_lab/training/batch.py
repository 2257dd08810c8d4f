"""What a model is trained on: sentences, what comes after each token, and what counts."""

from typing import NamedTuple

from attention_lab.shapes import FloatArray, IntArray


class Batch(NamedTuple):
    """Some sentences of the same length.

    Parameters
    ----------
    tokens : ``(n_sentences, n_tokens)``
        Whole numbers: which symbol each is.
    targets : ``(n_sentences, n_tokens)``
        Which answer is right after each token.
    counted : ``(n_sentences, n_tokens)``
        1 where the answer counts, 0 where nothing is asked.
    """

    tokens: IntArray
    targets: IntArray
    counted: FloatArray
