"""The translator: every gradient against finite differences and PyTorch, what it may see, and what it learns."""

import numpy as np
import pytest

from attention_lab.diagnostics import role_score
from attention_lab.training import Pairs, Translator, train
from attention_lab.training.tasks import pictures, translation
from attention_lab.training.translator import END
from tests.training.agreement import assert_agrees_with_pytorch
from tests.training.slopes import slope

N_SYMBOLS, N_ANSWERS, CONTEXT, D = 7, 9, 6, 8


def model(dtype=np.float64):
    made = Translator(N_SYMBOLS, N_ANSWERS, CONTEXT, np.random.default_rng(0), d_model=D, dtype=dtype)
    made.learned.flat += (0.2 * np.random.default_rng(1).standard_normal(len(made.learned))).astype(dtype)
    return made


def pairs(n_source=6, n_target=5):
    rng = np.random.default_rng(2)
    source, target = rng.integers(1, N_SYMBOLS, (4, n_source)), rng.integers(1, N_ANSWERS, (4, n_target))
    return Pairs(source, np.array([6, 2, 4, 1]), target, (rng.random(target.shape) < 0.8).astype(float))


def test_every_gradient_agrees_with_finite_differences():
    made, asked = model(), pairs()
    made.loss_and_gradient(asked)
    found = made.learned.flat_gradient.copy()
    every = np.arange(len(found))
    np.testing.assert_allclose(found, slope(lambda: made.loss(asked), made.learned.flat, every), atol=1e-7)
    assert np.count_nonzero(found) > 0.8 * len(found)


def test_a_gradient_is_written_anew_and_not_added_to_the_last_one():
    made, asked = model(), pairs()
    made.loss_and_gradient(asked)
    once = made.learned.flat_gradient.copy()
    made.learned.flat_gradient[...] = 7
    made.loss_and_gradient(asked)
    np.testing.assert_array_equal(made.learned.flat_gradient, once)


def test_logits_loss_and_every_gradient_agree_with_pytorch(torch):
    made, asked = model(), pairs()
    assert_agrees_with_pytorch(torch, made, asked, asked.target, asked, lambda p: torch_logits(torch, p, asked))


def torch_logits(torch, p, asked):
    """The same model, as PyTorch users write it."""
    before = np.pad(asked.target, ((0, 0), (1, 0)))[:, :-1]
    sides = {}
    for side, tokens in (("source", asked.source), ("target", before)):
        x = p[f"{side}.embedding"][torch.tensor(tokens)] + p[f"{side}.position"][: tokens.shape[1]]
        hidden = torch.relu(x @ p[f"{side}.W_1"] + p[f"{side}.b_1"])
        sides[side] = x + hidden @ p[f"{side}.W_2"] + p[f"{side}.b_2"]
    there = torch.arange(asked.source.shape[1]) < torch.tensor(asked.lengths)[:, None]
    q, k, v = sides["target"] @ p["W_Q"], sides["source"] @ p["W_K"], sides["source"] @ p["W_V"]
    found = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=there[:, None, :])
    return (sides["target"] + found @ p["W_O"]) @ p["W_out"]


def test_padding_of_the_source_changes_nothing_and_gets_no_weight():
    made, asked = model(), pairs()
    other = asked.source.copy()
    other[np.arange(6) >= asked.lengths[:, None]] = 0
    np.testing.assert_array_equal(made.logits(asked), made.logits(asked._replace(source=other)))
    weights = made.weights(asked)
    assert weights.shape == (4, 5, 6)
    assert not weights.swapaxes(1, 2)[np.arange(6) >= asked.lengths[:, None]].any()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)


def test_a_word_is_guessed_without_a_look_at_itself_or_at_later_ones():
    made, asked = model(), pairs()
    other = asked.target.copy()
    other[:, 2:] = 0
    before, after = made.logits(asked), made.logits(asked._replace(target=other))
    np.testing.assert_array_equal(before[:, :3], after[:, :3])  # the third is guessed from the second
    assert (before[:, 3] != after[:, 3]).any()


def test_what_does_not_count_is_not_learned_from():
    made, asked = model(), pairs()
    only_last = asked._replace(counted=np.tile(np.eye(5)[4], (4, 1)))
    changed = asked.target.copy()
    changed[:, :3] = 0  # the last word is guessed from the one before it, and from no other
    made.loss_and_gradient(only_last)
    one = made.learned.flat_gradient.copy()
    made.loss_and_gradient(only_last._replace(target=changed))
    np.testing.assert_allclose(made.learned.flat_gradient, one, atol=1e-12)


