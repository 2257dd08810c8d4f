"""No test of exercises touches a learner's own diary."""

import pytest

from attention_lab.exercises import diary


@pytest.fixture(autouse=True)
def a_diary_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv(diary.PLACE, str(tmp_path / "progress.json"))
    diary._in_memory.clear()
    yield
    diary._in_memory.clear()
