"""Softmax as learners write it, by itself and in attention."""

import numpy as np

from tests.exercises.learners_table import learner, learners, softmax

learners(
    "softmax",
    ("softmax-over-queries", lambda s: np.exp(s - s.max(0)) / np.exp(s - s.max(0)).sum(0)),
    ("softmax-over-queries", lambda s: softmax(s, axis=0)),
    ("softmax-over-everything", lambda s: np.exp(s - np.max(s)) / np.exp(s - np.max(s)).sum()),
    ("softmax-missing", lambda scores: scores),
    ("sum-missing", lambda scores: np.exp(scores)),
    ("sum-missing", lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True))),
    ("exp-missing", lambda scores: scores / scores.sum(axis=-1, keepdims=True)),
    ("exp-missing", lambda scores: np.array([row / np.sum(row) for row in scores])),
    ("softmax-overflow", lambda scores: np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)),
    ("softmax-overflow", lambda s: [[float(np.exp(x) / np.sum(np.exp(row))) for x in row] for row in s]),
)


@learner("softmax", "softmax-overflow")
def takes_one_maximum_off(scores):
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=1, keepdims=True)


@learner("softmax", "softmax-over-queries")
def overflows_along_the_wrong_axis(scores):
    e = np.exp(scores)
    return e / np.sum(e, axis=0)


@learner("softmax", "softmax-over-everything")
def sums_once(scores):
    exps = np.exp(scores)
    return exps / np.sum(exps)


learners(
    "softmax-temperature",
    ("softmax-over-queries", lambda s, t: softmax(s / t, axis=0)),
    ("softmax-over-queries", lambda s, t: (np.exp(s.T / t) / np.exp(s.T / t).sum(1, keepdims=True)).T),
    ("softmax-over-everything", lambda s, t: np.exp(s / t) / np.exp(s / t).sum()),
    ("softmax-missing", lambda s, t: s / t),
    ("sum-missing", lambda s, t: np.exp(s / t)),
    ("sum-missing", lambda s, t: np.exp((s - s.max(-1, keepdims=True)) / t)),
    ("exp-missing", lambda s, t: (s / t) / (s / t).sum(-1, keepdims=True)),
    ("exp-missing", lambda s, t: np.array([row / sum(row) for row in s])),
)

learners(
    "attention",
    ("softmax-over-queries", lambda q, k, v: softmax(q @ k.T / np.sqrt(k.shape[1]), axis=0) @ v),
    ("softmax-over-everything", lambda q, k, v: softmax(q @ k.T / np.sqrt(k.shape[1]), axis=None) @ v),
    ("softmax-missing", lambda q, k, v: q @ k.T / np.sqrt(k.shape[1]) @ v),
    ("softmax-missing", lambda q, k, v: np.linalg.multi_dot([q, k.T, v]) / np.sqrt(k.shape[1])),
    ("sum-missing", lambda q, k, v: np.exp(q @ k.T / np.sqrt(k.shape[1])) @ v),
)


@learner("attention", "softmax-over-queries")
def has_a_softmax_that_sums_down(q, k, v):
    def my_softmax(x):
        return np.exp(x) / sum(np.exp(x))  # the builtin sum adds up the rows

    return my_softmax(q @ k.T / k.shape[-1] ** 0.5) @ v


@learner("attention", "softmax-over-everything")
def has_a_softmax_without_axis(q, k, v):
    scores = (q @ k.T) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return weights.dot(v)


@learner("attention", "sum-missing")
def subtracts_the_maximum_and_stops(q, k, v):
    scores = np.einsum("qd,kd->qk", q, k) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=1)[:, np.newaxis])
    return weights @ v


@learner("attention", "exp-missing")
def divides_scores_by_their_sum(q, k, v):
    weights = q @ k.T / np.sqrt(k.shape[1])
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ v


@learner("attention", "exp-missing")
def normalises_at_the_end(q, k, v):
    scores = q @ k.T
    return (scores @ v) / np.sum(scores, axis=-1)[:, None]
