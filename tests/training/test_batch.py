"""What a model refuses to learn from, whatever model it is."""

import numpy as np
import pytest

from attention_lab.shapes import ShapeError
from attention_lab.training import Config, Pairs, Recurrent, RecurrentConfig, Transformer, Translator, tasks, train
from attention_lab.training.batch import Batch

RNG = np.random.default_rng
MODELS = {
    "transformer": Transformer(Config(n_symbols=5, n_outputs=2, context=4, d_model=8, n_heads=2), RNG(0)),
    "recurrent": Recurrent(RecurrentConfig(n_symbols=5, n_outputs=2, d_summary=8), RNG(0)),
}
ONES = np.ones((3, 4), int)
EVERY_MODEL = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
EVERY_LOSS = pytest.mark.parametrize("loss", ["loss", "loss_and_gradient"])


@EVERY_LOSS
@EVERY_MODEL
@pytest.mark.parametrize(
    ("batch", "said"),
    [
        (Batch(ONES, ONES[:2], ONES), "targets has n_sentences = 2, but tokens has n_sentences = 3"),
        (Batch(ONES, ONES[:, :3], ONES), "targets has n_tokens = 3, but tokens has n_tokens = 4"),
        (Batch(ONES, ONES, ONES[:, :1]), "counted has n_tokens = 1, but tokens has n_tokens = 4"),
        (Batch(ONES, ONES.T, ONES), "targets has n_sentences = 4"),
        (Batch(ONES, ONES[0], ONES), "targets has too few axes"),
        (Batch(ONES, ONES, 0 * ONES), "nothing is asked: counted sums to 0"),
        (Batch(ONES, ONES, np.nan * ONES), "counted sums to nan"),
        (Batch(ONES, ONES - 2, ONES), "targets are whole numbers from 0 to 1"),
        (Batch(ONES, ONES + 1, ONES), "targets are whole numbers from 0 to 1"),
        (Batch(ONES, ONES / 2, ONES), "targets are whole numbers from 0 to 1"),
        (Batch(ONES[:0], ONES[:0], ONES[:0]), r"tokens are .*, not \(0, 4\)"),
    ],
)
def test_a_batch_that_does_not_fit_is_refused_and_changes_nothing(model, loss, batch, said):
    before = model.learned.flat.copy(), model.learned.flat_gradient.copy()
    with pytest.raises(ValueError, match=said):
        getattr(model, loss)(batch)
    np.testing.assert_array_equal((model.learned.flat, model.learned.flat_gradient), before)


@EVERY_MODEL
def test_sizes_that_disagree_are_a_shape_error(model):
    with pytest.raises(ShapeError):
        model.loss(Batch(ONES, ONES[:2], ONES))


@EVERY_LOSS
@EVERY_MODEL
def test_pairs_are_no_batch(model, loss):
    pairs = tasks.translation().draw(2, RNG(0))
    with pytest.raises(TypeError, match=r"^this model learns from a Batch, .* not from Pairs"):
        getattr(model, loss)(pairs)


@EVERY_LOSS
def test_a_batch_is_no_pairs(loss):
    with pytest.raises(TypeError, match=r"^a Translator learns from Pairs, .* not from Batch"):
        getattr(Translator(5, 5, 4, RNG(0), d_model=4), loss)(Batch(ONES, ONES, ONES))


def test_a_task_and_a_model_of_two_kinds_do_not_go_together():
    with pytest.raises(TypeError, match="learns from Pairs"):
        train(Translator(33, 33, 64, RNG(0)), tasks.text().draw, steps=1, rng=RNG(0))
    with pytest.raises(TypeError, match="learns from a Batch"):
        train(MODELS["transformer"], tasks.translation().draw, steps=1, rng=RNG(0))


def test_a_model_of_two_answers_cannot_learn_a_text():
    task = tasks.text()
    model = Transformer(Config(n_symbols=33, n_outputs=2, context=64), RNG(0))
    with pytest.raises(ValueError, match="targets are whole numbers from 0 to 1"):
        train(model, task.draw, steps=1, rng=RNG(0))


@EVERY_LOSS
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"target": ONES[:2]}, "target has n_sentences = 2, but source has n_sentences = 3"),
        ({"lengths": np.array([4, 4])}, "lengths has n_sentences = 2, but source has n_sentences = 3"),
        ({"lengths": np.array(4)}, "lengths has too few axes"),
        ({"counted": ONES[:, :3]}, "counted has n_target = 3, but target has n_target = 4"),
        ({"counted": 0 * ONES}, "nothing is asked: counted sums to 0"),
        ({"target": np.array([[1, 1, 1, 5]] * 3)}, "targets are whole numbers from 0 to 4"),
        ({"target": np.array([[1, 1, 1, -1]] * 3)}, "targets are whole numbers from 0 to 4"),
        ({"target": ONES[0, :3], "counted": ONES[0, :3]}, r"target is \(n_sentences, 1 to 4 words\), not \(3,\)"),
    ],
)
def test_pairs_that_do_not_fit_are_refused(loss, changed, said):
    pairs = Pairs(ONES, np.array([4, 4, 4]), ONES, ONES.astype(float))
    with pytest.raises(ValueError, match=said):
        getattr(Translator(5, 5, 4, RNG(0), d_model=4), loss)(pairs._replace(**changed))
