"""The backward pass of attention: by hand, against finite differences, and against PyTorch."""

import numpy as np
import pytest

from attention_lab import ShapeError, causal_mask, scaled_dot_product_attention
from attention_lab.examples import BANK
from attention_lab.training import attention_gradient
from tests.training.slopes import slope


def drawn(*lead, n_queries=4, n_keys=5, d_k=3, d_v=2):
    rng = np.random.default_rng(0)
    shapes = (n_queries, d_k), (n_keys, d_k), (n_keys, d_v), (n_queries, d_v)
    return [rng.standard_normal((*lead, *shape)) for shape in shapes]


def test_the_value_that_is_looked_at_most_matters_most():
    _, _, d_v = attention_gradient(BANK.q, BANK.k, BANK.v, np.ones((3, 2)))
    weights = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v).weights
    np.testing.assert_allclose(d_v, np.repeat(weights.sum(axis=0)[:, None], 2, axis=1), rtol=1e-12)


def test_where_all_values_agree_looking_elsewhere_changes_nothing():
    q, k, v, d_output = drawn()
    d_q, d_k, _ = attention_gradient(q, k, np.ones_like(v), d_output)
    np.testing.assert_allclose(d_q, 0, atol=1e-12)
    np.testing.assert_allclose(d_k, 0, atol=1e-12)


@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
@pytest.mark.parametrize("causal", [False, True])
def test_it_agrees_with_finite_differences(lead, causal):
    q, k, v, d_output = drawn(*lead)
    mask = causal_mask(4, 5) if causal else None

    def loss():
        return float((scaled_dot_product_attention(q, k, v, mask=mask).output * d_output).sum())

    for array, found in zip((q, k, v), attention_gradient(q, k, v, d_output, mask=mask), strict=True):
        np.testing.assert_allclose(found.reshape(-1), slope(loss, array, range(array.size)), atol=1e-8)


def test_a_hidden_key_learns_nothing():
    q, k, v, d_output = drawn()
    mask = np.ones((4, 5), bool)
    mask[:, 2] = False
    _, d_k, d_v = attention_gradient(q, k, v, d_output, mask=mask)
    assert not d_k[2].any()
    assert not d_v[2].any()
    assert d_k[[0, 1, 3, 4]].any(axis=1).all()


@pytest.mark.parametrize("hidden", [np.nan, np.inf])
@pytest.mark.parametrize("lead", [(), (2,)])
def test_what_is_hidden_adds_nothing_even_where_it_is_no_number(hidden, lead):
    arrays = drawn(*lead)
    mask = np.ones((4, 5), bool)
    mask[:, 2] = mask[3] = False  # nobody sees key 2, and query 3 sees nothing
    wanted = attention_gradient(*arrays, mask=mask)
    q, k, v, d_output = (array.copy() for array in arrays)
    k[..., 2, :] = v[..., 2, :] = q[..., 3, :] = d_output[..., 3, :] = hidden
    for found, right in zip(attention_gradient(q, k, v, d_output, mask=mask), wanted, strict=True):
        np.testing.assert_allclose(found, right, atol=1e-12)


def test_a_key_that_nobody_sees_learns_nothing_even_from_a_query_that_is_no_number():
    q, k, v, d_output = drawn()
    q[0] = np.nan
    mask = np.ones((4, 5), bool)
    mask[:, 2] = False
    d_q, d_k, d_v = attention_gradient(q, k, v, d_output, mask=mask)
    assert not d_k[2].any()
    assert not d_v[2].any()
    assert np.isnan(d_v[[0, 1, 3, 4]]).all()  # these it sees
    assert np.isnan(d_q).all(axis=1).tolist() == [True, False, False, False]


def test_a_key_that_is_no_number_spoils_only_the_queries_that_see_it():
    q, k, v, d_output = drawn(n_queries=5)
    k[4] = np.nan  # the last of five words, which only the last one sees
    d_q, _, _ = attention_gradient(q, k, v, d_output, mask=causal_mask(5))
    assert np.isnan(d_q).all(axis=1).tolist() == [False, False, False, False, True]
    assert np.isfinite(d_q[:4]).all()


@pytest.mark.parametrize("causal", [False, True])
def test_it_agrees_with_pytorch(torch, causal):
    q, k, v, d_output = drawn(2, 3)
    mask = causal_mask(4, 5) if causal else np.ones((4, 5), bool)
    theirs = [torch.tensor(array, requires_grad=True) for array in (q, k, v)]
    output = torch.nn.functional.scaled_dot_product_attention(*theirs, attn_mask=torch.tensor(mask))
    output.backward(torch.tensor(d_output))
    for ours, other in zip(attention_gradient(q, k, v, d_output, mask=mask), theirs, strict=True):
        np.testing.assert_allclose(ours, other.grad.numpy(), atol=1e-12)


@pytest.mark.parametrize(("kind", "answer"), [("f2", "f2"), ("f4", "f4"), ("f8", "f8"), (int, "f8"), (bool, "f8")])
def test_the_type_of_the_numbers_stays_and_whole_ones_become_float64(kind, answer):
    found = attention_gradient(*((2 * array).astype(kind) for array in drawn()))
    assert {array.dtype for array in found} == {np.dtype(answer)}


def test_float16_is_computed_in_float32():
    halves = [array.astype(np.float16) for array in drawn()]
    exact = attention_gradient(*(array.astype(np.float64) for array in halves))
    for found, right in zip(attention_gradient(*halves), exact, strict=True):
        np.testing.assert_allclose(found, right.astype(np.float16), rtol=1e-3, atol=1e-7)


def test_sizes_that_do_not_fit_are_named():
    q, k, v, d_output = drawn()
    with pytest.raises(ShapeError, match="d_output has d_v = 1, but v has d_v = 2"):
        attention_gradient(q, k, v, d_output[:, :1])
    with pytest.raises(ShapeError, match="must have the same leading axes"):
        attention_gradient(q[None], k, v, d_output)
    with pytest.raises(ShapeError, match="d_output has n_queries = 3"):
        attention_gradient(q, k, v, d_output[:3])
