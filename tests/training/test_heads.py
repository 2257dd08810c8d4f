"""Attention in a model that learns: the package's own attention, for all sentences and heads at once."""

import numpy as np
import pytest

from attention_lab import MultiHeadAttention, causal_mask
from attention_lab.training.gradient import attention_gradient
from attention_lab.training.heads import HIDES, attend, attend_back
from tests.training.slopes import slope

N_SENTENCES, N_TOKENS, D_MODEL, N_HEADS = 2, 5, 6, 3
SCALE = 1 / np.sqrt(D_MODEL / N_HEADS)


def drawn():
    rng = np.random.default_rng(0)
    shapes = (N_SENTENCES * N_TOKENS, D_MODEL), (D_MODEL, 3 * D_MODEL), (D_MODEL, D_MODEL)
    return [rng.standard_normal(shape) for shape in shapes]


def attended(x, W_QKV, W_O, hide, n_heads=N_HEADS, scale=SCALE):
    return attend(x, W_QKV, W_O, N_SENTENCES, n_heads, scale, hide)


@pytest.mark.parametrize(("hide", "mask"), [("before", causal_mask(N_TOKENS)), ("never", None)])
def test_it_is_the_multi_head_attention_of_the_package(hide, mask):
    x, W_QKV, W_O = drawn()
    W_Q, W_K, W_V = W_QKV.reshape(D_MODEL, 3, N_HEADS, -1).transpose(1, 2, 0, 3)
    package = MultiHeadAttention(W_Q, W_K, W_V, W_O.reshape(N_HEADS, -1, D_MODEL))(
        x.reshape(N_SENTENCES, N_TOKENS, D_MODEL), mask=mask
    )
    found, kept = attended(x, W_QKV, W_O, hide)
    np.testing.assert_allclose(found, package.output.reshape(found.shape), atol=1e-12)
    np.testing.assert_allclose(kept.weights, package.weights, atol=1e-12)
    if mask is not None:
        assert (kept.weights[..., ~mask] == 0).all()


def test_hidden_after_and_shared_out_anew_is_hidden_before():
    x, W_QKV, W_O = drawn()
    np.testing.assert_allclose(
        attended(x, W_QKV, W_O, "renormalised")[0], attended(x, W_QKV, W_O, "before")[0], atol=1e-12
    )


def test_hidden_after_alone_leaves_the_share_of_the_future_in_the_denominator():
    x, W_QKV, W_O = drawn()
    open_weights, after = (attended(x, W_QKV, W_O, hide)[1].weights for hide in ("never", "after"))
    np.testing.assert_allclose(after, open_weights * causal_mask(N_TOKENS), atol=1e-12)
    assert (after.sum(axis=-1)[..., :-1] < 1).all()


@pytest.mark.parametrize("hide", HIDES)
def test_the_gradients_agree_with_finite_differences(hide):
    x, W_QKV, W_O = drawn()
    d_y = np.random.default_rng(1).standard_normal(x.shape)

    def loss():
        return float((attended(x, W_QKV, W_O, hide)[0] * d_y).sum())

    _, kept = attended(x, W_QKV, W_O, hide)
    into = np.empty_like(W_QKV), np.empty_like(W_O)
    d_x = attend_back(d_y, kept, W_QKV, W_O, SCALE, into)
    for array, found in zip((x, W_QKV, W_O), (d_x, *into), strict=True):
        np.testing.assert_allclose(found.reshape(-1), slope(loss, array, range(array.size)), atol=1e-7)


def test_with_one_head_its_gradient_is_the_one_that_is_read():
    x, W_QKV, _ = drawn()
    W_O = np.eye(D_MODEL)
    d_y = np.random.default_rng(1).standard_normal(x.shape)
    _, kept = attended(x, W_QKV, W_O, "before", n_heads=1, scale=1 / np.sqrt(D_MODEL))
    into = np.empty_like(W_QKV), np.empty_like(W_O)
    attend_back(d_y, kept, W_QKV, W_O, 1 / np.sqrt(D_MODEL), into)
    d_output = d_y.reshape(N_SENTENCES, N_TOKENS, D_MODEL)
    q, k, v = (part[:, 0] for part in (kept.q, kept.k, kept.v))
    parts = attention_gradient(q, k, v, d_output, mask=causal_mask(N_TOKENS))
    expected = x.T @ np.concatenate([part.reshape(-1, D_MODEL) for part in parts], axis=1)
    np.testing.assert_allclose(into[0], expected, atol=1e-12)
