"""Which names a cell makes, and which it needs."""

import ast
from typing import NamedTuple


class Names(NamedTuple):
    """The names in some code.

    Parameters
    ----------
    made : set of str
        Assigned, defined or imported.
    used : set of str
        Read, also where the same code has made them before.
    imports : dict
        The module that a name is imported from; the name itself is the key, as it is called afterwards.
    """

    made: set[str]
    used: set[str]
    imports: dict[str, str]


def names_in(source: str) -> Names:
    """Read the names of a cell; a cell that is no Python has none.

    >>> names = names_in("from numpy import exp; y = exp(x)")
    >>> sorted(names.made), sorted(names.used), names.imports
    (['exp', 'y'], ['exp', 'x'], {'exp': 'from numpy import exp'})
    """
    made: set[str] = set()
    used: set[str] = set()
    imports: dict[str, str] = {}
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return Names(made, used, imports)
    for part in ast.walk(tree):
        if isinstance(part, ast.Name):
            (used if isinstance(part.ctx, ast.Load) else made).add(part.id)
        elif isinstance(part, ast.FunctionDef | ast.ClassDef):
            made.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            for alias in part.names:
                imports[alias.asname or alias.name] = _line(part, alias)
    return Names(made | set(imports), used, imports)


def _line(part: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    return ast.unparse(type(part)(**{**vars(part), "names": [alias]}))
