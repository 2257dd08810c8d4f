"""Makes `pytest --nbval notebooks` strict, whichever folder it is called on."""

pytest_plugins = ["tests.strict_nbval"]
