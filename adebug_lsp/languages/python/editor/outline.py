"""The outline of a Python source: its runnable pieces, and every expression. Byte columns become code points."""

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from attrs import evolve, field, frozen

from adebug_lsp.languages.language import Piece
from adebug_lsp.languages.python.editor.incremental_parse import Chunk, Chunks, Owner, cut
from adebug_lsp.model.source import Position, Range

_ROUTINES = (ast.FunctionDef, ast.AsyncFunctionDef)


@frozen(eq=False, slots=False)
class PythonOutline:
    """See `Outline`."""

    file: Path
    chunks: Chunks
    _known: dict[tuple[int, int], list[Piece]] = field(factory=dict)
    """A cache of pieces by identity and line of their chunk; an edit leaves most unchanged."""

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """See `Outline`."""
        by_chunk, ends = {}, dict[Owner, Position]()
        for line, chunk in self._placed():
            key = (id(chunk), line)
            by_chunk[key] = self._known.get(key) or list(_pieces(self.file, chunk, line))
            if chunk.owner is not None:
                ends[chunk.owner] = chunk.range(chunk.statements[-1], line).end
        self._known.clear()
        self._known.update(by_chunk)
        for line, chunk in self._placed():
            if chunk.owner is not None and not chunk.is_member:
                head, *rest = by_chunk[id(chunk), line]
                whole = evolve(head, range=Range(head.range.start, ends[chunk.owner]))
                by_chunk[id(chunk), line] = [whole, *rest]
        return [piece for pieces in by_chunk.values() for piece in pieces]

    def expression_at(self, position: Position) -> Range | None:
        """See `Outline`."""
        for line, chunk in self._placed():
            if line <= position.line < line + len(chunk.lines):
                ranges = (
                    chunk.range(e, line) for s in chunk.statements for e in ast.walk(s) if isinstance(e, ast.expr)
                )
                around = [place for place in ranges if place.start <= position <= place.end]
                return min(around, key=_extent, default=None)
        return None

    def changed(self, text: str) -> "PythonOutline | None":
        """The outline of a later state of the source; None if it has errors."""
        chunks = cut(text, self.chunks)
        if chunks is None:
            return None
        here = {id(chunk) for chunk in chunks}
        return PythonOutline(self.file, chunks, {key: pieces for key, pieces in self._known.items() if key[0] in here})

    def _placed(self) -> Iterator[tuple[int, Chunk]]:
        line = 0
        for chunk in self.chunks:
            yield line, chunk
            line += len(chunk.lines)


def outline(file: Path, text: str, last: PythonOutline | None) -> PythonOutline | None:
    """The outline of a source, updated from the last one; None if it has errors."""
    return (last or PythonOutline(file, ())).changed(text)


def _extent(place: Range) -> tuple[int, int]:
    return place.end.line - place.start.line, place.end.column - place.start.column


# Pieces


def _pieces(file: Path, chunk: Chunk, line: int) -> Iterator[Piece]:
    """The pieces of a chunk that begins at a line."""
    in_tests = file.name.startswith("test_") or file.stem.endswith("_test")
    if chunk.is_member and chunk.owner is not None:
        yield from _methods(file, chunk, line, chunk.owner.definition, chunk.statements)
        return
    for statement in chunk.statements:
        if isinstance(statement, _ROUTINES):
            yield _routine(chunk, line, statement, "", f"{file}::{statement.name}" if in_tests else "")
        elif isinstance(statement, ast.ClassDef):
            yield Piece("class", statement.name, chunk.range(statement, line), _head(chunk, line, statement))
            yield from _methods(file, chunk, line, statement, statement.body)
        elif isinstance(statement, ast.If) and _is_main(statement.test):
            place = chunk.range(statement, line)
            yield Piece("main", "", place, Range(place.start, place.start))


def _methods(file: Path, chunk: Chunk, line: int, within: ast.ClassDef, body: Sequence[ast.stmt]) -> Iterator[Piece]:
    in_tests = file.name.startswith("test_") or file.stem.endswith("_test")
    of_tests = in_tests and (within.name.startswith("Test") or _is_test_case(within))
    for method in body:
        if isinstance(method, _ROUTINES):
            test = f"{file}::{within.name}::{method.name}" if of_tests else ""
            yield _routine(chunk, line, method, f"{within.name}.", test)


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
    """The range of the name."""
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
