"""A small translator: each word of one sentence asks all the words of another one. It learns, in NumPy, by hand.

Every word, of either side, is looked up, gets the vector of its place, and goes through a perceptron by itself; no word
sees another of its own side. So all that the translation learns of the source goes through the cross-attention.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.attention import Attention, scaled_dot_product_attention
from attention_lab.masks import padding_mask
from attention_lab.shapes import FloatArray, IntArray, bind
from attention_lab.training import layers
from attention_lab.training.batch import check_symbols
from attention_lab.training.gradient import attention_gradient
from attention_lab.training.parameters import Parameters
from attention_lab.training.sizes import check_dtype, check_sizes

END = 1  # the number of the word that ends a translation; 0 is padding


class Pairs(NamedTuple):
    """Some sentences, and what they are in another language; both padded with 0.

    Parameters
    ----------
    source : ``(n_sentences, n_source)``
        Whole numbers: which word each is.
    lengths : ``(n_sentences,)``
        How many words of the source are there.
    target : ``(n_sentences, n_target)``
        The words of the translation.
    counted : ``(n_sentences, n_target)``
        1 where there is a word to find, 0 behind the end.
    """

    source: IntArray
    lengths: IntArray
    target: IntArray
    counted: FloatArray


class Side(NamedTuple):
    """What the backward pass needs of one side: its words, and what its perceptron kept."""

    tokens: IntArray
    mlp: layers.Hidden


class Kept(NamedTuple):
    """What the backward pass needs; q and `together` are ``(n_sentences, n_target, d_model)``."""

    asking: Side
    asked: Side
    y: FloatArray
    x: FloatArray
    q: FloatArray
    k: FloatArray
    v: FloatArray
    attention: Attention
    together: FloatArray


class Translator:
    """Guess each next word of a translation from the word before it, its place, and a look at the source.

    One head: ``q`` comes from the translation so far, ``k`` and ``v`` from the source, whose padding is hidden.

    Parameters
    ----------
    n_symbols, n_answers : int
        How many words the language of the source has, and that of the translation; number 0 is padding in both,
        and answer number 1 is the end.
    context : int
        The most words of a sentence, on either side.
    rng : np.random.Generator
        What it starts from.
    d_model : int
        How many numbers a word has.
    dtype : type
        float64 for checks, float32 for speed.

    Attributes
    ----------
    learned : Parameters
        All its arrays, with their gradients.

    Notes
    -----
    The cross-attention of "Attention Is All You Need" (Vaswani and others, 2017), section 3.2.3, with a learned vector
    for each place; without self-attention, layers and norms.

    Examples
    --------
    >>> model = Translator(5, 7, 4, np.random.default_rng(0), d_model=8)
    >>> pairs = Pairs(np.array([[1, 2, 0]]), np.array([2]), np.array([[3, 4]]), np.ones((1, 2)))
    >>> model.logits(pairs).shape, model.weights(pairs).shape
    ((1, 2, 7), (1, 2, 3))
    """

    def __init__(
        self,
        n_symbols: int,
        n_answers: int,
        context: int,
        rng: np.random.Generator,
        *,
        d_model: int = 48,
        dtype: type = np.float32,
    ) -> None:
        check_sizes(n_symbols=n_symbols, n_answers=n_answers, context=context, d_model=d_model)
        check_dtype(dtype)
        self.d_model, self.dtype = d_model, dtype
        self.learned = Parameters(_start(n_symbols, n_answers, context, d_model, rng), dtype)

    def __repr__(self) -> str:
        return f"Translator(1 head, d_model {self.d_model}, {len(self.learned):,} numbers)"

    def logits(self, pairs: Pairs) -> FloatArray:
        """Compute a number for each answer at each place of the translation, given the words before it."""
        return self._forward(pairs)[0].reshape(*pairs.target.shape, -1)

    def weights(self, pairs: Pairs) -> FloatArray:
        """Compute who looks at whom: ``(n_sentences, n_target, n_source)``; row i is asked for word i."""
        _, kept = self._forward(pairs)
        return kept.attention.weights

    def loss(self, pairs: Pairs) -> float:
        """Compute the mean of -log p(word) over what counts, in nats."""
        return layers.cross_entropy(self._forward(pairs)[0], *self._asked(pairs))[0]

    def loss_and_gradient(self, pairs: Pairs) -> float:
        """Compute the loss, and write its gradient into ``learned.flat_gradient``."""
        logits, kept = self._forward(pairs)
        loss, d_logits = layers.cross_entropy(logits, *self._asked(pairs))
        self._backward(d_logits, kept)
        return loss

    def translate(self, source: ArrayLike, lengths: ArrayLike) -> IntArray:
        """Write translations, each word the likeliest after those before it: ``(n_sentences, context)``.

        Behind its first end a translation is padded with 0; one that finds no end fills its row.
        """
        source, lengths = np.asarray(source), np.asarray(lengths)
        written = np.zeros((len(source), len(self.learned["target.position"])), int)
        for place in range(written.shape[1]):
            written[:, place] = self.logits(Pairs(source, lengths, written, written))[:, place].argmax(axis=-1)
        ends = written == END
        written[ends.cumsum(axis=1) > ends] = 0  # it never learned what to write there
        return written

    def _asked(self, pairs: Pairs) -> tuple[IntArray, FloatArray]:
        return pairs.target.reshape(-1), pairs.counted.reshape(-1).astype(self.dtype)

    def _forward(self, pairs: Pairs) -> tuple[FloatArray, Kept]:
        """Return the logits, a row for each word of the translations, and what the backward pass needs."""
        _check_pairs(pairs)
        p = self.learned
        x, asked = self._read("source", pairs.source)
        before = np.zeros_like(pairs.target)
        before[..., 1:] = pairs.target[..., :-1]  # what is there when a word is guessed; nothing before the first
        y, asking = self._read("target", before)
        q, k, v = y @ p["W_Q"], x @ p["W_K"], x @ p["W_V"]
        mask = padding_mask(pairs.lengths, pairs.source.shape[1])
        attention = scaled_dot_product_attention(q, k, v, mask=mask)
        together = y + attention.output @ p["W_O"]
        return layers.rows(together) @ p["W_out"], Kept(asking, asked, y, x, q, k, v, attention, together)

    def _backward(self, d_logits: FloatArray, kept: Kept) -> None:
        """Walk the same way back, and write every gradient."""
        p = self.learned
        np.matmul(layers.rows(kept.together).T, d_logits, out=p.gradient("W_out"))
        d_y = (d_logits @ p["W_out"].T).reshape(kept.y.shape)
        np.matmul(layers.rows(kept.attention.output).T, layers.rows(d_y), out=p.gradient("W_O"))
        mask = kept.attention.mask
        d_q, d_k, d_v = attention_gradient(kept.q, kept.k, kept.v, d_y @ p["W_O"].T, mask=mask)
        for name, input_, d in (("W_Q", kept.y, d_q), ("W_K", kept.x, d_k), ("W_V", kept.x, d_v)):
            np.matmul(layers.rows(input_).T, layers.rows(d), out=p.gradient(name))
        self._read_back("target", d_y + d_q @ p["W_Q"].T, kept.asking)
        self._read_back("source", d_k @ p["W_K"].T + d_v @ p["W_V"].T, kept.asked)

    def _read(self, side: str, tokens: IntArray) -> tuple[FloatArray, Side]:
        """Look up words and their places, and let each go through the perceptron of its side by itself."""
        p = self.learned
        n_words, most = len(p[f"{side}.embedding"]), len(p[f"{side}.position"])
        if tokens.ndim != 2 or not 0 < tokens.shape[1] <= most:
            raise ValueError(f"{side} is (n_sentences, 1 to {most} words), not {tokens.shape}.")
        check_symbols(f"{side} holds", tokens, n_words)
        x = layers.rows(p[f"{side}.embedding"][tokens] + p[f"{side}.position"][: tokens.shape[1]])
        thought, mlp = layers.perceptron(x, *(p[f"{side}.{name}"] for name in layers.PERCEPTRON))
        return (x + thought).reshape(*tokens.shape, self.d_model), Side(tokens, mlp)

    def _read_back(self, side: str, d_x: FloatArray, kept: Side) -> None:
        """Write the gradients of one side."""
        p = self.learned
        d_rows = layers.rows(d_x)
        into = tuple(p.gradient(f"{side}.{name}") for name in layers.PERCEPTRON)
        d_rows = d_rows + layers.perceptron_back(d_rows, kept.mlp, p[f"{side}.W_1"], p[f"{side}.W_2"], into)
        position = p.gradient(f"{side}.position")
        position[...] = 0
        position[: kept.tokens.shape[1]] = d_rows.reshape(d_x.shape).sum(axis=0)
        layers.embedding_back(d_rows, kept.tokens, p.gradient(f"{side}.embedding"))


def _check_pairs(pairs: object) -> None:
    """Refuse what are no pairs, or whose arrays have different sizes."""
    if not isinstance(pairs, Pairs):
        kind = type(pairs).__name__
        raise TypeError(f"a Translator learns from Pairs, such as tasks.translation().draw gives, not from {kind}.")
    source, lengths, target, counted = map(np.shape, pairs)
    if not source[:1] == lengths == target[:1] or target != counted:
        axes = ("n_sentences n_source", "n_sentences", "n_sentences n_target", "n_sentences n_target")
        bind(**{name: (array, words) for (name, array), words in zip(pairs._asdict().items(), axes, strict=True)})


def _start(n_symbols: int, n_answers: int, context: int, d: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Draw every array as it is before training: products keep the size of what they are given."""

    def drawn(*shape: int, size: float) -> FloatArray:
        return size * rng.standard_normal(shape)

    start = {}
    for side, n in (("source", n_symbols), ("target", n_answers)):
        start[f"{side}.embedding"] = drawn(n, d, size=0.1)
        start[f"{side}.position"] = drawn(context, d, size=0.1)
        start[f"{side}.W_1"], start[f"{side}.b_1"] = drawn(d, 2 * d, size=(2 / d) ** 0.5), np.zeros(2 * d)
        start[f"{side}.W_2"], start[f"{side}.b_2"] = drawn(2 * d, d, size=(2 * d) ** -0.5), np.zeros(d)
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        start[name] = drawn(d, d, size=d**-0.5)
    start["W_out"] = drawn(d, n_answers, size=d**-0.5)
    return start
