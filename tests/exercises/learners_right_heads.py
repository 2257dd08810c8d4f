"""Right answers in unusual clothes: masks, many heads, two sequences."""

import numpy as np

from tests.exercises.learners_right import right
from tests.exercises.learners_table import learner, softmax

right(
    "causal-mask",
    lambda n: np.tri(n),
    lambda n: [[int(j <= i) for j in range(n)] for i in range(n)],
    lambda n: np.arange(n) <= np.arange(n)[:, None],
    lambda n: 1 - np.triu(np.ones((n, n), int), k=1),
    lambda n: np.cumsum(np.eye(n), axis=0).astype(np.float32),
    lambda n: ~np.triu(np.full((n, n), True), 1),
)
right(
    "window-mask",
    lambda n, w: [[-w < i - j < w for j in range(n)] for i in range(n)],
    lambda n, w: np.tri(n, n, w - 1) - np.tri(n, n, -w),
    lambda n, w: np.tril(np.triu(np.ones((n, n)), 1 - w), w - 1),
    lambda n, w: sum(np.eye(n, k=d, dtype=int) for d in range(1 - w, w)),
)
right(
    "padding-mask",
    lambda lengths, n: np.array([[[j < length for j in range(n)]] for length in lengths]),
    lambda lengths, n: np.expand_dims(np.arange(n) < lengths[:, None], 1),
    lambda lengths, n: np.less.outer(-lengths, -np.arange(n)).reshape(-1, 1, n),
    lambda lengths, n: np.tri(n + 1, n, -1)[lengths][:, None, :],
    lambda lengths, n: [[[1] * int(x) + [0] * int(n - x)] for x in lengths],
)
right(
    "left-padding-mask",
    lambda lengths, n: np.array([[[n - j <= length for j in range(n)]] for length in lengths]),
    lambda lengths, n: (np.arange(n)[::-1] < lengths[:, None])[:, None],
    lambda lengths, n: [[[0] * int(n - x) + [1] * int(x)] for x in lengths],
    lambda lengths, n: np.flip(np.arange(n) < lengths[:, None], axis=1).reshape(-1, 1, n).astype(int),
)


def scores_of(q, k):
    return np.einsum("...id,...jd->...ij", q, k) / k.shape[-1] ** 0.5


def fills(q, k, v, mask):
    scores = scores_of(q, k)
    scores[~mask] = -np.inf
    return softmax(scores) @ v


def renormalises(q, k, v, mask):
    weights = softmax(scores_of(q, k)) * mask
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v


def adds_the_logarithm(q, k, v, mask):
    return softmax(scores_of(q, k) + np.log(mask)) @ v


def multiplies_exponentials(q, k, v, mask):
    e = np.exp(q.astype("f4") @ k.T.astype("f4") / np.float32(np.sqrt(k.shape[1]))) * mask.astype(int)
    return e @ v.astype("f4") / e.sum(1)[:, None]


def adds_a_large_number(q, k, v, mask):
    return softmax((q / np.sqrt(q.shape[1])) @ k.T + (1.0 - mask) * -1e9) @ v


def with_masked_arrays(q, k, v, mask):
    e = np.ma.exp(np.ma.array(scores_of(q, k), mask=mask == 0))
    return (e / e.sum(axis=1)[:, None]).filled(0) @ v


def row_by_row(q, k, v, mask):
    return [softmax(k[seen] @ one / np.sqrt(len(one))) @ v[seen] for one, seen in zip(q, mask == 1, strict=True)]


def the_smallest_float(q, k, v, mask):
    return softmax(np.where(mask == 0, np.finfo(np.float32).min, scores_of(q, k))) @ v


