"""Which kind of attention a case needs, and how to compute it."""

from dataclasses import dataclass

from attention_lab.shapes import positive_number

PLAIN_TO = 8192  # tokens; about there, one layer's scores outgrow the keys and values of all layers (`attention_cost`)


@dataclass(frozen=True, repr=False)
class Choice:
    """A kind of attention, a way to compute it, and the reasons.

    Attributes
    ----------
    kind : {"encoder", "causal", "cross"}
        Who may look at whom.
    computed : {"plain", "streaming", "approximate"}
        How; only the last one changes the answer.
    because : tuple of str
        A reason for each of the two.
    """

    kind: str
    computed: str
    because: tuple[str, str]

    def __repr__(self) -> str:
        kind, computed = self.because
        return f"{self.kind.capitalize()} attention: {kind}\n{self.computed.capitalize()}: {computed}"


_KINDS = {
    "encoder": "all words are there from the start, so each may look at all.",
    "causal": "later words do not exist yet, so they are hidden.",
    "cross": "queries from what asks, keys and values from the other sequence; only its padding is hidden.",
}
_WAYS = {
    "plain": f"up to about {PLAIN_TO:,} tokens the table of scores is no burden, and it can be looked at.",
    "streaming": f"beyond about {PLAIN_TO:,} tokens the scores outgrow all keys and values; the answer needs no table.",
    "approximate": "exact attention was tried and is too slow; measure what the approximation gets wrong.",
}


def choose(n_tokens: int, *, sees_later: bool, other_sequence: bool = False, too_slow: bool = False) -> Choice:
    """Choose attention for a case by plain questions; exact comes first, approximate last.

    Formula: another sequence is asked: cross; else later words are there: encoder; else: causal. Up to `PLAIN_TO`
    tokens plain, beyond them streaming; approximate only where exact streaming was measured and is too slow.

    Parameters
    ----------
    n_tokens : int
        How many words are looked at.
    sees_later : bool
        Whether later words are there already, and may be looked at.
    other_sequence : bool
        Whether another sequence is asked.
    too_slow : bool
        Whether exact streaming attention was measured, and is too slow.

    Returns
    -------
    Choice

    Raises
    ------
    ValueError, TypeError
        If n_tokens is no positive whole number.

    Source: Dao et al. 2022, "FlashAttention", section 4 (exact attention first); the limit: `attention_cost`.

    Examples
    --------
    >>> choose(32_000, sees_later=False)
    Causal attention: later words do not exist yet, so they are hidden.
    Streaming: beyond about 8,192 tokens the scores outgrow all keys and values; the answer needs no table.
    """
    n_tokens = positive_number("n_tokens", n_tokens)
    kind = "cross" if other_sequence else "encoder" if sees_later else "causal"
    computed = "approximate" if too_slow else "plain" if n_tokens <= PLAIN_TO else "streaming"
    return Choice(kind, computed, (_KINDS[kind], _WAYS[computed]))
