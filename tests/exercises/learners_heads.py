"""Heads cut, joined and projected, as learners write them."""

import numpy as np

from tests.exercises.learners_table import learner, learners, softmax

learners(
    "split-heads",
    ("heads-reshaped", lambda x, n: x.reshape(n, x.shape[0], x.shape[1] // n)),
    ("heads-reshaped", lambda x, n: x.reshape(n, len(x), -1)),
    ("heads-reshaped", lambda x, n: np.array(np.split(x.ravel(), n)).reshape(n, len(x), -1)),
    ("heads-interleaved", lambda x, n: np.array([x[:, h::n] for h in range(n)])),
    ("heads-interleaved", lambda x, n: x.reshape(len(x), -1, n).transpose(2, 0, 1)),
    ("heads-interleaved", lambda x, n: np.moveaxis(x.reshape(len(x), x.shape[1] // n, n), -1, 0)),
)
learners(
    "split-batch",
    ("heads-reshaped", lambda x, n: x.reshape(x.shape[0], n, x.shape[1], -1)),
    ("heads-reshaped", lambda x, n: np.array([one.reshape(n, len(one), -1) for one in x])),
    ("heads-interleaved", lambda x, n: x.reshape(*x.shape[:2], -1, n).transpose(0, 3, 1, 2)),
    ("heads-interleaved", lambda x, n: np.stack([x[..., h::n] for h in range(n)], axis=1)),
)
learners(
    "merge-heads",
    ("merge-reshaped", lambda heads: heads.reshape(heads.shape[1], -1)),
    ("merge-reshaped", lambda heads: heads.ravel().reshape(heads.shape[1], heads.shape[0] * heads.shape[2])),
    ("heads-averaged", lambda heads: heads.mean(axis=0)),
    ("heads-averaged", lambda heads: sum(heads) / len(heads)),
    ("heads-added", lambda heads: heads.sum(0)),
    ("heads-added", lambda heads: np.einsum("hnd->nd", heads)),
    ("heads-interleaved", lambda heads: heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)),
    ("heads-interleaved", lambda heads: np.stack(list(heads), axis=-1).reshape(heads.shape[1], -1)),
)
learners(
    "merge-batch",
    ("merge-reshaped", lambda heads: heads.reshape(len(heads), heads.shape[2], -1)),
    ("heads-averaged", lambda heads: np.mean(heads, axis=1)),
    ("heads-added", lambda heads: np.sum(heads, axis=1)),
    ("heads-interleaved", lambda heads: np.moveaxis(heads, 1, -1).reshape(len(heads), heads.shape[2], -1)),
)


def each_head(x, W_Q, W_K, W_V):
    """What each head found, as most learners write it who have read that NumPy's products stack."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(k.shape[-1])
    return softmax(scores) @ v


def flat(W_O):
    return np.concatenate(W_O)


def one_by_one(heads, W_O):
    return sum(head @ W for head, W in zip(heads, W_O, strict=True))


MHA = "multi-head-attention"
learners(
    MHA,
    ("merge-reshaped", lambda x, Q, K, V, W_O: each_head(x, Q, K, V).reshape(len(x), -1) @ flat(W_O)),
    ("heads-averaged", lambda x, Q, K, V, W_O: one_by_one(each_head(x, Q, K, V), W_O) / len(Q)),
    ("heads-averaged", lambda x, Q, K, V, W_O: np.mean(each_head(x, Q, K, V) @ W_O, axis=0)),
    ("heads-averaged", lambda x, Q, K, V, W_O: each_head(x, Q, K, V).mean(0) @ W_O.mean(0)),
    ("heads-averaged", lambda x, Q, K, V, W_O: each_head(x, Q, K, V).mean(0) @ W_O.sum(0)),
    ("heads-averaged", lambda x, Q, K, V, W_O: (each_head(x, Q, K, V).mean(0) @ W_O).sum(0)),
    ("heads-added", lambda x, Q, K, V, W_O: each_head(x, Q, K, V).sum(0) @ W_O.sum(0)),
    ("heads-added", lambda x, Q, K, V, W_O: sum(each_head(x, Q, K, V).sum(0) @ W for W in W_O)),
    ("projection-missing", lambda x, Q, K, V, W_O: np.concatenate(list(each_head(x, Q, K, V)), axis=-1)),
    ("projection-missing", lambda x, Q, K, V, W_O: np.hstack(list(each_head(x, Q, K, V)))),
    (
        "heads-interleaved",
        lambda x, Q, K, V, W_O: np.dstack(list(each_head(x, Q, K, V))).reshape(len(x), -1) @ flat(W_O),
    ),
)


@learner(MHA, "heads-identical")
def forgets_the_index(x, W_Q, W_K, W_V, W_O):
    output = 0
    for h in range(len(W_O)):
        q, k, v = x @ W_Q[0], x @ W_K[0], x @ W_V[0]
        output = output + softmax(q @ k.T / np.sqrt(k.shape[1])) @ v @ W_O[h]
    return output


@learner(MHA, "heads-identical")
def keeps_the_last_head(x, W_Q, W_K, W_V, W_O):
    for h in range(len(W_Q)):
        q, k, v = x @ W_Q[h], x @ W_K[h], x @ W_V[h]
    head = softmax(q @ k.T / np.sqrt(k.shape[1])) @ v
    return np.concatenate([head] * len(W_Q), axis=-1) @ W_O.reshape(-1, W_O.shape[-1])


@learner(MHA, "heads-identical")
def repeats_the_first_matrices(x, W_Q, W_K, W_V, W_O):
    heads = [each_head(x, W_Q[:1], W_K[:1], W_V[:1])[0] for _ in W_O]
    return np.hstack(heads) @ np.vstack(list(W_O))


@learner(MHA, "projection-transposed")
def transposes_every_matrix(x, W_Q, W_K, W_V, W_O):
    heads = each_head(x, *(np.swapaxes(W, 1, 2) for W in (W_Q, W_K, W_V)))
    return np.hstack(list(heads)) @ np.vstack(list(W_O))


@learner(MHA, "projection-transposed")
def transposes_the_last_matrix(x, W_Q, W_K, W_V, W_O):
    heads = each_head(x, W_Q, W_K, W_V)
    return sum(heads[h] @ W_O[h].T for h in range(len(heads)))


@learner(MHA, "projection-transposed")
def transposes_the_queries_matrix(x, W_Q, W_K, W_V, W_O):
    heads = each_head(x, W_Q.transpose(0, 2, 1), W_K, W_V)
    return sum(heads[h] @ W_O[h] for h in range(len(heads)))


@learner(MHA, "projection-missing")
def forgets_the_values_matrix(x, W_Q, W_K, W_V, W_O):
    heads = [softmax((x @ q) @ (x @ k).T / np.sqrt(q.shape[1])) @ x for q, k in zip(W_Q, W_K, strict=True)]
    return sum(head @ W for head, W in zip(heads, W_O, strict=True))


@learner(MHA, "softmax-over-heads")
def weighs_over_the_first_axis(x, W_Q, W_K, W_V, W_O):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    weights = softmax(np.einsum("hid,hjd->hij", q, k) / np.sqrt(k.shape[-1]), axis=0)
    return np.einsum("hij,hjd,hdm->im", weights, v, W_O)


@learner(MHA, "softmax-over-heads")
def has_a_softmax_along_axis_0(x, W_Q, W_K, W_V, W_O):
    scores = (x @ W_Q) @ np.swapaxes(x @ W_K, -1, -2) / np.sqrt(W_K.shape[-1])
    e = np.exp(scores)
    heads = e / e.sum(0) @ (x @ W_V)
    return np.concatenate(list(heads), -1) @ np.concatenate(list(W_O), 0)


@learner(MHA, "scale-by-d_model")
def scales_by_the_width_of_x(x, W_Q, W_K, W_V, W_O):
    out = np.zeros((len(x), W_O.shape[-1]))
    for Q, K, V, W in zip(W_Q, W_K, W_V, W_O, strict=True):
        out += softmax((x @ Q) @ (x @ K).T / np.sqrt(x.shape[-1])) @ (x @ V) @ W
    return out


@learner(MHA, "softmax-over-everything")
def one_softmax_for_all_heads(x, W_Q, W_K, W_V, W_O):
    scores = (x @ W_Q) @ (x @ W_K).transpose(0, 2, 1) / np.sqrt(W_K.shape[-1])
    weights = np.exp(scores) / np.exp(scores).sum()
    return (weights @ (x @ W_V) @ W_O).sum(axis=0)


@learner("causal-heads", "softmax-over-heads")
def hides_and_weighs_over_the_first_axis(x, W_Q, W_K, W_V, W_O):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    scores = np.einsum("hid,hjd->hij", q, k) / np.sqrt(k.shape[-1])
    scores = np.where(np.tri(len(x)) == 1, scores, -1e9)
    return np.einsum("hij,hjd,hdm->im", softmax(scores, axis=0), v, W_O)


def each_causal_head(x, W_Q, W_K, W_V, width=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(width or k.shape[-1])
    scores[:, np.triu_indices(len(x), 1)[0], np.triu_indices(len(x), 1)[1]] = -np.inf
    return softmax(scores) @ v


learners(
    "causal-heads",
    ("scale-by-d_model", lambda x, Q, K, V, W_O: one_by_one(each_causal_head(x, Q, K, V, x.shape[1]), W_O)),
    ("merge-reshaped", lambda x, Q, K, V, W_O: each_causal_head(x, Q, K, V).reshape(len(x), -1) @ flat(W_O)),
    ("heads-averaged", lambda x, Q, K, V, W_O: (each_causal_head(x, Q, K, V) @ W_O).mean(axis=0)),
    ("heads-added", lambda x, Q, K, V, W_O: each_causal_head(x, Q, K, V).sum(0) @ W_O.sum(0)),
    ("projection-missing", lambda x, Q, K, V, W_O: np.hstack(list(each_causal_head(x, Q, K, V)))),
    ("heads-identical", lambda x, Q, K, V, W_O: each_causal_head(x, Q[:1], K[:1], V[:1])[0] @ W_O.sum(0)),
    ("projection-transposed", lambda x, Q, K, V, W_O: one_by_one(each_causal_head(x, Q, K, V), W_O.swapaxes(1, 2))),
    (
        "heads-interleaved",
        lambda x, Q, K, V, W_O: np.dstack(list(each_causal_head(x, Q, K, V))).reshape(len(x), -1) @ flat(W_O),
    ),
)
