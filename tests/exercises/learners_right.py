"""Right answers in unusual clothes: the small exercises, and attention."""

import math

import numpy as np

from tests.exercises.learners_table import learner, softmax, softmax_loops


def right(exercise, *functions):
    for function in functions:
        learner(exercise, "right")(function)


right(
    "rows",
    lambda table: table / table.sum(axis=1)[:, None],
    lambda table: (table.T / table.sum(axis=1)).T,
    lambda table: [[float(x / sum(row)) for x in row] for row in table],
    lambda table: np.diag(1 / table.sum(1)) @ table,
    lambda table: np.einsum("ij,i->ij", table, 1 / np.einsum("ij->i", table)).astype(np.float32),
)
right(
    "blend",
    lambda w, x: np.einsum("ij,jd->id", w, x),
    lambda w, x: (x.T @ w.T).T,
    lambda w, x: [[sum(a * b for a, b in zip(row, column, strict=True)) for column in x.T] for row in w],
    lambda w, x: (w[:, :, None] * x[None]).sum(axis=1),
    lambda w, x: np.array([np.average(x, axis=0, weights=row) for row in w]),
    lambda w, x: np.tensordot(w.astype("f4"), x.astype("f4"), 1),
)
right(
    "scores",
    lambda q, k: np.einsum("id,jd->ij", q, k) * q.shape[1] ** -0.5,
    lambda q, k: (q / k.shape[-1] ** 0.25) @ (k / k.shape[-1] ** 0.25).T,
    lambda q, k: [[float(np.dot(one, other)) / math.sqrt(len(one)) for other in k] for one in q],
    lambda q, k: np.inner(q.astype("f4"), k.astype("f4")) / np.float32(np.sqrt(k.shape[-1])),
    lambda q, k: (k @ (q / np.sqrt(q.shape[-1])).T).T,
)
right(
    "scores-temperature",
    lambda q, k, t: np.einsum("id,jd->ij", q / t, k) / np.sqrt(k.shape[1]),
    lambda q, k, t: np.inner(q, k) / (t * math.sqrt(q.shape[1])),
    lambda q, k, t: [[float(a @ b / np.sqrt(a.size) / t) for b in k] for a in q],
    lambda q, k, t: ((q @ k.T) / np.sqrt(k.shape[1] * t**2)).astype(np.float32),
)
right(
    "attention",
    lambda q, k, v: softmax((q / np.sqrt(q.shape[1])) @ k.T) @ v,
    lambda q, k, v: softmax((q / k.shape[1] ** 0.25) @ (k / k.shape[1] ** 0.25).T) @ v,
    lambda q, k, v: np.einsum("ij,jd->id", softmax_loops(np.einsum("id,jd->ij", q, k) / len(q[0]) ** 0.5), v),
    lambda q, k, v: (v.T @ softmax(k @ q.T / np.sqrt(k.shape[1]), axis=0)).T,
    lambda q, k, v: [np.average(v, axis=0, weights=np.exp(k @ one / math.sqrt(one.size))) for one in q],
)


@learner("attention", "right")
def float32_all_the_way(q, k, v):
    q, k, v = (x.astype(np.float32) for x in (q, k, v))
    e = np.exp(q @ k.T / np.sqrt(np.float32(k.shape[-1])))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


@learner("attention", "right")
def nothing_but_loops(q, k, v):
    output = []
    for i in range(len(q)):
        exps = []
        for j in range(len(k)):
            score = 0.0
            for a, b in zip(q[i], k[j], strict=True):
                score += a * b
            exps.append(math.exp(score / math.sqrt(len(k[j]))))
        output.append([sum(e * x[d] for e, x in zip(exps, v, strict=True)) / sum(exps) for d in range(len(v[0]))])
    return output


@learner("attention", "right")
def divides_at_the_end(q, k, v):
    e = np.exp(q @ k.T / np.sqrt(k.shape[-1]))
    return (e @ v) / (e @ np.ones((len(k), 1)))


@learner("attention", "right")
def with_a_running_sum(q, k, v):
    output = np.zeros((len(q), v.shape[1]))
    total, top = np.zeros((len(q), 1)), np.full((len(q), 1), -np.inf)
    for key, value in zip(k, v, strict=True):
        score = (q @ key / np.sqrt(len(key)))[:, None]
        new = np.maximum(top, score)
        output, total = output * np.exp(top - new), total * np.exp(top - new)
        output, total, top = output + np.exp(score - new) * value, total + np.exp(score - new), new
    return output / total


right(
    "attention-temperature",
    lambda q, k, v, t: softmax(q @ (k / t).T / np.sqrt(k.shape[1])) @ v,
    lambda q, k, v, t: (
        np.exp(q @ k.T / (t * k.shape[1] ** 0.5)) @ v / np.exp(q @ k.T / (t * k.shape[1] ** 0.5)).sum(1, keepdims=True)
    ),
    lambda q, k, v, t: softmax(np.einsum("id,jd->ij", q, k).astype("f4") / np.float32(t * np.sqrt(k.shape[1]))) @ v,
    lambda q, k, v, t: [sum(w * x for w, x in zip(softmax(k @ a / t / np.sqrt(len(a))), v, strict=True)) for a in q],
)
right(
    "softmax",
    lambda s: [softmax(row) for row in s],
    lambda s: np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True)),
    lambda s: softmax(s.T, axis=0).T,
    lambda s: 1 / np.exp(s[:, None, :] - s[:, :, None]).sum(-1),
    lambda s: softmax(s.astype(np.float32)),
    lambda s: np.exp(s - s.max(1)[:, None] - 3) / np.exp(s - s.max(1)[:, None] - 3).sum(1)[:, None],
)
right(
    "softmax-temperature",
    lambda s, t: np.exp(s / t) / np.exp(s / t).sum(-1, keepdims=True),
    lambda s, t: softmax(s) ** (1 / t) / (softmax(s) ** (1 / t)).sum(1)[:, None],
    lambda s, t: softmax_loops(s / t).tolist(),
    lambda s, t: np.exp(s.astype("f4") / np.float32(t)) / np.exp(s.astype("f4") / np.float32(t)).sum(-1, keepdims=True),
    lambda s, t: np.apply_along_axis(softmax, 1, s / t),
)


def _terms(w):
    return np.where(w > 0, w * np.log2(np.where(w > 0, w, 1)), 0)


right(
    "entropy",
    lambda w: [-sum(x * math.log2(x) for x in row if x) for row in w.tolist()],
    lambda w: -np.nansum(w * np.log2(w), axis=1),
    lambda w: -np.einsum("ij,ij->i", w, np.log2(np.maximum(w, 1e-300))),
    lambda w: -np.sum(w * np.log(w + 1e-30), axis=-1) / np.log(2),
    lambda w: (w * -np.ma.log2(w)).filled(0).sum(1).astype(np.float32),
    lambda w: np.array([-(row[row > 0] * np.log2(row[row > 0])).sum() for row in w]),
)
right(
    "effective-words",
    lambda w: np.exp(-np.nansum(w * np.log(w), axis=-1)),
    lambda w: np.prod(np.where(w > 0, np.where(w > 0, w, 1) ** -w, 1), axis=1),
    lambda w: [2 ** -sum(x * math.log2(x) for x in row if x) for row in w.tolist()],
    lambda w: np.power(2, -_terms(w).sum(1)).astype(np.float32),
)
