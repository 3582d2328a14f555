"""The smallest parts of a routine's own code that differ in another version.

Statement lists are compared in order. A statement that only the other version has is attributed to the same neighbour
as in the sandbox: something may be missing there. An expression counts as a whole if two or more of its parts differ,
or if a name or constant does; of a list or dict that is written out, a single entry that differs counts.
"""

import ast
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Any

from adebug_lsp.languages.python.sandbox.guest.versions.alignment import is_for_next

Text = Callable[[ast.AST], str]
"""Returns the structure of a node as text, without what does not count."""
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ENTIRE = (ast.Name, ast.Constant)
_KEYWORDS = {
    "FunctionDef": "def",
    "AsyncFunctionDef": "async def",
    "ClassDef": "class",
    "AsyncFor": "async for",
    "AsyncWith": "async with",
    "TryStar": "try",
}
"""How compound statements begin, if not with the name of their type."""


class Difference:
    """Compares two versions of a piece of code, by `text`."""

    def __init__(self, text: Text, silent: Callable[[ast.AST], bool]) -> None:
        self._text = text
        self._silent = silent

    def of_routine(self, mine: Scope | ast.Module, theirs: Scope | ast.Module) -> list[ast.AST]:
        """The differing nodes of a function, lambda or module."""
        own, other = _body(mine), _body(theirs)
        differing = [*self._of_lists(mine, own, other)]
        if differing:
            return differing
        return [] if isinstance(mine, ast.Module) else [*mine.args.args] or [mine]

    def _of_lists(self, around: ast.AST, mine: list[ast.AST], theirs: list[ast.AST]) -> Iterator[ast.AST]:
        """The differing nodes of two lists of nodes in a node."""
        mine, theirs = ([node for node in nodes if not self._silent(node)] for nodes in (mine, theirs))
        own, other = ([self._text(node) for node in nodes] for nodes in (mine, theirs))
        for what, low, high, start, end in SequenceMatcher(None, own, other, autojunk=False).get_opcodes():
            if what == "replace":
                yield from self._of_replaced(mine[low:high], theirs[start:end])
            elif what == "delete":
                yield from mine[low:high]
            elif what == "insert":
                neighbours = [_neighbour(mine, low, statement) for statement in theirs[start:end]] if mine else [around]
                yield from map(_head, dict.fromkeys(neighbours))

    def _of_replaced(self, mine: list[ast.AST], theirs: list[ast.AST]) -> Iterator[ast.AST]:
        for index, node in enumerate(mine):
            if len(mine) == len(theirs) and type(node) is type(theirs[index]):
                yield from self._of_nodes(node, theirs[index])
            else:
                named = [t for t in theirs if getattr(t, "name", None) == getattr(node, "name", 0)]
                yield from self._of_nodes(node, named[0]) if named and type(named[0]) is type(node) else (node,)

    def _of_nodes(self, mine: ast.AST, theirs: ast.AST) -> Iterator[ast.AST]:
        """The differing parts of two different nodes of one type."""
        if isinstance(mine, _SCOPES) and isinstance(theirs, _SCOPES):
            yield from self._of_heads(mine, theirs)
            return
        pairs = [(name, value, getattr(theirs, name)) for name, value in ast.iter_fields(mine)]
        parts = [(own, other) for _name, own, other in pairs if self._differ(own, other)]
        is_statement = isinstance(mine, ast.stmt)
        if not parts or (not is_statement and len(parts) > 1):
            yield mine
            return
        for own, other in parts:
            if isinstance(own, list) and own and all(isinstance(part, ast.AST) for part in (*own, *other)):
                yield from self._of_parts(mine, own, other)
            elif isinstance(own, ast.expr) and type(own) is type(other) and not isinstance(own, _ENTIRE):
                yield from self._of_nodes(own, other)
            else:
                yield mine if not isinstance(own, ast.expr) or isinstance(own, _ENTIRE) else own

    def _of_parts(self, around: ast.AST, mine: list[ast.AST], theirs: list[ast.AST]) -> Iterator[ast.AST]:
        """The differing parts of two lists of child nodes."""
        if isinstance(mine[0], ast.stmt | ast.excepthandler | ast.match_case):
            yield from self._of_lists(around, mine, theirs)
        elif len(mine) == len(theirs):
            differing = [(own, other) for own, other in zip(mine, theirs, strict=True) if self._differ(own, other)]
            own, other = differing[0]
            if len(differing) > 1:
                yield around
            elif type(own) is not type(other) or isinstance(own, _ENTIRE):
                yield _entry(around, own)
            else:
                yield from self._of_nodes(own, other)
        else:
            yield around

    def _of_heads(self, mine: Scope, theirs: Scope) -> Iterator[ast.AST]:
        """The defaults and decorators of a definition that differ."""
        differs = False
        for parameter, own, other in _defaults(mine.args, theirs.args):
            if self._differ(own, other):
                differs = True
                yield ast.keyword(parameter.arg, own or ast.Constant(None), **_from(parameter, own))
        mines: list[ast.AST] = getattr(mine, "decorator_list", [])
        its: list[ast.AST] = getattr(theirs, "decorator_list", [])
        if [self._text(node) for node in mines] != [self._text(node) for node in its]:
            differs = True
            yield from mines or [mine]
        if not differs:
            yield mine

    def _differ(self, own: object, other: object) -> bool:
        if isinstance(own, ast.AST) and isinstance(other, ast.AST):
            return self._text(own) != self._text(other)
        if isinstance(own, list) and isinstance(other, list):
            return len(own) != len(other) or any(map(self._differ, own, other))
        return own != other


