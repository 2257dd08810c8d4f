"""Rows that sum to 1, and entropy, as learners write them."""

import numpy as np

from tests.exercises.learners_table import learner, learners

learners(
    "rows",
    ("columns-summed", lambda table: table / table.sum(axis=0)),
    ("columns-summed", lambda table: (table.T / table.T.sum(1, keepdims=True)).T),
    ("columns-summed", lambda table: table / sum(table)),
    ("everything-summed", lambda table: table / table.sum()),
    ("everything-summed", lambda table: table / np.sum(table)),
    ("sum-not-kept", lambda table: table / table.sum(axis=1)),
    ("sum-not-kept", lambda table: table / np.sum(table, -1)),
    ("sum-not-kept", lambda table: table / [sum(row) for row in table]),
)


@learner("rows", "columns-summed")
def walks_down_the_columns(table):
    out = np.zeros_like(table)
    for j in range(table.shape[1]):
        out[:, j] = table[:, j] / table[:, j].sum()
    return out


def _logs(weights, log=np.log2):
    return log(np.where(weights > 0, weights, 1))


learners(
    "entropy",
    ("entropy-in-nats", lambda w: -(w * _logs(w, np.log)).sum(axis=-1)),
    ("entropy-in-nats", lambda w: [-sum(x * np.log(x) for x in row if x > 0) for row in w]),
    ("entropy-sign", lambda w: (w * _logs(w)).sum(axis=-1)),
    ("entropy-sign", lambda w: [sum(x * np.log2(x) for x in row if x > 0) for row in w]),
    ("log-of-zero", lambda w: -(w * np.log2(w)).sum(axis=-1)),
    ("log-of-zero", lambda w: -(w * np.log(w)).sum(axis=-1)),
    ("log-of-zero", lambda w: np.sum(w * np.log2(1 / w), axis=1)),
    ("log-of-zero", lambda w: np.array([-np.dot(row, np.log2(row)) for row in w])),
    ("entropy-averaged", lambda w: -(w * _logs(w)).mean(axis=-1)),
    ("entropy-averaged", lambda w: -_logs(w).mean(axis=-1)),
    ("columns-summed", lambda w: -(w * _logs(w)).sum(axis=0)),
    ("everything-summed", lambda w: -(w * _logs(w)).sum()),
    ("everything-summed", lambda w: float(-sum(x * np.log2(x) for x in w.ravel() if x > 0))),
)

learners(
    "effective-words",
    ("entropy-in-nats", lambda w: 2 ** -(w * _logs(w, np.log)).sum(axis=-1)),
    ("entropy-sign", lambda w: 2 ** (w * _logs(w)).sum(axis=-1)),
    ("log-of-zero", lambda w: 2 ** -(w * np.log2(w)).sum(axis=-1)),
    ("log-of-zero", lambda w: np.exp(-(w * np.log(w)).sum(axis=-1))),
    ("entropy-averaged", lambda w: 2 ** -(w * _logs(w)).mean(axis=-1)),
    ("columns-summed", lambda w: 2 ** -(w * _logs(w)).sum(axis=0)),
    ("everything-summed", lambda w: 2 ** -(w * _logs(w)).sum()),
)


@learner("effective-words", "entropy-in-nats")
def two_to_the_nats(weights):
    words = []
    for row in weights:
        entropy = 0
        for w in row:
            if w > 0:
                entropy -= w * np.log(w)
        words.append(2**entropy)
    return words
