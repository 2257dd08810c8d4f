"""Hide, as learners write it, in attention with a mask, and where rows are empty."""

import numpy as np

from tests.exercises.learners_table import learner, learners, scores_of, softmax

learners(
    "masked-attention",
    ("mask-missing", lambda q, k, v, mask: softmax(scores_of(q, k)) @ v),
    ("mask-inverted", lambda q, k, v, mask: softmax(np.where(mask, -np.inf, scores_of(q, k))) @ v),
    ("mask-inverted", lambda q, k, v, mask: softmax(np.where(mask, -1e9, scores_of(q, k))) @ v),
    ("mask-inverted", lambda q, k, v, mask: softmax(scores_of(q, k) + mask * -1e9) @ v),
    ("mask-transposed", lambda q, k, v, mask: softmax(np.where(mask.T, scores_of(q, k), -np.inf)) @ v),
    ("mask-after-softmax", lambda q, k, v, mask: softmax(scores_of(q, k)) * mask @ v),
    ("mask-after-softmax", lambda q, k, v, mask: np.where(mask, softmax(scores_of(q, k)), 0) @ v),
    ("mask-zeroes-scores", lambda q, k, v, mask: softmax(scores_of(q, k) * mask) @ v),
    ("mask-zeroes-scores", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), 0)) @ v),
    ("mask-zeroes-scores", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1e-9)) @ v),
    ("mask-zeroes-scores", lambda q, k, v, mask: softmax(scores_of(q, k) * mask + (1 - mask) * -1e-9) @ v),
    ("mask-zeroes-scores", lambda q, k, v, mask: softmax((q @ k.T * mask) / np.sqrt(k.shape[1])) @ v),
    ("mask-added-as-numbers", lambda q, k, v, mask: softmax(scores_of(q, k) + mask) @ v),
    ("mask-added-as-numbers", lambda q, k, v, mask: softmax(scores_of(q, k) - (1 - mask)) @ v),
    ("nan-row", lambda q, k, v, mask: softmax(scores_of(q, k) + (1 - mask) * -np.inf) @ v),
    ("nan-row", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), np.inf)) @ v),
    ("exp-missing", lambda q, k, v, mask: (lambda s: s / s.sum(-1, keepdims=True))(scores_of(q, k) * mask) @ v),
    ("softmax-missing", lambda q, k, v, mask: scores_of(q, k) * mask @ v),
    ("softmax-missing", lambda q, k, v, mask: np.where(mask, scores_of(q, k), -1e9) @ v),
    ("sum-missing", lambda q, k, v, mask: np.exp(scores_of(q, k)) * mask @ v),
    ("sum-missing", lambda q, k, v, mask: np.exp(np.where(mask, scores_of(q, k), -np.inf)) @ v),
    ("softmax-over-queries", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1e9), 0) @ v),
    ("softmax-over-everything", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1e9), None) @ v),
    ("softmax-over-everything", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -np.inf), None) @ v),
)


@learner("masked-attention", "mask-inverted")
def fills_where_the_mask_is_true(q, k, v, mask):
    scores = scores_of(q, k)
    scores[mask] = -np.inf
    return softmax(scores) @ v


@learner("masked-attention", "mask-inverted")
def mixes_up_masked_fill(q, k, v, mask):
    scores = np.ma.masked_array(scores_of(q, k), mask=mask).filled(-1e9)
    return softmax(scores) @ v


@learner("masked-attention", "mask-after-softmax")
def zeroes_the_weights(q, k, v, mask):
    weights = softmax(q @ k.T / np.sqrt(q.shape[-1]))
    weights[~mask] = 0
    return np.einsum("ij,jd->id", weights, v)


@learner("masked-attention", "mask-zeroes-scores")
def writes_zeros_into_the_scores(q, k, v, mask):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    scores[np.logical_not(mask)] = 0.0
    e = np.exp(scores)
    return (e / e.sum(1, keepdims=True)) @ v


