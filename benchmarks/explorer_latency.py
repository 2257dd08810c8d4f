"""How long from a key press to the changed picture: the bank explorer in JupyterLab and in a page without a kernel.

    python benchmarks/explorer_latency.py

Starts a JupyterLab of its own and a headless Chromium (found on PATH; driven by the `playwright` package), presses an
arrow key in a box many times, and takes the time from the key press to the first frame that shows the new numbers. A
frame comes every 16.7 ms, so that an instant answer takes 8 ms on average.
"""

import os
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent
PRESSES = 60
SHOW = "from attention_lab.explorers import bank_matrices\nexplorer = bank_matrices()\nexplorer"
BUSY = "while True: pass"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
# Press to paint: from the key's own time stamp, past the change of the numbers, to the frame that follows it.
WATCH = """(root) => {
    window.waits = [];
    let pressed = null;
    root.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
    new MutationObserver(() => {
        if (pressed === null) return;
        const from = pressed;
        pressed = null;
        requestAnimationFrame(() => {
            const painted = new MessageChannel();
            painted.port1.onmessage = () => window.waits.push(performance.now() - from);
            painted.port2.postMessage(null);
        });
    }).observe(root, { subtree: true, childList: true, characterData: true });
}"""


def measure(page: Any) -> list[float]:
    """Milliseconds from each press to its picture."""
    explorer = page.locator(".attention-lab").first
    explorer.wait_for(timeout=60_000)
    page.evaluate(WATCH, explorer.element_handle())
    explorer.get_by_label("x, bank, number 1").click()
    for press in range(PRESSES):
        page.keyboard.press("ArrowUp" if press % 2 else "ArrowDown")
        page.wait_for_timeout(40 + 7 * (press % 5))  # not in step with the frames
    waits: list[float] = page.evaluate("window.waits")
    if len(waits) < PRESSES:
        raise SystemExit(f"Only {len(waits)} of {PRESSES} presses changed the picture.")
    return waits


def run_cell(page: Any, text: str) -> None:
    """Type into the first code cell that holds the text, and run it."""
    page.locator(".jp-CodeCell", has_text=text).first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """A JupyterLab of its own on a free port; gives the address of its notebook."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(8)
    own = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    options = [f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}"]
    options += [f"--IdentityProvider.token={token}", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *options],
        env={**os.environ, **own, "PYTHONPATH": path, "IPYTHONDIR": str(folder / "ipython")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}/api?token={token}", timeout=2).close()
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        else:
            raise SystemExit("JupyterLab did not start within a minute.")
        yield f"{address}/lab/tree/explorer.ipynb?token={token}"
    finally:
        server.terminate()
        server.wait(timeout=30)


def main() -> int:
    """Measure and print a table."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        print("This benchmark drives a browser: it needs the package playwright (pip install playwright).")
        return 1
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("This benchmark drives a browser: it needs Chromium, and none is on the PATH.")
        return 1

    sys.path.insert(0, str(ROOT))  # a checkout need not be installed
    from attention_lab.explorers import bank_matrices

    rows: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, sync_playwright() as playwright:
        folder = Path(name)
        kernel = {"kernelspec": {"display_name": "Python 3", "name": "python3"}}
        notebook = new_notebook(cells=[new_code_cell(SHOW), new_code_cell(BUSY)], metadata=kernel)
        nbformat.write(notebook, folder / "explorer.ipynb")
        (folder / "page.html").write_text(
            f"<!doctype html><meta charset=utf-8>{bank_matrices().html()}", encoding="utf-8"
        )
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto((folder / "page.html").as_uri())
        rows["page without a kernel"] = measure(page)
        with jupyterlab(folder) as address:
            page.goto(address)
            run_cell(page, "bank_matrices()")
            rows["JupyterLab"] = measure(page)
            run_cell(page, BUSY)
            rows["JupyterLab, kernel busy"] = measure(page)
        browser.close()
    print(f"Key press to picture, {PRESSES} presses each, milliseconds")
    print(f"{'':<26}{'median':>8}{'90 %':>8}{'most':>8}")
    for where, waits in rows.items():
        ninth = statistics.quantiles(waits, n=10)[-1]
        print(f"{where:<26}{statistics.median(waits):>8.1f}{ninth:>8.1f}{max(waits):>8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
