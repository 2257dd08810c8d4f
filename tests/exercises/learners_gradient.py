"""The way back through attention, as learners write it: right in other clothes, each mistake, two at once, unknown."""

import numpy as np

from tests.exercises.learners_table import learner, learners, scores_of, softmax, softmax_loops


def back(q, k, v, g, a, c=None):
    """The way back from weights that were made somehow; c is what the scores were divided by."""
    c = np.sqrt(k.shape[-1]) if c is None else c
    da = g @ v.T
    ds = a * (da - (da * a).sum(1, keepdims=True)) / c
    return ds @ k, ds.T @ q, a.T @ g


def from_scores(q, k, v, g, ds):
    """Its end, from slopes of the scores that were made somehow."""
    return ds @ k, ds.T @ q, softmax(scores_of(q, k)).T @ g


def weights_and_slopes(q, k, v, g):
    return softmax(scores_of(q, k)), np.einsum("id,jd->ij", g, v), np.sqrt(q.shape[-1])


# --- attention-gradient ---


@learner("attention-gradient", "right")
def with_a_whole_jacobian(q, k, v, g):
    a = softmax(scores_of(q, k))
    jacobians = np.array([np.diag(row) - np.outer(row, row) for row in a])
    ds = np.einsum("ijk,ik->ij", jacobians, g @ v.T) / np.sqrt(k.shape[1])
    return ds @ k, ds.T @ q, a.T @ g


@learner("attention-gradient", "right")
def with_the_output_in_place_of_a_row_sum(q, k, v, g):
    a = softmax(scores_of(q, k))
    d = (g * (a @ v)).sum(axis=1)[:, None]
    ds = a * (g @ v.T - d)
    return [ds @ k / np.sqrt(k.shape[1]), ds.T @ q / np.sqrt(k.shape[1]), a.T @ g]


@learner("attention-gradient", "right")
def query_by_query(q, k, v, g):
    d_q, d_k, d_v = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for i in range(len(q)):
        a = softmax(k @ q[i] / np.sqrt(len(q[i])))
        da = v @ g[i]
        ds = a * (da - a @ da) / np.sqrt(len(q[i]))
        d_q[i] = ds @ k
        for j in range(len(k)):
            d_k[j] += ds[j] * q[i]
            d_v[j] += a[j] * g[i]
    return d_q, d_k, d_v


@learner("attention-gradient", "right")
def in_float32_with_einsum(q, k, v, g):
    q, k, v, g = (x.astype("f4") for x in (q, k, v, g))
    a = softmax(np.einsum("id,jd->ij", q, k) / np.float32(np.sqrt(k.shape[1])))
    da = np.einsum("ie,je->ij", g, v)
    ds = (a * da - a * np.einsum("ij,ij->i", a, da)[:, None]) / np.float32(np.sqrt(k.shape[1]))
    return np.einsum("ij,jd->id", ds, k), np.einsum("ij,id->jd", ds, q), np.einsum("ij,ie->je", a, g)


@learner("attention-gradient", "right")
def hands_in_lists(q, k, v, g):
    return [table.tolist() for table in back(q, k, v, g, softmax_loops(scores_of(q, k)))]


learners(
    "attention-gradient",
    ("scale-missing", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T), 1)),
    ("scale-missing", lambda q, k, v, g: back(q, k, v, g, softmax_loops(np.inner(q, k)))),
    ("scale-by-d_k", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T / k.shape[1]), k.shape[1])),
    ("scale-by-n_keys", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T / np.sqrt(len(k))), np.sqrt(len(k)))),
    ("scale-by-n_keys", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T / np.sqrt(k.shape[0])))),
    ("scale-multiplied", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T * len(k[0]) ** 0.5), len(k[0]) ** -0.5)),
    ("scale-after-softmax", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T) / np.sqrt(k.shape[1]))),
    ("scale-fixed", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T / np.sqrt(2)), np.sqrt(2))),
    ("scale-fixed", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k.T / 8))),
    ("softmax-over-queries", lambda q, k, v, g: back(q, k, v, g, softmax(scores_of(q, k), axis=0))),
    ("softmax-over-everything", lambda q, k, v, g: back(q, k, v, g, softmax(scores_of(q, k), axis=None))),
    ("softmax-missing", lambda q, k, v, g: back(q, k, v, g, scores_of(q, k))),
    ("sum-missing", lambda q, k, v, g: back(q, k, v, g, np.exp(scores_of(q, k)))),
    ("exp-missing", lambda q, k, v, g: back(q, k, v, g, scores_of(q, k) / scores_of(q, k).sum(1)[:, None])),
    ("keys-not-transposed", lambda q, k, v, g: back(q, k, v, g, softmax(q @ k / np.sqrt(k.shape[1])))),
    ("queries-keys-swapped", lambda q, k, v, g: back(q, k, v, g, softmax(k @ q.T / np.sqrt(k.shape[1])))),
)  # fmt: skip


