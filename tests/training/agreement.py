"""A model beside the same model of PyTorch: its logits, its loss and every gradient."""

import numpy as np
import pytest


def assert_agrees_with_pytorch(torch, made, asked, targets, read, logits_of):
    """Compare them to 1e-12.

    `read` is what the model's `logits` takes; `logits_of` makes PyTorch's own from the learned arrays as its tensors.
    """
    loss = made.loss_and_gradient(asked)
    theirs = {name: torch.tensor(made.learned[name], requires_grad=True) for name in made.learned}
    logits = logits_of(theirs)
    np.testing.assert_allclose(made.logits(read), logits.detach().numpy(), atol=1e-12)
    losses = torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), torch.tensor(targets.reshape(-1)), reduction="none"
    )
    counted = torch.tensor(asked.counted.reshape(-1).astype(float))
    expected = (losses * counted).sum() / counted.sum()
    expected.backward()
    assert loss == pytest.approx(expected.item(), abs=1e-12)
    for name, array in theirs.items():
        np.testing.assert_allclose(made.learned.gradient(name), array.grad.numpy(), atol=1e-12, err_msg=name)
