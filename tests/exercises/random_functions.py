"""Wrong functions put together at random, none of which is a known mistake: `check` must accuse nobody of them.

What would be a known mistake, or right, is left out by construction:

* a fixed factor on the scores, and another base than e: with the scale left out, each is a fixed scale;
* a number added to all scores, or to a row of them: softmax does not see it;
* a factor on the output that is made of d_k or the number of heads: it is a scale after the softmax, or a mean;
* one-hot weights and plain averages: what comes before does not show in them;
* two things in another order: the one may put the other right, as reversed weights do with reversed values;
* a function and its inverse, such as a cube and a cube root: no inverse is in these lists.

``python -m tests.exercises.random_functions [number] [seed]`` tries as many as you like.
"""

import sys

import numpy as np

from attention_lab.exercises import check


def noise(x, seed=11):
    return x + np.random.default_rng(seed).normal(size=x.shape)


def far_from_the_diagonal(x):
    return x - np.abs(np.subtract.outer(np.arange(x.shape[-2]), np.arange(x.shape[-1]))) * 0.3


BENT = {
    "tanh": np.tanh,
    "sine": np.sin,
    "cube": lambda x: x**3 / 4,
    "absolute": np.abs,
    "softplus": lambda x: np.log1p(np.exp(x)),
    "signed root": lambda x: np.sign(x) * np.sqrt(np.abs(x)),
    "relu": lambda x: np.maximum(x, 0),
    "noise": noise,
    "more noise": lambda x: noise(x, 5) + 0.3 * x,
    "added up": lambda x: np.cumsum(x, axis=-1),
    "rounded": np.round,
    "halves": lambda x: np.where(x > 0, x, x / 2),
}
ON_SCORES = {**BENT, "far": far_from_the_diagonal}
MOVED = {
    "reversed": lambda x: x[..., ::-1, :] if x.ndim > 1 else x[::-1],
    "rolled": lambda x: np.roll(x, 1, axis=-1),
    "sorted": lambda x: np.sort(x, axis=-1)[..., ::-1],
    "mirrored": lambda x: x[..., ::-1],
}
WEIGHED = {
    "softmax": lambda s, axis: (
        np.exp(s - s.max(axis, keepdims=True)) / np.exp(s - s.max(axis, keepdims=True)).sum(axis, keepdims=True)
    ),
    "sigmoid": lambda s, axis: 1 / (1 + np.exp(-s)),
    "squares": lambda s, axis: s**2 / (s**2).sum(axis, keepdims=True),
    "one more": lambda s, axis: np.exp(s) / (1 + np.exp(s).sum(axis, keepdims=True)),
    "twice": lambda s, axis: WEIGHED["softmax"](WEIGHED["softmax"](s, axis), axis),
}
SCALES = {
    "root of d_k": lambda q, k, v: np.sqrt(q.shape[-1]),
    "none": lambda q, k, v: 1.0,
    "root of d_v": lambda q, k, v: np.sqrt(v.shape[-1]),
    "d_v": lambda q, k, v: v.shape[-1],
}


