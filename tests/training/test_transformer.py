"""A whole model: every gradient against finite differences and PyTorch, and what each part of its description does."""

import numpy as np
import pytest

from attention_lab import future_influence
from attention_lab.shapes import ShapeError
from attention_lab.training import Config, Transformer
from attention_lab.training.batch import Batch
from attention_lab.training.heads import HIDES
from tests.training.agreement import assert_agrees_with_pytorch
from tests.training.slopes import slope

N_SYMBOLS, CONTEXT = 7, 6


def model(**parts):
    given = {"d_model": 12, "n_heads": 3, "dtype": np.float64, **parts}
    made = Transformer(Config(n_symbols=N_SYMBOLS, context=CONTEXT, **given), np.random.default_rng(0))
    made.learned.flat += 0.1 * np.random.default_rng(1).standard_normal(len(made.learned))  # gains and shifts, too
    return made


def batch(n_outputs=N_SYMBOLS, n_tokens=5):
    rng = np.random.default_rng(2)
    shape = (3, n_tokens)
    return Batch(rng.integers(0, N_SYMBOLS, shape), rng.integers(0, n_outputs, shape), rng.random(shape) < 0.7)


PLAIN = {"mlp": 0, "norm": False, "positions": False, "n_outputs": 2, "scale": 1.0}


@pytest.mark.parametrize("parts", [{}, PLAIN, {"mlp": 0}, {"norm": False}], ids=["whole", "plain", "no mlp", "no norm"])
@pytest.mark.parametrize("hide", [*HIDES, ("before", "never")], ids=str)
def test_every_gradient_agrees_with_finite_differences(parts, hide):
    made, asked = model(hide=hide, **parts), batch(parts.get("n_outputs", N_SYMBOLS))
    made.loss_and_gradient(asked)
    found = made.learned.flat_gradient.copy()
    some = np.random.default_rng(3).permutation(len(found))[:150]
    np.testing.assert_allclose(found[some], slope(lambda: made.loss(asked), made.learned.flat, some), atol=1e-7)


@pytest.mark.parametrize("hide", ["before", "never"])
def test_logits_loss_and_every_gradient_agree_with_pytorch(torch, hide):
    made, asked = model(hide=hide), batch()
    assert_agrees_with_pytorch(
        torch, made, asked, asked.targets, asked.tokens, lambda p: torch_logits(torch, p, made.config, asked.tokens)
    )


def torch_logits(torch, p, c, tokens):
    """The same model, as PyTorch users write it."""
    normed = torch.nn.functional.layer_norm
    x = p["embedding"][torch.tensor(tokens)] + p["position"][: tokens.shape[1]]
    for layer in range(c.n_layers):
        rows = normed(x, (c.d_model,), p[f"{layer}.norm_1.gain"], p[f"{layer}.norm_1.shift"])
        q, k, v = (rows @ p[f"{layer}.W_QKV"]).view(*tokens.shape, 3, c.n_heads, c.d_k).permute(2, 0, 3, 1, 4)
        found = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=c.hides[layer] == "before")
        x = x + found.transpose(1, 2).reshape(*tokens.shape, c.d_model) @ p[f"{layer}.W_O"]
        rows = normed(x, (c.d_model,), p[f"{layer}.norm_2.gain"], p[f"{layer}.norm_2.shift"])
        hidden = torch.relu(rows @ p[f"{layer}.W_1"] + p[f"{layer}.b_1"])
        x = x + hidden @ p[f"{layer}.W_2"] + p[f"{layer}.b_2"]
    return normed(x, (c.d_model,), p["norm.gain"], p["norm.shift"]) @ p["W_out"]


def test_a_model_that_hides_the_future_in_every_layer_is_causal_and_with_one_open_layer_it_is_not():
    tokens = np.array([[1, 2, 3, 4, 5]])
    other = np.array([[1, 2, 3, 4, 0]])
    for hide, leaks in ((("before", "before"), False), (("before", "never"), True), (("never", "before"), True)):
        made = model(hide=hide)
        moved = np.abs(made.logits(tokens) - made.logits(other))[0, :-1].max()
        assert (moved > 1e-6) == leaks
        assert (moved == 0) != leaks


def test_a_leak_test_can_nudge_its_embedded_words():
    tokens = np.array([[1, 2, 3, 4]])
    for hide, causal in {"before": True, "never": False, "after": False, "renormalised": True}.items():
        made = model(hide=hide)
        x = made.embedded(tokens)[0]
        np.testing.assert_allclose(made.after_embedding(x), made.logits(tokens)[0], rtol=1e-12)
        later = np.triu(future_influence(made.after_embedding, x), k=1)
        assert (later.max() < 1e-12) == causal  # shared out anew, up to rounding


def test_weights_are_those_of_each_layer_and_rows_sum_to_1():
    found = model().weights(batch().tokens)
    assert [weights.shape for weights in found] == [(3, 3, 5, 5)] * 2
    for weights in found:
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)


