"""The head doctor reads models of PyTorch and Hugging Face, by the code that its page shows; nothing is downloaded."""

import importlib.util
import os
import re

import numpy as np
import pytest

from attention_lab import ShapeError
from attention_lab.diagnostics import head_doctor
from tests.run_notebooks import ROOT
from tests.test_agreement import torch

__all__ = ["torch"]

PAGE = (ROOT / "docs" / "head_doctor.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))


@pytest.fixture
def transformers(torch, monkeypatch):
    """The library of Hugging Face, kept from the network."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    if importlib.util.find_spec("transformers"):
        return importlib.import_module("transformers")
    if os.environ.get("ATTENTION_LAB_ORACLE") == "required":
        pytest.fail("transformers is not installed, and docs/head_doctor.md says how to read its models.")
    pytest.skip("transformers is not installed.")


def run(section, names):
    """Execute the code of a section, in one space of names, and give that back."""
    for code in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
        exec(compile(code, "head_doctor.md", "exec"), names)
    return names


def read_as_the_page_says(torch, *sections, seed=0):
    torch.manual_seed(seed)
    names = run(PAGE.partition("\n## ")[0], {})
    for section in sections:
        run(SECTIONS[section], names)
    return names


def test_the_page_begins_with_weights_that_are_there(capsys):
    run(PAGE.partition("\n## ")[0], {})
    assert "HeadReport(2 layers, 4 heads" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(3))
def test_a_layer_of_pytorch(torch, seed):
    names = read_as_the_page_says(torch, "From a layer of PyTorch", seed=seed)
    report = names["report"]
    assert report.verdict.shape == (1, 8)
    diagonal = names["weights"].detach().numpy().diagonal(axis1=2, axis2=3).mean(axis=-1)
    np.testing.assert_allclose(report.itself, diagonal, rtol=1e-6)
    # As the page says of what is new: no head looks at something, though PyTorch's start is too large for "uniform".
    assert (report.verdict == "broad").all()
    assert report.entropy.min() > 0.9


def test_the_averaged_weights_of_pytorch_are_refused(torch):
    layer, x = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval(), torch.randn(1, 6, 8)
    _, averaged = layer(x, x, x)
    with pytest.raises(ShapeError, match="weights has too few axes"):
        head_doctor(averaged.detach().numpy())


def test_weights_that_dropout_has_changed_are_refused(torch):
    torch.manual_seed(0)
    layer, x = torch.nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True).train(), torch.randn(1, 6, 8)
    _, weights = layer(x, x, x, average_attn_weights=False)
    with pytest.raises(ValueError, match=r"sums to|above 1"):
        head_doctor(weights.detach().numpy())


def test_a_mask_of_pytorch_is_the_opposite(torch):
    layer, x = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval(), torch.randn(1, 6, 8)
    hidden = ~torch.ones(6, 6, dtype=torch.bool).tril()
    _, weights = layer(x, x, x, attn_mask=hidden, average_attn_weights=False)
    assert np.isfinite(head_doctor(weights.detach().numpy(), mask=~hidden.numpy()).entropy).all()
    with pytest.raises(ValueError, match="above 0 where the mask hides"):
        head_doctor(weights.detach().numpy(), mask=hidden.numpy())


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_walk_through_a_stack_of_pytorch_ends_where_the_stack_does(torch, norm_first):
    torch.manual_seed(0)
    code = SECTIONS["From a stack of layers of PyTorch"]
    for line, changed in {
        "128, batch_first=True)": f"128, batch_first=True, norm_first={norm_first})",
        "x, weights = ": "x, weights = text, []  # ",
    }.items():
        assert line in code
        code = code.replace(line, changed)
    found = run(code, {"head_doctor": head_doctor, "text": torch.randn(1, 10, 64)})
    assert found["report"].verdict.shape == (2, 8)
    with torch.no_grad():
        np.testing.assert_allclose(found["x"], found["encoder"](found["text"]), atol=1e-5)


def test_a_model_of_hugging_face_that_is_new_is_uniform_and_its_padding_is_left_out(torch, transformers):
    names = read_as_the_page_says(torch, "From Hugging Face")
    report = names["report"]
    assert report.verdict.shape == (2, 4)
    assert (report.verdict == "uniform").all()
    assert np.isfinite(report.same).all()  # one of the pieces stands there twice
    padded = torch.stack(names["maps"])[:, 0].numpy()
    assert (head_doctor(padded).verdict == "broad").all()
    assert (head_doctor(padded, mask=names["attention_mask"].numpy() > 0).verdict == "uniform").all()


def test_without_eager_hugging_face_gives_no_weights(torch, transformers):
    shape = read_as_the_page_says(torch, "From Hugging Face")["shape"]
    model = transformers.BertModel(transformers.BertConfig(**shape)).eval()
    ids = torch.tensor([[1, 5, 2]])
    assert not model(ids, output_attentions=True).attentions
    model.set_attn_implementation("eager")
    assert len(model(ids, output_attentions=True).attentions) == 2


def test_a_training_is_logged_by_code_that_needs_none_of_the_other_sections(capsys):
    names = run(SECTIONS["Over the steps of a training"], {})
    assert names["log"].steps == [0, 20, 40]
    assert "(3, 2, 4)" in capsys.readouterr().out
