"""Grafts the reference's function bodies into the recorded module.

A call is judged from its environment, to which everything belongs that module and class bodies made: constants, tables,
defaults, decorators, class fields. So these stay as recorded; only function bodies are the reference's. Definitions
that only the reference has are added, since its functions may need them.
"""

import ast
from collections import Counter

from .routine_syntax import DEFS, copy, names_bound_by, own_nodes, parameters


def graft(recorded: ast.Module, reference: ast.Module) -> ast.Module:
    """The recorded module with the reference's functions."""
    return ast.Module(_merge(recorded.body, reference.body), [])


def loadable(tree: ast.Module) -> ast.Module:
    """A module without the statements that start the program: calls of its own functions or of `print`."""
    own = {name for statement in tree.body for name in _binds(statement)}
    return ast.Module([statement for statement in tree.body if not _starts(statement, own)], [])


def _starts(statement: ast.stmt, own: set[str]) -> bool:
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return False
    called = statement.value.func
    return isinstance(called, ast.Name) and (called.id in own or called.id == "print")


def _merge(recorded: list[ast.stmt], reference: list[ast.stmt]) -> list[ast.stmt]:
    """The recorded statements with the definitions of the reference, and its new definitions."""
    theirs = dict(zip(_keys(reference), reference, strict=True))
    bound = {name for statement in recorded for name in _binds(statement)}
    keys = _keys(recorded)
    merged = [_graft(statement, theirs.get(key)) for key, statement in zip(keys, recorded, strict=True)]
    index = 0
    for key, statement in theirs.items():
        if key in keys:
            index = max(index, keys.index(key) + 1)
            continue
        added = _only_new(statement, bound)
        if added is not None:
            merged.insert(index, added)
            keys.insert(index, key)
            index += 1
    return merged


def _keys(statements: list[ast.stmt]) -> list[tuple[str, int]]:
    """For each statement a key, with its rank among equal ones: a property has several definitions."""
    met: Counter[str] = Counter()
    keys = []
    for statement in statements:
        definition = isinstance(statement, (*DEFS, ast.ClassDef))
        key = f"definition of {statement.name}" if definition else ast.dump(statement)  # type: ignore[attr-defined]
        keys.append((key, met[key]))
        met[key] += 1
    return keys


def _graft(mine: ast.stmt, theirs: ast.stmt | None) -> ast.stmt:
    """A recorded definition with the body of the reference's; any other statement stays as it is."""
    if isinstance(mine, DEFS) and isinstance(theirs, DEFS):
        if parameters(mine) != parameters(theirs):
            return theirs
        made = copy(theirs)
        made.args, made.decorator_list = copy(mine.args), copy(mine.decorator_list)
        return made
    if isinstance(mine, ast.ClassDef) and isinstance(theirs, ast.ClassDef):
        whole = copy(mine)
        whole.body = _merge(mine.body, theirs.body)
        return whole
    return mine


def _binds(statement: ast.stmt) -> set[str]:
    names = set(names_bound_by(statement))
    if not isinstance(statement, (*DEFS, ast.ClassDef)):
        for node in own_nodes(statement):
            names |= set(names_bound_by(node))
    return names


def _only_new(statement: ast.stmt, bound: set[str]) -> ast.stmt | None:
    """A statement of the reference if all names that it binds are new; an import is reduced to its new names."""
    names = _binds(statement)
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        made = copy(statement)
        made.names = [alias for alias in made.names if (alias.asname or alias.name).partition(".")[0] not in bound]
        return made if made.names else None
    return statement if names and not names & bound else None
