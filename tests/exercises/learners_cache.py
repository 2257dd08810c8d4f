"""A step with a cache, as learners write it: right in other clothes, each mistake, two at once, unknown."""

import numpy as np

from tests.exercises.learners_table import learner, learners, scores_of, softmax, softmax_loops


def kept(k, v, keys, values):
    return np.vstack([keys, k]), np.vstack([values, v])


def step(weigh, *, chunk=False):
    """A step whose weights are made from the query and all keys (and the mask) in some way."""

    def function(q, k, v, keys, values):
        keys, values = kept(k, v, keys, values)
        weights = weigh(q, keys, causal(len(q), len(keys))) if chunk else weigh(q, keys)
        return weights @ values, keys, values

    return function


def causal(n_new, n):
    return np.tri(n_new, n, n - n_new, dtype=bool)


def from_the_start(mask):
    return np.tri(*mask.shape, dtype=bool)


def hidden(scores, mask):
    return np.where(mask, scores, -np.inf)


# --- cache-step ---


@learner("cache-step", "right")
def with_append_and_inner(q, k, v, keys, values):
    keys, values = np.append(keys, k, axis=0), np.append(values, v, axis=0)
    weights = np.exp(np.inner(q, keys) / q.shape[-1] ** 0.5)
    return weights / weights.sum() @ values, keys, values


@learner("cache-step", "right")
def into_a_larger_array(q, k, v, keys, values):
    n, d = keys.shape
    all_keys, all_values = np.zeros((n + 1, d)), np.zeros((n + 1, values.shape[1]))
    all_keys[:n], all_values[:n] = keys, values
    all_keys[n], all_values[n] = k[0], v[0]
    weights = softmax(all_keys @ q[0] / np.sqrt(d))
    return [(weights @ all_values)[None], all_keys, all_values]


@learner("cache-step", "right")
def number_by_number(q, k, v, keys, values):
    keys, values = [*keys, k[0]], [*values, v[0]]
    scores = [sum(a * b for a, b in zip(q[0], key, strict=True)) / np.sqrt(len(key)) for key in keys]
    weights = softmax(np.array(scores))
    return [sum(a * value for a, value in zip(weights, values, strict=True))], keys, values


@learner("cache-step", "right")
def itself_apart(q, k, v, keys, values):
    old, own = np.exp(scores_of(q, keys)), np.exp((q * k).sum() / np.sqrt(k.shape[1]))
    return (old @ values + own * v) / (old.sum() + own), *kept(k, v, keys, values)


@learner("cache-step", "right")
def in_float32(q, k, v, keys, values):
    return step(lambda q, k: softmax(scores_of(q, k)))(*(x.astype("f4") for x in (q, k, v, keys, values)))


learners(
    "cache-step",
    ("scale-missing", step(lambda q, k: softmax(q @ k.T))),
    ("scale-by-d_k", step(lambda q, k: softmax(q @ k.T / k.shape[1]))),
    ("scale-by-n_keys", step(lambda q, k: softmax(q @ k.T / np.sqrt(len(k))))),
    ("scale-multiplied", step(lambda q, k: softmax(q @ k.T * np.sqrt(k.shape[1])))),
    ("scale-after-softmax", step(lambda q, k: softmax(q @ k.T) / np.sqrt(k.shape[1]))),
    ("scale-fixed", step(lambda q, k: softmax(q @ k.T / 8))),
    ("softmax-over-queries", step(lambda q, k: softmax(scores_of(q, k), axis=0))),
    ("softmax-missing", step(scores_of)),
    ("sum-missing", step(lambda q, k: np.exp(scores_of(q, k)))),
    ("exp-missing", step(lambda q, k: scores_of(q, k) / scores_of(q, k).sum())),
    ("keys-not-transposed", step(lambda q, k: softmax(q @ k / np.sqrt(k.shape[1])))),
    ("weights-ignored", step(lambda q, k: np.full((1, len(k)), 1 / len(k)))),
    ("picked-not-blended", step(lambda q, k: np.eye(len(k))[scores_of(q, k).argmax(1)])),
    ("mask-aligned-at-start", step(lambda q, k: softmax(hidden(scores_of(q, k), np.tri(1, len(k), dtype=bool))))),
)  # fmt: skip


