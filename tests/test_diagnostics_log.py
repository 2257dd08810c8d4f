"""The head doctor over the steps of a training."""

import csv

import numpy as np
import pytest

from attention_lab import ShapeError, causal_mask
from attention_lab.diagnostics import HeadLog, head_doctor
from attention_lab.diagnostics.doctor import COLUMNS
from attention_lab.training import Config, Transformer, tasks, train

N = 6
EVEN = np.full((N, N), 1 / N)
BEFORE = np.eye(N, k=-1)
BEFORE[0, 0] = 1
TOKENS = list("abcabd")


@pytest.fixture
def log():
    """Two heads, one of which learns to look at the word before."""
    log = HeadLog()
    for step, share in ((0, 0.0), (5, 0.5), (20, 1.0)):
        log.add(step, [[EVEN, share * BEFORE + (1 - share) * EVEN]], TOKENS)
    return log


def test_each_step_keeps_the_report_of_the_doctor(log):
    assert log.steps == [0, 5, 20]
    assert [report.verdict.tolist() for report in log.reports] == [
        [["uniform", "uniform"]],
        [["uniform", "broad"]],
        [["uniform", "specific"]],
    ]
    alone = head_doctor([[EVEN, 0.5 * BEFORE + 0.5 * EVEN]], TOKENS)
    assert log.over_steps("previous").shape == (3, 1, 2)
    for name in COLUMNS[2:]:
        np.testing.assert_array_equal(log.over_steps(name)[1], getattr(alone, name))


def test_the_file_has_a_row_for_each_step_and_head(log, tmp_path):
    log.to_csv(tmp_path / "log.csv")
    with (tmp_path / "log.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["step", *COLUMNS]
    assert [(row["step"], row["layer"], row["head"]) for row in rows] == [
        (step, "1", head) for step in ("0", "5", "20") for head in ("1", "2")
    ]
    assert rows[-1]["verdict"] == "specific"
    np.testing.assert_array_equal([float(row["entropy"]) for row in rows], log.over_steps("entropy").ravel())


def test_a_log_without_steps_writes_a_file_with_names_alone(tmp_path):
    HeadLog().to_csv(tmp_path / "log.csv")
    assert (tmp_path / "log.csv").read_text(encoding="utf-8").strip() == ",".join(["step", *COLUMNS])


def test_a_log_says_in_a_line_what_it_holds(log):
    assert repr(log) == "HeadLog(3 steps, 0 to 20, of 1 layers, 2 heads)"
    assert repr(HeadLog()) == "HeadLog(no steps)"


def test_a_mask_is_handed_on():
    mask = causal_mask(N)
    assert HeadLog().add(0, [[mask / mask.sum(axis=-1, keepdims=True)]], mask=mask).verdict.item() == "uniform"


@pytest.mark.parametrize("seed", range(5))
def test_heads_that_start_small_are_uniform_and_learn_to_look_at_few_words(seed):
    """What appendix_ablation shows, whatever the seed."""
    task, log = tasks.two_relations(), HeadLog()
    sizes = {"n_symbols": len(task.symbols), "n_outputs": len(task.answers), "context": task.context}
    model = Transformer(
        Config(**sizes, d_model=48, n_heads=4, n_layers=1, mlp=0, hide="never"), np.random.default_rng(seed)
    )
    text = task.draw_held_out(40, np.random.default_rng(2)).tokens[:1]

    def look(step, loss=0.0):
        if step % 50 == 0:
            log.add(step, model.weights(text)[0])

    started = head_doctor(model.weights(text)[0])
    model.learned["0.W_QKV"][:, : 2 * 48] *= 0.1
    look(0)
    train(model, task.draw, steps=500, rng=np.random.default_rng(seed), n_sentences=64, progress=look)
    assert (started.verdict == "broad").all()
    assert (log.over_steps("verdict")[0] == "uniform").all()
    assert set(log.over_steps("verdict")[-1].ravel()) == {"sink", "specific"}
    assert log.over_steps("entropy")[-1].max() < 0.6


@pytest.mark.parametrize(
    ("step", "weights", "error", "said"),
    [
        (20, [[EVEN, EVEN]], ValueError, "step = 20 comes after step 20"),
        (-1, [[EVEN, EVEN]], ValueError, "step"),
        (20.5, [[EVEN, EVEN]], TypeError, "step"),
        (
            30,
            [[EVEN]],
            ShapeError,
            "n_layers = 1, n_heads = 1, n_tokens = 6, but those of step 0 had n_layers = 1, n_heads = 2, n_tokens = 6",
        ),
        (30, EVEN, ShapeError, "weights"),
        (30, np.full((1, 2, 5, 5), 0.2), ShapeError, "n_tokens = 5, but those of step 0 had .*n_tokens = 6: a log is"),
    ],
)
def test_a_step_that_does_not_fit_is_refused_and_not_kept(log, step, weights, error, said):
    with pytest.raises(error, match=said):
        log.add(step, weights)
    assert (len(log.steps), len(log.reports)) == (3, 3)


def test_another_text_is_refused_and_no_text_is_taken_for_the_same(log):
    with pytest.raises(ValueError, match="tokens are not those of an earlier step: a log is of one text"):
        log.add(30, [[EVEN, EVEN]], list("abcabc"))
    assert (len(log.steps), len(log.reports)) == (3, 3)
    log.add(30, [[EVEN, EVEN]])
    log.add(40, [[EVEN, EVEN]], np.array(TOKENS))
    assert log.steps == [0, 5, 20, 30, 40]


def test_a_step_is_kept_as_a_plain_number(tmp_path):
    log = HeadLog()
    for step in (True, np.int64(3)):
        log.add(step, [[EVEN]])
    assert repr(log.steps) == "[1, 3]"


def test_what_a_report_does_not_have_is_refused(log):
    with pytest.raises(ValueError, match=r"name must be one of verdict, entropy, .*, not 'loss'"):
        log.over_steps("loss")
    with pytest.raises(ValueError, match="no steps yet"):
        HeadLog().over_steps("entropy")
