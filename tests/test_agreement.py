"""The package and PyTorch agree: on the kept answers always, with PyTorch itself where it is installed."""

import importlib.util
import os

import numpy as np
import pytest

from attention_lab import MultiHeadAttention, causal_mask, scaled_dot_product_attention
from tests.oracle import make_cases
from tests.oracle.make_cases import ATTENTION, MULTI_HEAD
from tests.strategies import EXACT

TOLERANCES = {"float64": EXACT, "float32": 5e-6, "float16": 2e-3}


@pytest.fixture(scope="module")
def kept():
    """The arrays of ``cases.npz``, by name."""
    with np.load(make_cases.FILE) as cases:
        return dict(cases)


def open_oracle(found, environment):
    """PyTorch; a learner's machine need not have it, but `lab.py test --ci` asks for it."""
    if found:
        return importlib.import_module("torch")
    if environment.get("ATTENTION_LAB_ORACLE") == "required":
        pytest.fail("PyTorch is not installed, and it is what attention is compared with here.")
    pytest.skip("PyTorch is not installed; the kept answers were compared.")


@pytest.fixture
def torch():
    return open_oracle(importlib.util.find_spec("torch"), os.environ)


def case(kept, kind, name):
    """The arrays of one case."""
    start = f"{kind}/{name}/"
    return {key.removeprefix(start): array for key, array in kept.items() if key.startswith(start)}


def assert_same(answer, expected):
    assert answer.dtype == expected.dtype
    tolerance = TOLERANCES[expected.dtype.name]
    np.testing.assert_allclose(answer, expected, rtol=tolerance, atol=tolerance, strict=True)


def package_attention(name, arrays):
    """What the package answers to a case; PyTorch's causal mask starts at the first key, and its groups repeat keys."""
    spec = ATTENTION[name]
    q, k, v = (arrays[name] for name in "qkv")
    if "grouped" in spec:
        k, v = (array.repeat(spec["grouped"], axis=-3) for array in (k, v))
    mask = causal_mask(q.shape[-2], k.shape[-2], align="start") if spec.get("causal") else arrays.get("mask")
    return scaled_dot_product_attention(q, k, v, mask=mask, bias=arrays.get("bias"), scale=spec.get("scale"))


def package_multi_head(arrays):
    attend = MultiHeadAttention(*(arrays[name] for name in ("W_Q", "W_K", "W_V", "W_O")))
    return attend(arrays["x"], context=arrays.get("context"), mask=arrays.get("mask"))


# Agreement with the kept answers


@pytest.mark.parametrize("name", ATTENTION)
def test_attention_answers_as_pytorch_did(kept, name):
    arrays = case(kept, "attention", name)
    assert_same(package_attention(name, arrays).output, arrays["output"])


@pytest.mark.parametrize("name", MULTI_HEAD)
def test_many_heads_answer_as_pytorchs_did_with_the_same_matrices(kept, name):
    arrays = case(kept, "multi-head", name)
    result = package_multi_head(arrays)
    assert_same(result.output, arrays["output"])
    assert_same(result.weights, arrays["weights"])


def test_an_empty_row_is_zero_in_pytorch_too(kept):
    for name in ("all empty", "first row empty"):
        assert not kept[f"attention/{name}/mask"][0].any()
        assert not kept[f"attention/{name}/output"][0].any()


def test_another_question_has_another_answer(kept):
    """The comparison can fail: the wrong alignment, a missing scale and a forgotten mask are all told apart."""
    arrays = case(kept, "attention", "causal, fewer queries than keys")
    q, k, v = (arrays[name] for name in "qkv")
    wrong = [{"mask": causal_mask(3, 5)}, {}, {"mask": causal_mask(3, 5, align="start"), "scale": 1.0}]
    for options in wrong:
        with pytest.raises(AssertionError, match="Not equal to tolerance"):
            assert_same(scaled_dot_product_attention(q, k, v, **options).output, arrays["output"])


# Agreement with PyTorch itself


@pytest.mark.parametrize("name", ATTENTION)
def test_attention_answers_as_pytorch_does(torch, name):
    arrays = make_cases.attention_inputs(name)
    assert_same(package_attention(name, arrays).output, make_cases.ask_attention(name, arrays)["output"])


@pytest.mark.parametrize("name", MULTI_HEAD)
def test_many_heads_answer_as_pytorchs_do(torch, name):
    arrays = make_cases.multi_head_inputs(name)
    assert_same(package_multi_head(arrays).output, make_cases.ask_multi_head(name, arrays)["output"])


def test_the_kept_answers_are_what_the_script_makes(torch, kept):
    made = make_cases.make()
    assert list(made) == list(kept)
    for name, array in made.items():
        assert_same(kept[name], array) if array.dtype.kind == "f" else np.testing.assert_array_equal(kept[name], array)


def test_pytorch_is_missed_only_where_it_was_asked_for():
    with pytest.raises(pytest.fail.Exception, match="PyTorch is not installed"):
        open_oracle(None, {"ATTENTION_LAB_ORACLE": "required", "ATTENTION_LAB_PICTURES": "sentence"})
    with pytest.raises(pytest.skip.Exception, match="PyTorch is not installed"):
        open_oracle(None, {"CI": "true"})


def test_the_kept_file_is_small():
    assert make_cases.FILE.stat().st_size < 200_000
