"""The syntax of a Python text, kept up to date while somebody types: only what is around an edit is parsed again.

A text is cut into *chunks*, each a top-level statement with the lines before it. What parses alone parses the same in
its place, since every chunk begins at the start of a line and ends at the end of one. Columns become code points here.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from attrs import define, frozen

from adebug_lsp.languages.language import Piece
from adebug_lsp.model.source import Position, Range

_ROUTINES = (ast.FunctionDef, ast.AsyncFunctionDef)
_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


@define(eq=False)
class Chunk:
    """Some lines of a text with their syntax; its own lines count from 0."""

    lines: tuple[str, ...]
    statements: tuple[ast.stmt, ...]
    _found: tuple[int, list[Piece]] | None = None

    def pieces(self, file: Path, line: int) -> list[Piece]:
        """Its pieces in a text in which it begins at a line: mostly the same line as last time."""
        if self._found is None or self._found[0] != line:
            self._found = (line, list(_pieces(file, self, line)))
        return self._found[1]

    def range(self, node: ast.stmt | ast.expr, line: int) -> Range:
        """Where a node stands in a text in which the chunk begins at a line."""
        return Range(
            self._position(node.lineno - 1, node.col_offset, line),
            self._position((node.end_lineno or node.lineno) - 1, node.end_col_offset or 0, line),
        )

    def _position(self, row: int, column: int, line: int) -> Position:
        text = self.lines[row]
        plain = column if text.isascii() else len(text.encode("utf-8")[:column].decode("utf-8", "ignore"))
        return Position(line + row, plain)


@frozen(eq=False, slots=False)
class PythonOutline:
    """See `Outline`."""

    file: Path
    chunks: tuple[Chunk, ...]

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """See `Outline`."""
        return [piece for line, chunk in self._placed() for piece in chunk.pieces(self.file, line)]

    def expression_at(self, position: Position) -> Range | None:
        """See `Outline`."""
        for line, chunk in self._placed():
            if line <= position.line < line + len(chunk.lines):
                found = (chunk.range(e, line) for s in chunk.statements for e in ast.walk(s) if isinstance(e, ast.expr))
                around = [place for place in found if place.start <= position <= place.end]
                return min(around, key=_extent, default=None)
        return None

    def _placed(self) -> Iterator[tuple[int, Chunk]]:
        line = 0
        for chunk in self.chunks:
            yield line, chunk
            line += len(chunk.lines)


def outline(file: Path, text: str, last: PythonOutline | None) -> PythonOutline | None:
    """The outline of a text, which may be a later state of one that has an outline; None where it has errors."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    known = () if last is None else last.chunks
    before, after = _unchanged(known, lines)
    # What does not parse alone may belong to its neighbours, as an `else` or a decorator does.
    for widened in (0, 1):
        before, after = max(before - widened, 0), max(after - widened, 0)
        low = sum(len(chunk.lines) for chunk in known[:before])
        high = len(lines) - sum(len(chunk.lines) for chunk in known[len(known) - after :])
        try:
            between = _chunks(lines[low:high])
        except _ERRORS:
            continue
        return PythonOutline(file, (*known[:before], *between, *known[len(known) - after :]))
    return None


def _unchanged(chunks: Sequence[Chunk], lines: Sequence[str]) -> tuple[int, int]:
    """How many chunks at the beginning and at the end are as they were."""
    before, low = 0, 0
    for chunk in chunks:
        if tuple(lines[low : low + len(chunk.lines)]) != chunk.lines:
            break
        before, low = before + 1, low + len(chunk.lines)
    after, high = 0, len(lines)
    for chunk in reversed(chunks[before:]):
        start = high - len(chunk.lines)
        if start < low or tuple(lines[start:high]) != chunk.lines:
            break
        after, high = after + 1, start
    return before, after


def _chunks(lines: Sequence[str]) -> list[Chunk]:
    """Cut lines; raises one of `_ERRORS`."""
    if not lines:
        return []
    ends: list[int] = []
    groups: list[list[ast.stmt]] = []
    for statement in ast.parse("\n".join(lines)).body:
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        if ends and first <= ends[-1]:  # after a semicolon
            groups[-1].append(statement)
        else:
            ends.append(0)
            groups.append([statement])
        ends[-1] = statement.end_lineno or statement.lineno
    if not ends:
        return [Chunk(tuple(lines), ())]
    ends[-1] = len(lines)
    starts = [0, *ends[:-1]]
    found = []
    for start, end, group in zip(starts, ends, groups, strict=True):
        for statement in group:
            ast.increment_lineno(statement, -start)
        found.append(Chunk(tuple(lines[start:end]), tuple(group)))
    return found


def _extent(place: Range) -> tuple[int, int]:
    return place.end.line - place.start.line, place.end.column - place.start.column


# Pieces


def _pieces(file: Path, chunk: Chunk, line: int) -> Iterator[Piece]:
    in_tests = file.name.startswith("test_") or file.stem.endswith("_test")
    for statement in chunk.statements:
        if isinstance(statement, _ROUTINES):
            yield _routine(chunk, line, statement, "", f"{file}::{statement.name}" if in_tests else "")
        elif isinstance(statement, ast.ClassDef):
            yield Piece("class", statement.name, chunk.range(statement, line), _head(chunk, line, statement))
            of_tests = in_tests and (statement.name.startswith("Test") or _is_test_case(statement))
            for method in statement.body:
                if isinstance(method, _ROUTINES):
                    test = f"{file}::{statement.name}::{method.name}" if of_tests else ""
                    yield _routine(chunk, line, method, f"{statement.name}.", test)
        elif isinstance(statement, ast.If) and _is_main(statement.test):
            place = chunk.range(statement, line)
            yield Piece("main", "", place, Range(place.start, place.start))


def _routine(chunk: Chunk, line: int, routine: ast.FunctionDef | ast.AsyncFunctionDef, within: str, test: str) -> Piece:
    is_test = bool(test) and routine.name.startswith("test")
    alone = not within and isinstance(routine, ast.FunctionDef) and not routine.decorator_list
    return Piece(
        "routine",
        within + routine.name,
        chunk.range(routine, line),
        _head(chunk, line, routine),
        tests=(test,) if is_test else None,
        call=f"{routine.name}()" if alone and not is_test and _needs_nothing(routine.args) else None,
    )


def _head(chunk: Chunk, line: int, definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Range:
    """Where the name stands."""
    start = chunk.range(definition, line).start
    row = start.line - line
    column = chunk.lines[row].find(definition.name, start.column + len("def"))
    if column < 0:  # the name is on a later line, after a backslash
        return Range(start, start)
    return Range(Position(start.line, column), Position(start.line, column + len(definition.name)))


def _needs_nothing(arguments: ast.arguments) -> bool:
    positional = [*arguments.posonlyargs, *arguments.args]
    return len(positional) == len(arguments.defaults) and None not in arguments.kw_defaults


def _is_test_case(definition: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("TestCase") for base in definition.bases)


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and ast.unparse(test) in (
        "__name__ == '__main__'",
        "'__main__' == __name__",
    )
