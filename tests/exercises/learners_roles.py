"""A role's score, as learners read it off a map."""

import numpy as np

from tests.exercises.learners_table import learner, learners


def walks(weights, side, take=np.mean):
    """Walk over heads and words, and take something of the weights beside the diagonal."""
    n = weights.shape[-1]
    return [take([head[i, i + side] for i in range(n) if 0 <= i + side < n]) for head in weights]


learners(
    "role",
    ("right", lambda w: np.diagonal(w, -1, 1, 2).mean(axis=-1)),
    ("right", lambda w: w[:, 1:, :-1].trace(axis1=1, axis2=2) / (w.shape[1] - 1)),
    ("right", lambda w: np.array([np.diag(head, k=-1).mean() for head in w])),
    ("right", lambda w: walks(w, -1)),
    ("right", lambda w: np.einsum("hii->h", w[:, 1:, :-1]) / (len(w[0]) - 1)),
    ("right", lambda w: (w * np.eye(w.shape[-1], k=-1)).sum(axis=(1, 2)) / (w.shape[-1] - 1)),
    ("role-other-side", lambda w: np.diagonal(w, 1, 1, 2).mean(axis=-1)),
    ("role-other-side", lambda w: walks(w, 1)),
    ("role-other-side", lambda w: (w * np.eye(w.shape[-1], k=1)).sum(axis=(1, 2)) / (w.shape[-1] - 1)),
    ("role-itself", lambda w: np.diagonal(w, 0, 1, 2).mean(axis=-1)),
    ("role-itself", lambda w: [np.trace(head) / len(head) for head in w]),
    ("role-word-without-neighbour", lambda w: np.diagonal(w, -1, 1, 2).sum(axis=-1) / w.shape[1]),
    ("role-word-without-neighbour", lambda w: (w * np.eye(w.shape[-1], k=-1)).sum(axis=-1).mean(axis=-1)),
    ("role-summed", lambda w: np.diagonal(w, -1, 1, 2).sum(axis=-1)),
    ("role-summed", lambda w: walks(w, -1, np.sum)),
    ("role-heads-pooled", lambda w: np.diagonal(w, -1, 1, 2).mean()),
    ("role-heads-pooled", lambda w: np.mean(walks(w, -1))),
    ("role-heads-pooled", lambda w: np.full(len(w), np.mean(walks(w, -1)))),
    ("role-hits-counted", lambda w: (w.argmax(-1)[:, 1:] == np.arange(w.shape[-1] - 1)).mean(axis=-1)),
    ("unknown", lambda w: w.max(axis=(1, 2))),
    ("unknown", lambda w: w[:, 2:, 0].mean(axis=-1)),
    ("unknown", lambda w: w[:, -1, -2]),
)


@learner("role", "role-hits-counted")
def counts_hits(weights):
    scores = []
    for head in weights:
        hits = [head[i].argmax() == i - 1 for i in range(1, len(head))]
        scores.append(sum(hits) / len(hits))
    return np.array(scores)


learners(
    "role-after",
    ("right", lambda w: walks(w, 1)),
    ("right", lambda w: np.diagonal(w, 1, -2, -1).mean(-1)),
    ("right", lambda w: w[:, :-1, 1:].trace(axis1=1, axis2=2) / (w.shape[1] - 1)),
    ("right", lambda w: [np.diag(head, 1).mean() for head in w]),
    ("role-other-side", lambda w: walks(w, -1)),
    ("role-itself", lambda w: walks(w, 0)),
    ("role-word-without-neighbour", lambda w: np.diagonal(w, 1, 1, 2).sum(axis=-1) / w.shape[1]),
    ("role-summed", lambda w: walks(w, 1, np.sum)),
    ("role-heads-pooled", lambda w: np.diagonal(w, 1, 1, 2).mean()),
    ("role-hits-counted", lambda w: (w.argmax(-1)[:, :-1] == np.arange(1, w.shape[-1])).mean(axis=-1)),
)
