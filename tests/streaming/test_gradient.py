"""The backward pass of streaming: by hand, against finite differences, and against the backward pass that is read."""

import numpy as np
import pytest
from hypothesis import given

from attention_lab import ShapeError, scaled_dot_product_attention
from attention_lab.examples import BANK
from attention_lab.streaming import streaming_attention, streaming_gradient
from attention_lab.training import attention_gradient
from tests.strategies import close, snapshot
from tests.streaming.questions import as_mask, cut_into, cuts, questions
from tests.training.slopes import slope

# By hand


def test_a_value_matters_as_much_as_it_is_looked_at():
    weights = scaled_dot_product_attention(BANK.q, BANK.k, BANK.v).weights
    with cut_into(1, 1, 1):
        _, _, d_v = streaming_gradient(BANK.q, BANK.k, BANK.v, np.ones((3, 2)))
    assert close(d_v, np.repeat(weights.sum(axis=0)[:, None], 2, axis=1))


def test_where_all_values_agree_looking_elsewhere_changes_nothing():
    d_q, d_k, _ = streaming_gradient(BANK.q, BANK.k, np.ones((3, 2)), np.ones((3, 2)))
    assert close(d_q, np.zeros((3, 2)))
    assert close(d_k, np.zeros((3, 2)))


def test_no_queries_and_no_keys_have_slopes_of_their_own_shape():
    shapes = [
        slope.shape for slope in streaming_gradient(np.ones((0, 2)), np.ones((3, 2)), np.ones((3, 4)), np.ones((0, 4)))
    ]
    assert shapes == [(0, 2), (3, 2), (3, 4)]
    shapes = [
        slope.shape for slope in streaming_gradient(np.ones((3, 2)), np.ones((0, 2)), np.ones((0, 4)), np.ones((3, 4)))
    ]
    assert shapes == [(3, 2), (0, 2), (0, 4)]


# Law


@given(questions(), cuts)
def test_it_agrees_with_finite_differences(asked, cut):
    asked["q"] = asked["q"] / max(1, np.abs(asked["q"]).max(initial=0))  # steep scores have no finite differences
    d_output = np.random.default_rng(0).normal(size=streaming_attention(**asked).shape)

    def loss():
        return float((streaming_attention(**asked) * d_output).sum())

    with cut_into(*cut):
        slopes = streaming_gradient(**asked, d_output=d_output)
    for name, found in zip("qkv", slopes, strict=True):
        chosen = range(min(asked[name].size, 6))
        assert found.shape == asked[name].shape
        assert np.allclose(found.reshape(-1)[: len(chosen)], slope(loss, asked[name], chosen), atol=1e-7)


@given(questions(), cuts)
def test_arrays_are_left_as_they_were(asked, cut):
    untouched = snapshot(*(value for value in asked.values() if isinstance(value, np.ndarray)))
    d_output = np.ones(streaming_attention(**asked).shape)
    with cut_into(*cut):
        streaming_gradient(**asked, d_output=d_output)
    assert untouched()
    assert (d_output == 1).all()


def test_threads_change_no_digit():
    q, k, v, d_output = np.random.default_rng(0).normal(size=(4, 5, 20, 3))
    with cut_into(8, 8, 4):
        one = streaming_gradient(q, k, v, d_output, causal=True)
        several = streaming_gradient(q, k, v, d_output, causal=True, threads=3)
    assert all((ours == other).all() for ours, other in zip(several, one, strict=True))


# Agreement with the backward pass that is read


@given(questions(bias=False), cuts)
def test_it_answers_as_the_backward_pass_that_is_read(asked, cut):
    leading = asked["q"].shape[:-2]
    asked |= {name: np.broadcast_to(asked[name], (*leading, *asked[name].shape[-2:])) for name in "kv"}
    asked["scale"] = None
    q, k, v = (asked[name] for name in "qkv")
    d_output = np.random.default_rng(0).normal(size=(*q.shape[:-1], v.shape[-1]))
    with cut_into(*cut):
        slopes = streaming_gradient(**asked, d_output=d_output)
    for ours, read in zip(slopes, attention_gradient(q, k, v, d_output, mask=as_mask(asked)), strict=True):
        assert close(ours, read, 1e-11)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_tiles_answer_as_the_backward_pass_that_is_read(dtype):
    q, k, v, d_output = np.random.default_rng(0).normal(size=(4, 700, 8)).astype(dtype)
    mask = as_mask({"q": q, "k": k, "causal": True, "window": 400})
    slopes = streaming_gradient(q, k, v, d_output, causal=True, window=400)
    for ours, read in zip(slopes, attention_gradient(q, k, v, d_output, mask=mask), strict=True):
        assert ours.dtype == dtype
        assert close(ours, read, 1e-12 if dtype == "float64" else 1e-5)


def test_what_several_heads_or_sentences_share_learns_from_all_of_them():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 6, 4, 2)), rng.normal(size=(3, 2, 5, 2)), rng.normal(size=(1, 2, 5, 3))
    d_output = rng.normal(size=(3, 6, 4, 3))
    repeated = [np.broadcast_to(array, (3, 2, *array.shape[2:])).repeat(3, axis=1) for array in (k, v)]
    d_q, d_k, d_v = streaming_gradient(q, k, v, d_output)
    read = attention_gradient(q, *repeated, d_output)
    assert close(d_q, read[0])
    assert close(d_k, read[1].reshape(3, 2, 3, 5, 2).sum(axis=2))
    assert close(d_v, read[2].reshape(3, 2, 3, 5, 3).sum(axis=(0, 2))[None])


# Refusal


@pytest.mark.parametrize(
    ("d_output", "message"),
    [
        (np.ones((3, 1)), "d_output has d_v = 1, but output has d_v = 2"),
        (np.ones((2, 2)), "d_output has n_queries = 2, but output has n_queries = 3"),
        (np.ones((5, 3, 2)), r"d_output has shape \(5, 3, 2\), but the output has \(3, 2\)"),
    ],
)
def test_slopes_of_another_shape_than_the_output_are_refused(d_output, message):
    with pytest.raises(ShapeError, match=message):
        streaming_gradient(BANK.q, BANK.k, BANK.v, d_output)


def test_a_wrong_number_of_threads_is_refused():
    with pytest.raises(ValueError, match="threads must be at least 1"):
        streaming_gradient(BANK.q, BANK.k, BANK.v, np.ones((3, 2)), threads=0)