@learner("masked-attention", "mask-transposed")
def loops_with_the_indices_of_the_mask_swapped(q, k, v, mask):
    scores = scores_of(q, k)
    for i in range(len(q)):
        for j in range(len(k)):
            if not mask[j, i]:
                scores[i, j] = -np.inf
    return softmax(scores) @ v


@learner("masked-attention", "mask-added-as-numbers")
def adds_an_integer_mask(q, k, v, mask):
    return softmax(scores_of(q, k) + mask.astype(int)) @ v


@learner("masked-attention", "nan-row")
def multiplies_by_minus_infinity(q, k, v, mask):
    scores = scores_of(q, k)
    scores = scores + (mask == 0) * float("-inf")
    return softmax(scores) @ v


@learner("masked-attention", "softmax-over-queries")
def hides_and_then_sums_down(q, k, v, mask):
    e = np.exp(scores_of(q, k)) * mask
    return e / np.maximum(e.sum(0, keepdims=True), 1e-30) @ v


def hide(scores, mask):
    return np.where(mask, scores, -np.inf)


# The other mistakes, in a function that hides well.
learners(
    "masked-attention",
    ("scale-missing", lambda q, k, v, mask: softmax(hide(q @ k.T, mask)) @ v),
    ("scale-by-d_k", lambda q, k, v, mask: softmax(hide(q @ k.T / k.shape[-1], mask)) @ v),
    ("scale-by-n_keys", lambda q, k, v, mask: softmax(hide(q @ k.T / np.sqrt(len(k)), mask)) @ v),
    ("scale-multiplied", lambda q, k, v, mask: softmax(hide(q @ k.T * np.sqrt(k.shape[-1]), mask)) @ v),
    ("scale-after-softmax", lambda q, k, v, mask: softmax(hide(q @ k.T, mask)) @ v / np.sqrt(k.shape[-1])),
    ("scale-fixed", lambda q, k, v, mask: softmax(hide(q @ k.T / np.sqrt(2), mask)) @ v),
    ("scale-fixed", lambda q, k, v, mask: softmax(np.where(mask == 0, -1e9, q @ k.T / 8)) @ v),
    ("keys-not-transposed", lambda q, k, v, mask: softmax(hide(q @ k / np.sqrt(k.shape[-1]), mask)) @ v),
    ("queries-keys-swapped", lambda q, k, v, mask: softmax(hide(k @ q.T / np.sqrt(k.shape[-1]), mask)) @ v),
    ("values-replaced", lambda q, k, v, mask: softmax(hide(scores_of(q, k), mask)) @ k),
    ("weights-transposed", lambda q, k, v, mask: softmax(hide(scores_of(q, k), mask)).T @ v),
    ("blend-missing", lambda q, k, v, mask: softmax(hide(scores_of(q, k), mask))),
    ("weights-ignored", lambda q, k, v, mask: np.tile(np.mean(v, axis=0), (len(q), 1))),
    ("picked-not-blended", lambda q, k, v, mask: v[np.argmax(hide(scores_of(q, k), mask), axis=-1)]),
    ("exp-missing", lambda q, k, v, mask: (lambda s: s / s.sum(-1, keepdims=True))(q @ k.T * mask) @ v),
)


def weights_with_empty_rows(q, k, mask):
    e = np.exp(scores_of(q, k)) * mask
    return e / np.where(e.sum(1) == 0, 1, e.sum(1))[:, None]


