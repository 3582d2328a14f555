"""The code of a routine that one call did not execute: branches not taken, and statements after the last one.

A statement without a record (`pass`, a docstring) is not reported alone, nor one that an exception may have left before
its record was written.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.source import Location, Position, Range

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_SILENT = (ast.Pass, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, *_SCOPES)
Place = tuple[int, int]


def unexecuted(run: Run, activation: Span) -> tuple[Location, ...]:
    """The locations of code that did not run; none if only calls were recorded."""
    routine = activation.routine
    if routine.node < 0 or activation.last >= run.detailed_until or not run.has_inside(activation):
        return ()
    place = routine.module.nodes[routine.node].place
    definition = None if place is None else _definition(routine.module.source, place)
    if definition is None:
        return ()
    executed = _executed(run, activation)
    groups = _not_run(definition.body, executed, raised=activation.raised or activation.open)
    return tuple(sorted(_location(routine.module, statements[0], statements[-1]) for statements in groups))


def _executed(run: Run, activation: Span) -> set[Place]:
    """Start positions of the statements that were executed, or are around executed code."""
    module, starts = activation.routine.module, set[Place]()
    for record in run.summary(activation, activation.first, activation.last):
        marker = record.marker
        for number in (marker.node, marker.test if marker.test is not None else -1, *marker.slots):
            for around in (number, *module.ancestors(number)) if number >= 0 else ():
                place = module.nodes[around].place
                if place is not None:
                    starts.add(place[:2])
    return starts


def _not_run(block: list[ast.stmt], executed: set[Place], *, raised: bool) -> Iterator[list[ast.stmt]]:
    """Consecutive statements of a block that did not run; `raised` if an exception may have left it."""
    ran = max((index for index, statement in enumerate(block) if _place(statement) in executed), default=-1)
    begun = 1 if raised and not (ran >= 0 and isinstance(block[ran], _JUMPS)) else 0
    rest = block[ran + 1 + begun :]
    if not all(_is_silent(statement) for statement in rest):
        yield rest
    for statement in block[: ran + 1]:
        if not isinstance(statement, _SCOPES):
            for inner, caught in _blocks(statement, executed):
                yield from _not_run(inner, executed, raised=raised or caught)


def _blocks(statement: ast.stmt, executed: set[Place]) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The blocks of a statement, each with whether an exception in it was or may have been caught."""
    handlers = getattr(statement, "handlers", [])
    caught = isinstance(statement, ast.With | ast.AsyncWith) or any(_place(h) in executed for h in handlers)
    for name in ("body", "orelse", "finalbody"):
        if inner := getattr(statement, name, None):
            yield inner, caught and name == "body"
    for part in (*handlers, *getattr(statement, "cases", [])):
        yield part.body, False


def _is_silent(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, _SILENT) or (isinstance(statement, ast.AnnAssign) and not statement.value)


def _place(statement: ast.stmt | ast.ExceptHandler) -> Place:
    return statement.lineno, statement.col_offset


@lru_cache(maxsize=8)
def _definitions(source: str) -> dict[Place, ast.FunctionDef | ast.AsyncFunctionDef]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # its Python may be newer than ours
        return {}
    definitions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {_place(node): node for node in definitions}


def _definition(source: str, place: tuple[int, int, int, int]) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    return _definitions(source).get(place[:2])


def _location(module: Module, first: ast.stmt, last: ast.stmt) -> Location:
    end_line, end = last.end_lineno or last.lineno, last.end_col_offset or 0
    start = Position(first.lineno - 1, module.column(first.lineno - 1, first.col_offset))
    return Location(module.path, Range(start, Position(end_line - 1, module.column(end_line - 1, end))))
