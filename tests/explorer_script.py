"""An explorer's script without a page: its computing functions, in MiniRacer."""

import json
from typing import Any

from py_mini_racer import MiniRacer


def engine_of(script: str) -> MiniRacer:
    """An engine in which the script has run."""
    engine = MiniRacer()
    engine.eval(script)
    return engine


def call(script: MiniRacer, function: str, *arguments: Any) -> Any:
    """What a function of the script gives back."""
    return json.loads(script.eval(f"JSON.stringify({function}({', '.join(json.dumps(a) for a in arguments)}))"))
