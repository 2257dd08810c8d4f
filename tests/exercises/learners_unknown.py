"""Wrong answers that no mistake of the bank explains."""

import numpy as np

from tests.exercises.learners_table import learner, scores_of, softmax


def unknown(exercise, *functions):
    for function in functions:
        learner(exercise, "unknown")(function)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def dropped(weights):
    return weights * (np.random.default_rng(7).random(weights.shape) < 0.5) * 2


unknown(
    "attention",
    lambda q, k, v: softmax(np.tanh(q @ k.T)) @ v,
    lambda q, k, v: softmax(np.abs(scores_of(q, k))) @ v,
    lambda q, k, v: softmax(unit(q) @ unit(k).T) @ v,
    lambda q, k, v: (softmax(scores_of(q, k)) + 0.1) @ v,
    lambda q, k, v: np.sort(softmax(scores_of(q, k)), axis=-1) @ v,
    lambda q, k, v: dropped(softmax(scores_of(q, k))) @ v,
    lambda q, k, v: softmax(scores_of(q, k))[::-1] @ v,
    lambda q, k, v: softmax(scores_of(q, k)) @ v[::-1],
    lambda q, k, v: softmax(softmax(scores_of(q, k))) @ v,
    lambda q, k, v: softmax(-scores_of(q, k)) @ v,
    lambda q, k, v: 1 / (1 + np.exp(-scores_of(q, k))) @ v,
    lambda q, k, v: np.maximum(scores_of(q, k), 0) @ v,
    lambda q, k, v: softmax(q @ k.T / np.sqrt(v.shape[-1])) @ v,
    lambda q, k, v: softmax(-((q[:, None] - k[None]) ** 2).sum(-1)) @ v,
    lambda q, k, v: 2.0 ** scores_of(q, k) / (2.0 ** scores_of(q, k)).sum(-1, keepdims=True) @ v + 1e-3,
    lambda q, k, v: np.round(softmax(scores_of(q, k)), 1) @ v,
    lambda q, k, v: softmax(scores_of(q, k)) @ v + q.mean(),
    lambda q, k, v: np.zeros((len(q), v.shape[1])),
    lambda q, k, v: np.full((len(q), v.shape[1]), np.nan),
    lambda q, k, v: np.random.default_rng(1).normal(size=(len(q), v.shape[1])),
    lambda q, k, v: (softmax(scores_of(q, k)) @ v)[0],
    lambda q, k, v: softmax(scores_of(q, k) - np.eye(len(q), len(k))) @ v,
    lambda q, k, v: np.log(softmax(scores_of(q, k))) @ v,
    lambda q, k, v: softmax(scores_of(q - q.mean(0), k - k.mean(0))) @ v,
)
unknown(
    "masked-attention",
    lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1e-4)) @ v,
    lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1)) @ v,
    lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), 1e9)) @ v,
    lambda q, k, v, mask: softmax(scores_of(q, k) + 2 * mask) @ v,
    lambda q, k, v, mask: np.where(mask, softmax(scores_of(q, k)), -np.inf) @ v,
    lambda q, k, v, mask: np.where(mask, softmax(scores_of(q, k)), -1e9) @ v,
    lambda q, k, v, mask: np.where(mask, np.tanh(scores_of(q, k)), -1e9) @ v,
    lambda q, k, v, mask: softmax(np.where(np.roll(mask, 1, axis=1), scores_of(q, k), -np.inf)) @ v,
    lambda q, k, v, mask: softmax(np.where(np.tri(*mask.shape), scores_of(q, k), -np.inf)) @ v,
    lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1e9)) @ (v * mask.any(0)[:, None] + 0.01),
    lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), scores_of(q, k).min())) @ v,
)
unknown(
    "empty-softmax",
    lambda s, mask: np.where(mask, softmax(s), -np.inf),
    lambda s, mask: np.where(mask, softmax(s), -1e9),
    lambda s, mask: np.where(mask, np.exp(s), 1),
)
unknown(
    "causal-attention",
    lambda q, k, v: np.where(np.tri(len(q)), softmax(scores_of(q, k)), -np.inf) @ v,
    lambda q, k, v: np.where(np.tri(len(q)), np.tanh(scores_of(q, k)), -1e9) @ v,
)
unknown(
    "softmax",
    lambda s: np.sort(
        np.exp(s - s.max(-1, keepdims=True)) / np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True)
    ),
    lambda s: np.tanh(s),
    lambda s: (s == s.max(-1, keepdims=True)).astype(float),
    lambda s: softmax(-s),
    lambda s: softmax(s) + 0.01,
)
unknown("softmax-temperature", lambda s, t: softmax(s * t), lambda s, t: softmax(s) / t)
unknown(
    "attention-temperature",
    lambda q, k, v, t: softmax(scores_of(q, k) * t) @ v,
    lambda q, k, v, t: softmax(scores_of(q, k)) @ v / t,
)
unknown("scores", lambda q, k: unit(q) @ unit(k).T, lambda q, k: np.abs(q @ k.T) / np.sqrt(k.shape[-1]))
unknown(
    "causal-mask",
    lambda n: np.ones((n, n)),
    lambda n: np.eye(n),
    lambda n: np.fliplr(np.tri(n)),
    lambda n: np.where(np.tri(n), 0, -np.inf),
    lambda n: np.tri(n) * 2,
)
unknown(
    "padding-mask",
    lambda lengths, n: np.ones((len(lengths), 1, n)),
    lambda lengths, n: np.arange(n) == lengths[:, None, None],
)
unknown("window-mask", lambda n, w: np.tri(n, n, w - 1), lambda n, w: np.ones((n, n), bool))
unknown("split-heads", lambda x, n: x.reshape(len(x), n, -1), lambda x, n: np.array(np.split(x[::-1], n, axis=1)))
unknown("merge-heads", lambda heads: np.hstack(list(heads[::-1])), lambda heads: heads.max(0))
unknown("entropy", lambda w: (w**2).sum(-1), lambda w: w.max(-1), lambda w: np.log2((w > 0).sum(-1)))
unknown("blend", lambda w, x: np.sqrt(w) @ x, lambda w, x: w @ x + 1, lambda w, x: w[::-1] @ x)
unknown(
    "rows",
    lambda t: t / t.max(-1, keepdims=True),
    lambda t: np.exp(t) / np.exp(t).sum(-1, keepdims=True),
    lambda t: t - t.sum(-1, keepdims=True) + 1,
)


@learner("multi-head-attention", "unknown")
def puts_the_heads_in_another_order(x, W_Q, W_K, W_V, W_O):
    heads = [softmax(scores_of(x @ Q, x @ K)) @ (x @ V) for Q, K, V in zip(W_Q, W_K, W_V, strict=True)]
    return np.hstack(heads[::-1]) @ np.vstack(list(W_O))


@learner("causal-heads", "unknown")
def adds_the_words_back(x, W_Q, W_K, W_V, W_O):
    mask = np.tri(len(x), dtype=bool)
    heads = [
        softmax(np.where(mask, scores_of(x @ Q, x @ K), -np.inf)) @ (x @ V)
        for Q, K, V in zip(W_Q, W_K, W_V, strict=True)
    ]
    return x + np.hstack(heads) @ np.vstack(list(W_O))


@learner("cross-attention-padded", "unknown")
def shows_only_the_first_word(x, context, W_Q, W_K, W_V, mask):
    mask = np.arange(len(context)) == 0
    return softmax(np.where(mask, scores_of(x @ W_Q, context @ W_K), -1e9)) @ (context @ W_V)