class Odd:
    """A random attention: what is odd in it is drawn once, and then the same for all arrays."""

    def __init__(self, rng):
        self.at = rng.choice(["scores", "values", "output", "weigh", "keys"], size=rng.integers(1, 4), replace=False)
        self.bent = {name: str(rng.choice(list(ON_SCORES if name == "scores" else BENT))) for name in self.at}
        self.weigh = str(rng.choice(list(WEIGHED)[1:])) if "weigh" in self.at else "softmax"
        self.axis = -2 if rng.random() < 0.2 else -1
        self.scale = str(rng.choice(list(SCALES)))
        self.moved = (
            (str(rng.choice(["scores", "values"])), str(rng.choice(list(MOVED)))) if rng.random() < 0.3 else ("", "")
        )
        self.fill = float(rng.uniform(0.5, 4) * rng.choice([-1, 1]))
        self.hides = str(rng.choice(["well", "with a number", "with another mask", "by a factor"]))

    def __str__(self):
        return str(vars(self))

    def bend(self, name, x):
        x = ON_SCORES[self.bent[name]](x) if name in self.at and name != "weigh" else x
        return MOVED[self.moved[1]](x) if self.moved[0] == name else x

    def hide(self, scores, mask):
        if self.hides == "with a number":
            return np.where(mask, scores, self.fill)
        if self.hides == "by a factor":
            return np.where(mask, scores, scores * self.fill / 5)
        if self.hides == "with another mask":
            mask = np.roll(mask, 1, axis=-1)
        return np.where(mask, scores, -1e9)

    def __call__(self, q, k, v, mask=None):
        k, v = self.bend("keys", k), self.bend("values", v)
        scores = self.bend("scores", q @ k.swapaxes(-1, -2) / SCALES[self.scale](q, k, v))
        scores = scores if mask is None else self.hide(scores, mask)
        return self.bend("output", WEIGHED[self.weigh](scores, self.axis) @ v)


def in_heads(f):
    return lambda x, Q, K, V, W: np.hstack(list(f(x @ Q, x @ K, x @ V))) @ np.vstack(list(W))


def causal(f):
    return lambda q, k, v: f(q, k, v, np.tri(q.shape[-2], dtype=bool))


ATTENTION = {
    "attention": lambda f: f,
    "attention-temperature": lambda f: lambda q, k, v, t: f(q / t, k, v),
    "masked-attention": lambda f: f,
    "causal-attention": causal,
    "cross-attention": lambda f: lambda x, c, Q, K, V: f(x @ Q, c @ K, c @ V),
    "cross-attention-padded": lambda f: lambda x, c, Q, K, V, m: f(x @ Q, c @ K, c @ V, np.repeat(m, len(x), 0)),
    "multi-head-attention": in_heads,
    "causal-heads": lambda f: in_heads(causal(f)),
}


def softmax_back(weights, d_weights):
    return weights * (d_weights - (d_weights * weights).sum(-1, keepdims=True))


ON_THE_WAY_BACK = ("d_weights", "d_scores", "d_q", "d_k", "d_v")


def gradient(q, k, v, d_output, at="", bent=None):
    """The way back through attention, one step of which may be bent."""
    bend = {name: bent if name == at else lambda x: x for name in ON_THE_WAY_BACK}
    weights = WEIGHED["softmax"](q @ k.T / np.sqrt(k.shape[-1]), -1)
    d_scores = bend["d_scores"](softmax_back(weights, bend["d_weights"](d_output @ v.T))) / np.sqrt(k.shape[-1])
    return bend["d_q"](d_scores @ k), bend["d_k"](d_scores.T @ q), bend["d_v"](weights.T @ d_output)