def test_without_a_head_the_model_is_the_same_but_for_what_that_head_found():
    made, tokens = model(d_model=12, n_heads=3), batch().tokens
    before = made.learned.flat.copy()
    removed = made.without(1, 2)
    np.testing.assert_array_equal(made.learned.flat, before)
    rows = removed.learned["1.W_O"]
    assert not rows[8:].any()
    np.testing.assert_array_equal(rows[:8], made.learned["1.W_O"][:8])
    others = [name for name in made.learned if name != "1.W_O"]
    for name in others:
        np.testing.assert_array_equal(removed.learned[name], made.learned[name], err_msg=name)
    assert np.abs(removed.logits(tokens) - made.logits(tokens)).max() > 1e-3
    removed.learned["1.W_O"][8:] = made.learned["1.W_O"][8:]
    np.testing.assert_array_equal(removed.logits(tokens), made.logits(tokens))


@pytest.mark.parametrize(
    ("layer", "head", "error", "said"),
    [
        (2, 0, ValueError, "layer is a number from 0 to 1, not 2"),
        (0, 3, ValueError, "head is a number from 0 to 2, not 3"),
        (0, -1, ValueError, "head must not be negative, but is -1"),
        (0.5, 0, TypeError, "layer must be a whole number, not 0.5"),
    ],
)
def test_a_head_that_is_not_there_cannot_be_removed(layer, head, error, said):
    with pytest.raises(error, match=said):
        model().without(layer, head)


def test_an_untrained_model_guesses_all_answers_alike():
    made = Transformer(Config(n_symbols=40, context=16), np.random.default_rng(0))
    tokens = np.random.default_rng(1).integers(0, 40, (8, 16))
    loss = made.loss(Batch(tokens, tokens[::-1], np.ones(tokens.shape)))
    assert loss == pytest.approx(np.log(40), abs=0.6)


def test_float32_computes_in_float32():
    made = Transformer(Config(n_symbols=5, context=4, d_model=8, n_heads=2), np.random.default_rng(0))
    assert made.logits([[1, 2]]).dtype == np.float32
    made.loss_and_gradient(Batch(np.array([[1, 2]]), np.array([[2, 1]]), np.ones((1, 2))))
    assert made.learned.flat_gradient.dtype == np.float32


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"n_heads": 5}, "d_model = 12 cannot be split into n_heads = 5 equal heads"),
        ({"hide": "later"}, "hide is one of before, never, after, renormalised, not 'later'"),
        ({"hide": ("before",)}, "hide has 1 words for n_layers = 2"),
        ({"n_heads": 0}, "n_heads is 1 or more, not 0"),
        ({"n_layers": 0}, "n_layers is 1 or more, not 0"),
        ({"n_outputs": 0}, "n_outputs is 1 or more, not 0"),
        ({"n_outputs": -1}, "n_outputs must not be negative, but is -1"),
        ({"mlp": -1}, "mlp must not be negative, but is -1"),
        ({"scale": float("nan")}, "scale must be a finite number, not nan"),
    ],
)
def test_a_description_that_makes_no_sense_is_refused(parts, said):
    with pytest.raises(ValueError, match=said):
        model(**parts)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"n_symbols": "5"}, "n_symbols must be a whole number, not '5'"),
        ({"d_model": 8.0}, "d_model must be a whole number, not 8.0"),
        ({"mlp": 0.5}, "mlp must be a whole number, not 0.5"),
        ({"dtype": int}, "dtype is float32 or float64, not int64"),
        ({"dtype": np.float16}, "dtype is float32 or float64, not float16"),
    ],
)
def test_a_description_of_another_kind_is_refused(parts, said):
    with pytest.raises(TypeError, match=said):
        Config(**{"n_symbols": 5, "context": 4, **parts})


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((4, 5), "x has d_model = 5, but embedding has d_model = 12"),
        ((1, 4, 12), "x has too many axes"),
        ((12,), "x has too few axes"),
        ((0, 12), r"x has shape \(0, 12\): one token at least"),
    ],
)
def test_embedded_words_of_another_shape_are_refused(shape, said):
    with pytest.raises(ShapeError, match=said):
        model().after_embedding(np.zeros(shape))


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ([1, 2], r"tokens are \(n_sentences, 1 to 6 tokens\), not \(2,\)"),
        (np.zeros((0, 3), int), r"tokens are one sentence or more, not \(0, 3\)"),
        ([[0] * 7], r"not \(1, 7\)"),
        ([[7]], "whole numbers from 0 to 6"),
        ([[-1]], "whole numbers from 0 to 6"),
        ([[0.5]], "whole numbers from 0 to 6"),
    ],
)
def test_tokens_that_it_cannot_read_are_refused(tokens, said):
    with pytest.raises(ValueError, match=said):
        model().logits(tokens)
