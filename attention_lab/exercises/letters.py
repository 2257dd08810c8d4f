"""Things to choose from get letters, in an order that is the same for everybody and gives nothing away."""

import hashlib
from collections.abc import Iterable, Sequence

LETTERS = "ABCDEFGHIJKL"


def typed_letters(answer: object) -> list[str]:
    """Read several letters as people type them; none where nothing was typed, or no text.

    >>> typed_letters("a, C b"), typed_letters("acb"), typed_letters(3)
    (['A', 'C', 'B'], ['A', 'C', 'B'], [])
    """
    letters = answer.upper().replace(",", " ").split() if isinstance(answer, str) else []
    return list(letters[0]) if len(letters) == 1 else letters


def lettered(name: str, texts: Iterable[str]) -> dict[str, str]:
    """Give texts their letters, in an order that follows from a name and the texts.

    >>> lettered("02-the", ["at bank", "at river"])
    {'A': 'at river', 'B': 'at bank'}
    """
    ordered = sorted(texts, key=lambda text: hashlib.sha256(f"{name} {text}".encode()).hexdigest())
    return dict(zip(LETTERS, ordered, strict=False))


def letters_of(name: str, wanted: Sequence[str], others: Sequence[str]) -> str:
    """Write the letters that some texts have among others, in their own order.

    >>> letters_of("02-the", ["at bank"], ["at river"])
    'B'
    """
    shown = {text: letter for letter, text in lettered(name, (*wanted, *others)).items()}
    return " ".join(shown[text] for text in wanted)