right(
    "masked-attention",
    fills,
    renormalises,
    adds_the_logarithm,
    multiplies_exponentials,
    adds_a_large_number,
    with_masked_arrays,
    row_by_row,
    the_smallest_float,
)
right(
    "empty-rows",
    lambda q, k, v, mask: np.nan_to_num(fills(q, k, v, mask)),
    lambda q, k, v, mask: np.where(mask.any(1)[:, None], adds_a_large_number(q, k, v, mask), 0),
    lambda q, k, v, mask: (softmax(np.where(mask, scores_of(q, k), -1e9)) * mask) @ v,
    lambda q, k, v, mask: [
        softmax(k[m] @ a / a.size**0.5) @ v[m] if m.any() else np.zeros(v.shape[1])
        for a, m in zip(q, mask, strict=True)
    ],
    lambda q, k, v, mask: (lambda e: e @ v / (e.sum(1, keepdims=True) + 1e-30))(np.exp(scores_of(q, k)) * mask),
)
right(
    "empty-softmax",
    lambda s, mask: np.nan_to_num(softmax(np.where(mask, s, -np.inf))),
    lambda s, mask: softmax(np.where(mask, s, -1e9)) * mask,
    lambda s, mask: np.array(
        [softmax(np.where(m, row, -1e9)) if any(m) else 0 * row for row, m in zip(s, mask, strict=True)]
    ),
    lambda s, mask: (lambda e: e / np.maximum(e.sum(-1, keepdims=True), 1e-20))(np.exp(s - s.max()) * mask),
)
right(
    "causal-attention",
    *(lambda q, k, v, f=f: f(q, k, v, np.tri(len(q), dtype=bool)) for f in (fills, renormalises, adds_the_logarithm)),
    lambda q, k, v: [softmax(k[: i + 1] @ q[i] / np.sqrt(len(q[i]))) @ v[: i + 1] for i in range(len(q))],
    lambda q, k, v: multiplies_exponentials(q, k, v, np.tri(len(q))),
)


@learner("causal-attention", "right")
def with_indices_above_the_diagonal(q, k, v):
    scores = scores_of(q, k)
    scores[np.triu_indices_from(scores, k=1)] = -1e9
    return softmax(scores) @ v