@learner("attention-gradient", "gradient-sum-missing")
def weight_times_slope(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * da / c)


@learner("attention-gradient", "gradient-of-one-weight")
def only_the_diagonal(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    ds = np.array([np.diag(row * (1 - row)) @ slope for row, slope in zip(a, da, strict=True)])
    return from_scores(q, k, v, g, ds / c)


@learner("attention-gradient", "gradient-of-one-weight")
def as_if_it_were_a_sigmoid(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, (a - a**2) * da / c)


@learner("attention-gradient", "gradient-softmax-skipped")
def weights_are_scores(q, k, v, g):
    _, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, da / c)


@learner("attention-gradient", "gradient-sum-unweighted")
def takes_the_plain_mean(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * (da - da.mean(axis=1, keepdims=True)) / c)


@learner("attention-gradient", "gradient-sum-unweighted")
def takes_the_mean_of_the_products(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * (da - np.mean(a * da, axis=1)[:, None]) / c)


@learner("attention-gradient", "gradient-sum-of-others")
def down_the_columns(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * (da - (a * da).sum(axis=0)) / c)


@learner("attention-gradient", "gradient-sum-of-others")
def leaves_keepdims_out(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * (da - (a * da).sum(axis=1)) / c)


@learner("attention-gradient", "gradient-sum-of-others")
def gives_the_sum_no_axis(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * (da - np.sum(a * da)) / c)


learners(
    "attention-gradient",
    ("gradient-unscaled", lambda q, k, v, g: back(q, k, v, g, softmax(scores_of(q, k)), 1)),
    ("gradient-scaled-twice", lambda q, k, v, g: back(q, k, v, g, softmax(scores_of(q, k)), k.shape[-1])),
)


@learner("attention-gradient", "gradient-unscaled")
def scales_d_q_alone(q, k, v, g):
    d_q, d_k, d_v = back(q, k, v, g, softmax(scores_of(q, k)), 1)
    return d_q / np.sqrt(k.shape[1]), d_k, d_v


@learner("attention-gradient", "gradient-unscaled")
def scales_d_k_alone(q, k, v, g):
    d_q, d_k, d_v = back(q, k, v, g, softmax(scores_of(q, k)), 1)
    return d_q, d_k / np.sqrt(k.shape[1]), d_v


@learner("attention-gradient", "gradient-weights-not-transposed")
def blends_forward_again(q, k, v, g):
    d_q, d_k, _ = back(q, k, v, g, softmax(scores_of(q, k)))
    return d_q, d_k, softmax(scores_of(q, k)) @ g


@learner("attention-gradient", "gradient-values-not-transposed")
def multiplies_with_v_as_it_is(q, k, v, g):
    return back(q, k, v.T, g, softmax(scores_of(q, k)))


@learner("attention-gradient", "gradient-scores-not-transposed")
def d_k_by_rows(q, k, v, g):
    d_q, _, d_v = back(q, k, v, g, softmax(scores_of(q, k)))
    a, da, c = weights_and_slopes(q, k, v, g)
    return d_q, a * (da - (a * da).sum(1, keepdims=True)) / c @ q, d_v


