"""Positions, as learners write them: right in other clothes, and each mistake."""

import numpy as np

from tests.exercises.learners_table import learner

BASE = 10000.0


def filled(n, d, sine, cosine, base=BASE, first=0, exponent=lambda i, d: 2 * i / d):
    """Place by place and pair by pair."""
    table = np.zeros((n, d))
    for t in range(n):
        for i in range(d // 2):
            angle = (t + first) / base ** exponent(i, d)
            table[t, sine(i)], table[t, cosine(i)] = np.sin(angle), np.cos(angle)
    return table


def even(i):
    return 2 * i


def odd(i):
    return 2 * i + 1


# --- positions ---


@learner("positions", "right")
def in_two_loops(n, d):
    return filled(n, d, even, odd)


@learner("positions", "right")
def with_slices_and_a_logarithm(n, d):
    rates = np.exp(np.arange(0, d, 2) * -(np.log(10000.0) / d))
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(np.outer(np.arange(n), rates))
    table[:, 1::2] = np.cos(np.outer(np.arange(n), rates))
    return table


@learner("positions", "right")
def with_the_imaginary_part(n, d):
    turning = np.exp(1j * np.arange(n)[:, None] * BASE ** (-np.arange(0, d, 2) / d))
    return np.stack([turning.imag, turning.real], axis=2).reshape(n, -1).tolist()


@learner("positions", "right")
def with_shifted_sines(n, d):
    angles = np.arange(n)[:, None] / BASE ** (np.arange(d) // 2 * 2 / d)
    return np.sin(angles + np.pi / 2 * (np.arange(d) % 2))


@learner("positions", "places-from-one")
def counts_from_one(n, d):
    return filled(n, d, even, odd, first=1)


@learner("positions", "rate-doubled")
def takes_2i_of_even_columns(n, d):
    table = np.zeros((n, d))
    for i in range(0, d, 2):  # the classic: i is 0, 2, 4 already
        table[:, i] = np.sin(np.arange(n) / BASE ** (2 * i / d))
        table[:, i + 1] = np.cos(np.arange(n) / BASE ** (2 * i / d))
    return table


@learner("positions", "rate-halved")
def forgets_the_two(n, d):
    return filled(n, d, even, odd, exponent=lambda i, d: i / d)


@learner("positions", "rates-growing")
def forgets_the_minus(n, d):
    return filled(n, d, even, odd, base=1 / BASE)


@learner("positions", "rate-for-each-number")
def gives_each_column_its_own_angle(n, d):
    angles = np.arange(n)[:, None] / BASE ** (np.arange(d)[None, :] / d)
    angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    return angles


@learner("positions", "rate-for-each-number")
def takes_the_column_for_the_pair(n, d):
    angles = np.arange(n)[:, None] * BASE ** (-2 * np.arange(d) / d)
    return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))


@learner("positions", "waves-in-halves")
def lays_sines_in_front(n, d):
    return filled(n, d, lambda i: i, lambda i: d // 2 + i)


@learner("positions", "cosine-first")
def begins_with_the_cosine(n, d):
    return filled(n, d, odd, even)


@learner("positions", "places-from-one", "waves-in-halves")
def counts_from_one_in_halves(n, d):
    return filled(n, d, lambda i: i, lambda i: d // 2 + i, first=1)


@learner("positions", "unknown")
def has_sines_only(n, d):
    return np.sin(np.arange(n)[:, None] / BASE ** (np.arange(d) // 2 * 2 / d))


@learner("positions", "unknown")
def takes_another_base(n, d):
    return filled(n, d, even, odd, base=500.0)  # with 100 it would be the same as the 2 left out


# --- turn ---


def as_complex(x, way=1, first=0, exponent=1.0):
    """Pairs as complex numbers: turning is a product."""
    n, d = x.shape
    angles = (np.arange(n)[:, None] + first) * BASE ** (-exponent * np.arange(0, d, 2) / d)
    pairs = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(way * 1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(n, d)


@learner("turn", "right")
def with_complex_numbers(x):
    return as_complex(x)


@learner("turn", "right")
def word_by_word(x):
    turned = []
    for t, word in enumerate(x):
        row = []
        for i in range(0, len(word), 2):
            c, s = np.cos(t / BASE ** (i / len(word))), np.sin(t / BASE ** (i / len(word)))
            row += [c * word[i] - s * word[i + 1], s * word[i] + c * word[i + 1]]
        turned.append(row)
    return turned


@learner("turn", "right")
def with_a_swapped_copy(x):
    n, d = x.shape
    angles = np.repeat(np.arange(n)[:, None] * BASE ** (-np.arange(0, d, 2) / d), 2, axis=1)
    swapped = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(n, d)
    return x * np.cos(angles) + swapped * np.sin(angles)


@learner("turn", "right")
def with_a_matrix_for_each_pair(x):
    n, d = x.shape
    angles = np.arange(n)[:, None] * BASE ** (-np.arange(0, d, 2) / d)
    matrices = np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]])
    return np.einsum("abti,tib->tia", matrices, x.reshape(n, -1, 2)).reshape(n, d)


@learner("turn", "rate-doubled")
def turns_with_2i_of_even_columns(x):
    return as_complex(x, exponent=2)


@learner("turn", "rate-halved")
def turns_with_half_the_exponent(x):
    return as_complex(x, exponent=0.5)


@learner("turn", "rates-growing")
def turns_with_growing_rates(x):
    return as_complex(x, exponent=-1)


@learner("turn", "turned-backwards")
def with_the_sign_at_the_other_number(x):
    return as_complex(x, way=-1)


@learner("turn", "places-from-one")
def turns_the_first_word_too(x):
    return as_complex(x, first=1)


@learner("turn", "waves-in-halves")
def pairs_the_halves(x):
    n, d = x.shape
    angles = np.arange(n)[:, None] * BASE ** (-np.arange(0, d, 2) / d)
    a, b = x[:, : d // 2], x[:, d // 2 :]
    return np.hstack([a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)])


@learner("turn", "unknown")
def turns_every_pair_alike(x):
    n = len(x)
    c, s = np.cos(np.arange(n)), np.sin(np.arange(n))
    a, b = x[:, 0::2].T, x[:, 1::2].T
    return np.stack([a * c - b * s, a * s + b * c]).transpose(2, 1, 0).reshape(x.shape)
