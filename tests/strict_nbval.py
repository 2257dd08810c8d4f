"""A pytest plugin that makes a plain `pytest --nbval notebooks` strict.

nbval 0.11 alone compares texts and numbers, but no picture, and a cell that was saved without a run is only run.
Added here:

1. pictures are compared pixel by pixel, as image/png and as PNG data inside text/html;
2. a cell that was saved without a run, or with its outputs cleared, fails;
3. anything on stderr fails, even when it was saved;
4. a closing ";" shows nothing, and what an ipywidgets `Output` takes does not show in the cell: as in JupyterLab.

matplotlib decides the pixels, so they are compared on the stack that drew the saved ones (Linux, the matplotlib pinned
in requirements.txt); elsewhere the sentence of a picture stands for it. ATTENTION_LAB_PICTURES=pixels compares pixels
everywhere, ATTENTION_LAB_PICTURES=sentence nowhere.
"""

import contextlib
import os
import re
import sys
from collections.abc import Generator, Iterator, Mapping
from importlib import metadata
from typing import Any

import nbval.plugin as nbval
import pytest

from tests.pictures import PNG_IN_HTML, picture_difference, pictures_in
from tests.run_notebooks import ROOT, kernel_environment

PICTURES = "ATTENTION_LAB_PICTURES"
WIDTH_OF_PICTURE = re.compile(r'(<img\b[^>]*) width="\d+"')
COMPARE_PIXELS = pytest.StashKey[bool]()


def pinned_matplotlib() -> str:
    """The version in requirements.txt, with which the saved pictures were drawn."""
    found = re.search(r"^matplotlib==(\S+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise pytest.UsageError("requirements.txt does not pin matplotlib, so no saved picture can be compared.")
    return found[1]


def compare_pixels(environment: Mapping[str, str], platform: str, matplotlib: str) -> bool:
    """Whether pixels are compared here, or only the sentences of the pictures."""
    asked = environment.get(PICTURES, "")
    if asked not in ("", "pixels", "sentence"):
        raise pytest.UsageError(f"{PICTURES} is 'pixels' or 'sentence', not {asked!r}.")
    return asked == "pixels" or (not asked and platform == "linux" and matplotlib == pinned_matplotlib())


def pytest_configure(config: pytest.Config) -> None:
    """Switch everything on, if notebooks are tested at all."""
    if not (config.option.nbval or config.option.nbval_lax):
        return
    config.stash[COMPARE_PIXELS] = compare_pixels(os.environ, sys.platform, metadata.version("matplotlib"))
    kernels = contextlib.ExitStack()
    kernels.enter_context(kernel_environment())
    config.add_cleanup(kernels.close)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say how pictures are compared, so that nobody takes a sentence for a picture."""
    if COMPARE_PIXELS not in config.stash:
        return None
    how = "by pixel" if config.stash[COMPARE_PIXELS] else f"by their sentences only ({PICTURES}=pixels forces pixels)"
    return f"notebooks: pictures are compared {how}"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Take nbval's files over."""
    found = yield
    return [
        StrictFile.from_parent(file.parent, path=file.path) if type(file) is nbval.IPyNbFile else file for file in found
    ]


class StrictFile(nbval.IPyNbFile):
    """A notebook of strict cells, whose `Output` widgets keep what they take."""

    def collect(self) -> Iterator["StrictCell"]:
        """Take nbval's cells over."""
        for cell in super().collect():
            yield StrictCell.from_parent(
                self, name=cell.name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options
            )

    def setup(self) -> None:
        """Start the kernel, and let it see a closing ";"."""
        super().setup()
        self._taken_by: dict[str, str] = {}  # id of an Output widget -> id of the run whose messages it takes
        execute = self.kernel.kc.execute  # IPython looks for the ";" in the history, which nbval leaves out
        self.kernel.execute_cell_input = lambda source, allow_stdin=None: execute(
            source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
        )

    def get_kernel_message(self, timeout: float | None = None, stream: str = "iopub") -> dict[str, Any]:
        """The next message, without those that an `Output` widget takes."""
        while True:
            message = super().get_kernel_message(timeout=timeout, stream=stream)
            kind, content = message["msg_type"], message["content"]
            if kind == "comm_msg":
                state = content["data"].get("state", {})
                if "msg_id" in state:
                    self._taken_by[content["comm_id"]] = state["msg_id"]
            shows = kind in ("stream", "display_data", "execute_result", "clear_output")
            if not (shows and message["parent_header"].get("msg_id") in filter(None, self._taken_by.values())):
                return message


class StrictCell(nbval.IPyNbCell):
    """A cell that compares everything that a reader sees."""

    def runtest(self) -> None:
        """Run the cell and compare; nbval compares only cells that have a count."""
        code = self.cell.source.strip()
        if code and self.cell.execution_count is None and not self.options["skip"]:
            self.raise_cell_error("Saved without having been run: it has no execution count")
        super().runtest()
        # A compared cell has failed by now; this one's output may differ, but the reader must see one.
        if code and self.test_outputs and not self.cell.outputs:
            self.raise_cell_error("Saved without its outputs")

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: Any = None) -> bool:
        """Whether texts, numbers and pictures are alike, and nothing went to stderr."""
        if not super().compare_outputs(test, ref, skip_compare):
            return False
        if any(output.get("name") == "stderr" for output in (*test, *ref)):
            self.comparison_traceback.append("something was written to stderr: no lesson warns a learner")
            return False
        fault = self._picture_fault(pictures_in(ref), pictures_in(test))
        if fault:
            self.comparison_traceback.append(fault)
        return fault is None

    def _picture_fault(self, saved: list[str], new: list[str]) -> str | None:
        if len(saved) != len(new):
            return f"number of pictures differs: saved {len(saved)}, new {len(new)}"
        if self.config.stash[COMPARE_PIXELS]:
            for number, (old, now) in enumerate(zip(saved, new, strict=True), start=1):
                difference = picture_difference(old, now)
                if difference:
                    return f"picture {number} of {len(saved)}: {difference}"
        return None

    def sanitize(self, s: Any) -> Any:
        """A text as it is compared: without PNG data and its width, which are compared by pixel."""
        text = super().sanitize(s)
        if not isinstance(text, str):
            return text
        return PNG_IN_HTML.sub("data:image/png;base64,PNG", WIDTH_OF_PICTURE.sub(r"\1", text))
