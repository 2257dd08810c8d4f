"""Training: Adam's steps, the curve, progress, and an interruption that loses nothing."""

import numpy as np
import pytest

from attention_lab.training import Config, History, Transformer, train
from attention_lab.training.loop import Adam
from attention_lab.training.parameters import Parameters
from attention_lab.training.tasks import bank_senses

TASK = bank_senses()


def model(seed=0):
    config = Config(
        n_symbols=len(TASK.symbols), n_outputs=2, context=TASK.context, d_model=8, n_heads=1, n_layers=1, mlp=0,
        hide="never", norm=False, positions=False,
    )  # fmt: skip
    return Transformer(config, np.random.default_rng(seed))


def trained(steps, seed=0, **more):
    made = model(seed)
    return made, train(made, TASK.draw, steps=steps, rng=np.random.default_rng(seed), n_sentences=64, **more)


@pytest.mark.parametrize("seed", range(3))
def test_the_sense_of_bank_is_learned_by_looking_at_the_word_that_gives_it_away(seed):
    made, history = trained(400, seed)
    batch = TASK.draw_held_out(200, np.random.default_rng(9))
    rows, bank = np.nonzero(batch.counted)
    right = made.logits(batch.tokens)[rows, bank].argmax(axis=-1) == batch.targets[rows, bank]
    assert right.mean() > 0.99
    assert history.smooth[-1] < 0.05 < history.losses[0]
    cue = ((batch.tokens >= 1) & (batch.tokens <= 12)).argmax(axis=1)
    before, after = (one.weights(batch.tokens)[0][rows, 0, bank, cue].mean() for one in (model(seed), made))
    assert before < 0.2
    assert after > 0.4


def test_the_same_seed_gives_the_same_model():
    one, other = trained(5)[0], trained(5)[0]
    np.testing.assert_array_equal(one.learned.flat, other.learned.flat)
    assert (trained(5, seed=1)[0].learned.flat != one.learned.flat).any()


def test_adam_agrees_with_pytorch(torch):
    rng = np.random.default_rng(0)
    learned = Parameters({"W": rng.standard_normal(50)})
    theirs = torch.tensor(learned["W"].copy(), requires_grad=True)
    adam, other = Adam(learned), torch.optim.Adam([theirs], lr=0.01, betas=(0.9, 0.99))
    for _ in range(20):
        gradient = rng.standard_normal(50)
        learned.flat_gradient[...] = gradient
        adam(0.01)
        theirs.grad = torch.tensor(gradient)
        other.step()
    np.testing.assert_allclose(learned.flat, theirs.detach().numpy(), atol=1e-6)  # they add 1e-8 elsewhere


def test_adams_first_step_has_the_size_of_the_rate_whatever_the_gradient():
    learned = Parameters({"W": np.zeros(3)})
    learned.flat_gradient[...] = [1e-3, -5, 1000]
    Adam(learned)(0.01)
    np.testing.assert_allclose(learned.flat, [-0.01, 0.01, -0.01], rtol=1e-4)


def test_progress_is_told_of_every_step_and_its_loss():
    told = []
    _, history = trained(5, progress=lambda step, loss: told.append((step, loss)))
    assert told == list(enumerate(history.losses, start=1))


def test_whoever_interrupts_keeps_a_whole_model_and_its_curve():
    def stop(step, loss):
        if step == 3:
            raise KeyboardInterrupt

    made, history = trained(10, progress=stop)
    assert history.interrupted
    assert len(history.losses) == 3  # as many as steps were taken
    assert repr(history).endswith(", interrupted)")
    kept, whole = [], model()
    train(
        whole, TASK.draw, steps=10, rng=np.random.default_rng(0), n_sentences=64,
        progress=lambda step, loss: kept.append(whole.learned.flat.copy()),
    )  # fmt: skip
    np.testing.assert_array_equal(made.learned.flat, kept[2])


def test_an_interruption_before_the_first_step_leaves_the_start():
    def draw(n_sentences, rng):
        raise KeyboardInterrupt

    made = model()
    start = made.learned.flat.copy()
    history = train(made, draw, steps=3, rng=np.random.default_rng(0))
    assert repr(history) == "History(no steps, interrupted)"
    np.testing.assert_array_equal(made.learned.flat, start)


def test_a_smooth_curve_is_the_mean_of_the_last_twenty():
    history = History(np.arange(30.0))
    assert history.smooth[0] == 0
    assert history.smooth[3] == 1.5
    assert history.smooth[29] == np.arange(10, 30).mean()
    assert repr(history) == "History(30 steps, loss 0.00 to 19.50)"


@pytest.mark.parametrize(
    ("parts", "error", "said"),
    [
        ({"rate": float("nan")}, ValueError, "rate must be a finite number, not nan"),
        ({"rate": float("inf")}, ValueError, "rate must be a finite number, not inf"),
        ({"rate": "1e-3"}, ValueError, "rate must be a finite number, not '1e-3'"),
        ({"rate": -0.1}, ValueError, "rate must not be negative, but is -0.1"),
        ({"steps": 1.5}, TypeError, "steps must be a whole number, not 1.5"),
        ({"steps": -1}, ValueError, "steps must not be negative, but is -1"),
        ({"warm_up": 0.5}, TypeError, "warm_up must be a whole number, not 0.5"),
        ({"n_sentences": 0}, ValueError, "n_sentences is 1 or more, not 0"),
        ({"n_sentences": 1.5}, TypeError, "n_sentences must be a whole number, not 1.5"),
    ],
)
def test_a_training_that_makes_no_sense_is_refused_before_anything_is_drawn(parts, error, said):
    made, rng = model(), np.random.default_rng(0)
    start = made.learned.flat.copy()
    with pytest.raises(error, match=said):
        train(made, TASK.draw, **{"steps": 3, "rng": rng, **parts})
    np.testing.assert_array_equal(made.learned.flat, start)
    assert rng.random() == np.random.default_rng(0).random()


def test_no_steps_and_a_rate_of_zero_leave_a_model_as_it_is():
    start = model().learned.flat
    for parts in ({"steps": 0}, {"steps": 2, "rate": 0}):
        made, history = trained(**parts)
        np.testing.assert_array_equal(made.learned.flat, start)
        assert len(history.losses) == parts["steps"]
