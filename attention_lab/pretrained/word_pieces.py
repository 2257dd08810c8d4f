"""From text to word pieces: the splitting that BERT was trained with.

A frequent word is one piece. A rare one is cut into pieces, and every piece but the first begins with ``##``.
Source: Devlin and others 2018, "BERT", section 3; Wu and others 2016, "Google's Neural Machine Translation System",
section 4.1.

What a character is (a mark, punctuation, a control character, or not assigned yet) is what this Python's Unicode says.
`tokenizers` has tables of its own, older ones: on Python 3.11 it cuts 503 characters otherwise, nearly all of them
marks, punctuation and format characters that came after. All others, and all that are not assigned, are cut alike.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_SPECIAL = ("[PAD]", UNKNOWN, START, END, "[MASK]")
_LONGEST_WORD = 100  # a longer one is unknown
_DROPPED = ("Cc", "Cf", "Co", "Cs")  # not Cn: what one Python does not know yet is a character to the next
_CHINESE = (  # blocks of characters that are words by themselves
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),  # 2B820 to 2B91F were forgotten in the reference, and stay so
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """The pieces that a model knows; a piece's number is its place among them.

    Parameters
    ----------
    pieces : iterable of str
        In the order of the rows of the model's word embeddings; ``[CLS]``, ``[SEP]`` and ``[UNK]`` are among them.
    lower : bool
        Whether capitals and accents make no difference ("uncased").

    Raises
    ------
    ValueError
        If a special piece is missing, or a piece stands there twice.

    Examples
    --------
    >>> pieces = WordPieces(["[UNK]", "[CLS]", "[SEP]", "the", "river", "##s", "##ide", "."])
    >>> pieces.tokens("The Riverside.")
    ['[CLS]', 'the', 'river', '##s', '##ide', '.', '[SEP]']
    >>> pieces.ids(pieces.tokens("rivers, the"))
    array([1, 4, 5, 0, 3, 2])
    """

    def __init__(self, pieces: Iterable[str], *, lower: bool = True) -> None:
        self.pieces, self.lower = tuple(pieces), lower
        self._id_of = {piece: i for i, piece in enumerate(self.pieces)}
        for piece in (START, END, UNKNOWN):
            if piece not in self._id_of:
                raise ValueError(f"The vocabulary lacks the piece {piece}.")
        if len(self._id_of) < len(self.pieces):
            twice = next(piece for i, piece in enumerate(self.pieces) if self._id_of[piece] != i)
            raise ValueError(f'The vocabulary has the piece "{twice}" twice.')
        self._special = re.compile(f"({'|'.join(re.escape(piece) for piece in _SPECIAL if piece in self._id_of)})")

    def __len__(self) -> int:
        return len(self.pieces)

    def __contains__(self, piece: object) -> bool:
        return piece in self._id_of

    def __repr__(self) -> str:
        return f"WordPieces({len(self)} pieces, {'uncased' if self.lower else 'cased'})"

    def tokens(self, text: str) -> list[str]:
        """Cut a text into pieces, between ``[CLS]`` and ``[SEP]``.

        Raises
        ------
        TypeError
            If the text is not a str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, such as 'The bank by the river.', not {type(text).__name__}.")
        cut = [START]
        for part in self._special.split(text):  # whoever writes [MASK] means the piece
            cut += [part] if self._special.fullmatch(part) else self._pieces_of_text(part)
        return [*cut, END]

    def ids(self, tokens: Iterable[str]) -> NDArray[np.int64]:
        """Give the numbers of pieces, ``(n_tokens,)``.

        Raises
        ------
        ValueError
            If a piece is not in the vocabulary.
        """
        try:
            return np.array([self._id_of[piece] for piece in tokens], dtype=np.int64)
        except KeyError as lacking:
            raise ValueError(f'The vocabulary has no piece "{lacking.args[0]}".') from None

    def _pieces_of_text(self, text: str) -> list[str]:
        text = _clean(text)
        if self.lower:
            text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
            text = "".join(c.lower() for c in text)  # letter by letter: no special sigma at a word's end
        return [piece for word in _words(text) for piece in self._cut(word)]

    def _cut(self, word: str) -> list[str]:
        """Take the longest piece that is known, again and again."""
        cut: list[str] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self._id_of:
                    break
            else:
                return [UNKNOWN]
            cut.append(piece)
            start = end
        return cut or [UNKNOWN]


def _clean(text: str) -> str:
    """Drop control characters, but for those that are spaces, and put spaces around Chinese characters."""
    cleaned: list[str] = []
    for character in text:
        if character in "\t\n\r":
            cleaned.append(" ")
        elif character == "\ufffd" or unicodedata.category(character) in _DROPPED:
            continue
        elif any(first <= ord(character) <= last for first, last in _CHINESE):
            cleaned.append(f" {character} ")
        else:
            cleaned.append(character)
    return "".join(cleaned)


def _words(text: str) -> Iterator[str]:
    """Split at spaces; every punctuation mark is a word by itself."""
    for chunk in text.split():
        word = ""
        for character in chunk:
            if _is_punctuation(character):
                if word:
                    yield word
                yield character
                word = ""
            else:
                word += character
        if word:
            yield word


def _is_punctuation(character: str) -> bool:
    """Every ASCII character that is neither a letter nor a digit counts, such as $ and +."""
    return unicodedata.category(character)[0] == "P" or (character.isascii() and not character.isalnum())
