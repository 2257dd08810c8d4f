"""Compare and scale, as learners write them: the scores by themselves, and in attention."""

import math

import numpy as np

from tests.exercises.learners_table import learner, learners, softmax, softmax_loops

learners(
    "scores",
    ("scale-missing", lambda q, k: q @ k.T),
    ("scale-missing", lambda q, k: np.einsum("id,jd->ij", q, k)),
    ("scale-missing", lambda q, k: [[float(np.dot(one, other)) for other in k] for one in q]),
    ("scale-missing", lambda q, k: np.inner(q, k).astype(np.float32)),
    ("scale-by-d_k", lambda q, k: np.dot(q, k.T) / k.shape[1]),
    ("scale-by-d_k", lambda q, k: np.mean(q[:, None, :] * k[None, :, :], axis=-1)),
    ("scale-by-d_k", lambda q, k: (q / np.sqrt(q.shape[1])) @ (k / np.sqrt(k.shape[1])).T),
    ("scale-by-n_keys", lambda q, k: q @ k.T / np.sqrt(len(k))),
    ("scale-by-n_keys", lambda q, k: np.matmul(q, np.transpose(k)) * k.shape[0] ** -0.5),
    ("scale-multiplied", lambda q, k: q @ k.T * math.sqrt(k.shape[-1])),
    ("scale-multiplied", lambda q, k: q @ k.T / k.shape[-1] ** -0.5),
    ("scale-fixed", lambda q, k: q @ k.T / np.sqrt(2)),
    ("scale-fixed", lambda q, k: q @ k.T / 8),
    ("scale-fixed", lambda q, k: np.einsum("id,jd->ij", q, k) * 0.7071),
    ("keys-not-transposed", lambda q, k: q @ k / np.sqrt(k.shape[-1])),
    ("keys-not-transposed", lambda q, k: np.dot(q, k) / np.sqrt(q.shape[1])),
    ("queries-keys-swapped", lambda q, k: k @ q.T / np.sqrt(k.shape[-1])),
    ("queries-keys-swapped", lambda q, k: (q @ k.T / np.sqrt(k.shape[-1])).T),
)


@learner("scores", "queries-keys-swapped")
def loops_the_wrong_way_round(q, k):
    scores = np.zeros((len(k), len(q)))
    for i in range(len(k)):
        for j in range(len(q)):
            scores[i, j] = sum(a * b for a, b in zip(k[i], q[j], strict=True)) / np.sqrt(len(q[j]))
    return scores


learners(
    "scores-temperature",
    ("scale-missing", lambda q, k, temperature: q @ k.T / temperature),
    ("scale-missing", lambda q, k, t: np.einsum("id,jd->ij", q / t, k)),
    ("scale-by-d_k", lambda q, k, t: np.dot(q, k.T) / (k.shape[1] * t)),
    ("scale-by-n_keys", lambda q, k, t: q @ k.T / np.sqrt(k.shape[0]) / t),
    ("scale-multiplied", lambda q, k, t: q @ k.T * np.sqrt(k.shape[-1]) / t),
    ("scale-fixed", lambda q, k, t: q @ k.T / 1.414 / t),
    ("keys-not-transposed", lambda q, k, t: q @ k / (np.sqrt(k.shape[-1]) * t)),
    ("queries-keys-swapped", lambda q, k, t: k @ q.T / np.sqrt(k.shape[-1]) / t),
)

learners(
    "attention",
    ("scale-missing", lambda q, k, v: softmax(q @ k.T) @ v),
    ("scale-missing", lambda q, k, v: softmax_loops(np.inner(q, k)) @ v),
    ("scale-by-d_k", lambda q, k, v: softmax(q @ k.T / k.shape[-1]) @ v),
    ("scale-by-n_keys", lambda q, k, v: softmax(q @ k.T / np.sqrt(k.shape[0])) @ v),
    ("scale-multiplied", lambda q, k, v: softmax(q @ k.T * np.sqrt(k.shape[1])) @ v),
    ("scale-after-softmax", lambda q, k, v: softmax(q @ k.T) / np.sqrt(k.shape[1]) @ v),
    ("scale-fixed", lambda q, k, v: softmax(q @ k.T / np.sqrt(2)) @ v),
    ("scale-fixed", lambda q, k, v: softmax(np.dot(q, k.T) / 1.41) @ v),
    ("keys-not-transposed", lambda q, k, v: softmax(q @ k / np.sqrt(k.shape[1])) @ v),
    ("queries-keys-swapped", lambda q, k, v: softmax(k @ q.T / np.sqrt(k.shape[1])) @ v),
)


@learner("attention", "scale-missing")
def forgets_the_scale_in_a_loop(q, k, v):
    out = []
    for query in q:
        e = np.exp(np.array([query.dot(key) for key in k]))
        w = e / e.sum()
        out.append(sum(w_j * v_j for w_j, v_j in zip(w, v, strict=True)))
    return out


@learner("attention", "scale-by-d_k")
def scales_queries_and_keys_both(q, k, v):
    q = q / np.sqrt(q.shape[-1])
    k = k / np.sqrt(k.shape[-1])
    return np.matmul(softmax(np.matmul(q, k.T)), v)


@learner("attention", "scale-by-d_k")
def scales_twice(q, k, v):
    d_k = q.shape[1]
    scores = q @ k.T / d_k**0.5
    return softmax(scores / math.sqrt(d_k)) @ v


@learner("attention", "scale-after-softmax")
def scales_the_output(q, k, v):
    output = softmax(q @ k.T) @ v
    return output / k.shape[-1] ** 0.5


@learner("attention", "scale-by-n_keys")
def takes_the_length_of_k(q, k, v):
    dk = len(k)
    weights = softmax(np.einsum("id,jd->ij", q, k) / np.sqrt(dk), axis=1)
    return np.einsum("ij,jd->id", weights, v)


@learner("attention", "scale-missing")
def normalises_after_the_blend(q, k, v):
    e = np.exp(q.astype("f4") @ k.T.astype("f4"))
    return (e @ v.astype("f4")) / e.sum(axis=1)[:, None]


@learner("attention", "keys-not-transposed")
def reshapes_in_place_of_transposing(q, k, v):
    scores = q @ k.reshape(k.shape[1], k.shape[1]) / np.sqrt(q.shape[1])
    return softmax(scores) @ v


@learner("attention", "queries-keys-swapped")
def attends_with_the_first_two_arguments_swapped(k, q, v):
    return softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v