# The remaining exercises: what is right in them, and then bent or moved.
RIGHT = {
    "scores": lambda q, k: q @ k.T / np.sqrt(k.shape[-1]),
    "scores-temperature": lambda q, k, t: q @ k.T / np.sqrt(k.shape[-1]) / t,
    "softmax": lambda s: WEIGHED["softmax"](s, -1),
    "softmax-temperature": lambda s, t: WEIGHED["softmax"](s / t, -1),
    "blend": lambda w, x: w @ x,
    "rows": lambda t: t / t.sum(-1, keepdims=True),
    "role": lambda w: np.diagonal(w, -1, 1, 2).mean(-1),
    "role-after": lambda w: np.diagonal(w, 1, 1, 2).mean(-1),
    "split-heads": lambda x, n: x.reshape(len(x), n, -1).swapaxes(0, 1),
    "merge-heads": lambda h: h.swapaxes(0, 1).reshape(h.shape[1], -1),
    "attention-gradient": gradient,
    "softmax-gradient": lambda s, t, d: softmax_back(WEIGHED["softmax"](s / t, -1), d) / t,
    "split-batch": lambda x, n: x.reshape(*x.shape[:2], n, -1).swapaxes(1, 2),
}
# Positive numbers and shares do not show whether they were made positive, or rounded where they are 0 or 1 already.
POSITIVE = {"softmax", "softmax-temperature", "rows", "role", "role-after"}
SHOWN_BY_ALL = ("tanh", "sine", "cube", "softplus", "signed root", "noise", "more noise", "added up")
# Masks that are no known ones at any size: the known ones are the bands at the diagonal, and their opposites.
MASKS = (
    lambda i, j, n: (i + j) % 2 == 0,
    lambda i, j, n: i + j < n,
    lambda i, j, n: j <= i - 2,
    lambda i, j, n: j <= i + 2,
    lambda i, j, n: i * j % 3 == 0,
    lambda i, j, n: j < n // 2,
    lambda i, j, n: np.abs(i - j) == 1,
    lambda i, j, n: (j <= i) & (j > 0),
    lambda i, j, n: j <= 2 * i,
    lambda i, j, n: np.roll(j <= i, 1, axis=1),
)


def random_mask(rng):
    rule, kind, off = MASKS[rng.integers(len(MASKS))], rng.choice([bool, int, float]), rng.random() < 0.3
    seed = int(rng.integers(1000))

    def my_mask(n):
        mask = np.array(np.broadcast_to(rule(np.arange(n)[:, None], np.arange(n)[None], n), (n, n)))
        if off:
            mask = mask ^ (np.random.default_rng(seed).random((n, n)) < 0.3)
            mask[0, 1:] = mask[0, -1]  # no mask that is known begins with two words of three
            mask[0, 1] = not mask[0, 2]
            mask[0, 3] = mask[0, 1]
        return mask.astype(kind)

    return my_mask


def random_function(exercise, seed):
    """A wrong function for an exercise, and words that say what it does."""
    rng = np.random.default_rng([seed, *exercise.encode()])
    if exercise == "causal-mask":
        return random_mask(rng), f"mask {seed}"
    if exercise in ATTENTION:
        odd = Odd(rng)
        return ATTENTION[exercise](odd), str(odd)
    bent = str(rng.choice(SHOWN_BY_ALL if exercise in POSITIVE else list(BENT)))
    moved = str(rng.choice(["", *MOVED]))
    move = MOVED.get(moved, lambda x: x)
    if exercise == "attention-gradient":
        at = str(rng.choice(ON_THE_WAY_BACK))
        return (lambda *a: gradient(*a, at, lambda x: BENT[bent](move(x)))), f"{at}: {bent} {moved}"
    return (lambda *a: BENT[bent](move(RIGHT[exercise](*a)))), f"{bent} {moved}"


# How many of each: those that take longest to tell least often.
SHARES = {
    "attention": 200,
    "attention-temperature": 40,
    "masked-attention": 70,
    "causal-attention": 25,
    "cross-attention": 40,
    "cross-attention-padded": 10,
    "multi-head-attention": 25,
    "causal-heads": 6,
    "causal-mask": 134,
    **dict.fromkeys(RIGHT, 50),
}


def accused(exercise, number, seed=0):
    """What was found in so many random functions: a line for each that was accused, or called right.

    Some of them give NaN alone, for some arguments: that NaN comes from infinities is then all that is said, and true.
    """
    lines = []
    for i in range(number):
        function, words = random_function(exercise, seed + i)
        report = check(function, exercise)
        if report.verdict != "not yet" or (report.mistakes and report.mistakes != ("nan-row",)):
            lines.append(f"{exercise} {seed + i}: {report.verdict} {report.mistakes} {words}")
    return lines


if __name__ == "__main__":
    times, start = [int(word) for word in [*sys.argv[1:], "1", "0"][:2]]
    for name, share in SHARES.items():
        print(name, *accused(name, share * times, start), sep="\n  ")
