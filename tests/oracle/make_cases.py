"""What PyTorch answers to a fixed set of questions, as ``cases.npz``: run ``python -m tests.oracle.make_cases``.

The file is committed, so that the package is compared with PyTorch on machines that have none. A case's arrays are
called ``case/array``. ``ATTENTION`` asks ``F.scaled_dot_product_attention``, ``MULTI_HEAD`` asks
``nn.MultiheadAttention`` with the same matrices.
"""

from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("cases.npz")

# Sizes: leading axes of q, of k and of v, then n_queries, n_keys, d_k, d_v. A mask is drawn with the given share of
# True; "first row empty" and "all empty" are what they say.
ATTENTION = {
    "plain": {},
    "float32": {"dtype": "float32"},
    "float16": {"dtype": "float16"},
    "one batch": {"leading": [(2,)] * 3},
    "batch and heads": {"leading": [(2, 3)] * 3},
    "leading axes that broadcast": {"leading": [(2, 1), (1, 3), (1, 1)]},
    "a single query": {"sizes": (1, 5, 4, 4)},
    "a single key": {"sizes": (3, 1, 4, 4)},
    "wide values": {"sizes": (3, 5, 2, 7)},
    "narrow values": {"sizes": (4, 4, 8, 1)},
    "unscaled": {"scale": 1.0},
    "another scale": {"scale": 0.3},
    "mask": {"mask": 0.6},
    "mask in float32": {"mask": 0.6, "dtype": "float32", "leading": [(2, 3)] * 3},
    "mask for each batch": {"mask": 0.6, "leading": [(2, 3)] * 3, "mask_leading": (2, 1)},
    "mask for each head": {"mask": 0.6, "leading": [(2, 3)] * 3, "mask_leading": (3,)},
    "first row empty": {"mask": "first row empty"},
    "first row empty in float32": {"mask": "first row empty", "dtype": "float32"},
    "all empty": {"mask": "all empty"},
    "bias": {"bias": 0.0},
    "bias that hides": {"bias": 0.4},
    "bias for each head": {"bias": 0.2, "leading": [(2, 3)] * 3, "mask_leading": (3,)},
    "causal": {"causal": True},
    "causal, fewer queries than keys": {"causal": True, "sizes": (3, 5, 4, 4)},
    "causal, more queries than keys": {"causal": True, "sizes": (5, 3, 4, 4)},
    "causal in float32": {"causal": True, "dtype": "float32", "sizes": (8, 8, 16, 16)},
    "grouped": {"leading": [(2, 6), (2, 2), (2, 2)], "grouped": 3},
    "grouped and causal": {"leading": [(2, 4), (2, 2), (2, 2)], "grouped": 2, "causal": True},
    "large scores": {"spread": 30.0},
    "larger": {"sizes": (33, 40, 16, 8), "mask": 0.5, "dtype": "float32"},
}

# Two heads of two numbers, d_model 4; shapes are (batch, n_tokens).
MULTI_HEAD = {
    "self": {"x": (2, 5)},
    "self in float32": {"x": (2, 5), "dtype": "float32"},
    "no batch": {"x": (5,)},
    "causal": {"x": (2, 5), "mask": (5, 5)},
    "mask for each of as many sequences as heads": {"x": (2, 5), "mask": (2, 5, 5)},
    "cross": {"x": (2, 3), "context": (2, 5), "d_context": 6},
    "cross with a mask": {"x": (2, 3), "context": (2, 5), "d_context": 6, "mask": (2, 3, 5)},
}


def attention_inputs(name):
    """The arrays of a case: q, k, v, and mask or bias where it has one."""
    spec = ATTENTION[name]
    rng = np.random.default_rng(list(ATTENTION).index(name))
    n_queries, n_keys, d_k, d_v = spec.get("sizes", (4, 5, 3, 2))
    of_q, of_k, of_v = spec.get("leading", [()] * 3)
    dtype, spread = spec.get("dtype", "float64"), spec.get("spread", 1.0)
    shapes = {"q": (*of_q, n_queries, d_k), "k": (*of_k, n_keys, d_k), "v": (*of_v, n_keys, d_v)}
    arrays = {name: (spread * rng.normal(size=shape)).astype(dtype) for name, shape in shapes.items()}
    scores_shape = (*spec.get("mask_leading", ()), n_queries, n_keys)
    if "mask" in spec:
        arrays["mask"] = _mask(rng, spec["mask"], scores_shape)
    if "bias" in spec:
        bias = rng.normal(size=scores_shape)
        arrays["bias"] = np.where(rng.random(scores_shape) < spec["bias"], -np.inf, bias).astype(dtype)
    return arrays