@learner("cache-step", "mask-aligned-at-start")
def as_is_causal_does(q, k, v, keys, values):
    keys, values = kept(k, v, keys, values)
    scores = scores_of(q, keys)
    scores[np.triu(np.ones(scores.shape, bool), k=1)] = -np.inf
    return softmax(scores) @ values, keys, values


@learner("cache-step", "new-word-unseen")
def looks_then_keeps(q, k, v, keys, values):
    output = softmax_loops(scores_of(q, keys)) @ values
    return output, np.concatenate([keys, k]), np.concatenate([values, v])


@learner("cache-step", "cache-not-looked-at")
def looks_at_itself_alone(q, k, v, keys, values):
    return softmax(scores_of(q, k)) @ v, *kept(k, v, keys, values)


@learner("cache-step", "cache-in-front")
def newest_first(q, k, v, keys, values):
    keys, values = np.vstack([k, keys]), np.vstack([v, values])
    return softmax(scores_of(q, keys)) @ values, keys, values


@learner("cache-step", "cache-in-front")
def newest_key_first(q, k, v, keys, values):
    keys, values = np.vstack([k, keys]), np.vstack([values, v])
    return softmax(scores_of(q, keys)) @ values, keys, values


@learner("cache-step", "cache-in-front")
def newest_value_first(q, k, v, keys, values):
    keys, values = np.insert(keys, len(keys), k[0], axis=0), np.insert(values, 0, v[0], axis=0)
    return softmax(scores_of(q, keys)) @ values, keys, values


@learner("cache-step", "query-kept")
def keeps_what_was_asked(q, k, v, keys, values):
    keys, values = np.vstack([keys, q]), np.vstack([values, v])
    return softmax(scores_of(q, keys)) @ values, keys, values


@learner("cache-step", "new-word-unseen", "scale-missing")
def looks_first_and_scales_nothing(q, k, v, keys, values):
    return softmax(q @ keys.T) @ values, *kept(k, v, keys, values)


@learner("cache-step", "cache-in-front", "scale-missing")
def newest_value_first_unscaled(q, k, v, keys, values):
    keys, values = np.vstack([keys, k]), np.vstack([v, values])
    return softmax(q @ keys.T) @ values, keys, values


learners(
    "cache-step",
    ("unknown", lambda q, k, v, keys, values: (values[-1:] / 2, *kept(k, v, keys, values))),
    ("unknown", lambda q, k, v, keys, values: (v * 0, *kept(k, v, keys, values))),
    ("unknown", step(lambda q, k: softmax(-scores_of(q, k)))),
    ("unknown", step(lambda q, k: softmax(scores_of(q[:, ::-1], k)))),
)

# --- cache-chunk ---


@learner("cache-chunk", "right")
def word_by_word(q, k, v, keys, values):
    outputs = []
    for i in range(len(q)):
        keys, values = np.vstack([keys, k[i]]), np.vstack([values, v[i]])
        outputs.append(softmax(scores_of(q[i : i + 1], keys))[0] @ values)
    return np.array(outputs), keys, values


@learner("cache-chunk", "right")
def the_last_rows_of_a_square_mask(q, k, v, keys, values):
    keys, values = kept(k, v, keys, values)
    mask = np.tril(np.ones((len(keys), len(keys))))[-len(q) :]
    return softmax(np.where(mask == 1, scores_of(q, keys), -1e9)) @ values, keys, values


@learner("cache-chunk", "right")
def a_block_of_true_beside_a_triangle(q, k, v, keys, values):
    mask = np.hstack([np.ones((len(q), len(keys)), bool), np.tril(np.ones((len(q), len(q)), bool))])
    keys, values = kept(k, v, keys, values)
    return softmax(scores_of(q, keys) + np.where(mask, 0, -1e9)) @ values, keys, values


