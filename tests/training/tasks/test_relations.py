"""Two relations at once: where the answers stand, and who answers which."""

from itertools import pairwise

import numpy as np
import pytest

from attention_lab.diagnostics import role_score
from attention_lab.training import Config, Transformer, train
from attention_lab.training.batch import Batch
from attention_lab.training.tasks import two_relations
from attention_lab.training.tasks.grammar import ADJECTIVES, LINKS, NOUNS
from attention_lab.training.tasks.relations import QUESTIONS, SYMBOLS, answered, looked_for

TASK = two_relations()


def model(seed, n_heads=2, **parts):
    config = Config(
        n_symbols=len(TASK.symbols), n_outputs=len(TASK.answers), context=TASK.context, d_model=48, n_heads=n_heads,
        n_layers=1, mlp=0, hide="never", **parts,
    )  # fmt: skip
    return Transformer(config, np.random.default_rng(seed))


def test_the_answer_is_the_first_noun_and_the_word_before_and_the_two_stand_in_different_places():
    tokens, targets, counted = TASK.draw(200, np.random.default_rng(0))
    for sentence, target, asked in zip(tokens, targets, counted, strict=True):
        words = [TASK.symbols[token] for token in sentence]
        subject = next(i for i, word in enumerate(words) if word in NOUNS)
        assert np.nonzero(asked)[0].tolist() == list(range(subject + 2, len(words)))
        for i in range(subject + 2, len(words)):
            assert TASK.answers[target[i]] == f"{words[subject]}, {words[i - 1]}"


def test_a_sentence_is_phrases_of_at_most_one_adjective_a_noun_and_a_link():
    tokens, _, _ = TASK.draw(300, np.random.default_rng(1))
    kinds = {**dict.fromkeys(NOUNS, "n"), **dict.fromkeys(LINKS, "l"), **dict.fromkeys(ADJECTIVES, "a")}
    seen = {"".join(kinds[TASK.symbols[token]] for token in sentence) for sentence in tokens}
    followers = {pair for kind in seen for pair in pairwise(kind)}
    assert followers == {("n", "l"), ("l", "n"), ("l", "a"), ("a", "n")}
    assert {kind[0] for kind in seen} == {"n", "a"}


def test_where_to_look_is_a_place_for_each_question():
    tokens = np.array([[SYMBOLS.index(word) for word in ("keys", "to", "old", "cat")]])
    found = looked_for(tokens)
    assert {question: places.tolist() for question, places in found.items()} == {
        "subject": [[-1, -1, 0, 0]],
        "word before": [[-1, -1, 1, 2]],
    }


def test_each_question_is_counted_by_itself():
    batch = TASK.draw(400, np.random.default_rng(2))
    told = model(0)
    exact = answered_if(told, batch, lambda pair: pair)
    assert exact == {"subject": 1.0, "word before": 1.0}
    other_subject = answered_if(told, batch, lambda pair: (pair[0] + 1, pair[1]))
    assert other_subject == {"subject": 0.0, "word before": 1.0}
    other_word = answered_if(told, batch, lambda pair: (pair[0], pair[1] + 1))
    assert other_word == {"subject": 1.0, "word before": 0.0}


def answered_if(told, batch, change):
    """Count the answers of a model that says what the batch asks for, changed."""
    subject, before = change(np.divmod(batch.targets, len(SYMBOLS)))
    targets = subject % len(NOUNS) * len(SYMBOLS) + before % len(SYMBOLS)
    told.logits = lambda tokens: 9 * np.eye(len(TASK.answers))[targets]
    return answered(told, Batch(batch.tokens, batch.targets, batch.counted))


def test_the_more_probable_word_counts_not_the_most_probable_pair():
    batch = TASK.draw(1, np.random.default_rng(3))
    told = model(0)
    subject, before = np.divmod(batch.targets, len(SYMBOLS))
    chances = np.zeros((1, TASK.context, len(NOUNS), len(SYMBOLS)))
    for i in range(TASK.context):
        for step in (1, 2):  # two pairs of 0.3 say the right subject, one pair of 0.4 another
            chances[0, i, subject[0, i], (before[0, i] + step) % len(SYMBOLS)] = 0.3
        chances[0, i, (subject[0, i] + 1) % len(NOUNS), before[0, i]] = 0.4
    told.logits = lambda tokens: np.log(np.maximum(chances, 1e-9)).reshape(1, TASK.context, -1)
    assert answered(told, batch) == {"subject": 1.0, "word before": 1.0}


def test_too_short_a_sentence_is_refused():
    with pytest.raises(ValueError, match="n_tokens is 4 or more, not 3"):
        two_relations(3)
    assert two_relations(4).draw(50, np.random.default_rng(0)).counted.any(axis=1).all()


@pytest.mark.parametrize("seed", [1, 3])
def test_two_heads_share_out_the_questions_and_removing_one_takes_one_answer_away(seed):
    made = model(seed)
    train(made, TASK.draw, steps=600, rng=np.random.default_rng(1), n_sentences=64)
    batch = TASK.draw_held_out(300, np.random.default_rng(2))
    assert min(answered(made, batch).values()) > 0.98
    places, weights = looked_for(batch.tokens), made.weights(batch.tokens)[0]
    scores = {question: role_score(weights, places[question]).mean(axis=0) for question in QUESTIONS}
    heads = {question: score.argmax() for question, score in scores.items()}
    assert set(heads.values()) == {0, 1}
    for question, other in (QUESTIONS, QUESTIONS[::-1]):
        assert scores[question].max() > 0.9
        left = answered(made.without(0, heads[question]), batch)
        assert left[question] < 0.3
        assert left[other] > 0.95
