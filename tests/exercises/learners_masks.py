"""Masks as learners make them."""

import numpy as np

from tests.exercises.learners_table import learner, learners

learners(
    "causal-mask",
    ("mask-inverted", lambda n: np.triu(np.ones((n, n)), k=1)),
    ("mask-inverted", lambda n: ~np.tril(np.ones((n, n), dtype=bool))),
    ("mask-transposed", lambda n: np.triu(np.ones((n, n), dtype=bool))),
    ("mask-transposed", lambda n: np.arange(n)[:, None] <= np.arange(n)),
    ("mask-transposed", lambda n: [[1 if j >= i else 0 for j in range(n)] for i in range(n)]),
    ("mask-excludes-self", lambda n: np.tril(np.ones((n, n)), k=-1)),
    ("mask-excludes-self", lambda n: np.array([[j < i for j in range(n)] for i in range(n)])),
    ("mask-one-too-far", lambda n: np.tril(np.ones((n, n), int), 1)),
    ("mask-one-too-far", lambda n: np.tri(n, n, 1) == 1),
)


@learner("causal-mask", "mask-inverted")
def ones_above(n):
    mask = np.zeros((n, n))
    mask[np.triu_indices(n, 1)] = 1
    return mask


@learner("causal-mask", "mask-one-too-far")
def a_range_that_goes_too_far(n):
    mask = np.zeros((n, n), bool)
    for i in range(n):
        mask[i, : i + 2] = True
    return mask


@learner("causal-mask", "mask-excludes-self")
def a_range_that_stops_early(n):
    mask = np.zeros((n, n), bool)
    for i in range(n):
        mask[i, :i] = True
    return mask


def _distance(n):
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n)))


learners(
    "window-mask",
    ("mask-inverted", lambda n, width: _distance(n) >= width),
    ("mask-inverted", lambda n, w: 1 - (np.tri(n, n, w - 1) - np.tri(n, n, -w))),
    ("mask-one-too-far", lambda n, width: _distance(n) <= width),
    ("mask-one-too-far", lambda n, w: [[abs(i - j) <= w for j in range(n)] for i in range(n)]),
    ("mask-one-too-far", lambda n, w: np.tril(np.ones((n, n)), w) * np.triu(np.ones((n, n)), -w)),
    ("mask-excludes-self", lambda n, width: (_distance(n) < width) & ~np.eye(n, dtype=bool)),
    ("mask-excludes-self", lambda n, w: [[0 < abs(i - j) < w for j in range(n)] for i in range(n)]),
)

learners(
    "padding-mask",
    ("mask-inverted", lambda lengths, n: (np.arange(n) >= lengths[:, None])[:, None, :]),
    ("mask-inverted", lambda lengths, n: np.array([[[j >= length for j in range(n)]] for length in lengths])),
    ("mask-on-queries", lambda lengths, n: (np.arange(n)[None, :] < lengths[:, None])[:, :, None]),
    ("mask-on-queries", lambda lengths, n: np.arange(n).reshape(1, -1, 1) < lengths.reshape(-1, 1, 1)),
    ("query-axis-missing", lambda lengths, n: np.arange(n) < lengths[:, None]),
    ("query-axis-missing", lambda lengths, n: [[1] * int(x) + [0] * int(n - x) for x in lengths]),
    ("mask-one-too-far", lambda lengths, n: (np.arange(n) <= lengths[:, None])[:, None]),
)


@learner("padding-mask", "query-axis-missing")
def a_row_for_each_sentence(lengths, n_keys):
    mask = np.zeros((len(lengths), n_keys))
    for i, length in enumerate(lengths):
        mask[i, :length] = 1
    return mask


@learner("padding-mask", "mask-one-too-far")
def fills_one_more(lengths, n_keys):
    mask = np.zeros((len(lengths), 1, n_keys), bool)
    for i, length in enumerate(lengths):
        mask[i, 0, : length + 1] = True
    return mask


@learner("padding-mask", "mask-inverted")
def true_means_ignore(lengths, n_keys):
    mask = np.ones((len(lengths), 1, n_keys), int)
    for i, length in enumerate(lengths):
        mask[i, 0, :length] = 0
    return mask


learners(
    "left-padding-mask",
    ("mask-inverted", lambda lengths, n: (np.arange(n) < n - lengths[:, None])[:, None, :]),
    ("mask-on-queries", lambda lengths, n: (np.arange(n) >= n - lengths[:, None])[..., np.newaxis]),
    ("query-axis-missing", lambda lengths, n: np.arange(n) >= n - lengths[:, None]),
    ("query-axis-missing", lambda lengths, n: [[0] * int(n - x) + [1] * int(x) for x in lengths]),
    ("mask-one-too-far", lambda lengths, n: (np.arange(n) > n - 2 - lengths[:, None])[:, None, :]),
    ("mask-one-too-far", lambda lengths, n: (np.arange(n)[::-1] <= lengths[:, None])[:, None, :]),
)


@learner("left-padding-mask", "mask-inverted")
def zeros_at_the_end(lengths, n_keys):
    mask = np.ones((len(lengths), 1, n_keys), bool)
    for i, length in enumerate(lengths):
        mask[i, :, n_keys - length :] = False
    return mask
