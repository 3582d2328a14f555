"""Aligns the reference's routine with the recorded one.

Statement lists are aligned in order for the greatest total similarity; statements between two pairs are paired too. A
statement that only the reference has belongs to one of its neighbours, which is wrong without it. Expressions
correspond by position while everything around them is the same: if two or more parts of an expression differ, the whole
differs, and its parts have no counterparts.
"""

import ast
from collections import Counter
from functools import lru_cache
from typing import Any

from .routine_syntax import DEFS, names_bound_by, own_nodes

Pairs = dict[int, ast.AST]
Added = dict[int, tuple[list[Any], list[Any]]]
"""By identity of a recorded statement: statements of the reference before and after its counterpart."""
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_LEAST = 0.05
"""Similarity of any two statements in the same place."""


def align(recorded: Any, reference: Any) -> Pairs:
    """By identity of each node of a recorded routine: its counterpart in the reference."""
    pairs: Pairs = {id(recorded): reference}
    if isinstance(recorded, ast.Lambda):
        _align_expressions(recorded.body, reference.body, pairs)
    else:
        _align_lists(recorded.body, reference.body, pairs)
    return pairs


def _align_lists(mine: list[ast.AST], theirs: list[ast.AST], pairs: Pairs) -> None:
    for recorded, reference in best_pairs(mine, theirs):
        _align_statements(recorded, reference, pairs)


def added(recorded: Any, reference: Any) -> Added:
    """Statements that only the reference has, by the neighbour that they belong to."""
    additions: Added = {}
    if not isinstance(recorded, ast.Lambda):
        _add_lists(recorded.body, reference.body, additions)
    return additions


def _add_lists(mine: list[ast.AST], theirs: list[ast.AST], additions: Added) -> None:
    """Add the statements that only the reference has in two lists, with their neighbours."""
    pairs = best_pairs(mine, theirs)
    for index, other in enumerate(theirs):
        if not (_is_silent(other) or any(paired is other for _, paired in pairs)):
            earlier = [own for own, its in pairs if _rank(theirs, its) < index and not _is_silent(own)]
            later = [own for own, its in pairs if _rank(theirs, its) > index and not _is_silent(own)]
            if later and (is_for_next(other) or not earlier):
                additions.setdefault(id(later[0]), ([], []))[0].append(other)
            elif earlier:
                additions.setdefault(id(earlier[-1]), ([], []))[1].append(other)
    for recorded, reference in pairs:
        if type(recorded) is type(reference) and not isinstance(recorded, (*DEFS, ast.ClassDef)):
            for block, its in _blocks(recorded, reference):
                _add_lists(block, its, additions)


def _rank(statements: list[ast.AST], statement: ast.AST) -> int:
    """The index of a statement among equal ones."""
    return next(rank for rank, candidate in enumerate(statements) if candidate is statement)


