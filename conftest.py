"""Makes `pytest --nbval notebooks` strict, whichever folder it is called on."""

import os

os.environ.setdefault("ATTENTION_LAB_PROGRESS", "off")  # no test or example touches what a person has done

pytest_plugins = ["tests.strict_nbval"]
