"""Attention written wrongly once, and then used in other exercises, as learners do: with a temperature, in each head,
between two sequences, with a mask that is made first.
"""

import numpy as np

from tests.exercises import learners_blend, learners_hide, learners_scale, learners_weigh  # noqa: F401 - fill the table
from tests.exercises.learners_table import TABLE, learner, softmax


def cooled(f):
    return lambda q, k, v, temperature: f(q / temperature, k, v)


def between_two(f):
    return lambda x, context, W_Q, W_K, W_V: f(x @ W_Q, context @ W_K, context @ W_V)


def of_one_sequence(f):
    return lambda x, W_Q, W_K, W_V: f(x @ W_Q, x @ W_K, x @ W_V)


def in_each_sentence(f):
    def my_attention(q, k, v, lengths):
        masks = [np.tile(np.arange(k.shape[1]) < length, (k.shape[1], 1)) for length in lengths]
        return [f(*one) for one in zip(q, k, v, masks, strict=True)]

    return my_attention


def in_each_head(f):
    def my_heads(x, W_Q, W_K, W_V, W_O):
        heads = [f(x @ W_Q[h], x @ W_K[h], x @ W_V[h]) for h in range(len(W_Q))]
        return np.concatenate(heads, axis=-1) @ np.concatenate(W_O, axis=0)

    return my_heads


def with_a_mask_of_its_own(f):
    return lambda q, k, v: f(q, k, v, np.tril(np.ones((len(q), len(k)), dtype=bool)))


def in_each_causal_head(f):
    return in_each_head(with_a_mask_of_its_own(f))


def between_two_with_padding(f):
    def my_cross(x, context, W_Q, W_K, W_V, mask):
        return f(x @ W_Q, context @ W_K, context @ W_V, np.repeat(mask, len(x), axis=0))

    return my_cross


def with_zeros_written_afterwards(f):
    def my_attention(q, k, v, mask):
        output = np.array(f(q, k, v, mask))
        output[~mask.any(axis=1)] = 0
        return output

    return my_attention


def causal(q, k, v, diagonal, hidden):
    scores = q @ k.T / np.sqrt(k.shape[-1])
    return softmax(np.where(np.tri(len(q), len(k), diagonal), scores, hidden)) @ v


def carry(source, target, adapter, but=()):
    """Use every function of one exercise in another, with the same codes expected."""
    for row in [row for row in TABLE if row.exercise == source and len(row.expected) == 1]:
        if row.expected[0] not in {*but, "right", "unknown", "inputs-changed"}:
            carried = adapter(row.function)
            carried.__name__ = row.function.__name__
            learner(target, *row.expected)(carried)


# Blended queries are cooled ones here, which is nothing known.
carry("attention", "attention-temperature", cooled, {"values-replaced"})
carry("attention", "cross-attention", between_two)
carry("attention", "self-attention", of_one_sequence)
carry("attention", "multi-head-attention", in_each_head)
# A transposed mask of one row lies on the queries, which is another code.
carry("masked-attention", "cross-attention-padded", between_two_with_padding, {"mask-transposed"})
carry("masked-attention", "padded-attention", in_each_sentence, {"mask-transposed"})
carry("masked-attention", "causal-attention", with_a_mask_of_its_own)
carry("masked-attention", "causal-heads", in_each_causal_head)
# Zeros written into the output are not the same as weights of 0, where the weights are not what is blended by.
carry(
    "masked-attention",
    "empty-rows",
    with_zeros_written_afterwards,
    {"weights-transposed", "weights-ignored", "picked-not-blended"},
)

learner("attention-temperature", "values-replaced")(
    lambda q, k, v, temperature: softmax(q @ k.T / np.sqrt(k.shape[-1]) / temperature) @ k
)
learner("causal-attention", "mask-excludes-self")(lambda q, k, v: causal(q, k, v, -1, -np.inf))
learner("causal-attention", "mask-excludes-self")(lambda q, k, v: causal(q, k, v, -1, -1e9))
learner("causal-attention", "mask-one-too-far")(lambda q, k, v: causal(q, k, v, 1, -np.inf))
learner("causal-heads", "mask-excludes-self")(in_each_head(lambda q, k, v: causal(q, k, v, -1, -np.inf)))
learner("causal-heads", "mask-excludes-self")(in_each_head(lambda q, k, v: causal(q, k, v, -1, -1e9)))
learner("causal-heads", "mask-one-too-far")(in_each_head(lambda q, k, v: causal(q, k, v, 1, -1e9)))


@learner("causal-attention", "mask-excludes-self")
def hides_with_triu_indices_and_forgets_the_one(q, k, v):
    scores = q @ k.T / np.sqrt(k.shape[-1])
    scores[np.triu_indices(len(q))] = -np.inf
    return softmax(scores) @ v


@learner("causal-attention", "mask-one-too-far")
def slices_one_too_far(q, k, v):
    return [softmax(q[i] @ k[: i + 2].T / np.sqrt(len(q[i]))) @ v[: i + 2] for i in range(len(q))]