def _is_silent(statement: ast.AST) -> bool:
    """Whether a statement does nothing when executed: it is no neighbour, and never missing."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, (ast.Pass, ast.Global, ast.Nonlocal, *DEFS, ast.ClassDef, ast.Import, ast.ImportFrom))


def is_for_next(statement: ast.AST) -> bool:
    """Whether a missing statement concerns the statements after it: it may jump, or binds a variable."""
    inner = [statement, *own_nodes(statement)]
    return any(isinstance(node, _LEAVING) or any(names_bound_by(node)) for node in inner)


def _blocks(recorded: ast.AST, reference: ast.AST) -> list[tuple[list[ast.AST], list[ast.AST]]]:
    """Corresponding statement lists of two statements."""
    names = ("body", "orelse", "finalbody")
    blocks = [(getattr(recorded, name, []), getattr(reference, name, [])) for name in names]
    for name in ("handlers", "cases"):
        pairs: list[tuple[Any, Any]] = best_pairs(getattr(recorded, name, []), getattr(reference, name, []))
        blocks += [(mine.body, its.body) for mine, its in pairs]
    return blocks


def best_pairs(mine: list[ast.AST], theirs: list[ast.AST]) -> list[tuple[ast.AST, ast.AST]]:
    """The pairs, in order, with the greatest total similarity."""
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for i in range(len(mine) - 1, -1, -1):
        for j in range(len(theirs) - 1, -1, -1):
            together = likeness(mine[i], theirs[j]) + best[i + 1][j + 1]
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(mine) and j < len(theirs):
        if best[i][j] == likeness(mine[i], theirs[j]) + best[i + 1][j + 1]:
            pairs.append((mine[i], theirs[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def likeness(recorded: ast.AST, reference: ast.AST) -> float:
    """Similarity from 0 to 1: 1 for the same code, little for statements of different kinds."""
    if dump(recorded) == dump(reference):
        return 1.0
    mine, theirs = _words(recorded), _words(reference)
    shared = sum((mine & theirs).values()) / max(1, sum((mine | theirs).values()))
    if isinstance(recorded, (*DEFS, ast.ClassDef)) or isinstance(reference, (*DEFS, ast.ClassDef)):
        same_name = getattr(recorded, "name", None) == getattr(reference, "name", 0)
        return 0.9 if same_name and type(recorded) is type(reference) else _LEAST * shared
    same_kind = type(recorded) is type(reference)
    return _LEAST + (0.25 + 0.6 * shared if same_kind else 0.5 * shared)


@lru_cache(maxsize=4096)
def dump(node: ast.AST) -> str:
    """The structure of a node as text."""
    return ast.dump(node)


@lru_cache(maxsize=4096)
def _words(node: ast.AST) -> "Counter[str]":
    """The names and constants in a node."""
    words: Counter[str] = Counter()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            words[inner.id] += 1
        elif isinstance(inner, ast.Attribute):
            words[inner.attr] += 1
        elif isinstance(inner, ast.Constant):
            words[repr(inner.value)] += 1
        elif not isinstance(inner, ast.expr_context):
            words[type(inner).__name__] += 1
    return words


def _align_statements(mine: ast.AST, theirs: ast.AST, pairs: Pairs) -> None:
    """Align two statements of one kind, with their expressions and blocks."""
    pairs[id(mine)] = theirs
    if type(mine) is not type(theirs):
        own, other = _only_expression(mine), _only_expression(theirs)
        if own is not None and other is not None:
            _align_expressions(own, other, pairs)
        return
    for name, value in ast.iter_fields(mine):
        other = getattr(theirs, name, None)
        if isinstance(value, ast.expr) and isinstance(other, ast.expr):
            _align_expressions(value, other, pairs)
        elif isinstance(value, list) and isinstance(other, list):
            _align_parts(value, other, pairs)


def _only_expression(statement: ast.AST) -> ast.expr | None:
    """Value of a simple statement."""
    value = getattr(statement, "value", None)
    return value if isinstance(value, ast.expr) else None


def _align_parts(mine: list[ast.AST], theirs: list[ast.AST], pairs: Pairs) -> None:
    """Statements, handlers, cases, targets or items of a statement."""
    if all(isinstance(part, ast.expr) for part in (*mine, *theirs)):
        if len(mine) == len(theirs):
            for recorded, reference in zip(mine, theirs, strict=True):
                _align_expressions(recorded, reference, pairs)
    elif all(
        isinstance(part, (ast.stmt, ast.excepthandler, ast.match_case, ast.withitem)) for part in (*mine, *theirs)
    ):
        _align_lists(mine, theirs, pairs)


def _align_expressions(mine: ast.AST, theirs: ast.AST, pairs: Pairs) -> None:
    """Align two expressions and, unless they differ as a whole, their parts."""
    pairs[id(mine)] = theirs
    if type(mine) is not type(theirs):
        return
    parts = _parts(mine, theirs)
    if parts is None:
        return
    differing = sum(dump(recorded) != dump(reference) for recorded, reference in parts)
    if differing + (_head(mine) != _head(theirs)) <= 1 and _callee(mine) == _callee(theirs):
        for recorded, reference in parts:
            if not (isinstance(recorded, ast.expr) and isinstance(reference, ast.expr)):
                _align_inner(recorded, reference, pairs)
            elif not _is_other_leaf(recorded, reference):
                _align_expressions(recorded, reference, pairs)


def _is_other_leaf(mine: ast.expr, theirs: ast.expr) -> bool:
    """Whether one node is another name or constant, which is never wrong by itself: the expression around it is."""
    return isinstance(mine, (ast.Name, ast.Constant)) and dump(mine) != dump(theirs)


def _align_inner(mine: ast.AST, theirs: ast.AST, pairs: Pairs) -> None:
    """Aligns nodes that are no expressions themselves, such as keywords and comprehension clauses."""
    if type(mine) is not type(theirs):
        return
    parts = _parts(mine, theirs)
    if parts is not None and sum(dump(recorded) != dump(reference) for recorded, reference in parts) <= 1:
        for recorded, reference in parts:
            if isinstance(recorded, ast.expr) and isinstance(reference, ast.expr):
                _align_expressions(recorded, reference, pairs)


def _parts(mine: ast.AST, theirs: ast.AST) -> list[tuple[ast.AST, ast.AST]] | None:
    """The parts of two nodes of one kind in pairs; None if their numbers differ."""
    own, other = list(ast.iter_child_nodes(mine)), list(ast.iter_child_nodes(theirs))
    return list(zip(own, other, strict=True)) if len(own) == len(other) else None


def _callee(node: ast.AST) -> object:
    """Name of the called function: with another name it is another call."""
    called = node.func if isinstance(node, ast.Call) else None
    return getattr(called, "attr", None) or getattr(called, "id", None)


def _head(node: ast.AST) -> object:
    """Fields of an expression other than its parts."""
    return [value for _name, value in ast.iter_fields(node) if not isinstance(value, (ast.AST, list))]
