"""Four relations at once: grammar, order, meaning and place, and nobody knows which one will be asked about."""

import numpy as np

from attention_lab.shapes import FloatArray, IntArray
from attention_lab.training.batch import Batch
from attention_lab.training.tasks.grammar import ADJECTIVES, LINKS
from attention_lab.training.tasks.task import Task, endless
from attention_lab.training.transformer import Transformer

# Words about one thing stand beside each other; each thing has as many.
NOUNS = ("river", "lake", "sea", "cat", "dog", "horse", "door", "wall", "roof", "song", "drum", "flute")
N_OF_A_KIND = 3
SYMBOLS = (*NOUNS, *LINKS, *ADJECTIVES)
CAN_BE = {"subject": NOUNS, "word before": (*LINKS, *ADJECTIVES), "same kind": NOUNS, "first word": ADJECTIVES}
QUESTIONS = tuple(CAN_BE)
N_TOKENS = 12
_PHRASES, _MORE_ADJECTIVES = 5, 2
# The answers to one question stand beside each other, in the order of the symbols.
_ENDS = np.cumsum([len(words) for words in CAN_BE.values()])
_BEGINS = _ENDS - [len(words) for words in CAN_BE.values()]
_FIRST_SYMBOLS = np.array([SYMBOLS.index(words[0]) for words in CAN_BE.values()])


def four_relations() -> Task:
    """Say of a noun the subject, the word before, the other word of its kind, or the first word of the sentence.

    Sentences are such as *old dog near big river with flute to lake under red drum*. The subject is the first noun; of
    the other four, two and two are of a kind, or even the same word. Each of these four is asked one question, drawn
    blindly: an answer is "subject: dog". A model that knows all four words still cannot know which question was meant,
    so the floor is ``log 4``.

    >>> four_relations()
    Task(four relations: 23 symbols, 40 answers, 12 tokens, floor 1.386)
    """

    def draw(n_sentences: int, rng: np.random.Generator) -> Batch:
        tokens = _sentences(n_sentences, rng)
        right = _right_answers(tokens)
        asked = right[0] >= 0
        question = rng.integers(0, len(QUESTIONS), (1, *tokens.shape))
        targets = np.take_along_axis(right, question, axis=0)[0]
        return Batch(tokens, np.where(asked, targets, 0), asked.astype(float))

    floor = float(np.log(len(QUESTIONS)))
    answers = tuple(f"{question}: {word}" for question, words in CAN_BE.items() for word in words)
    return endless(name="four relations", symbols=SYMBOLS, answers=answers, context=N_TOKENS, floor=floor, draw=draw)


def looked_for(tokens: IntArray) -> dict[str, IntArray]:
    """Tell, for each question, at which place its answer stands, seen from each word; -1 where nothing is asked.

    Parameters
    ----------
    tokens : ``(n_sentences, 12)``
        Sentences of ``four_relations``.

    Returns
    -------
    dict of ``(n_sentences, 12)``
        By question: a target for ``role_score``.

    Examples
    --------
    >>> words = "old dog near big river with flute to lake under old drum"
    >>> places = looked_for(np.array([[SYMBOLS.index(word) for word in words.split()]]))
    >>> {question: places[question][0, 4].item() for question in QUESTIONS}  # seen from "river"
    {'subject': 1, 'word before': 3, 'same kind': 8, 'first word': 0}
    """
    is_noun, places = tokens < len(NOUNS), np.arange(tokens.shape[1])
    kind = np.where(is_noun, tokens // N_OF_A_KIND, -1 - places)  # what is no noun is like nothing
    alike = (kind[:, :, None] == kind[:, None, :]) & (places[:, None] != places)
    asked = alike.any(axis=2)
    subject = is_noun.argmax(axis=1)[:, None]
    found = (subject, places - 1, alike.argmax(axis=2), np.zeros_like(tokens))
    return {question: np.where(asked, place, -1) for question, place in zip(QUESTIONS, found, strict=True)}


def answered(model: Transformer, batch: Batch) -> dict[str, float]:
    """Measure how often each question is answered rightly, at every noun that is asked.

    Formula: the mean of ``[argmax over the question's own answers of the logits = the right one]``.

    Parameters
    ----------
    model : Transformer
        What learned ``four_relations``.
    batch : Batch
        Sentences of it; all four are asked of each noun, whatever was drawn.

    Returns
    -------
    dict of float
        By question: a share, from 0 to 1.
    """
    asked = batch.counted > 0
    logits, right = model.logits(batch.tokens)[asked], _right_answers(batch.tokens)[:, asked]
    said = (begin + logits[:, begin:end].argmax(axis=1) for begin, end in zip(_BEGINS, _ENDS, strict=True))
    shares = (float(np.mean(mine == theirs)) for mine, theirs in zip(said, right, strict=True))
    return dict(zip(QUESTIONS, shares, strict=True))


def lost_without(model: Transformer, batch: Batch) -> FloatArray:
    """Take the heads of a layer out, one after the other, and measure which answers go with each.

    Formula: ``answered(model) - answered(model without head h)``.

    Parameters
    ----------
    model : Transformer
        What learned ``four_relations``, with one layer.
    batch : Batch
        Sentences of it.

    Returns
    -------
    ``(n_heads, 4)``
        A share of all answers for each head and question; below 0 where the model is better without the head.

    Source: Voita et al. 2019, "Analyzing Multi-Head Self-Attention", section 6; here nothing is trained anew.
    """
    whole = [*answered(model, batch).values()]
    left = [[*answered(model.without(0, head), batch).values()] for head in range(model.config.n_heads)]
    lost: FloatArray = np.subtract(whole, left)
    return lost


def _right_answers(tokens: IntArray) -> IntArray:
    """Give the number of the answer to each question, seen from each word: ``(4, ...)``; -1 where nothing is asked."""
    places = np.stack([*looked_for(tokens).values()])
    answers = np.take_along_axis(tokens[None], places, axis=2) + (_BEGINS - _FIRST_SYMBOLS)[:, None, None]
    return np.where(places >= 0, answers, -1)


def _sentences(n_sentences: int, rng: np.random.Generator) -> IntArray:
    """Draw an adjective, then phrases of a link (but for the first), adjectives or none, and a noun."""
    links, adjectives = len(NOUNS), len(NOUNS) + len(LINKS)
    kinds = rng.permuted(np.tile(np.arange(len(NOUNS) // N_OF_A_KIND), (n_sentences, 1)), axis=1)
    pairs = rng.permuted(np.repeat(kinds[:, 1:3], 2, axis=1), axis=1)
    drawn = N_OF_A_KIND * np.column_stack([kinds[:, 0], pairs]) + rng.integers(0, N_OF_A_KIND, (n_sentences, _PHRASES))
    link = rng.integers(links, adjectives, (n_sentences, _PHRASES - 1))
    adjective = rng.integers(adjectives, len(SYMBOLS), (n_sentences, 1 + _MORE_ADJECTIVES))
    phrase = rng.integers(0, _PHRASES, (n_sentences, _MORE_ADJECTIVES))  # that an adjective belongs to
    # What stands where: the first adjective, and in each phrase its link, its adjectives, its noun.
    fixed = np.concatenate([3 * np.arange(_PHRASES) + 2, 3 * np.arange(1, _PHRASES), [-1]])
    order = np.argsort(np.column_stack([np.tile(fixed, (n_sentences, 1)), 3 * phrase + 1]), axis=1, kind="stable")
    return np.take_along_axis(np.column_stack([drawn, link, adjective]), order, axis=1)
