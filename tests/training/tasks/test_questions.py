"""Four relations at once: where the answers stand, who answers which, and what goes with a head."""

from collections import Counter

import numpy as np
import pytest

from attention_lab.diagnostics import role_score
from attention_lab.training import Config, Transformer, train
from attention_lab.training.layers import cross_entropy
from attention_lab.training.tasks import four_relations
from attention_lab.training.tasks.grammar import ADJECTIVES, LINKS
from attention_lab.training.tasks.questions import (
    CAN_BE,
    N_OF_A_KIND,
    NOUNS,
    QUESTIONS,
    answered,
    looked_for,
    lost_without,
)

TASK = four_relations()


def model(seed=0, n_heads=4):
    config = Config(
        n_symbols=len(TASK.symbols), n_outputs=len(TASK.answers), context=TASK.context, d_model=64, n_heads=n_heads,
        n_layers=1, mlp=0, hide="never",
    )  # fmt: skip
    return Transformer(config, np.random.default_rng(seed))


def kind(word):
    return NOUNS.index(word) // N_OF_A_KIND


def drawn(n, seed=0):
    """Sentences as words, with their targets and what is asked."""
    tokens, targets, counted = TASK.draw(n, np.random.default_rng(seed))
    return zip([TASK.read(row).split() for row in tokens], targets, counted, strict=True)


def test_the_answers_are_the_words_that_the_questions_say():
    for words, targets, counted in drawn(200):
        nouns = [i for i, word in enumerate(words) if word in NOUNS]
        assert np.nonzero(counted)[0].tolist() == nouns[1:]
        for i in nouns[1:]:
            question, word = TASK.answers[targets[i]].split(": ")
            (twin,) = [words[j] for j in nouns if j != i and kind(words[j]) == kind(words[i])]
            right = {"subject": words[nouns[0]], "word before": words[i - 1], "same kind": twin, "first word": words[0]}
            assert word == right[question]


def says(batch, wrong=None):
    """A model whose answers are right, for all questions or for all but one; the later ones are said louder."""
    told, places = model(), looked_for(batch.tokens)
    logits = np.full((*batch.tokens.shape, len(TASK.answers)), -50.0)
    for loudness, (question, words) in enumerate(CAN_BE.items()):
        symbols = np.take_along_axis(batch.tokens, places[question], axis=1)
        for i, j in np.argwhere(batch.counted > 0):
            place = words.index(TASK.symbols[symbols[i, j]]) + (question == wrong)
            logits[i, j, TASK.answers.index(f"{question}: {words[place % len(words)]}")] = loudness * (
                wrong is not None
            )
    told.logits = lambda tokens: logits
    return told


def test_each_question_is_asked_as_often_and_the_floor_is_what_not_knowing_it_costs():
    batch = TASK.draw(500, np.random.default_rng(1))
    asked = [TASK.answers[target].partition(":")[0] for target in batch.targets[batch.counted > 0]]
    np.testing.assert_allclose([asked.count(question) / len(asked) for question in QUESTIONS], 0.25, atol=0.03)
    rows = says(batch).logits(batch.tokens).reshape(-1, len(TASK.answers))
    loss, _ = cross_entropy(rows, batch.targets.reshape(-1), batch.counted.reshape(-1))
    assert loss == pytest.approx(TASK.floor)


def test_sentences_are_an_adjective_then_phrases_and_two_pairs_of_a_kind_that_is_not_the_subjects():
    kinds = {**dict.fromkeys(NOUNS, "n"), **dict.fromkeys(LINKS, "l"), **dict.fromkeys(ADJECTIVES, "a")}
    shapes, places, same = set(), set(), 0
    for words, _, _ in drawn(400, seed=2):
        shape = "".join(kinds[word] for word in words)
        nouns = [word for word in words if word in NOUNS]
        shapes.add(shape)
        places.add(shape.index("n"))
        subject, *others = [kind(noun) for noun in nouns]
        assert subject not in others
        assert sorted(Counter(others).values()) == [2, 2]
        same += len(set(nouns[1:])) < 4
        assert shape[0] == "a"
        assert "".join(shape[1:].replace("a", "")) == "nlnlnlnln"
        assert "al" not in shape[1:]
    assert len(shapes) == 15  # two adjectives among five phrases
    assert places == {1, 2, 3}
    assert same > 100  # in some a word stands twice


def test_where_to_look_is_a_place_for_each_question_and_all_four_differ():
    tokens = TASK.draw(100, np.random.default_rng(3)).tokens
    places = np.stack([*looked_for(tokens).values()])
    asked = places[0] >= 0
    assert ((places >= 0) == asked).all()
    assert (asked.sum(axis=1) == 4).all()
    assert all(len(set(four)) == 4 for four in places[:, asked].T.tolist())


@pytest.mark.parametrize("wrong", QUESTIONS)
def test_each_question_is_counted_by_itself_whatever_was_drawn(wrong):
    batch = TASK.draw(50, np.random.default_rng(4))
    assert answered(says(batch, wrong), batch) == {question: float(question != wrong) for question in QUESTIONS}


def test_what_is_lost_without_a_head_is_the_difference_and_leaves_the_model_alone():
    batch, made = TASK.draw(50, np.random.default_rng(5)), model(n_heads=2)
    before = made.learned.flat.copy()
    lost = lost_without(made, batch)
    np.testing.assert_array_equal(made.learned.flat, before)
    assert lost.shape == (2, 4)
    for head in range(2):
        left = answered(made.without(0, head), batch)
        for i, (question, share) in enumerate(answered(made, batch).items()):
            assert lost[head, i] == pytest.approx(share - left[question])


@pytest.mark.parametrize("seed", [0, 3])
def test_four_heads_part_and_each_takes_its_own_answer_with_it(seed):
    made = model(seed)
    train(made, TASK.draw, steps=800, rng=np.random.default_rng(1), n_sentences=64, rate=5e-3)
    batch = TASK.draw_held_out(300, np.random.default_rng(2))
    assert min(answered(made, batch).values()) > 0.9
    roles = role_score(made.weights(batch.tokens)[0], np.stack([*looked_for(batch.tokens).values()])).mean(axis=1).T
    owner = roles.argmax(axis=0)
    assert sorted(owner) == [0, 1, 2, 3]
    assert roles.max(axis=0).min() > 0.7
    lost, each = lost_without(made, batch), np.arange(4)
    assert lost[owner, each].min() > 0.5
    lost[owner, each] = 0
    assert lost.max() < 0.1
