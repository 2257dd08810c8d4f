"""What a head does, as a number: how much its queries look where somebody with a certain role would."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lab.shapes import BoolArray, FloatArray, ShapeError, as_floats, bind, check_weights, rectangular


def role_score(weights: ArrayLike, target: ArrayLike) -> FloatArray:
    """Measure how much each head looks where it should: 1 if it looks nowhere else, 0 if never there.

    Formula: ``score[h] = mean over the queries i that are asked of: sum over j in target(i) of weights[h, i, j]``.

    Parameters
    ----------
    weights : ``(..., n_heads, n_queries, n_keys)``
        Attention weights, such as one layer's of a batch of sentences.
    target : whole numbers, ``(..., n_queries)``, or bool array, ``(..., n_queries, n_keys)``
        The key that each query should look at, -1 where none is asked for; or True for each key that counts, and
        nothing in a row that is not asked. No axis for heads: every head is held to the same. Leading axes, such as
        sentences, broadcast.

    Returns
    -------
    ``(..., n_heads)``
        A score for each head; NaN where no query is asked.

    Raises
    ------
    ShapeError
        If the target does not fit the weights.
    TypeError
        If the target holds neither whole numbers nor booleans.
    ValueError
        If a weight is below 0 or above 1, or a number in the target is no key's.

    Source: Clark et al. 2019, "What Does BERT Look At?", sections 3.1 and 4.2; Voita et al. 2019, "Analyzing Multi-Head
    Self-Attention", section 5.

    Examples
    --------
    Two heads over three words; the last word should look at the first one:

    >>> weights = [[[1, 0, 0], [1, 0, 0], [0.75, 0.25, 0]], [[0, 1, 0], [0, 0, 1], [0, 0.5, 0.5]]]
    >>> role_score(weights, [-1, -1, 0])
    array([0.75, 0.  ])
    """
    (weights,), answer_in = as_floats(weights=weights)
    bind(weights=(weights, "... n_heads n_queries n_keys"))
    check_weights(weights)
    asked = _asked_keys(weights, target)
    with np.errstate(all="ignore"):
        found = np.where(asked, weights, 0).sum(axis=-1)
        n_asked = asked.any(axis=-1).sum(axis=-1)
        scores = np.where(n_asked > 0, found.sum(axis=-1) / np.maximum(n_asked, 1), np.nan)
    return np.asarray(scores, dtype=answer_in)


def head_roles(weights: ArrayLike, tokens: ArrayLike | None = None) -> dict[str, FloatArray]:
    """Score each head for the roles that need no grammar: the word before, the one after, itself, the first, the same.

    Formula: ``role_score`` with the key i - 1, i + 1, i, 0, or every other key with the token of query i.

    Parameters
    ----------
    weights : ``(..., n_heads, n_tokens, n_tokens)``
        Attention weights of self-attention.
    tokens : words or whole numbers, ``(..., n_tokens)``, optional
        The sentence. Without it, nothing is said about the same word.

    Returns
    -------
    dict of ``(..., n_heads)``
        By role. The first word is not asked for its previous word, nor the last for its next, nor the first for the
        first; a word that stands there once is not asked for the same. NaN where no word is asked.

    Raises
    ------
    ShapeError
        If the maps are not square, or the tokens do not fit them.
    TypeError, ValueError
        As ``role_score``.

    Source: as ``role_score``.

    Examples
    --------
    A head that looks at the word before, and one that looks evenly:

    >>> weights = [[[1, 0, 0], [1, 0, 0], [0, 1, 0]], [[0.25, 0.5, 0.25]] * 3]
    >>> head_roles(weights, ["the", "bank", "the"])["previous word"]
    array([1.   , 0.375])
    """
    (numbers,), _ = as_floats(weights=weights)
    sizes = bind(weights=(numbers, "... n_heads n_queries n_keys"))
    n = sizes["n_keys"]
    if sizes["n_queries"] != n:
        raise ShapeError(f"weights has n_queries = {sizes['n_queries']}, but n_keys = {n}: roles need square maps.")
    places = np.arange(n)
    targets: dict[str, ArrayLike] = {
        "previous word": places - 1,
        "next word": np.where(places < n - 1, places + 1, -1),
        "itself": places,
        "first word": np.where(places > 0, 0, -1),
    }
    if tokens is not None:
        words = rectangular("tokens", tokens)
        bind(weights=(numbers, "... n_heads n_tokens n_keys"), tokens=(words, "... n_tokens"))
        targets["same word"] = (words[..., :, None] == words[..., None, :]) & ~np.eye(n, dtype=bool)
    return {role: role_score(weights, target) for role, target in targets.items()}


def _asked_keys(weights: FloatArray, target: ArrayLike) -> BoolArray:
    """Turn a target into True for each key that counts, with an axis for the heads."""
    keys, axes = rectangular("target", target), "... n_heads n_queries n_keys"
    if keys.dtype == np.bool_:
        bind(weights=(weights, axes), target=(keys, "... n_queries n_keys"))
        return keys[..., None, :, :]
    if keys.dtype.kind not in "iu":
        raise TypeError(f"target holds {keys.dtype}: it must hold the key of each query, or True for each that counts.")
    bind(weights=(weights, axes), target=(keys, "... n_queries"))
    n_keys = weights.shape[-1]
    wrong = keys[(keys < -1) | (keys >= n_keys)]
    if wrong.size:
        raise ValueError(f"target names key {wrong[0]}, but there are n_keys = {n_keys}, counted from 0.")
    asked: BoolArray = keys[..., None, :, None] == np.arange(n_keys)
    return asked