learners(
    "empty-rows",
    ("mask-missing", lambda q, k, v, mask: softmax(scores_of(q, k)) @ v),
    ("weights-transposed", lambda q, k, v, mask: weights_with_empty_rows(q, k, mask).T @ v),
    ("weights-ignored", lambda q, k, v, mask: np.tile(np.mean(v, axis=0), (len(q), 1))),
    ("picked-not-blended", lambda q, k, v, mask: v[np.argmax(weights_with_empty_rows(q, k, mask), axis=-1)]),
    ("nan-row", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -np.inf)) @ v),
    ("nan-row", lambda q, k, v, mask: softmax(scores_of(q, k) + np.log(mask)) @ v),
    ("empty-row-uniform", lambda q, k, v, mask: softmax(np.where(mask, scores_of(q, k), -1e9)) @ v),
    ("empty-row-uniform", lambda q, k, v, mask: softmax(scores_of(q, k) + (1.0 - mask) * -1e9) @ v),
    ("mask-missing", lambda q, k, v, mask: softmax(scores_of(q, k)) * mask.any(1)[:, None] @ v),
    ("mask-after-softmax", lambda q, k, v, mask: softmax(scores_of(q, k)) * mask @ v),
)


@learner("empty-rows", "nan-row")
def renormalises_by_zero(q, k, v, mask):
    weights = softmax(scores_of(q, k)) * mask
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v


@learner("empty-rows", "empty-row-uniform")
def forgets_that_softmax_sees_gaps(q, k, v, mask):
    scores = scores_of(q, k)
    scores[~mask] = -1e9
    weights = softmax(scores)
    return np.nan_to_num(weights) @ v


learners(
    "empty-softmax",
    ("mask-missing", lambda s, mask: softmax(s)),
    ("nan-row", lambda s, mask: softmax(s + np.log(mask))),
    ("nan-row", lambda s, mask: softmax(np.where(mask, s, -np.inf))),
    ("nan-row", lambda s, mask: np.exp(s) * mask / (np.exp(s) * mask).sum(-1, keepdims=True)),
    ("empty-row-uniform", lambda s, mask: softmax(np.where(mask, s, -1e9))),
    ("empty-row-uniform", lambda s, mask: softmax(s + (mask == 0) * -1e9)),
    ("mask-missing", lambda s, mask: softmax(s) * mask.any(-1, keepdims=True)),
    ("mask-inverted", lambda s, mask: np.where(mask.any(1)[:, None], softmax(np.where(mask, -1e9, s)), 0)),
    ("mask-inverted", lambda s, mask: softmax(np.where(mask, -np.inf, s)) * mask.any(1, keepdims=True)),
    ("mask-after-softmax", lambda s, mask: softmax(s) * mask),
    ("mask-zeroes-scores", lambda s, mask: np.where(mask.any(1)[:, None], softmax(s * mask), 0)),
    ("mask-added-as-numbers", lambda s, mask: softmax(s + mask) * mask.any(-1, keepdims=True)),
    ("softmax-missing", lambda s, mask: np.where(mask, s, 0)),
    ("softmax-missing", lambda s, mask: np.where(mask.any(1)[:, None], np.where(mask, s, -np.inf), 0)),
    ("sum-missing", lambda s, mask: np.exp(s) * mask),
    ("sum-missing", lambda s, mask: np.where(mask, np.exp(s - s.max(-1, keepdims=True)), 0)),
    ("exp-missing", lambda s, mask: np.nan_to_num(s * mask / (s * mask).sum(-1, keepdims=True))),
    ("softmax-over-everything", lambda s, mask: np.exp(s) * mask / (np.exp(s) * mask).sum()),
    ("mask-transposed", lambda s, mask: np.where(mask.any(1)[:, None], softmax(np.where(mask.T, s, -1e9)), 0)),
)


@learner("empty-softmax", "softmax-over-queries")
def sums_down(scores, mask):
    grown = np.where(mask, np.exp(scores), 0)
    total = grown.sum(axis=0)
    return grown / np.where(total == 0, 1, total)


@learner("empty-rows", "nan-row")
def hides_with_plus_infinity_and_zeroes_the_empty_rows(q, k, v, mask):
    weights = softmax(np.where(mask, q @ k.T / np.sqrt(k.shape[-1]), np.inf))
    return np.where(mask.any(axis=-1, keepdims=True), weights, 0) @ v
