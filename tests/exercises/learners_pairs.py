"""Two mistakes in one function."""

import numpy as np

from tests.exercises.learners_table import learner, learners, softmax


def root(k):
    return np.sqrt(k.shape[-1])


learners(
    "scores",
    (("scale-missing", "queries-keys-swapped"), lambda q, k: k @ q.T),
    (("scale-by-d_k", "queries-keys-swapped"), lambda q, k: k @ q.T / len(q[0])),
    (("scale-missing", "keys-not-transposed"), lambda q, k: np.dot(q, k)),
    (("scale-fixed", "queries-keys-swapped"), lambda q, k: k @ q.T / 1.414),
)
learners(
    "attention",
    (("scale-missing", "softmax-over-queries"), lambda q, k, v: softmax(q @ k.T, 0) @ v),
    (("scale-missing", "softmax-missing"), lambda q, k, v: q @ k.T @ v),
    (("scale-missing", "values-replaced"), lambda q, k, v: softmax(q @ k.T) @ k),
    (("scale-missing", "blend-missing"), lambda q, k, v: softmax(q @ k.T)),
    (("scale-by-d_k", "sum-missing"), lambda q, k, v: np.exp(q @ k.T / k.shape[1]) @ v),
    (("scale-by-n_keys", "softmax-over-everything"), lambda q, k, v: softmax(q @ k.T / np.sqrt(len(k)), None) @ v),
    (("scale-multiplied", "softmax-over-queries"), lambda q, k, v: softmax(q @ k.T * root(k), 0) @ v),
    (("exp-missing", "blend-missing"), lambda q, k, v: q @ k.T / (q @ k.T).sum(axis=1, keepdims=True)),
    (("scale-fixed", "softmax-over-queries"), lambda q, k, v: softmax(q @ k.T / np.sqrt(2), 0) @ v),
    (("scale-fixed", "values-replaced"), lambda q, k, v: softmax(q @ k.T / 8) @ k),
)
learners(
    "masked-attention",
    (("mask-missing", "scale-missing"), lambda q, k, v, mask: softmax(q @ k.T) @ v),
    (("mask-after-softmax", "scale-missing"), lambda q, k, v, mask: (softmax(q @ k.T) * mask) @ v),
    (("mask-inverted", "scale-by-d_k"), lambda q, k, v, m: softmax(np.where(m, -1e9, q @ k.T / len(q[0]))) @ v),
    (("mask-inverted", "scale-missing"), lambda q, k, v, m: softmax(np.where(m, -np.inf, q @ k.T)) @ v),
    (("mask-zeroes-scores", "scale-missing"), lambda q, k, v, mask: softmax(q @ k.T * mask) @ v),
    (("mask-added-as-numbers", "scale-missing"), lambda q, k, v, mask: softmax(q @ k.T + mask) @ v),
    (("mask-zeroes-scores", "scale-fixed"), lambda q, k, v, mask: softmax(q @ k.T * mask / 8) @ v),
    (("mask-inverted", "values-replaced"), lambda q, k, v, m: softmax(q @ k.T / root(k) + m * -1e9) @ k),
    (("mask-missing", "softmax-over-queries"), lambda q, k, v, mask: softmax(q @ k.T / root(k), 0) @ v),
)
learners(
    "causal-attention",
    (("mask-transposed", "scale-missing"), lambda q, k, v: softmax(np.where(np.tri(len(q)).T, q @ k.T, -1e9)) @ v),
    (
        ("mask-one-too-far", "scale-by-d_k"),
        lambda q, k, v: softmax(q @ k.T / len(k.T) - 1e9 * (np.tri(len(q), k=1) == 0)) @ v,
    ),
    (("mask-after-softmax", "scale-fixed"), lambda q, k, v: np.tril(softmax(q @ k.T / 1.41)) @ v),
)


@learner("causal-attention", "mask-excludes-self", "scale-missing")
def triu_without_k_and_no_scale(q, k, v):
    scores = q @ k.T
    scores[np.triu_indices(len(scores))] = -1e9
    return softmax(scores) @ v


@learner("causal-attention", "mask-transposed", "mask-after-softmax")
def triu_on_the_weights(q, k, v):
    return np.triu(softmax(q @ k.T / root(k))) @ v


learners(
    "cross-attention",
    (("context-ignored", "scale-missing"), lambda x, c, Q, K, V: softmax(x @ Q @ (x @ K).T) @ (x @ V)),
    (("values-from-the-asker", "scale-by-d_k"), lambda x, c, Q, K, V: softmax(x @ Q @ (c @ K).T / len(Q[0])) @ (x @ V)),
    (("sides-swapped", "scale-by-d_model"), lambda x, c, Q, K, V: softmax(c @ Q @ (x @ K).T / len(Q) ** 0.5) @ (x @ V)),
    (("projection-missing", "scale-missing"), lambda x, c, Q, K, V: softmax(x @ Q @ (c @ K).T) @ c),
)
learners(
    "cross-attention-padded",
    (("mask-missing", "scale-missing"), lambda x, c, Q, K, V, m: softmax(x @ Q @ (c @ K).T) @ (c @ V)),
    (
        ("mask-inverted", "scale-by-d_model"),
        lambda x, c, Q, K, V, m: softmax(x @ Q @ (c @ K).T / len(Q) ** 0.5 - 1e9 * m) @ (c @ V),
    ),
)


