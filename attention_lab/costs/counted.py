"""What attention costs, counted from its sizes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from attention_lab.shapes import positive_number

# Sizes of models that write, for `attention_cost`. In the order of these papers: Touvron et al. 2023, "LLaMA", table 2
# (kept by Llama 2); Touvron et al. 2023, "Llama 2", table 1 and section 2.2; Grattafiori et al. 2024, "The Llama 3 Herd
# of Models", table 3; Almazrouei et al. 2023, "The Falcon Series of Open Language Models".
MODELS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        name: MappingProxyType(dict(zip(("n_layers", "d_model", "n_heads", "n_kv_heads"), sizes, strict=True)))
        for name, sizes in {
            "Llama 2 7B": (32, 4096, 32, 32),
            "Llama 2 70B": (80, 8192, 64, 8),
            "Llama 3 8B": (32, 4096, 32, 8),
            "Falcon 7B": (32, 4544, 71, 1),
        }.items()
    }
)


@dataclass(frozen=True)
class Cost:
    """What attention over a text costs a model; the learned matrices and all that is no attention are not in it.

    Attributes
    ----------
    multiplications : int
        To compare and to blend, in all layers.
    score_bytes : int
        The scores of one layer, all heads, if they are all held at once.
    cache_bytes : int
        The keys and values of all words, in all layers.
    """

    multiplications: int
    score_bytes: int
    cache_bytes: int


def attention_cost(
    n_tokens: int,
    *,
    n_queries: int | None = None,
    d_model: int = 4096,
    n_heads: int = 32,
    n_kv_heads: int | None = None,
    n_layers: int = 32,
    bytes_each: int = 2,
) -> Cost:
    """Count what it costs that words look at n_tokens words, themselves among them.

    Formula: ``multiplications = n_layers * 2 * n_queries * n_tokens * d_model`` (q @ k.T and weights @ v);
    ``score_bytes = n_heads * n_queries * n_tokens * bytes_each``; ``cache_bytes = n_layers * 2 * n_tokens *
    n_kv_heads * (d_model / n_heads) * bytes_each``. Nothing is hidden: a causal mask saves about half.

    Parameters
    ----------
    n_tokens, d_model, n_heads, n_layers : int
        Sizes; those of Llama 2 7B unless they are given, and others in `MODELS`. Each head is d_model / n_heads wide.
    n_queries : int, optional
        How many of the words look: all of them unless it is given; 1 for a new word whose text has a cache.
    n_kv_heads : int, optional
        Heads of keys and values; as many as heads unless neighbouring heads share them.
    bytes_each : int
        For each number: 1, 2, 4 or 8.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError
        For a size that is not positive, another bytes_each, more queries than tokens, or heads that d_model or
        n_kv_heads do not fit.
    TypeError
        For a size that is no whole number.

    Source: Vaswani et al. 2017, "Attention Is All You Need", table 1; shared heads: Ainslie et al. 2023, "GQA".

    Examples
    --------
    >>> attention_cost(8192)
    Cost(multiplications=17592186044416, score_bytes=4294967296, cache_bytes=4294967296)
    >>> attention_cost(16384).score_bytes / attention_cost(8192).score_bytes
    4.0
    >>> attention_cost(8192, **MODELS["Llama 3 8B"]).cache_bytes / attention_cost(8192).cache_bytes
    0.25
    """
    sizes = {
        "n_tokens": n_tokens,
        "n_queries": n_tokens if n_queries is None else n_queries,
        "d_model": d_model,
        "n_heads": n_heads,
        "n_kv_heads": n_heads if n_kv_heads is None else n_kv_heads,
        "n_layers": n_layers,
        "bytes_each": bytes_each,
    }
    n_tokens, n_queries, d_model, n_heads, n_kv_heads, n_layers, bytes_each = positive_sizes(**sizes)
    if n_queries > n_tokens:
        raise ValueError(f"n_queries = {n_queries} words cannot be among n_tokens = {n_tokens}.")
    if d_model % n_heads:
        raise ValueError(f"n_heads = {n_heads} does not divide d_model = {d_model}.")
    if n_heads % n_kv_heads:
        raise ValueError(f"n_kv_heads = {n_kv_heads} does not divide n_heads = {n_heads}.")
    return Cost(
        multiplications=n_layers * 2 * n_queries * n_tokens * d_model,
        score_bytes=n_heads * n_queries * n_tokens * bytes_each,
        cache_bytes=n_layers * 2 * n_tokens * n_kv_heads * (d_model // n_heads) * bytes_each,
    )


def positive_sizes(**sizes: int) -> list[int]:
    """Give back the sizes, if all of them are positive whole numbers, and bytes_each is 1, 2, 4 or 8."""
    checked = {name: positive_number(name, size) for name, size in sizes.items()}
    if (each := checked["bytes_each"]) not in (1, 2, 4, 8):
        raise ValueError(f"bytes_each must be 1, 2, 4 or 8, but is {each}.")
    return list(checked.values())