def test_float32_computes_in_float32():
    made = model(np.float32)
    made.loss_and_gradient(pairs())
    assert made.logits(pairs()).dtype == made.weights(pairs()).dtype == np.float32
    assert made.learned.flat_gradient.dtype == np.float32
    assert repr(made) == f"Translator(1 head, d_model 8, {len(made.learned):,} numbers)"


def test_a_translation_is_written_word_by_word_each_the_likeliest():
    made, asked = model(), pairs()
    written = made.translate(asked.source, asked.lengths)
    again = made.logits(Pairs(asked.source, asked.lengths, written, written)).argmax(axis=-1)
    there = np.arange(CONTEXT) <= ends(written)[:, None]
    np.testing.assert_array_equal(written[there], again[there])
    assert written.shape == (4, CONTEXT)


def ends(written):
    """The place of the first end in each translation, or of the last word where there is none."""
    ended = written == END
    return np.where(ended.any(axis=1), ended.argmax(axis=1), written.shape[1] - 1)


def test_behind_its_first_end_a_translation_is_padded():
    made, n_padded = model(), 0
    made.learned["W_out"][:, END] *= 3  # a model that ends early, and would go on
    rng = np.random.default_rng(3)
    written = made.translate(rng.integers(1, N_SYMBOLS, (200, CONTEXT)), np.full(200, CONTEXT))
    for words, end in zip(written, ends(written), strict=True):
        assert not words[end + 1 :].any()
        n_padded += CONTEXT - 1 - end
    assert n_padded > 100
    assert (ends(written) == CONTEXT - 1).any()  # and some never end


@pytest.mark.parametrize("task", [translation(), pictures()], ids=repr)
def test_the_end_and_padding_have_the_numbers_that_the_translator_expects(task):
    assert task.answers[END] == "."
    assert task.answers[0] == "-"


def test_it_learns_to_translate_and_finds_the_partners_that_nobody_told_it():
    task = translation()
    made = Translator(len(task.symbols), len(task.answers), task.context, np.random.default_rng(0))
    history = train(made, task.draw, steps=1000, rng=np.random.default_rng(1), n_sentences=32, rate=5e-3)
    assert history.smooth[0] > 3
    assert history.smooth[-1] < 0.05
    new = task.draw(200, np.random.default_rng(2))
    written = made.translate(new.source, new.lengths)
    assert (written == new.target)[new.counted > 0].mean() > 0.98
    partners, weights = task.partners(new), made.weights(new)
    assert (weights.argmax(axis=-1) == partners)[partners >= 0].mean() > 0.9
    assert role_score(weights[:, None], partners).mean() > 0.85


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"source": np.zeros((4, 7), int)}, r"source is \(n_sentences, 1 to 6 words\), not \(4, 7\)"),
        ({"source": np.zeros(4, int)}, r"source is .*, not \(4,\)"),
        ({"source": np.full((4, 6), 7)}, "source holds whole numbers from 0 to 6"),
        ({"source": np.full((4, 6), -1)}, "source holds whole numbers"),
        ({"source": np.full((4, 6), 0.5)}, "source holds whole numbers"),
        ({"target": np.full((4, 5), 9)}, "target holds whole numbers from 0 to 8"),
        ({"lengths": np.array([7, 1, 1, 1])}, "a length lies between 0 and n_keys = 6"),
    ],
)
def test_sentences_that_it_cannot_read_are_refused(changed, said):
    with pytest.raises(ValueError, match=said):
        model().logits(pairs()._replace(**changed))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (np.zeros((0, 3), int), r"source holds one sentence or more, not \(0, 3\)"),
        ([], r"source is \(n_sentences, .* not \(0,\)"),
    ],
)
def test_there_is_no_translation_of_nothing(source, said):
    with pytest.raises(ValueError, match=said):
        model().translate(source, [])


@pytest.mark.parametrize(
    ("parts", "error", "said"),
    [
        ({"n_symbols": 0}, ValueError, "n_symbols is 1 or more, not 0"),
        ({"n_answers": 0}, ValueError, "n_answers is 1 or more, not 0"),
        ({"context": 0}, ValueError, "context is 1 or more, not 0"),
        ({"d_model": 0}, ValueError, "d_model is 1 or more, not 0"),
        ({"d_model": 8.0}, TypeError, "d_model must be a whole number, not 8.0"),
        ({"dtype": int}, TypeError, "dtype is float32 or float64, not int64"),
    ],
)
def test_a_translator_that_makes_no_sense_is_refused(parts, error, said):
    with pytest.raises(error, match=said):
        Translator(**{"n_symbols": 5, "n_answers": 5, "context": 4, "rng": np.random.default_rng(0), **parts})