right(
    "split-heads",
    lambda x, n: np.array(np.split(x, n, axis=1)),
    lambda x, n: np.stack([x[:, h * x.shape[1] // n : (h + 1) * x.shape[1] // n] for h in range(n)]),
    lambda x, n: x.T.reshape(n, -1, len(x)).transpose(0, 2, 1).astype(np.float32),
    lambda x, n: np.array([row.reshape(n, -1) for row in x]).transpose(1, 0, 2).tolist(),
)
right(
    "split-batch",
    lambda x, n: np.stack(np.split(x, n, axis=-1), axis=1),
    lambda x, n: np.array([one.reshape(len(one), n, -1).swapaxes(0, 1) for one in x]),
    lambda x, n: np.moveaxis(x.reshape(*x.shape[:2], n, -1), 2, 1),
    lambda x, n: np.einsum("btnd->bntd", x.reshape(len(x), -1, n, x.shape[2] // n)).astype("f4"),
)
right(
    "merge-heads",
    lambda heads: np.concatenate(list(heads), axis=1),
    lambda heads: np.hstack(list(heads)),
    lambda heads: heads.transpose(1, 0, 2).reshape(heads.shape[1], -1).tolist(),
    lambda heads: [[x for head in heads for x in head[i]] for i in range(heads.shape[1])],
    lambda heads: np.array([heads[:, i].ravel() for i in range(heads.shape[1])]),
)
right(
    "merge-batch",
    lambda heads: np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1),
    lambda heads: heads.transpose(0, 2, 1, 3).reshape(len(heads), heads.shape[2], -1),
    lambda heads: [np.hstack(list(one)) for one in heads],
    lambda heads: np.einsum("bhtd->bthd", heads).reshape(len(heads), heads.shape[2], -1),
)


def in_heads(attend):
    """A loop over the heads that adds up what each contributes."""
    return lambda x, W_Q, W_K, W_V, W_O: sum(
        np.array(attend(x @ Q, x @ K, x @ V)) @ W for Q, K, V, W in zip(W_Q, W_K, W_V, W_O, strict=True)
    )


def with_einsum(x, W_Q, W_K, W_V, W_O, hide=lambda scores: scores):
    q, k, v = (np.einsum("td,hde->hte", x, W) for W in (W_Q, W_K, W_V))
    weights = softmax(hide(scores_of(q, k)))
    return np.einsum("hij,hjd,hdm->im", weights, v, W_O)


def with_one_wide_product(x, W_Q, W_K, W_V, W_O, hide=lambda scores: scores):
    wide = [np.concatenate(list(W), axis=1) for W in (W_Q, W_K, W_V)]
    q, k, v = (np.array(np.split(x @ W, len(W_Q), axis=1)) for W in wide)
    return np.hstack(list(softmax(hide(scores_of(q, k))) @ v)) @ np.vstack(list(W_O))


def float32_heads(x, W_Q, W_K, W_V, W_O, hide=lambda scores: scores):
    return with_einsum(*(a.astype(np.float32) for a in (x, W_Q, W_K, W_V, W_O)), hide)


def above(scores):
    return scores + np.triu(np.full(scores.shape[-2:], -1e9), 1)


plain = in_heads(lambda q, k, v: softmax(scores_of(q, k)) @ v)
right("multi-head-attention", plain, with_einsum, with_one_wide_product, float32_heads)
right(
    "causal-heads",
    in_heads(lambda q, k, v: fills(q, k, v, np.tri(len(q), dtype=bool))),
    *(lambda *a, f=f: f(*a, above) for f in (with_einsum, with_one_wide_product, float32_heads)),
)
right(
    "self-attention",
    lambda x, Q, K, V: softmax(x @ (Q @ K.T) @ x.T / np.sqrt(Q.shape[1])) @ (x @ V),
    lambda x, Q, K, V: softmax(scores_of(x @ Q, x @ K)) @ x @ V,
    lambda x, Q, K, V: [softmax(x @ K @ (a @ Q) / K.shape[1] ** 0.5) @ (x @ V) for a in x],
    lambda x, Q, K, V: softmax((x @ Q).astype("f4") @ (x @ K / np.sqrt(len(K[0]))).astype("f4").T) @ (x @ V),
)


def in_sentences(attend):
    """A loop over the sentences, each with a mask of one row."""
    return lambda q, k, v, lengths: [
        attend(*one, np.tri(len(one[1]) + 1, len(one[1]), -1, dtype=bool)[[length]])
        for *one, length in zip(q, k, v, lengths, strict=True)
    ]


right(
    "padded-attention",
    *map(in_sentences, (renormalises, adds_the_logarithm, adds_a_large_number)),
    lambda q, k, v, lengths: [
        softmax(a @ b[:n].T / b.shape[1] ** 0.5) @ c[:n] for a, b, c, n in zip(q, k, v, lengths, strict=True)
    ],
)
right(
    "cross-attention",
    lambda x, c, Q, K, V: softmax(x @ (Q @ K.T) @ c.T / np.sqrt(Q.shape[1])) @ (c @ V),
    lambda x, c, Q, K, V: softmax(scores_of(x @ Q, c @ K)) @ c @ V,
    lambda x, c, Q, K, V: [softmax(c @ K @ (a @ Q) / K.shape[1] ** 0.5) @ (c @ V) for a in x],
    lambda x, c, Q, K, V: softmax((x @ Q).astype("f4") @ (c @ K / np.sqrt(len(K[0]))).astype("f4").T) @ (c @ V),
)
right(
    "cross-attention-padded",
    *(lambda x, c, Q, K, V, m, f=f: f(x @ Q, c @ K, c @ V, m) for f in (renormalises, adds_the_logarithm)),
    lambda x, c, Q, K, V, m: softmax(scores_of(x @ Q, (c @ K)[m[0]])) @ (c @ V)[m[0]],
    lambda x, c, Q, K, V, m: adds_a_large_number(x @ Q, c @ K, c @ V, m),
    lambda x, c, Q, K, V, m: fills(x @ Q, c @ K, c @ V, np.repeat(m, len(x), 0)),
)
