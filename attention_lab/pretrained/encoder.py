"""An encoder in the style of BERT: word pieces in, every step of every head out.

Source: Devlin and others 2018, "BERT"; Vaswani and others 2017, "Attention Is All You Need", section 3. Each layer adds
what its heads wrote to the words, norms them, adds what a small network made of each word by itself, and norms again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from attention_lab.attention import Attention, scaled_dot_product_attention
from attention_lab.pretrained.cuts import Cut, check_cuts, cut_weights
from attention_lab.pretrained.layers import gelu, layer_norm
from attention_lab.pretrained.reading import Reading
from attention_lab.pretrained.word_pieces import WordPieces
from attention_lab.shapes import FloatArray, read_only


@dataclass(frozen=True, eq=False, repr=False)
class Layer:
    """The learned numbers of one layer; matrices stand to the right of the words, as in ``x @ W_Q``.

    Attributes
    ----------
    W_Q, W_K, W_V : ``(n_heads, d_model, d_k)``
        And their biases ``b_Q``, ``b_K``, ``b_V``, ``(n_heads, 1, d_k)``.
    W_O : ``(n_heads, d_v, d_model)``
        And its bias ``b_O``, ``(d_model,)``.
    W_1, W_2 : ``(d_model, d_inner)`` and ``(d_inner, d_model)``
        The small network; biases ``b_1`` and ``b_2``.
    gain_1, shift_1, gain_2, shift_2 : ``(d_model,)``
        Of the layer norm after the heads, and of the one after the small network.
    """

    W_Q: FloatArray
    b_Q: FloatArray
    W_K: FloatArray
    b_K: FloatArray
    W_V: FloatArray
    b_V: FloatArray
    W_O: FloatArray
    b_O: FloatArray
    gain_1: FloatArray
    shift_1: FloatArray
    W_1: FloatArray
    b_1: FloatArray
    W_2: FloatArray
    b_2: FloatArray
    gain_2: FloatArray
    shift_2: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Encoder:
    """A trained encoder; ``load_encoder`` makes one.

    Attributes
    ----------
    pieces : WordPieces
        What it cuts a text into.
    word_embeddings : ``(n_pieces, d_model)``
        One vector for each piece.
    position_embeddings : ``(n_positions, d_model)``
        One for each position, added to it; a text may have as many pieces.
    segment_embedding : ``(d_model,)``
        Added to every word: the first of the two that BERT has for pairs of texts.
    gain, shift : ``(d_model,)``
        Of the layer norm before the first layer.
    layers : tuple of Layer
        In order.
    epsilon : float
        Keeps layer norm from dividing by 0.
    """

    pieces: WordPieces
    word_embeddings: FloatArray
    position_embeddings: FloatArray
    segment_embedding: FloatArray
    gain: FloatArray
    shift: FloatArray
    layers: tuple[Layer, ...]
    epsilon: float

    def __repr__(self) -> str:
        n_heads, d_model, d_k = self.layers[0].W_Q.shape
        return (
            f"Encoder({len(self.layers)} layers, {n_heads} heads, d_model {d_model}, d_k {d_k}, "
            f"{len(self.pieces)} word pieces, {len(self.position_embeddings)} positions)"
        )

    def read(self, text: str, *, cut: Iterable[Cut] | Cut = (), scale: float | None = None) -> Reading:
        """Read a text, and keep every step of every head.

        Formula, for each layer: ``y = layer_norm(x + sum over heads of softmax(scale q @ k.T) @ v @ W_O + b_O)``, then
        ``x = layer_norm(y + gelu(y @ W_1 + b_1) @ W_2 + b_2)``.

        Parameters
        ----------
        text : str
            One text, read at once: every word may look at every other.
        cut : ZeroHead, UniformHead or CutEntry, or several of them
            What heads may no longer do. Later layers are computed from what is left.
        scale : float, optional
            ``1 / sqrt(d_k)`` unless it is given; ``1.0`` leaves the root out.

        Returns
        -------
        Reading
            In the number type of the encoder.

        Raises
        ------
        TypeError
            If the text is not a str, or a cut is not a cut.
        ValueError
            If the text has more pieces than the encoder has positions, or a cut names what is not there.

        Examples
        --------
        >>> from attention_lab.pretrained import ZeroHead, load_encoder
        >>> encoder = load_encoder()
        >>> reading = encoder.read("The bank by the river was steep.")
        >>> bank, river = reading.at("bank"), reading.at("river")
        >>> round(float(reading.weights[0, 4, bank, river]), 2)  # layer 1 head 5, as the lessons count
        0.72
        >>> cut = encoder.read("The bank by the river was steep.", cut=ZeroHead(layer=0, head=4))
        >>> float(cut.weights[0, 4, bank, river])
        0.0
        """
        tokens = tuple(self.pieces.tokens(text))
        n_tokens, n_positions = len(tokens), len(self.position_embeddings)
        if n_tokens > n_positions:
            raise ValueError(
                f"The text has {n_tokens} word pieces, with [CLS] and [SEP]; this encoder reads at most {n_positions}."
            )
        cuts = check_cuts(cut, len(self.layers), len(self.layers[0].W_Q), n_tokens)
        x = self._embed(tokens)
        after, steps = [x], []
        for i, layer in enumerate(self.layers):
            x, kept = self._layer(x, layer, [cut for cut in cuts if cut.layer == i], scale)
            after.append(x)
            steps.append(kept)
        q, k, v, scores, weights, head_outputs, hidden = (
            read_only(np.stack(arrays)) for arrays in (*zip(*steps, strict=True), after)
        )
        return Reading(text, tokens, q, k, v, scores, weights, head_outputs, hidden)

    def _embed(self, tokens: tuple[str, ...]) -> FloatArray:
        ids = self.pieces.ids(tokens)
        x = self.word_embeddings[ids] + self.position_embeddings[: len(ids)] + self.segment_embedding
        return layer_norm(x, self.gain, self.shift, self.epsilon)

    def _layer(
        self, x: FloatArray, layer: Layer, cuts: list[Cut], scale: float | None
    ) -> tuple[FloatArray, tuple[FloatArray, ...]]:
        """Compute the words after a layer, and what a reading keeps of it."""
        q, k, v = x @ layer.W_Q + layer.b_Q, x @ layer.W_K + layer.b_K, x @ layer.W_V + layer.b_V
        attention = scaled_dot_product_attention(q, k, v, scale=scale)
        if cuts:
            weights = cut_weights(attention.weights, cuts)
            attention = Attention(attention.scores, weights, weights @ v)
        written = (attention.output @ layer.W_O).sum(axis=0) + layer.b_O
        y = layer_norm(x + written, layer.gain_1, layer.shift_1, self.epsilon)
        thought = gelu(y @ layer.W_1 + layer.b_1) @ layer.W_2 + layer.b_2
        x = layer_norm(y + thought, layer.gain_2, layer.shift_2, self.epsilon)
        return x, (q, k, v, attention.scores, attention.weights, attention.output)
