"""Blend, as learners write it: by itself, and at the end of attention."""

import numpy as np

from tests.exercises.learners_table import learner, learners, softmax

learners(
    "blend",
    ("weights-transposed", lambda weights, values: weights.T @ values),
    ("weights-transposed", lambda w, x: np.einsum("ji,jd->id", w, x)),
    ("weights-ignored", lambda w, x: np.tile(x.mean(axis=0), (len(w), 1))),
    ("picked-not-blended", lambda w, x: x[np.argmax(w, axis=1)]),
)


@learner("blend", "weights-ignored")
def averages_everything(weights, values):
    average = sum(values) / len(values)
    return [average for _ in weights]


@learner("blend", "picked-not-blended")
def takes_the_best(weights, values):
    return np.array([values[list(row).index(max(row))] for row in weights])


def weights_of(q, k):
    return softmax(q @ k.T / np.sqrt(k.shape[-1]))


learners(
    "attention",
    ("values-replaced", lambda q, k, v: weights_of(q, k) @ k),
    ("values-replaced", lambda q, k, v: weights_of(q, k) @ q),
    (
        "values-replaced",
        lambda q, k, v: np.array([sum(w * x for w, x in zip(r, k, strict=True)) for r in weights_of(q, k)]),
    ),
    ("weights-transposed", lambda q, k, v: weights_of(q, k).T @ v),
    ("weights-transposed", lambda q, k, v: (v.T @ weights_of(q, k)).T),
    ("blend-missing", lambda q, k, v: weights_of(q, k)),
    ("blend-missing", lambda q, k, v: weights_of(q, k).tolist()),
    ("weights-ignored", lambda q, k, v: np.ones((len(q), 1)) * v.mean(axis=0)),
    ("picked-not-blended", lambda q, k, v: v[np.argmax(q @ k.T, axis=-1)]),
)


@learner("attention", "picked-not-blended")
def a_hard_softmax(q, k, v):
    w = weights_of(q, k)
    hard = (w == w.max(axis=1, keepdims=True)).astype(float)
    return hard @ v


@learner("attention", "weights-ignored")
def uniform_weights(q, k, v):
    weights = np.full((q.shape[0], k.shape[0]), 1 / k.shape[0])
    return weights @ v


@learner("attention", "weights-transposed")
def blends_with_the_wrong_index(q, k, v):
    w = weights_of(q, k)
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        for j in range(len(k)):
            out[i] += w[j, i] * v[j]
    return out