def heads_with(scale, axis=-1):
    def heads(x, Q, K, V):
        q, k, v = x @ Q, x @ K, x @ V
        return softmax(q @ k.swapaxes(-1, -2) / scale(x, k), axis) @ v

    return heads


unscaled, by_d_model = heads_with(lambda x, k: 1), heads_with(lambda x, k: np.sqrt(x.shape[-1]))
over_heads = heads_with(lambda x, k: 1, 0)
learners(
    "multi-head-attention",
    (
        ("scale-missing", "merge-reshaped"),
        lambda x, Q, K, V, W: unscaled(x, Q, K, V).reshape(len(x), -1) @ np.vstack(list(W)),
    ),
    (("scale-missing", "heads-averaged"), lambda x, Q, K, V, W: (unscaled(x, Q, K, V) @ W).mean(0)),
    (("scale-missing", "projection-missing"), lambda x, Q, K, V, W: np.hstack(list(unscaled(x, Q, K, V)))),
    (
        ("scale-by-d_model", "merge-reshaped"),
        lambda x, Q, K, V, W: by_d_model(x, Q, K, V).reshape(len(x), -1) @ np.vstack(list(W)),
    ),
    (("scale-by-d_model", "heads-added"), lambda x, Q, K, V, W: by_d_model(x, Q, K, V).sum(0) @ W.sum(0)),
    (("scale-missing", "softmax-over-heads"), lambda x, Q, K, V, W: (over_heads(x, Q, K, V) @ W).sum(0)),
    (
        ("projection-missing", "heads-averaged"),
        lambda x, Q, K, V, W: heads_with(lambda x, k: root(k))(x, Q, K, V).mean(0),
    ),
    (("projection-missing", "heads-added"), lambda x, Q, K, V, W: heads_with(lambda x, k: root(k))(x, Q, K, V).sum(0)),
    (
        ("projection-missing", "merge-reshaped"),
        lambda x, Q, K, V, W: heads_with(lambda x, k: root(k))(x, Q, K, V).reshape(len(x), -1),
    ),
)


@learner("causal-heads", "mask-missing", "merge-reshaped")
def forgets_the_mask_and_the_transpose(x, W_Q, W_K, W_V, W_O):
    heads = heads_with(lambda x, k: root(k))(x, W_Q, W_K, W_V)
    return heads.reshape(len(x), -1) @ W_O.reshape(-1, W_O.shape[-1])


@learner("causal-heads", "mask-after-softmax", "heads-averaged")
def hides_late_and_averages(x, W_Q, W_K, W_V, W_O):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    weights = np.tril(softmax(np.einsum("hid,hjd->hij", q, k) / root(k)))
    return (weights @ v @ W_O).mean(axis=0)


@learner("attention", "scale-missing", "inputs-changed")
def writes_into_its_inputs(q, k, v):
    q *= 2
    return softmax((q / 2) @ k.T) @ v


@learner("attention", "inputs-changed")
def scales_in_place(q, k, v):
    q /= np.sqrt(q.shape[-1])
    return softmax(q @ k.T) @ v


@learner("masked-attention", "inputs-changed")
def turns_the_mask_round_in_place(q, k, v, mask):
    np.logical_not(mask, out=mask)
    scores = q @ k.T / root(k)
    scores[mask] = -np.inf
    return softmax(scores) @ v


learners(
    "empty-softmax",
    (
        ("softmax-over-queries", "nan-row"),
        lambda s, mask: softmax(np.where(mask, s, -np.inf), 0) + 0 * np.log(mask.any(1))[:, None],
    ),
    (("mask-inverted", "empty-row-uniform"), lambda s, mask: softmax(np.where(mask, -1e9, s))),
)
learners(
    "empty-rows",
    (
        ("mask-inverted", "empty-row-uniform"),
        lambda q, k, v, mask: softmax(np.where(mask, -1e9, q @ k.T / root(k))) @ v,
    ),
    (("mask-zeroes-scores", "empty-row-uniform"), lambda q, k, v, mask: softmax(q @ k.T / root(k) * mask) @ v),
    (("scale-missing", "empty-row-uniform"), lambda q, k, v, m: softmax(np.where(m, q @ k.T, -1e9)) @ v),
    (("scale-missing", "nan-row"), lambda q, k, v, m: softmax(np.where(m, q @ k.T, -np.inf)) @ v),
)
