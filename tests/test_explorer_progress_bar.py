"""A bar for people: text in a terminal, a bar in a notebook, at the end a sentence; never too often."""

import io
import sys
from contextlib import redirect_stdout
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient

from attention_lab.explorers import progress_bar
from attention_lab.explorers.progress_bar import PAUSE, duration

module = sys.modules["attention_lab.explorers.progress_bar"]


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "monotonic", clock)
    return clock


class Terminal(io.StringIO):
    """A terminal, as far as the bar asks."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()


class Notebook:
    """What the bar shows in a notebook: a box of widgets, and what takes its place."""

    def __init__(self, monkeypatch) -> None:
        self.boxes, self.left = [], []
        monkeypatch.setattr(module, "get_ipython", lambda: SimpleNamespace())
        monkeypatch.setattr(module, "display", self.display)

    def display(self, box, display_id) -> SimpleNamespace:
        assert display_id
        self.boxes.append(box)
        return SimpleNamespace(update=lambda data, raw: self.left.append((data, raw)))

    @property
    def shown(self) -> tuple[int, str]:
        bar, text = self.boxes[-1].children
        return bar.value, text.value


@pytest.fixture
def notebook(monkeypatch) -> Notebook:
    return Notebook(monkeypatch)


def run(bar, clock: Clock, steps: int, seconds: float, *, start: int = 1) -> None:
    for step in range(start, steps + 1):
        bar(step, 1 / step)
        clock.now += seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "less than 1 s"), (0.6, "1 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3725, "62 min 5 s")],
)
def test_times_are_written_for_people(seconds, text):
    assert duration(seconds) == text


def test_a_terminal_has_one_line_that_is_written_over(terminal, clock):
    with redirect_stdout(terminal):
        run(progress_bar(5), clock, 5, 10)
    sent = terminal.getvalue()
    assert sent.count("\n") == 1
    lines = [line.rstrip() for line in sent.removesuffix("\n").split("\r")[1:]]
    assert lines == [
        "step 1 of 5, loss 1.000",
        "step 2 of 5, loss 0.500, 30 s left",
        "step 3 of 5, loss 0.333, 20 s left",
        "step 4 of 5, loss 0.250, 10 s left",
        "5 steps in 40 s, last loss 0.200",
    ]


def test_a_shorter_line_leaves_nothing_of_a_longer_one(terminal, clock):
    bar = progress_bar(1000)
    with redirect_stdout(terminal):
        bar(1, 1e30)
        clock.now += 100
        bar(2, 1.0)
        bar(1000, 1.0)
    before, line = "", ""
    for line in terminal.getvalue().removesuffix("\n").split("\r")[1:]:
        assert len(line) >= len(before.rstrip())
        before = line
    assert line.rstrip() == "1000 steps in 1 min 40 s, last loss 1.000"


def test_a_file_gets_only_the_end(capsys, clock):
    run(progress_bar(50), clock, 49, 1)
    assert capsys.readouterr().out == ""
    run(progress_bar(50), clock, 50, 1)
    assert capsys.readouterr().out == "50 steps in 49 s, last loss 0.020\n"


def test_it_changes_at_most_ten_times_a_second_but_shows_the_first_and_the_last_step(terminal, clock):
    with redirect_stdout(terminal):
        run(progress_bar(1000), clock, 1000, PAUSE / 20)  # five seconds
    lines = terminal.getvalue().split("\r")[1:]
    assert lines[0].startswith("step 1 of 1000")
    assert lines[-1].startswith("1000 steps in 5 s")
    assert 40 <= len(lines) <= 52


def test_a_notebook_has_a_bar_with_words_beside_it(notebook, clock):
    bar = progress_bar(4)
    run(bar, clock, 3, 2)
    (box,) = notebook.boxes
    assert notebook.shown == (3, "step 3 of 4, loss 0.333, 2 s left")
    assert (box.children[0].max, box.children[0].description) == (4, "training")
    assert notebook.left == []
    bar(4, 0.125)
    assert notebook.left == [({"text/plain": "4 steps in 6 s, last loss 0.125"}, True)]
    assert box.comm is None  # closed
    assert all(part.comm is None for part in box.children)


def test_the_same_bar_serves_one_training_after_another(notebook, clock):
    bar = progress_bar(3)
    run(bar, clock, 3, 1)
    run(bar, clock, 3, 5)
    assert len(notebook.boxes) == 2
    assert [data["text/plain"] for data, _ in notebook.left] == [
        "3 steps in 2 s, last loss 0.333",
        "3 steps in 10 s, last loss 0.333",
    ]


def test_after_a_training_that_was_interrupted_the_next_one_begins_anew(notebook, clock):
    bar = progress_bar(10)
    run(bar, clock, 4, 1)
    clock.now += 1000
    run(bar, clock, 2, 1)
    assert len(notebook.boxes) == 2
    assert notebook.shown == (2, "step 2 of 10, loss 0.500, 8 s left")


def test_more_steps_than_were_said_leave_the_end_as_it_is(notebook, clock):
    run(progress_bar(3), clock, 8, 1)
    assert len(notebook.boxes) == len(notebook.left) == 1


def test_a_terminal_of_ipython_is_no_notebook(terminal, clock, monkeypatch):
    shell = type("TerminalInteractiveShell", (), {})()
    monkeypatch.setattr(module, "get_ipython", lambda: shell)
    with redirect_stdout(terminal):
        run(progress_bar(1), clock, 1, 1)
    assert terminal.getvalue() == "1 step in less than 1 s, last loss 1.000\n"


@pytest.mark.parametrize(
    ("steps", "error", "says"),
    [(0, ValueError, "steps must be at least 1, not 0"), (-1, ValueError, "steps"), (2.5, TypeError, "steps")],
)
def test_what_is_no_count_of_steps_is_refused_in_words(steps, error, says):
    with pytest.raises(error, match=says):
        progress_bar(steps)


def test_a_real_notebook_keeps_one_sentence_and_no_widget():
    code = (
        "import numpy as np\nfrom attention_lab.explorers import progress_bar\n"
        "from attention_lab.training import Config, Transformer, tasks, train\n"
        "task = tasks.markov_text()\n"
        "model = Transformer(Config(n_symbols=12, context=task.context, d_model=8), np.random.default_rng(0))\n"
        "train(model, task.draw, steps=3, rng=np.random.default_rng(1), progress=progress_bar(3));"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    assert output.data["text/plain"].startswith("3 steps in ")
    assert set(output.data) == {"text/plain"}
