"""What attention costs, counted from its sizes."""

from dataclasses import dataclass

from attention_lab.shapes import whole_number


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
    n_tokens: int, *, d_model: int = 4096, n_heads: int = 32, n_layers: int = 32, bytes_each: int = 2
) -> Cost:
    """Count what it costs that n_tokens words look at each other.

    Formula: ``multiplications = n_layers * 2 * n_tokens**2 * d_model`` (q @ k.T and weights @ v);
    ``score_bytes = n_heads * n_tokens**2 * bytes_each``; ``cache_bytes = n_layers * 2 * n_tokens * d_model *
    bytes_each``. Nothing is hidden: a causal mask saves about half.

    Parameters
    ----------
    n_tokens, d_model, n_heads, n_layers : int
        Sizes; those of Llama 2 7B unless they are given. Each head is d_model / n_heads wide.
    bytes_each : int
        For each number: 2, 4 or 8.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError
        For a size that is not positive, or heads that d_model cannot be shared out to.
    TypeError
        For a size that is no whole number.

    Source: Vaswani et al. 2017, "Attention Is All You Need", table 1; the sizes: Touvron et al. 2023, "LLaMA: Open and
    Efficient Foundation Language Models", table 2 (7B), kept by Llama 2.

    Examples
    --------
    >>> attention_cost(8192)
    Cost(multiplications=17592186044416, score_bytes=4294967296, cache_bytes=4294967296)
    >>> attention_cost(16384).score_bytes / attention_cost(8192).score_bytes
    4.0
    """
    sizes = {"n_tokens": n_tokens, "d_model": d_model, "n_heads": n_heads, "n_layers": n_layers}
    for name, size in {**sizes, "bytes_each": bytes_each}.items():
        if whole_number(name, size) < 1:
            raise ValueError(f"{name} must be at least 1, but is {size}.")
    if d_model % n_heads:
        raise ValueError(f"n_heads = {n_heads} does not divide d_model = {d_model}.")
    n_tokens, d_model, n_heads, n_layers, bytes_each = map(int, (*sizes.values(), bytes_each))
    return Cost(
        multiplications=n_layers * 2 * n_tokens**2 * d_model,
        score_bytes=n_heads * n_tokens**2 * bytes_each,
        cache_bytes=n_layers * 2 * n_tokens * d_model * bytes_each,
    )
