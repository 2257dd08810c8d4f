"""Lines of every kind of text, from a seed: words, accents, Chinese, emoji, control characters, punctuation, noise.

A character is drawn only if old and new versions of Unicode agree about it, so that every Python does.
"""

import unicodedata

import numpy as np

from attention_lab.pretrained.convert import SENTENCES

# Emoji of which every version of Unicode has got some more, and code points that will never be a character: an older
# Python knows neither, and cuts them alike.
_NEWER, _NEVER = (0x1FA70, 0x1FAFF), (0xFDD0, 0xFDEF)
KINDS = {
    "ascii": [(0x20, 0x7E)],
    "accents": [(0xC0, 0x24F), (0x1E00, 0x1EFF)],
    "combining": [(0x61, 0x7A), (0x300, 0x36F)],
    "greek and cyrillic": [(0x370, 0x3FF), (0x400, 0x4FF)],
    "other alphabets": [(0x5D0, 0x5EA), (0x621, 0x64A), (0x904, 0x939), (0xE01, 0xE3A), (0x10A0, 0x10FF)],
    "chinese": [(0x4E00, 0x9FD5), (0x3400, 0x4DB5), (0xF900, 0xFAD9), (0x20000, 0x200FF), (0x2F800, 0x2FA1D)],
    "japanese and korean": [(0x3041, 0x30FF), (0xAC00, 0xD7A3)],
    "emoji": [(0x1F300, 0x1F5FF), (0x1F600, 0x1F64F), (0x200D, 0x200D), (0xFE0F, 0xFE0F), (0x2600, 0x27BF), _NEWER],
    "punctuation": [(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E), (0x2010, 0x2027), (0x3001, 0x3011)],
    "control": [(0x0, 0x1F), (0x7F, 0x9F), (0x200B, 0x200F), (0xAD, 0xAD), (0xFFFD, 0xFFFD), (0xE000, 0xE00F), _NEVER],
    "spaces": [(0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x202F)],
    "symbols": [(0xA1, 0xBF), (0x2070, 0x209C), (0x20A0, 0x20BE), (0x2100, 0x218B), (0x2190, 0x23FE), (0xFF01, 0xFFEE)],
}
SPECIAL = ("[CLS]", "[SEP]", "[MASK]", "[mask]", "[UNK]", "[PAD]", "[CLS", "##s", "##")
WORDS = " ".join(SENTENCES.read_text(encoding="utf-8").splitlines()).split()


def mixed_lines(n_lines: int, seed: int = 0) -> list[str]:
    """Draw lines; each mixes a few kinds of chunks, with or without spaces between them."""
    rng = np.random.default_rng(seed)
    alphabets = {kind: _alphabet(spans) for kind, spans in KINDS.items()}
    return [_line(rng, alphabets) for _ in range(n_lines)]


def _alphabet(spans: list[tuple[int, int]]) -> list[str]:
    characters = [chr(code) for first, last in spans for code in range(first, last + 1)]
    return [character for character in characters if _is_settled(character)]


def _is_settled(character: str) -> bool:
    """Whether every Unicode since 3.2 puts the character into the same category, or cuts it alike whatever it is."""
    if any(first <= ord(character) <= last for first, last in ((0x1F300, 0x1F64F), _NEWER, _NEVER)):
        return True
    category = unicodedata.category(character)
    return category != "Cn" and category == unicodedata.ucd_3_2_0.category(character)


def _line(rng: np.random.Generator, alphabets: dict[str, list[str]]) -> str:
    kinds = rng.choice(list(KINDS), size=rng.integers(1, 4))
    chunks = []
    for _ in range(rng.integers(0, 12)):
        drawn = rng.random()
        if drawn < 0.5:
            chunks.append(_changed(str(rng.choice(WORDS)), rng))
        elif drawn < 0.95:
            alphabet = alphabets[rng.choice(kinds)]
            chunks.append("".join(alphabet[i] for i in rng.integers(len(alphabet), size=rng.integers(1, 9))))
        elif drawn < 0.99:
            chunks.append(str(rng.choice(SPECIAL)))
        else:
            chunks.append("ab" * int(rng.integers(48, 53)))  # about as long as a word may be
    return (" " if rng.random() < 0.7 else "").join(chunks)


def _changed(word: str, rng: np.random.Generator) -> str:
    """Give a word as it is, in capitals, doubled, cut short, or with an accent on one of its letters."""
    changes = (word, word, word.upper(), word + word, word[: len(word) // 2 + 1], word[:1] + "\u0301" + word[1:])
    return changes[rng.integers(len(changes))]
