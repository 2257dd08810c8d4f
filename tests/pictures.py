"""Pictures in the outputs of a notebook: finding them, and comparing them by pixel."""

import base64
import io
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from PIL import Image

# Root mean square of all pixels and channels. Drawn again on the same stack, a picture differs by 0; with one
# weight of a 3 x 3 heat map changed by 0.01 it differs by 0.65.
RMS_LIMIT = 0.1  # of 255
PNG_IN_HTML = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)")


def pictures_in(outputs: Iterable[Any]) -> list[str]:
    """Every PNG in the outputs, in base64: image/png, and data inside text/html."""
    found: list[str] = []
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            found.append(data["image/png"])
        found += PNG_IN_HTML.findall(data.get("text/html", ""))
    return found


def picture_difference(saved: str, new: str) -> str | None:
    """How two pictures differ, in a line; None if they look alike."""
    try:
        before, after = _pixels(saved), _pixels(new)
    except (OSError, ValueError) as error:  # binascii.Error is a ValueError, Pillow's are OSErrors
        return f"cannot be read: {str(error) or type(error).__name__}"
    if before.shape != after.shape:
        sizes = [f"{pixels.shape[1]} x {pixels.shape[0]}" for pixels in (before, after)]
        return f"sizes differ: saved {sizes[0]} pixels, new {sizes[1]}"
    rms = float(np.sqrt(((before - after) ** 2).mean()))
    if rms <= RMS_LIMIT:
        return None
    share = (before != after).any(axis=-1).mean()
    return f"differs: RMS {rms:.3f} of 255 (limit {RMS_LIMIT}), in {share:.2%} of its pixels"


def _pixels(encoded: str) -> np.ndarray:
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as picture:
        return np.asarray(picture.convert("RGBA"), dtype=float)