def _neighbour(mine: list[ast.AST], index: int, missing: ast.AST) -> ast.AST:
    """The statement that one missing before this index is attributed to."""
    is_next = index == 0 or (index < len(mine) and is_for_next(missing))
    return mine[index if is_next else index - 1]


def _head(node: ast.AST) -> ast.AST:
    """The beginning of the neighbour of missing code: a definition or compound statement is not wrong as a whole."""
    if not isinstance(node, ast.stmt) or not (hasattr(node, "body") or isinstance(node, ast.Match)):
        return node
    kind = type(node).__name__
    start = f"{_KEYWORDS.get(kind, kind)} {getattr(node, 'name', '')}".rstrip()
    end = node.col_offset + len(start.encode())
    return ast.Pass(lineno=node.lineno, col_offset=node.col_offset, end_lineno=node.lineno, end_col_offset=end)


def _entry(around: ast.AST, part: ast.AST) -> ast.AST:
    """The entry of a list or dict that has this part; for other expressions, the whole."""
    if isinstance(around, ast.Dict):
        pairs = zip(around.keys, around.values, strict=True)
        key, value = next(pair for pair in pairs if part in pair)
        return value if key is None else ast.keyword("", value, **_from(key, value))
    return part if isinstance(around, ast.List | ast.Set | ast.Tuple) else around


def _body(node: Scope | ast.Module) -> list[ast.AST]:
    return [node.body] if isinstance(node, ast.Lambda) else [*node.body]


def _defaults(mine: ast.arguments, theirs: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None, ast.expr | None]]:
    """The parameters of a definition with their defaults in both versions."""
    positional = [*mine.posonlyargs, *mine.args]
    if len(mine.defaults) == len(theirs.defaults):
        yield from zip(positional[len(positional) - len(mine.defaults) :], mine.defaults, theirs.defaults, strict=True)
    if len(mine.kw_defaults) == len(theirs.kw_defaults):
        yield from zip(mine.kwonlyargs, mine.kw_defaults, theirs.kw_defaults, strict=True)


def _from(name: ast.arg | ast.expr, value: ast.expr | None) -> dict[str, Any]:
    """The place of a parameter with its default, or of a key with its value."""
    end = name if value is None else value
    first = {"lineno": name.lineno, "col_offset": name.col_offset}
    return {**first, "end_lineno": end.end_lineno, "end_col_offset": end.end_col_offset}
