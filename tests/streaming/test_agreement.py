"""Streaming and PyTorch agree, forward and backward: on its kept answers always, with itself where it is installed."""

import numpy as np
import pytest

from attention_lab.streaming import streaming_attention, streaming_gradient
from tests.oracle import make_cases
from tests.oracle.make_cases import ATTENTION
from tests.streaming.questions import cut_into
from tests.test_agreement import assert_same, case


@pytest.mark.parametrize("cut", [(256, 512, 64), (2, 3, 1)])
@pytest.mark.parametrize("name", ATTENTION)
def test_it_answers_as_pytorch_did(name, cut):
    with np.load(make_cases.FILE) as cases:
        arrays = case(dict(cases), "attention", name)
    spec = ATTENTION[name]
    options = {name: arrays[name] for name in ("mask", "bias") if name in arrays}
    q, k, v = (arrays[name] for name in "qkv")
    if spec.get("causal"):  # PyTorch counts from the first key
        options["mask"] = np.tril(np.ones((q.shape[-2], k.shape[-2]), bool))
    with cut_into(*cut):
        assert_same(streaming_attention(q, k, v, **options, scale=spec.get("scale")), arrays["output"])


@pytest.mark.parametrize("name", ["nothing hidden", "causal", "mask", "bias", "grouped"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_slopes_are_those_of_pytorch(torch, name, dtype):
    rng = np.random.default_rng(0)
    n_kv_heads = 2 if name == "grouped" else 4
    q, k, v = (rng.normal(size=(2, heads, 40, 8)).astype(dtype) for heads in (4, n_kv_heads, n_kv_heads))
    d_output = rng.normal(size=q.shape).astype(dtype)
    hides = {"mask": rng.random((40, 40)) < 0.5, "bias": rng.normal(size=(4, 40, 40)).astype(dtype)}
    options = {name: hides[name]} if name in hides else {"causal": name == "causal"}
    leaves = [torch.tensor(array, requires_grad=True) for array in (q, k, v)]
    added = None if name not in hides else torch.tensor(hides[name])
    output = torch.nn.functional.scaled_dot_product_attention(
        *leaves, attn_mask=added, is_causal=name == "causal", enable_gqa=name == "grouped"
    )
    output.backward(torch.tensor(d_output))
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    with cut_into(16, 8, 4):
        np.testing.assert_allclose(streaming_attention(q, k, v, **options), output.detach(), atol=tolerance)
        for ours, leaf in zip(streaming_gradient(q, k, v, d_output, **options), leaves, strict=True):
            np.testing.assert_allclose(ours, leaf.grad, atol=tolerance)
