"""Splits Python source into chunks that are parsed separately, so that an edit reparses only its surroundings.

A *chunk* is a top-level statement with the lines before it. A class is split further: its head with the first statement
of its body is one chunk, each further statement another. A chunk consists of whole lines, so it parses alone as it does
in place; members of a class are parsed as a block.
"""

import ast
from collections.abc import Sequence

from attrs import define, frozen

from adebug_lsp.model.source import Position, Range
from adebug_lsp.model.text import lines_of

MOST_LINES = 1500
"""Length of a class up to which it is reparsed while typing; an edit that ends a longer one early shows up on save."""
_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


@frozen(eq=False)
class Owner:
    """A class whose body is split."""

    definition: ast.ClassDef
    """The definition, cut after the first statement of its body."""
    indentation: str


@define(eq=False)
class Chunk:
    """Lines of a source with their syntax; line numbers count from 0 within the chunk."""

    lines: tuple[str, ...]
    statements: tuple[ast.stmt, ...]
    owner: Owner | None = None
    """The class that the chunk belongs to."""

    @property
    def is_member(self) -> bool:
        """Whether it is a later part of a class, not its head."""
        return self.owner is not None and self.owner.definition not in self.statements

    def range(self, node: ast.stmt | ast.expr, line: int) -> Range:
        """The range of a node if the chunk begins at `line`."""
        return Range(
            self._position(node.lineno - 1, node.col_offset, line),
            self._position((node.end_lineno or node.lineno) - 1, node.end_col_offset or 0, line),
        )

    def _position(self, row: int, column: int, line: int) -> Position:
        text = self.lines[row]
        plain = column if text.isascii() else len(text.encode("utf-8")[:column].decode("utf-8", "ignore"))
        return Position(line + row, plain)


Chunks = tuple[Chunk, ...]


def cut(text: str, known: Chunks) -> Chunks | None:
    """The chunks of a source, reusing those of an earlier state; None if it has errors."""
    lines = lines_of(text)
    before, after = _unchanged(known, lines)
    # Lines that do not parse alone may belong to their neighbours, such as an `else` or a decorator.
    for widened in (0, 1):
        before, after = max(before - widened, 0), max(after - widened, 0)
        chunks = _inside_class(known, before, after, lines) or _between(known, before, after, lines)
        if chunks is not None:
            return chunks
    return None


def _unchanged(chunks: Sequence[Chunk], lines: Sequence[str]) -> tuple[int, int]:
    """Number of unchanged chunks at the start and at the end."""
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


def _inside_class(known: Chunks, before: int, after: int, lines: list[str]) -> Chunks | None:
    """Parse the lines between unchanged chunks as members of their class; None if they are in no class."""
    owner = known[before - 1].owner if before else None
    changed = known[before : len(known) - after]
    if owner is None or not all(chunk.owner is owner and chunk.is_member for chunk in changed):
        return None
    new = _new_lines(known, before, after, lines)
    try:
        (block,) = ast.parse("\n".join(["if 1:", *new])).body
    except _ERRORS:
        return None
    if not isinstance(block, ast.If) or block.orelse:
        return None
    ast.increment_lineno(block, -1)
    first = block.body[0]
    if new[_first_line(first) - 1][: first.col_offset] != owner.indentation:
        return None
    return (*known[:before], *_chunks(new, block.body, 0, owner), *known[len(known) - after :])


def _between(known: Chunks, before: int, after: int, lines: list[str]) -> Chunks | None:
    """Parse the lines between unchanged chunks, extended to the whole class that contains them."""
    original = (before, after)
    while before < len(known) and before and known[before].is_member:
        before -= 1
    while after and known[len(known) - after].is_member:
        after -= 1
    new = _new_lines(known, before, after, lines)
    if original != (before, after) and len(new) > MOST_LINES:
        return None
    try:
        body = ast.parse("\n".join(new)).body
    except _ERRORS:
        return None
    return (*known[:before], *_chunks(new, body, 0, None), *known[len(known) - after :])


def _new_lines(known: Chunks, before: int, after: int, lines: list[str]) -> list[str]:
    low = sum(len(chunk.lines) for chunk in known[:before])
    return lines[low : len(lines) - sum(len(chunk.lines) for chunk in known[len(known) - after :])]


def _chunks(lines: Sequence[str], body: Sequence[ast.stmt], start: int, owner: Owner | None) -> list[Chunk]:
    """Split lines, numbered from `start` in the syntax; the last chunk has all remaining lines."""
    groups = _groups(body)
    chunks: list[Chunk] = []
    offset = start
    for index, group in enumerate(groups):
        end = start + len(lines) if index == len(groups) - 1 else group[-1].end_lineno or offset
        chunks += _cut_group(lines[offset - start : end - start], group, offset, owner)
        offset = end
    return chunks or ([Chunk(tuple(lines), ())] if lines else [])


def _cut_group(lines: Sequence[str], group: list[ast.stmt], offset: int, owner: Owner | None) -> list[Chunk]:
    """Split a group into one chunk, or into those of a class; lines are numbered from `offset`."""
    definition = group[0]
    if owner is None and len(group) == 1 and isinstance(definition, ast.ClassDef):
        first, *rest = _groups(definition.body)
        head = (first[-1].end_lineno or offset) - offset
        if rest and _first_line(first[0]) > definition.lineno:
            indentation = lines[_first_line(first[0]) - 1 - offset][: first[0].col_offset]
            definition.body = first
            definition.end_lineno, definition.end_col_offset = first[-1].end_lineno, first[-1].end_col_offset
            members = [statement for other in rest for statement in other]
            own = Owner(definition, indentation)
            return [_chunk(lines[:head], group, offset, own), *_chunks(lines[head:], members, offset + head, own)]
    return [_chunk(lines, group, offset, owner)]


def _chunk(lines: Sequence[str], group: list[ast.stmt], offset: int, owner: Owner | None) -> Chunk:
    for statement in group:
        ast.increment_lineno(statement, -offset)
    return Chunk(tuple(lines), tuple(group), owner)


def _groups(body: Sequence[ast.stmt]) -> list[list[ast.stmt]]:
    """Group statements that share a line."""
    groups: list[list[ast.stmt]] = []
    for statement in body:
        if groups and _first_line(statement) <= (groups[-1][-1].end_lineno or 0):  # after a semicolon
            groups[-1].append(statement)
        else:
            groups.append([statement])
    return groups


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