learners(
    "cache-chunk",
    ("right", step(lambda q, k, m: softmax_loops(hidden(scores_of(q, k), m)), chunk=True)),
    ("scale-missing", step(lambda q, k, m: softmax(hidden(q @ k.T, m)), chunk=True)),
    ("scale-by-d_k", step(lambda q, k, m: softmax(hidden(q @ k.T / k.shape[1], m)), chunk=True)),
    ("scale-by-n_keys", step(lambda q, k, m: softmax(hidden(q @ k.T / np.sqrt(len(k)), m)), chunk=True)),
    ("scale-multiplied", step(lambda q, k, m: softmax(hidden(q @ k.T * np.sqrt(k.shape[1]), m)), chunk=True)),
    ("scale-after-softmax", step(lambda q, k, m: softmax(hidden(q @ k.T, m)) / np.sqrt(k.shape[1]), chunk=True)),
    ("scale-fixed", step(lambda q, k, m: softmax(hidden(q @ k.T / 8, m)), chunk=True)),
    ("softmax-over-queries", step(lambda q, k, m: softmax(np.where(m, scores_of(q, k), -1e9), axis=0), chunk=True)),
    ("softmax-over-everything", step(lambda q, k, m: softmax(hidden(scores_of(q, k), m), axis=None), chunk=True)),
    ("softmax-missing", step(lambda q, k, m: np.where(m, scores_of(q, k), 0), chunk=True)),
    ("sum-missing", step(lambda q, k, m: np.exp(hidden(scores_of(q, k), m)), chunk=True)),
    ("exp-missing", step(lambda q, k, m: m * scores_of(q, k) / (m * scores_of(q, k)).sum(1)[:, None], chunk=True)),
    ("keys-not-transposed", step(lambda q, k, m: softmax(hidden(q @ k / np.sqrt(k.shape[1]), m)), chunk=True)),
    ("weights-ignored", step(lambda q, k, m: np.full((len(q), len(k)), 1 / len(k)), chunk=True)),
    ("picked-not-blended", step(lambda q, k, m: np.eye(len(k))[hidden(scores_of(q, k), m).argmax(1)], chunk=True)),
    ("mask-missing", step(lambda q, k, m: softmax(scores_of(q, k)), chunk=True)),
    ("mask-inverted", step(lambda q, k, m: softmax(np.where(m, -1e9, scores_of(q, k))), chunk=True)),
    ("mask-after-softmax", step(lambda q, k, m: softmax(scores_of(q, k)) * m, chunk=True)),
    ("mask-zeroes-scores", step(lambda q, k, m: softmax(scores_of(q, k) * m), chunk=True)),
    ("mask-added-as-numbers", step(lambda q, k, m: softmax(scores_of(q, k) + m), chunk=True)),
    ("mask-aligned-at-start", step(lambda q, k, m: softmax(hidden(scores_of(q, k), from_the_start(m))), chunk=True)),
    (("mask-missing", "scale-missing"), step(lambda q, k, m: softmax(q @ k.T), chunk=True)),
    (
        ("mask-aligned-at-start", "scale-missing"),
        step(lambda q, k, m: softmax(hidden(q @ k.T, from_the_start(m))), chunk=True),
    ),
    ("unknown", step(lambda q, k, m: softmax(hidden(scores_of(q, k), causal(len(q), len(k))[::-1])), chunk=True)),
    ("unknown", step(lambda q, k, m: softmax(hidden(-scores_of(q, k), m)), chunk=True)),
)  # fmt: skip


@learner("cache-chunk", "nan-row")
def multiplies_the_mask_by_infinity(q, k, v, keys, values):
    mask = causal(len(q), len(keys) + len(k))
    keys, values = kept(k, v, keys, values)
    with np.errstate(invalid="ignore"):
        return softmax(scores_of(q, keys) + ~mask * -np.inf) @ values, keys, values


@learner("cache-chunk", "cache-not-looked-at")
def look_at_each_other_alone(q, k, v, keys, values):
    return softmax(hidden(scores_of(q, k), causal(len(q), len(k)))) @ v, *kept(k, v, keys, values)


@learner("cache-chunk", "cache-in-front")
def newest_first_in_both(q, k, v, keys, values):
    mask = causal(len(q), len(keys) + len(k))
    keys, values = np.vstack([k, keys]), np.vstack([v, values])
    return softmax(hidden(scores_of(q, keys), mask)) @ values, keys, values


@learner("cache-chunk", "cache-in-front")
def newest_values_first(q, k, v, keys, values):
    mask = causal(len(q), len(keys) + len(k))
    keys, values = np.vstack([keys, k]), np.vstack([v, values])
    return softmax(hidden(scores_of(q, keys), mask)) @ values, keys, values


@learner("cache-chunk", "query-kept")
def keeps_what_they_asked(q, k, v, keys, values):
    mask = causal(len(q), len(keys) + len(k))
    keys, values = np.vstack([keys, q]), np.vstack([values, v])
    return softmax(hidden(scores_of(q, keys), mask)) @ values, keys, values
