"""Translation into a made-up language: other words, another order, another length, and it is known what came from what.

English: [time] the [adjective] noun verb the [adjective] noun, and the end. The other language: noun [adjective] noun
[adjective] verb [time], and the end. It has no "the", and most of its verbs are two words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_lab.shapes import IntArray
from attention_lab.training.translator import Pairs

PADDING, END, THE = "-", ".", "the"
NOUNS = {
    "cat": "kato",
    "dog": "dogo",
    "bird": "birdo",
    "fox": "foxo",
    "horse": "horso",
    "fish": "fisho",
    "girl": "girlo",
    "boy": "boyo",
    "man": "mano",
    "queen": "kweno",
    "friend": "frendo",
    "doctor": "doktoro",
}
ADJECTIVES = {
    "old": "olda",
    "young": "yunga",
    "small": "smala",
    "tall": "tala",
    "red": "reda",
    "quick": "kwika",
    "sad": "sada",
    "kind": "kinda",
}
VERBS = {
    "sees": "seas",
    "calls": "kalas",
    "likes": "likas",
    "finds": "ke findas",
    "helps": "ke helpas",
    "hears": "ke heras",
    "meets": "mo metas",
    "knows": "mo noas",
    "follows": "mo folas",
}
TIMES = {"today": "todaj", "often": "oftaj", "again": "agaj"}
DICTIONARY = {END: END, **TIMES, **ADJECTIVES, **NOUNS, **VERBS}
KINDS = {THE: "d", END: "."} | {
    word: kind for kind, words in zip("tanv", (TIMES, ADJECTIVES, NOUNS, VERBS), strict=True) for word in words
}
GRAMMAR = "[time] the [adjective] noun verb the [adjective] noun ."
FORMS = {f"{time}d{one}nvd{other}n." for time in ("", "t") for one in ("", "a") for other in ("", "a")}
LONGEST = 9  # words of an English sentence, its end counted; a translation has one less


@dataclass(frozen=True)
class Translation:
    """Sentences to translate, and which word of a translation came from which.

    Attributes
    ----------
    symbols, answers : tuple of str
        The words of the one language, and those of the other; a word's number is its place here. Number 0 is padding.
    context : int
        The most words of a sentence, its end counted.
    floor : float
        The smallest loss, in nats: 0, since nothing in a translation is left to chance.
    """

    symbols: tuple[str, ...] = (PADDING, THE, *DICTIONARY)
    answers: tuple[str, ...] = tuple(
        dict.fromkeys([PADDING, *(word for words in DICTIONARY.values() for word in words.split())])
    )
    context: int = LONGEST
    floor: float = 0.0

    def __repr__(self) -> str:
        words = f"{len(self.symbols)} words to {len(self.answers)}"
        return f"Translation({words}, sentences of {self.context} at most, floor {self.floor:.3f})"

    def draw(self, n_sentences: int, rng: np.random.Generator) -> Pairs:
        """Draw sentences and their translations, padded to the longest that there can be."""
        return self.batch([sentence(rng) for _ in range(n_sentences)])

    def batch(self, sentences: Sequence[str]) -> Pairs:
        """Lay English sentences, such as "the cat sees the dog .", and their translations into a table each.

        Raises
        ------
        TypeError, ValueError
            If it is one text and not a list of them, or one is no sentence of the language.
        """
        if isinstance(sentences, str):
            raise TypeError(f"sentences is a list of them, not one text: [{sentences!r}].")
        source, target = (np.zeros((len(sentences), self.context), int) for _ in range(2))
        lengths, counted = np.zeros(len(sentences), int), np.zeros(target.shape)
        for row, english in enumerate(sentences):
            read, other = english.split(), [word for word, _ in translated(english)]
            lengths[row] = len(read)
            source[row, : len(read)] = [self.symbols.index(word) for word in read]
            target[row, : len(other)] = [self.answers.index(word) for word in other]
            counted[row, : len(other)] = 1
        return Pairs(source, lengths, target, counted)

    def partners(self, pairs: Pairs) -> IntArray:
        """Say from which word of the source each word of the target came; -1 for the end and the padding.

        The grammar knows it. A model is never told: it is no part of what `draw` gives.
        """
        found = np.full(pairs.target.shape, -1)
        for row, tokens in enumerate(pairs.source):
            places = [place for _, place in translated(self.read(tokens))]
            found[row, : len(places) - 1] = places[:-1]
        return found

    def read(self, tokens: Sequence[int] | IntArray) -> str:
        """Write an English sentence as text, without its padding."""
        return read(tokens, self.symbols)

    def read_answers(self, tokens: Sequence[int] | IntArray) -> str:
        """Write a translation as text, without its padding."""
        return read(tokens, self.answers)


def read(tokens: Sequence[int] | IntArray, words: Sequence[str]) -> str:
    """Write tokens as text, without their padding."""
    return " ".join(words[token] for token in tokens if token)


def translation() -> Translation:
    """Translate: "the old dog finds the cat ." becomes "dogo olda kato ke findas .".

    >>> translation()
    Translation(35 words to 36, sentences of 9 at most, floor 0.000)
    """
    return Translation()


def sentence(rng: np.random.Generator) -> str:
    """Draw an English sentence."""

    def one_of(words: dict[str, str]) -> str:
        return list(words)[int(rng.integers(len(words)))]

    def some(words: dict[str, str]) -> list[str]:
        return [one_of(words)] if rng.random() < 0.5 else []

    subject, object_ = ([THE, *some(ADJECTIVES), one_of(NOUNS)] for _ in range(2))
    return " ".join([*some(TIMES), *subject, one_of(VERBS), *object_, END])


def translated(english: str) -> list[tuple[str, int]]:
    """Translate a sentence: each word, and the place of the one that it came from.

    Raises
    ------
    ValueError
        If a word is none of the language, or the sentence does not follow its grammar.

    Examples
    --------
    >>> translated("today the old dog finds the cat .")
    [('dogo', 3), ('olda', 2), ('kato', 6), ('ke', 4), ('findas', 4), ('todaj', 0), ('.', 7)]
    """
    words = english.split()
    kinds = _kinds(words)
    verb = kinds.index("v")
    things = [place for place, kind in enumerate(kinds) if kind in "an"]
    subject, object_ = [i for i in things if i < verb], [i for i in things if i > verb]
    times = [0] if kinds[0] == "t" else []
    order = [*subject[::-1], *object_[::-1], verb, *times, len(words) - 1]
    return [(part, place) for place in order for part in DICTIONARY[words[place]].split()]


def _kinds(words: list[str]) -> str:
    """Tell of which kind each word of a sentence is, a letter each, or refuse what is no sentence of the language."""
    try:
        kinds = "".join([KINDS[word] for word in words])
    except KeyError as unknown:
        raise ValueError(f"{unknown} is no word of the language that is translated.") from None
    if kinds not in FORMS:
        raise ValueError(f"{' '.join(words)!r} is no sentence: it takes {GRAMMAR}")
    return kinds
