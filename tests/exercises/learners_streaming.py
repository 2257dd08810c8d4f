"""Tiles merged, added and streamed, as learners write them: right in other clothes, and each mistake."""

import numpy as np

from tests.exercises.learners_table import learner, learners, scores_of, softmax

# --- merge-two-tiles ---


def merged(m1, s1, b1, m2, s2, b2, new=np.maximum):
    m = new(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, a * s1 + b * s2, a * b1 + b * b2


learners(
    "merge-two-tiles",
    ("right", merged),
    ("right", lambda *tiles: list(merged(*(tile.astype("f4") for tile in tiles)))),
    ("maximum-of-one-tile", lambda *tiles: merged(*tiles, new=lambda first, second: second)),
    ("maximum-of-one-tile", lambda *tiles: merged(*tiles, new=lambda first, second: first)),
    ("smaller-maximum", lambda *tiles: merged(*tiles, new=np.minimum)),
    ("tiles-not-faded", lambda m1, s1, b1, m2, s2, b2: (np.maximum(m1, m2), s1 + s2, b1 + b2)),
    ("sum-not-faded", lambda *t: (np.maximum(t[0], t[3]), t[1] + t[4], merged(*t)[2])),
    ("blend-not-faded", lambda *t: (*merged(*t)[:2], t[2] + t[5])),
    (("sum-not-faded", "smaller-maximum"), lambda *t: (np.minimum(t[0], t[3]), t[1] + t[4], merged(*t, np.minimum)[2])),
    ("divided-too-early", lambda *t: (*merged(*t)[:2], merged(*t)[2] / merged(*t)[1])),
    ("divided-too-early", lambda *t: (*merged(*t)[:2], (t[2] / t[1] + t[5] / t[4]) / 2)),
    ("unknown", lambda m1, s1, b1, m2, s2, b2: (m1 + m2, s1 + s2, b1 + b2)),
    ("unknown", lambda m1, s1, b1, m2, s2, b2: (m1, s1, b1)),
)  # fmt: skip


@learner("merge-two-tiles", "right")
def scales_the_one_with_the_smaller_maximum(m1, s1, b1, m2, s2, b2):
    m, s, b = m1.copy(), s1.copy(), b1.copy()
    for i in range(len(m)):
        if m2[i] > m1[i]:
            s[i] = s2[i] + s1[i] * np.exp(m1[i] - m2[i])
            b[i] = b2[i] + b1[i] * np.exp(m1[i] - m2[i])
            m[i] = m2[i]
        else:
            s[i] += s2[i] * np.exp(m2[i] - m1[i])
            b[i] += b2[i] * np.exp(m2[i] - m1[i])
    return m, s, b


@learner("merge-two-tiles", "right")
def goes_back_to_exponentials(m1, s1, b1, m2, s2, b2):
    m = np.where(m1 > m2, m1, m2)
    s = (s1 * np.exp(m1) + s2 * np.exp(m2)) / np.exp(m)
    return m, s, (b1 * np.exp(m1) + b2 * np.exp(m2)) / np.exp(m)


@learner("merge-two-tiles", "fade-upside-down")
def turns_the_difference_round(m1, s1, b1, m2, s2, b2):
    m = np.maximum(m1, m2)
    return m, s1 * np.exp(m - m1) + s2 * np.exp(m - m2), b1 * np.exp(m - m1) + b2 * np.exp(m - m2)


# --- last-tile ---


def added(m, t, b, s, v, old=lambda m, new: np.exp(m - new), tile=lambda s, m, new: np.exp(s - new)):
    new = np.maximum(m, s.max(-1, keepdims=True))
    w = tile(s, m, new)
    return b * old(m, new) + w @ v, t * old(m, new) + w.sum(-1, keepdims=True)


def output(*arguments, **otherwise):
    blend, total = added(*arguments, **otherwise)
    return blend / total


def row_by_row(m, t, b, s, v):
    rows = []
    for old, total, blend, scores in zip(m, t, b, s, strict=True):
        new = max(old[0], *scores)
        fade, grown = np.exp(old - new), np.exp(scores - new)
        rows.append((blend * fade + grown @ v) / (total * fade + grown.sum()))
    return rows


def by_logarithms(m, t, b, s, v):
    """The old sum is one more score: that of everything seen so far."""
    old = m + np.log(t)
    weights = softmax(np.hstack([old, s]))
    return weights[:, :1] * b / t + weights[:, 1:] @ v


learners(
    "last-tile",
    ("right", output),
    ("right", row_by_row),
    ("right", by_logarithms),
    ("right", lambda m, t, b, s, v: np.divide(*added(*(part.astype("f4") for part in (m, t, b, s, v))))),
    ("tiles-not-faded", lambda *given: output(*given, old=lambda m, new: 1)),
    ("fade-upside-down", lambda *given: output(*given, old=lambda m, new: np.exp(new - m))),
    ("tile-at-old-maximum", lambda *given: output(*given, tile=lambda s, m, new: np.exp(s - m))),
    ("tile-weighed-alone", lambda *given: output(*given, tile=lambda s, m, new: softmax(s))),
    ("blend-not-faded", lambda *given: added(*given, old=lambda m, new: 1)[0] / added(*given)[1]),
    ("sum-not-faded", lambda *given: added(*given)[0] / added(*given, old=lambda m, new: 1)[1]),
    ("not-divided", lambda *given: added(*given)[0]),
    (("tiles-not-faded", "tile-weighed-alone"),
     lambda *given: output(*given, old=lambda m, new: 1, tile=lambda s, m, new: softmax(s))),
    (("tiles-not-faded", "not-divided"), lambda *given: added(*given, old=lambda m, new: 1)[0]),
    ("unknown", lambda m, t, b, s, v: b / t),
    ("unknown", lambda m, t, b, s, v: softmax(s) @ v),
    ("unknown", lambda m, t, b, s, v: (b / t + softmax(s) @ v) / 2),
)  # fmt: skip

# --- streaming-attention and streaming-masked ---


class Lazily:
    """Scores that are computed when they are looked at, tile by tile, as who streams in earnest does."""

    def __init__(self, q, k, mask=None, by=-np.inf):
        self.q, self.k, self.by = q, k, by
        self.mask = np.broadcast_to(True, (len(q), len(k))) if mask is None else mask

    def __len__(self):
        return len(self.q)

    def __getitem__(self, at):
        return np.where(self.mask[at], scores_of(self.q, self.k[at[1]]), self.by)


def walk(scores, v, tile, *, fades=(True, True), end=None, start=-np.inf, divide=True, guarded=True):
    m, t, b = np.full((len(scores), 1), float(start)), 0, 0
    for j in range(0, end or len(v), tile):
        s = scores[:, j : min(j + tile, end or len(v))]
        new = np.maximum(m, s.max(1, keepdims=True))
        level = np.where(new == -np.inf, 0, new) if guarded else new
        fade, w = np.exp(m - level), np.exp(s - level)
        t = t * (fade if fades[0] else 1) + w.sum(1, keepdims=True)
        b = b * (fade if fades[1] else 1) + w @ v[j : min(j + tile, end or len(v))]
        m = new
    return b / t if divide else b


def each_alone(scores, v, tile):
    return sum(softmax(scores[:, j : j + tile]) @ v[j : j + tile] for j in range(0, len(v), tile))


def each_with_a_guard(scores, v, tile):
    return sum(np.nan_to_num(softmax(scores[:, j : j + tile])) @ v[j : j + tile] for j in range(0, len(v), tile))


def as_two_passes(scores, v, tile):
    starts = range(0, len(v), tile)
    most = np.max([scores[:, j : j + tile].max(1) for j in starts], axis=0)[:, None]
    total = sum(np.exp(scores[:, j : j + tile] - most).sum(1, keepdims=True) for j in starts)
    return sum(np.exp(scores[:, j : j + tile] - most) / total @ v[j : j + tile] for j in starts)


learners(
    "streaming-attention",
    ("right", lambda q, k, v, tile: walk(Lazily(q, k), v, tile)),
    ("right", lambda q, k, v, tile: walk(Lazily(q, k), v, tile, start=-1e9)),
    ("right", lambda q, k, v, tile: as_two_passes(Lazily(q, k), v, tile)),
    ("right", lambda q, k, v, tile: walk(Lazily(q, k[::-1]), v[::-1], tile)),
    ("right", lambda q, k, v, tile: walk(Lazily(q, k), v, tile, guarded=False)),
    ("scale-missing", lambda q, k, v, tile: walk(q @ k.T, v, tile)),
    ("scale-by-d_k", lambda q, k, v, tile: walk(q @ k.T / k.shape[1], v, tile)),
    ("scale-by-n_keys", lambda q, k, v, tile: walk(q @ k.T / np.sqrt(len(k)), v, tile)),
    ("scale-multiplied", lambda q, k, v, tile: walk(q @ k.T * np.sqrt(k.shape[1]), v, tile)),
    ("scale-fixed", lambda q, k, v, tile: walk(q @ k.T / 8, v, tile)),
    ("keys-not-transposed", lambda q, k, v, tile: walk(q @ k / np.sqrt(k.shape[1]), v, tile)),
    ("queries-keys-swapped", lambda q, k, v, tile: walk(k @ q.T / np.sqrt(k.shape[1]), v, tile)),
    ("tiles-not-faded", lambda q, k, v, tile: walk(scores_of(q, k), v, tile, fades=(False, False))),
    ("sum-not-faded", lambda q, k, v, tile: walk(scores_of(q, k), v, tile, fades=(False, True))),
    ("blend-not-faded", lambda q, k, v, tile: walk(scores_of(q, k), v, tile, fades=(True, False))),
    ("tile-weighed-alone", lambda q, k, v, tile: each_alone(scores_of(q, k), v, tile)),
    ("not-divided", lambda q, k, v, tile: walk(scores_of(q, k), v, tile, divide=False)),
    ("edge-dropped", lambda q, k, v, tile: walk(scores_of(q, k), v, tile, end=len(k) // tile * tile)),
    (("scale-missing", "edge-dropped"), lambda q, k, v, tile: walk(q @ k.T, v, tile, end=len(k) // tile * tile)),
    (("scale-missing", "tiles-not-faded"), lambda q, k, v, tile: walk(q @ k.T, v, tile, fades=(False, False))),
    ("unknown", lambda q, k, v, tile: softmax(scores_of(q, k)[:, 1:]) @ v[1:]),
    ("unknown", lambda q, k, v, tile: softmax(scores_of(q, k)[:, -tile:]) @ v[-tile:]),
    ("unknown", lambda q, k, v, tile: each_alone(scores_of(q, k), v, tile) / -(-len(k) // tile)),
)


def hidden(q, k, mask, by=-np.inf):
    return np.where(mask, scores_of(q, k), by)


learners(
    "streaming-masked",
    ("right", lambda q, k, v, mask, tile: walk(Lazily(q, k, mask), v, tile)),
    ("right", lambda q, k, v, mask, tile: walk(Lazily(q, k, mask, -1e9), v, tile, guarded=False)),
    ("right", lambda q, k, v, mask, tile: walk(Lazily(q, k, mask), v, tile, start=-1e30, guarded=False)),
    ("right", lambda q, k, v, mask, tile: as_two_passes(Lazily(q, k, mask), v, tile)),
    ("scale-missing", lambda q, k, v, mask, tile: walk(np.where(mask, q @ k.T, -np.inf), v, tile)),
    ("scale-by-d_k", lambda q, k, v, mask, tile: walk(np.where(mask, q @ k.T / k.shape[1], -np.inf), v, tile)),
    ("scale-by-n_keys", lambda q, k, v, mask, tile: walk(np.where(mask, q @ k.T / len(k) ** 0.5, -np.inf), v, tile)),
    ("scale-multiplied",
     lambda q, k, v, mask, tile: walk(np.where(mask, q @ k.T * k.shape[1] ** 0.5, -np.inf), v, tile)),
    ("scale-fixed", lambda q, k, v, mask, tile: walk(np.where(mask, q @ k.T / 8, -1e9), v, tile)),
    ("keys-not-transposed",
     lambda q, k, v, mask, tile: walk(np.where(mask, q @ k / k.shape[1] ** 0.5, -np.inf), v, tile)),
    ("queries-keys-swapped",
     lambda q, k, v, mask, tile: walk(np.where(mask, k @ q.T / k.shape[1] ** 0.5, -np.inf), v, tile)),
    ("mask-missing", lambda q, k, v, mask, tile: walk(scores_of(q, k), v, tile)),
    ("mask-inverted", lambda q, k, v, mask, tile: walk(hidden(q, k, ~mask), v, tile)),
    ("mask-transposed", lambda q, k, v, mask, tile: walk(hidden(q, k, mask.T), v, tile)),
    ("mask-zeroes-scores", lambda q, k, v, mask, tile: walk(hidden(q, k, mask, 0), v, tile)),
    ("mask-added-as-numbers", lambda q, k, v, mask, tile: walk(scores_of(q, k) + mask, v, tile)),
    ("nan-row", lambda q, k, v, mask, tile: walk(scores_of(q, k) + (1 - mask) * -np.inf, v, tile)),
    ("nan-tile", lambda q, k, v, mask, tile: walk(hidden(q, k, mask), v, tile, guarded=False)),
    ("tiles-not-faded", lambda q, k, v, mask, tile: walk(hidden(q, k, mask), v, tile, fades=(False, False))),
    ("tiles-not-faded", lambda q, k, v, mask, tile: walk(hidden(q, k, mask, -1e9), v, tile, fades=(False, False))),
    ("sum-not-faded", lambda q, k, v, mask, tile: walk(hidden(q, k, mask), v, tile, fades=(False, True))),
    ("blend-not-faded", lambda q, k, v, mask, tile: walk(hidden(q, k, mask), v, tile, fades=(True, False))),
    ("tile-weighed-alone", lambda q, k, v, mask, tile: each_alone(hidden(q, k, mask, -1e9), v, tile)),
    ("not-divided", lambda q, k, v, mask, tile: walk(hidden(q, k, mask), v, tile, divide=False)),
    ("edge-dropped", lambda q, k, v, mask, tile: walk(hidden(q, k, mask, -1e9), v, tile, end=len(k) // tile * tile)),
    (("scale-missing", "mask-missing"), lambda q, k, v, mask, tile: walk(q @ k.T, v, tile)),
    ("unknown", lambda q, k, v, mask, tile: each_with_a_guard(hidden(q, k, mask), v, tile) / -(-len(k) // tile)),
)  # fmt: skip
