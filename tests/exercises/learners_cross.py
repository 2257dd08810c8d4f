"""Two sequences, as learners write their attention."""

import numpy as np

from tests.exercises.learners_table import learner, learners, softmax


def attend(q, k, v, mask=True):
    scores = np.where(mask, q @ k.T / np.sqrt(q.shape[-1]), -1e9)
    return softmax(scores) @ v


# Both exercises; the mask comes last, and is not always there.
for name in ("cross-attention", "cross-attention-padded"):
    learners(
        name,
        ("values-from-the-asker", lambda x, c, Q, K, V, *m: attend(x @ Q, c @ K, x @ V, *m)),
        ("sides-swapped", lambda x, c, Q, K, V, *m: attend(c @ Q, x @ K, x @ V, *m)),
        ("projection-transposed", lambda x, c, Q, K, V, *m: attend(x @ Q.T, c @ K.T, c @ V.T, *m)),
        ("projection-transposed", lambda x, c, Q, K, V, *m: attend(x @ Q, c @ K, (V @ c.T).T, *m)),
        ("projection-missing", lambda x, c, Q, K, V, *m: attend(x @ Q, c @ K, c, *m)),
        ("projection-missing", lambda x, c, Q, K, V, *m: attend(x, c, c, *m)),
        ("values-replaced", lambda x, c, Q, K, V, *m: attend(x @ Q, c @ K, c @ K, *m)),
        ("queries-keys-swapped", lambda x, c, Q, K, V, *m: attend(x @ K, c @ Q, c @ V, *m)),
    )

learners(
    "cross-attention",
    ("context-ignored", lambda x, c, Q, K, V: attend(x @ Q, x @ K, x @ V)),
    ("scale-by-d_model", lambda x, c, Q, K, V: softmax(x @ Q @ (c @ K).T / np.sqrt(x.shape[1])) @ c @ V),
    ("scale-by-d_model", lambda x, c, Q, K, V: softmax(x @ Q @ K.T @ c.T / len(Q) ** 0.5) @ (c @ V)),
)
learners(
    "cross-attention-padded",
    (
        "mask-on-queries",
        lambda x, c, Q, K, V, m: softmax(np.where(m.T, x @ Q @ (c @ K).T / np.sqrt(K.shape[1]), -1e9)) @ c @ V,
    ),
    ("context-ignored", lambda x, c, Q, K, V, m: attend(x @ Q, x @ K, x @ V, m)),
    (
        "scale-by-d_model",
        lambda x, c, Q, K, V, m: softmax(np.where(m, x @ Q @ (c @ K).T / np.sqrt(x.shape[1]), -np.inf)) @ c @ V,
    ),
)
learners(
    "self-attention",
    ("scale-by-d_model", lambda x, Q, K, V: softmax(x @ Q @ (x @ K).T / np.sqrt(x.shape[-1])) @ x @ V),
    ("scale-by-d_model", lambda x, Q, K, V: attend(x @ Q * (len(Q[0]) / len(Q)) ** 0.5, x @ K, x @ V)),
    ("projection-transposed", lambda x, Q, K, V: attend(x @ Q.T, x @ K.T, x @ V.T)),
    ("projection-missing", lambda x, Q, K, V: attend(x @ Q, x @ K, x)),
    ("projection-missing", lambda x, Q, K, V: attend(x, x, x)),
)


def attend_in_each(q, k, v, mask, hidden=-np.inf):
    scores = q @ k.swapaxes(1, 2) / np.sqrt(k.shape[-1])
    return softmax(np.where(mask, scores, hidden)) @ v


def there(k, lengths):
    return np.arange(k.shape[1]) < lengths[:, None]


learners(
    "padded-attention",
    ("mask-on-queries", lambda q, k, v, lengths: attend_in_each(q, k, v, there(k, lengths)[:, :, None])),
    ("mask-on-queries", lambda q, k, v, lengths: attend_in_each(q, k, v, there(k, lengths)[:, :, None], -1e9)),
    (
        "mask-on-queries",
        lambda q, k, v, lengths: np.nan_to_num(attend_in_each(q, k, v, there(k, lengths)[:, :, None])),
    ),
    ("mask-one-too-far", lambda q, k, v, lengths: attend_in_each(q, k, v, there(k, lengths + 1)[:, None])),
    ("query-axis-missing", lambda q, k, v, lengths: attend_in_each(q, k, v, there(k, lengths))),
)


@learner("cross-attention", "context-ignored")
def habit_from_self_attention(x, context, W_Q, W_K, W_V):
    q, k, v = (x @ W for W in (W_Q, W_K, W_V))
    scores = np.einsum("id,jd->ij", q, k) / np.sqrt(k.shape[-1])
    return np.einsum("ij,jd->id", softmax(scores), v)


@learner("cross-attention", "sides-swapped")
def takes_the_first_argument_for_the_context(context, x, W_Q, W_K, W_V):
    return attend(x @ W_Q, context @ W_K, context @ W_V)


@learner("cross-attention-padded", "mask-on-queries")
def hides_rows(x, context, W_Q, W_K, W_V, mask):
    q, k, v = x @ W_Q, context @ W_K, context @ W_V
    scores = q @ k.T / np.sqrt(k.shape[1])
    scores[~mask[0]] = -1e9
    return softmax(scores) @ v
