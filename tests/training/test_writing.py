"""What a model writes, its loss where nothing is given away, and how often it is right."""

from itertools import pairwise

import numpy as np
import pytest

from attention_lab.training import Config, Transformer, accuracy, honest_losses, train, write
from attention_lab.training.batch import Batch
from attention_lab.training.tasks import bank_senses, markov_text, sentence_topics
from attention_lab.training.tasks.languages import chances_of_next

TASK = markov_text()


def trained(hide, steps=200):
    config = Config(n_symbols=12, context=TASK.context, d_model=32, n_heads=2, hide=hide)
    model = Transformer(config, np.random.default_rng(0))
    train(model, TASK.draw, steps=steps, rng=np.random.default_rng(0))
    return model


@pytest.fixture(scope="module")
def models():
    return {hide: trained(hide) for hide in ("before", "never")}


def held_out(model):
    return model.loss(TASK.draw_held_out(200, np.random.default_rng(9)))


def test_only_a_model_that_sees_the_answer_has_a_loss_below_the_floor(models):
    assert TASK.floor < held_out(models["before"]) < TASK.floor + 0.1
    assert held_out(models["never"]) < TASK.floor / 2


def test_its_honest_loss_gives_it_away(models):
    lengths = [1, 8, 16]
    masked, unmasked = (
        honest_losses(models[hide], TASK.draw_held_out, lengths, np.random.default_rng(9)) for hide in models
    )
    assert max(masked) < TASK.floor + 0.15
    assert min(unmasked) > np.log(12) - 0.5 > 2 * max(masked) - 0.1


def test_an_honest_loss_counts_the_last_token_alone_and_shows_nothing_behind_it(models):
    seen = []

    class Listening(Transformer):
        def __init__(self):
            self.config = models["before"].config

        def loss(self, batch):
            seen.append(batch)
            return 1.0

    assert honest_losses(Listening(), TASK.draw, [3, 5], np.random.default_rng(0), n_sentences=4) == [1.0, 1.0]
    assert [batch.tokens.shape for batch in seen] == [(4, 3), (4, 5)]
    for batch in seen:
        assert isinstance(batch, Batch)
        assert batch.counted[:, -1].tolist() == [1] * 4
        assert batch.counted.sum() == 4


def test_an_honest_model_writes_what_its_language_allows(models):
    legal = chances_of_next(12, 0) > 0
    share = {}
    for hide, model in models.items():
        written = write(model, [0], 300, np.random.default_rng(0))
        share[hide] = np.mean([legal[a, b] for a, b in pairwise(written)])
    assert share["before"] > 0.95
    assert share["never"] < 0.7


def test_what_was_there_stays_and_the_same_seed_writes_the_same(models):
    one, same, other = (write(models["before"], [3, 1], 40, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert one[:2] == [3, 1]
    assert len(one) == 42
    assert one == same
    assert one != other


def test_it_reads_no_more_than_it_can(models):
    long = [0] * 100
    assert len(write(models["before"], long, 3, np.random.default_rng(0))) == 103


def test_what_cannot_be_written_is_refused(models):
    with pytest.raises(ValueError, match="tokens are empty"):
        write(models["before"], [], 3, np.random.default_rng(0))
    answers = Transformer(Config(n_symbols=5, context=4, n_outputs=2, d_model=8, n_heads=2), np.random.default_rng(0))
    with pytest.raises(ValueError, match="gives 2 answers, and there are 5 symbols"):
        write(answers, [0], 3, np.random.default_rng(0))


@pytest.mark.parametrize(("length", "said"), [(0, "1 to 32 tokens here, not 0"), (33, "1 to 32 tokens here, not 33")])
def test_a_beginning_that_no_sentence_has_is_refused(models, length, said):
    with pytest.raises(ValueError, match=said):
        honest_losses(models["before"], TASK.draw, [length], np.random.default_rng(0))


def test_only_what_is_asked_counts_in_an_honest_loss():
    task = bank_senses()
    model = Transformer(
        Config(n_symbols=len(task.symbols), n_outputs=2, context=9, d_model=8, n_heads=2), np.random.default_rng(0)
    )

    def asked_at_the_end(n, rng):
        batch = task.draw(n, rng)
        return batch._replace(counted=np.eye(9)[[8] * n])

    assert len(honest_losses(model, asked_at_the_end, [9], np.random.default_rng(0))) == 1
    with pytest.raises(ValueError, match="nothing is asked after 3 tokens"):
        honest_losses(model, asked_at_the_end, [3], np.random.default_rng(0))


class Fixed:
    """A model that always gives the same logits: two sentences of two tokens, three answers."""

    def logits(self, tokens):
        return np.array([[[0.0, 3.0, 1.0], [9.0, 0.0, 0.0]], [[-1.0, -2.0, -3.0], [0.0, 0.0, 5.0]]])


def fixed_batch(counted):
    return Batch(np.zeros((2, 2), int), np.array([[1, 2], [0, 1]]), np.array(counted, float))


@pytest.mark.parametrize(
    ("counted", "share"),
    [
        ([[1, 1], [1, 1]], 0.5),  # it finds 1, 0, 0 and 2 where 1, 2, 0 and 1 are right
        ([[1, 0], [1, 0]], 1.0),
        ([[0, 1], [0, 0]], 0.0),
        ([[1, 1], [1, 0]], 2 / 3),
    ],
)
def test_the_share_of_right_answers_is_taken_where_something_is_asked_alone(counted, share):
    assert accuracy(Fixed(), lambda n, rng: fixed_batch(counted), np.random.default_rng(0)) == pytest.approx(share)


def test_who_does_not_see_the_word_that_decides_is_right_half_of_the_time():
    found = {}
    for hide in ("never", "before"):
        task = sentence_topics(asked="first")
        size = {"context": task.context, "d_model": 16, "n_heads": 2, "n_layers": 1, "mlp": 0}
        model = Transformer(Config(n_symbols=33, n_outputs=2, hide=hide, **size), np.random.default_rng(0))
        train(model, task.draw, steps=300, rng=np.random.default_rng(0))
        found[hide] = accuracy(model, task.draw_held_out, np.random.default_rng(1))
    assert found["never"] > 0.95
    assert 0.4 < found["before"] < 0.6


def test_as_many_sentences_are_drawn_as_are_wanted():
    asked = []

    def draw(n, rng):
        asked.append(n)
        return fixed_batch([[1, 1], [1, 1]])

    accuracy(Fixed(), draw, np.random.default_rng(0), n_sentences=7)
    assert asked == [7]


def test_there_is_no_share_of_nothing():
    with pytest.raises(ValueError, match="nothing is asked"):
        accuracy(Fixed(), lambda n, rng: fixed_batch([[0, 0], [0, 0]]), np.random.default_rng(0))