def _mask(rng, kind, shape):
    if kind == "all empty":
        return np.zeros(shape, bool)
    mask = rng.random(shape) < (0.6 if isinstance(kind, str) else kind)
    mask[..., 0] |= ~mask.any(axis=-1)  # empty rows have cases of their own
    if kind == "first row empty":
        mask[..., 0, :] = False
    return mask


def multi_head_inputs(name):
    """The arrays of a case: x, W_Q, W_K, W_V, W_O, and context or mask where it has one."""
    spec = MULTI_HEAD[name]
    rng = np.random.default_rng(100 + list(MULTI_HEAD).index(name))
    d_context, dtype = spec.get("d_context", 4), spec.get("dtype", "float64")
    shapes = {"x": (*spec["x"], 4), "W_Q": (2, 4, 2), "W_K": (2, d_context, 2), "W_V": (2, d_context, 2)}
    shapes["W_O"] = (2, 2, 4)
    if "context" in spec:
        shapes["context"] = (*spec["context"], d_context)
    arrays = {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}
    if name == "causal":
        arrays["mask"] = np.tril(np.ones((5, 5), bool))
    elif "mask" in spec:
        arrays["mask"] = _mask(rng, 0.6, spec["mask"])
    return arrays


def ask_attention(name, arrays):
    """PyTorch's output for the arrays of a case."""
    import torch

    spec = ATTENTION[name]
    q, k, v = (torch.from_numpy(arrays[name]) for name in "qkv")
    added = arrays.get("mask", arrays.get("bias"))
    output = torch.nn.functional.scaled_dot_product_attention(
        q,
        k,
        v,
        attn_mask=None if added is None else torch.from_numpy(added),
        is_causal=spec.get("causal", False),
        scale=spec.get("scale"),
        enable_gqa="grouped" in spec,
    )
    return {"output": output.numpy()}


def ask_multi_head(name, arrays):
    """PyTorch's output and weights for the arrays of a case."""
    import torch

    x = torch.from_numpy(arrays["x"])
    context = torch.from_numpy(arrays.get("context", arrays["x"]))
    d_context = context.shape[-1]
    layer = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True, kdim=d_context, vdim=d_context)
    joined = {name: torch.from_numpy(np.concatenate(arrays[name], axis=-1).T.copy()) for name in ("W_Q", "W_K", "W_V")}
    if d_context == 4:
        state = {"in_proj_weight": torch.cat(list(joined.values()))}
    else:
        state = {f"{name[-1].lower()}_proj_weight": matrix for name, matrix in joined.items()}
    state["out_proj.weight"] = torch.from_numpy(np.concatenate(arrays["W_O"]).T.copy())
    layer = layer.to(x.dtype)
    layer.load_state_dict(state)
    hidden = None
    if "mask" in arrays:  # PyTorch's mask says who may not look, and has batch * heads on its first axis
        mask = arrays["mask"] if arrays["mask"].ndim == 2 else np.repeat(arrays["mask"], 2, axis=0)
        hidden = torch.from_numpy(~mask)
    with torch.no_grad():
        output, weights = layer(x, context, context, attn_mask=hidden, average_attn_weights=False)
    return {"output": output.numpy(), "weights": weights.numpy()}


def make():
    """Every array of every case, by its name in the file."""
    cases = {}
    for kind, names, inputs, ask in (
        ("attention", ATTENTION, attention_inputs, ask_attention),
        ("multi-head", MULTI_HEAD, multi_head_inputs, ask_multi_head),
    ):
        for name in names:
            arrays = inputs(name)
            for array_name, array in {**arrays, **ask(name, arrays)}.items():
                cases[f"{kind}/{name}/{array_name}"] = array
    return cases


if __name__ == "__main__":
    np.savez_compressed(FILE, **make())
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.0f} kB")
