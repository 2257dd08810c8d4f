"""What an encoder computed for one text, all of it."""

from dataclasses import dataclass

from attention_lab.shapes import FloatArray, show_shapes, whole_number


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """Every step of one text through an encoder; the arrays are read-only, layers and heads are counted from 0.

    Attributes
    ----------
    text : str
        As it was given.
    tokens : tuple of str, ``n_tokens`` of them
        The word pieces, with ``[CLS]`` in front and ``[SEP]`` at the end.
    q, k, v : ``(n_layers, n_heads, n_tokens, d_k)``
        What each word asks, is labelled with, and hands over.
    scores : ``(n_layers, n_heads, n_tokens, n_tokens)``
        Scaled. Rows look, columns are looked at.
    weights : ``(n_layers, n_heads, n_tokens, n_tokens)``
        After the softmax, and after the cuts, if there were any. Each row that was not cut sums to 1.
    head_outputs : ``(n_layers, n_heads, n_tokens, d_v)``
        The blended values of each head, before W_O.
    hidden : ``(n_layers + 1, n_tokens, d_model)``
        The words before the first layer, and after each one.
    """

    text: str
    tokens: tuple[str, ...]
    q: FloatArray
    k: FloatArray
    v: FloatArray
    scores: FloatArray
    weights: FloatArray
    head_outputs: FloatArray
    hidden: FloatArray

    def __repr__(self) -> str:
        return show_shapes(self, ("q", "k", "v", "scores", "weights", "head_outputs", "hidden"))

    def at(self, word: str, nth: int | None = None) -> int:
        """Say at which position a word, or one of the pieces, stands.

        Parameters
        ----------
        word : str
            A word that is one piece, or a piece, such as ``"##s"`` or ``"[CLS]"``; capitals make no difference.
        nth : int, optional
            Which one, counted from 0, where it stands there more than once.

        Returns
        -------
        int
            The position among the tokens, counted from 0.

        Raises
        ------
        TypeError
            If the word is not a str, or ``nth`` is not a whole number.
        ValueError
            If the word is not there, is there more than once and ``nth`` does not say which, or is cut into pieces.

        Examples
        --------
        >>> from attention_lab.pretrained import load_encoder
        >>> reading = load_encoder().read("The bank by the river was steep.")
        >>> reading.at("river"), reading.at("the", nth=1)
        (5, 4)
        >>> reading.at("the")
        Traceback (most recent call last):
        ValueError: "the" stands at positions 1 and 4: say which with nth=0 or nth=1.
        """
        if not isinstance(word, str):
            raise TypeError(f"word must be a str, such as 'bank', not {type(word).__name__}.")
        found = [i for i, token in enumerate(self.tokens) if token.casefold() == word.casefold()]
        if not found:
            raise ValueError(self._why_not(word))
        if nth is None and len(found) == 1:
            return found[0]
        if nth is None:
            places, choices = _and("and", found), _and("or", [f"nth={i}" for i in range(len(found))])
            raise ValueError(f'"{word}" stands at positions {places}: say which with {choices}.')
        if whole_number("nth", nth) >= len(found):
            raise ValueError(f'There is no nth={nth} of "{word}": it stands there {len(found)} x, counted from 0.')
        return found[nth]

    def _why_not(self, word: str) -> str:
        for start in range(len(self.tokens)):
            end = start + 1
            while end < len(self.tokens) and self.tokens[end].startswith("##"):
                end += 1
            pieces = self.tokens[start:end]
            if "".join(piece.removeprefix("##") for piece in pieces).casefold() == word.casefold():
                return f'"{word}" is cut into {", ".join(pieces)} at position {start} and after: ask for one of them.'
        return f'"{word}" is not in the text. Its pieces are: {" ".join(self.tokens)}'


def _and(joint: str, things: list[int] | list[str]) -> str:
    """List things as a sentence does: a, b and c."""
    words = [str(thing) for thing in things]
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"