@learner("attention-gradient", "gradient-of-itself")
def d_q_from_q(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    ds = a * (da - (a * da).sum(1, keepdims=True)) / c
    return ds @ q, ds.T @ k, a.T @ g


@learner("attention-gradient", "gradient-of-itself")
def d_k_from_k(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    ds = a * (da - (a * da).sum(1, keepdims=True)) / c
    return ds @ k, ds.T @ k, a.T @ g


# Two at once


@learner("attention-gradient", "gradient-sum-missing", "gradient-unscaled")
def neither_sum_nor_scale(q, k, v, g):
    a, da, _ = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * da)


@learner("attention-gradient", "gradient-of-one-weight", "gradient-unscaled")
def neither_the_others_nor_scale(q, k, v, g):
    a, da, _ = weights_and_slopes(q, k, v, g)
    return from_scores(q, k, v, g, a * (1 - a) * da)


@learner("attention-gradient", "scale-missing", "gradient-sum-missing")
def no_scale_and_no_sum(q, k, v, g):
    a = softmax(q @ k.T)
    ds = a * (g @ v.T)
    return ds @ k, ds.T @ q, a.T @ g


@learner("attention-gradient", "scale-fixed", "gradient-softmax-skipped")
def divides_by_two_and_skips_the_softmax(q, k, v, g):
    ds = g @ v.T / 2
    return ds @ k, ds.T @ q, softmax(q @ k.T / 2).T @ g


@learner("attention-gradient", "gradient-weights-not-transposed", "gradient-scores-not-transposed")
def transposes_nothing(q, k, v, g):
    a, da, c = weights_and_slopes(q, k, v, g)
    ds = a * (da - (a * da).sum(1, keepdims=True)) / c
    return ds @ k, ds @ q, a @ g


# Nothing known


def moved(change):
    """What is right, and then changed somewhere."""

    def function(q, k, v, g):
        return change(*back(q, k, v, g, softmax(scores_of(q, k))))

    return function


learners(
    "attention-gradient",
    ("unknown", moved(lambda d_q, d_k, d_v: (-d_q, -d_k, -d_v))),
    ("unknown", moved(lambda d_q, d_k, d_v: (d_q, d_k, d_v + 1))),
    ("unknown", moved(lambda d_q, d_k, d_v: (d_q, d_k[::-1], d_v))),
    ("unknown", moved(lambda d_q, d_k, d_v: (np.tanh(d_q), d_k, d_v))),
    ("unknown", moved(lambda d_q, d_k, d_v: (d_q * 0, d_k * 0, d_v * 0))),
    ("unknown", moved(lambda d_q, d_k, d_v: (d_q, d_k * np.nan, d_v))),
    ("unknown", lambda q, k, v, g: (q, k, v)),
    ("unknown", lambda q, k, v, g: back(q, k, v, np.ones_like(g), softmax(scores_of(q, k)))),
    ("unknown", lambda q, k, v, g: back(q, k, v, softmax(scores_of(q, k)) @ v, softmax(scores_of(q, k)))),
    ("unknown", lambda q, k, v, g: (*back(q, k, v, g, softmax(scores_of(q, k)))[:2], scores_of(q, k).T @ g)),
)

# --- softmax-gradient ---


def softmax_back(a, d):
    return a * (d - (a * d).sum(-1, keepdims=True))


learners(
    "softmax-gradient",
    ("right", lambda s, t, d: softmax_back(softmax(s / t), d / t)),
    ("right", lambda s, t, d: [(np.diag(a) - np.outer(a, a)) @ b / t for a, b in zip(softmax(s / t), d, strict=True)]),
    ("right", lambda s, t, d: np.einsum("ij,ijk->ik", d, softmax(s / t)[:, :, None]
                                        * (np.eye(s.shape[1]) - softmax(s / t)[:, None])) / t),
    ("right", lambda s, t, d: softmax_back(softmax_loops(s.astype("f4") / np.float32(t)), d).astype("f4") / t),
    ("temperature-missing", lambda s, t, d: softmax_back(softmax(s), d)),
    ("temperature-missing", lambda s, t, d: softmax_back(softmax(s), d) / t),
    ("gradient-uncooled", lambda s, t, d: softmax_back(softmax(s / t), d)),
    ("softmax-over-queries", lambda s, t, d: softmax_back(softmax(s / t, axis=0), d) / t),
    ("softmax-over-everything", lambda s, t, d: softmax_back(np.exp(s / t) / np.exp(s / t).sum(), d) / t),
    ("softmax-missing", lambda s, t, d: softmax_back(s / t, d) / t),
    ("sum-missing", lambda s, t, d: softmax_back(np.exp(s / t), d) / t),
    ("exp-missing", lambda s, t, d: softmax_back(s / s.sum(1, keepdims=True), d) / t),
    ("gradient-sum-missing", lambda s, t, d: softmax(s / t) * d / t),
    ("gradient-of-one-weight", lambda s, t, d: softmax(s / t) * (1 - softmax(s / t)) * d / t),
    ("gradient-softmax-skipped", lambda s, t, d: d / t),
    ("gradient-sum-unweighted", lambda s, t, d: softmax(s / t) * (d - d.sum(1)[:, None]) / t),
    ("gradient-sum-of-others", lambda s, t, d: softmax(s / t) * (d - (d * softmax(s / t)).sum(0)) / t),
    (("gradient-sum-missing", "gradient-uncooled"), lambda s, t, d: softmax(s / t) * d),
    (("gradient-softmax-skipped", "temperature-missing"), lambda s, t, d: d),
    ("unknown", lambda s, t, d: softmax_back(softmax(s / t), d) * t),
    ("unknown", lambda s, t, d: softmax(s / t)),
    ("unknown", lambda s, t, d: softmax_back(softmax(s / t), softmax(d)) / t),
)  # fmt: skip
