"""The ways to compute attention that ``benchmarks/streaming.py`` measures, and what they are measured on."""

import contextlib
import importlib.util
from dataclasses import dataclass

import numpy as np

from attention_lab import causal_mask, scaled_dot_product_attention
from attention_lab.streaming import short_attention, streaming_attention, streaming_gradient
from attention_lab.training import attention_gradient

D, MOST_SCORES = 64, 2**30  # numbers that a head has; so many bytes of scores are the most for the plain ways
FLASH = "PyTorch flash"


@dataclass(frozen=True)
class Case:
    """One row of the table, for all ways."""

    n: int
    heads: int = 1
    causal: bool = False
    backward: bool = False
    threads: int = 1
    window: int | None = None

    def arrays(self):
        """q, k, v and the slopes of the output."""
        return np.random.default_rng(self.n).normal(size=(4, self.heads, self.n, D)).astype(np.float32)

    @property
    def pairs(self):
        """How many scores there are to compute."""
        if self.window:
            return self.heads * sum(min(i + 1, self.window) for i in range(self.n))
        return self.heads * (self.n * (self.n + 1) // 2 if self.causal else self.n**2)

    def error(self, answer):
        """How far some rows of the output (of d_q, for the backward pass) are from float64."""
        q, k, v, d_output = (array.astype(np.float64) for array in self.arrays()[:, :1])
        rows = np.unique(np.linspace(0, self.n - 1, 32).astype(int))
        ago = rows[:, None] - np.arange(self.n)
        mask = (ago >= 0 if self.causal else True) & (ago < (self.window or self.n))
        if self.backward:
            exact = attention_gradient(q[:, rows], k, v, d_output[:, rows], mask=mask)[0]
        else:
            exact = scaled_dot_product_attention(q[:, rows], k, v, mask=mask).output
        return np.abs(np.asarray(answer)[:1, rows] - exact).max()


def plain(q, k, v, causal):
    """As a textbook has it: a new array for each step."""
    scores = q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(D))
    if causal:
        scores = np.where(causal_mask(q.shape[-2]), scores, np.float32(-np.inf))
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def plain_in_place(q, k, v, causal):
    """The same with one array of scores."""
    scores = (q * np.float32(1 / np.sqrt(D))) @ k.swapaxes(-1, -2)
    if causal:
        np.copyto(scores, np.float32(-np.inf), where=~causal_mask(q.shape[-2]))
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ v / scores.sum(axis=-1, keepdims=True)


def with_scipy(q, k, v, causal):
    from scipy.special import softmax

    scores = q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(D))
    if causal:
        scores = np.where(causal_mask(q.shape[-2]), scores, np.float32(-np.inf))
    return softmax(scores, axis=-1) @ v


def with_torch(case, arrays, backend):
    """PyTorch's attention; d_q for the backward pass, which includes the forward pass."""
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    q, k, v, d_output = (torch.from_numpy(array)[None] for array in arrays)
    leaves = [array.requires_grad_(case.backward) for array in (q, k, v)]
    with sdpa_kernel(getattr(SDPBackend, backend)), contextlib.nullcontext() if case.backward else torch.no_grad():
        output = torch.nn.functional.scaled_dot_product_attention(*leaves, is_causal=case.causal)
        return (torch.autograd.grad(output, leaves, d_output)[0] if case.backward else output)[0]


def ways(case, arrays):
    """Functions without arguments, by name: all that are installed, know of a window, and whose scores fit."""
    q, k, v, d_output = arrays
    options = {"causal": case.causal, "window": case.window, "threads": case.threads}
    if case.window:
        return {"streaming": lambda: streaming_attention(q, k, v, **options)}
    fits = case.heads * case.n**2 * 4 <= MOST_SCORES and case.threads == 1
    found = {}
    if case.backward:
        mask = causal_mask(case.n) if case.causal and fits else None
        if fits:
            found["plain"] = lambda: attention_gradient(q, k, v, d_output, mask=mask)[0]
        found["streaming"] = lambda: streaming_gradient(q, k, v, d_output, **options)[0]
    else:
        if fits:
            found["plain"] = lambda: plain(q, k, v, case.causal)
            found["plain in place"] = lambda: plain_in_place(q, k, v, case.causal)
            if importlib.util.find_spec("scipy"):
                found["SciPy softmax"] = lambda: with_scipy(q, k, v, case.causal)
        if case.threads == 1:
            found["streaming, read"] = lambda: np.stack(
                [short_attention(*head, causal=case.causal) for head in zip(q, k, v, strict=True)]
            )
        found["streaming"] = lambda: streaming_attention(q, k, v, **options)
    if importlib.util.find_spec("torch"):
        found[FLASH] = lambda: with_torch(case, arrays, "FLASH_ATTENTION")
        if fits:
            found["PyTorch math"] = lambda: with_torch(case, arrays, "MATH")
    return found
