"""From the arrays of a file, by BERT's names, to an encoder, by the names of this course."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from attention_lab.pretrained.encoder import Encoder, Layer
from attention_lab.pretrained.word_pieces import WordPieces
from attention_lab.shapes import FloatArray, ShapeError, finite_number, read_only

# What the formula of an encoder takes for granted, and what a config that is silent about it means.
_MEANT = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}
_SIZES = (
    "num_hidden_layers",
    "num_attention_heads",
    "hidden_size",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
)
_OLD_NAMES = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
Take = Callable[..., FloatArray]


def build_encoder(
    config: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], pieces: WordPieces, dtype: DTypeLike
) -> Encoder:
    """Put an encoder together.

    Parameters
    ----------
    config : mapping
        What ``config.json`` says.
    arrays : mapping from a name to an array
        Names as in ``model.safetensors``, with or without ``bert.`` in front. Arrays that attention does not need, such
        as the pooler's, are left aside.
    pieces : WordPieces
        As many as there are word embeddings.
    dtype : float32 or float64
        What the encoder computes in.

    Raises
    ------
    ValueError
        If the config names another kind of model, lacks a size or has an epsilon that is none, or if an array is
        missing, is there under two names or holds whole numbers.
    ShapeError
        If an array has another shape than the config says.
    """
    n_layers, n_heads, d_model, d_inner, n_positions, n_segments = _sizes(config)
    named = _by_plain_names(arrays)

    def take(name: str, *shape: int) -> FloatArray:
        if name not in named:
            raise ValueError(f"The weights lack the array {name}.")
        if named[name].dtype.kind != "f":
            raise ValueError(f"{name} holds {named[name].dtype}; weights are floating-point numbers.")
        if named[name].shape != shape:
            raise ShapeError(f"{name} has shape {named[name].shape}; by the config and vocabulary it must be {shape}.")
        return read_only(named[name].astype(dtype, copy=False))

    return Encoder(
        pieces,
        word_embeddings=take("embeddings.word_embeddings.weight", len(pieces), d_model),
        position_embeddings=take("embeddings.position_embeddings.weight", n_positions, d_model),
        segment_embedding=take("embeddings.token_type_embeddings.weight", n_segments, d_model)[0],
        gain=take("embeddings.LayerNorm.weight", d_model),
        shift=take("embeddings.LayerNorm.bias", d_model),
        layers=tuple(_layer(take, f"encoder.layer.{i}.", n_heads, d_model, d_inner) for i in range(n_layers)),
        epsilon=_epsilon(config),
    )


def _layer(take: Take, start: str, n_heads: int, d_model: int, d_inner: int) -> Layer:
    """Take the arrays of one layer. A file has them as ``x @ W.T``, and one matrix for all heads."""

    def take_turned(name: str, d_out: int, d_in: int) -> FloatArray:
        return read_only(np.ascontiguousarray(take(name, d_out, d_in).T))  # multiplies several times as fast as a view

    numbers: dict[str, FloatArray] = {}
    for letter, name in (("Q", "query"), ("K", "key"), ("V", "value")):
        matrix = take(f"{start}attention.self.{name}.weight", d_model, d_model)
        numbers[f"W_{letter}"] = matrix.reshape(n_heads, -1, d_model).swapaxes(1, 2)
        numbers[f"b_{letter}"] = take(f"{start}attention.self.{name}.bias", d_model).reshape(n_heads, 1, -1)
    return Layer(
        **numbers,
        W_O=take_turned(f"{start}attention.output.dense.weight", d_model, d_model).reshape(n_heads, -1, d_model),
        b_O=take(f"{start}attention.output.dense.bias", d_model),
        gain_1=take(f"{start}attention.output.LayerNorm.weight", d_model),
        shift_1=take(f"{start}attention.output.LayerNorm.bias", d_model),
        W_1=take_turned(f"{start}intermediate.dense.weight", d_inner, d_model),
        b_1=take(f"{start}intermediate.dense.bias", d_inner),
        W_2=take_turned(f"{start}output.dense.weight", d_model, d_inner),
        b_2=take(f"{start}output.dense.bias", d_model),
        gain_2=take(f"{start}output.LayerNorm.weight", d_model),
        shift_2=take(f"{start}output.LayerNorm.bias", d_model),
    )


def _sizes(config: Mapping[str, Any]) -> list[int]:
    for word, meant in _MEANT.items():
        if config.get(word, meant) != meant:
            raise ValueError(f"The config has {word} {json.dumps(config[word])}; only {json.dumps(meant)} can be read.")
    lacking = [word for word in _SIZES if type(config.get(word)) is not int or config[word] < 1]
    if lacking:
        raise ValueError(f"The config has no usable number for {', '.join(lacking)}.")
    if config["hidden_size"] % config["num_attention_heads"]:
        heads, width = config["num_attention_heads"], config["hidden_size"]
        raise ShapeError(f"The config has num_attention_heads {heads}, which does not divide hidden_size {width}.")
    return [config[word] for word in _SIZES]


def _epsilon(config: Mapping[str, Any]) -> float:
    epsilon = finite_number("layer_norm_eps in the config", config.get("layer_norm_eps", 1e-12))
    if epsilon < 0:
        raise ValueError(f"layer_norm_eps in the config must not be negative, but is {epsilon:g}.")
    return epsilon


def _by_plain_names(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    names: dict[str, str] = {}
    for name in arrays:
        other = names.setdefault(_plain_name(name), name)
        if other != name:
            raise ValueError(f"The weights hold one array twice, as {other} and as {name}.")
    return {plain: arrays[name] for plain, name in names.items()}


def _plain_name(name: str) -> str:
    name = name.removeprefix("bert.")
    for old, new in _OLD_NAMES.items():
        name = name.replace(old, new)
    return name
