"""Functions for the siblings of small exercises: columns, an average by weights, and a temperature."""

import numpy as np

from tests.exercises.learners_table import learners, softmax

learners(
    "columns",
    ("right", lambda table: table / table.sum(axis=0)),
    ("right", lambda table: (table.T / table.T.sum(axis=1)[:, None]).T),
    ("right", lambda table: np.stack([column / column.sum() for column in table.T], axis=1)),
    ("right", lambda table: (table / table.sum(0)).astype("f4").tolist()),
    ("rows-summed", lambda table: table / table.sum(axis=1, keepdims=True)),
    ("rows-summed", lambda table: [[x / sum(row) for x in row] for row in table]),
    ("everything-summed", lambda table: table / table.sum()),
    ("everything-summed", lambda table: table / np.sum([np.sum(row) for row in table])),
    ("unknown", lambda table: table / table.max(axis=0)),
)
learners(
    "weighted-average",
    ("right", lambda weights, values: (weights @ values) / weights.sum(axis=1, keepdims=True)),
    ("right", lambda weights, values: [np.average(values, axis=0, weights=row) for row in weights]),
    ("right", lambda weights, values: np.einsum("ij,jd->id", weights / weights.sum(1)[:, None], values)),
    ("right", lambda weights, values: (weights / weights.sum(1)[:, None]).astype("f4") @ values.astype("f4")),
    ("shares-missing", lambda weights, values: weights @ values),
    ("shares-missing", lambda weights, values: np.dot(weights, values)),
    ("weights-ignored", lambda weights, values: np.repeat([values.mean(axis=0)], len(weights), axis=0)),
    ("picked-not-blended", lambda weights, values: values[weights.argmax(axis=1)]),
    ("weights-transposed", lambda weights, values: (weights / weights.sum(1, keepdims=True)).T @ values),
    (("shares-missing", "weights-transposed"), lambda weights, values: weights.T @ values),
    ("unknown", lambda weights, values: weights @ values / len(values)),
)
learners(
    "softmax-temperature",
    ("temperature-missing", lambda scores, temperature: softmax(scores)),
    ("temperature-missing", lambda scores, temperature: np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)),
)
learners(
    "scores-temperature",
    ("temperature-missing", lambda q, k, temperature: q @ k.T / np.sqrt(k.shape[1])),
)
learners(
    "attention-temperature",
    ("temperature-missing", lambda q, k, v, temperature: softmax(q @ k.T / np.sqrt(k.shape[1])) @ v),
    (("temperature-missing", "scale-missing"), lambda q, k, v, temperature: softmax(q @ k.T) @ v),
)
