"""Source text of a module, and exact ranges of code whose beginning the compiler reports."""

import re
from functools import cached_property

from attrs import define

from adebug_lsp.languages.erlang.syntax.definitions import Definitions
from adebug_lsp.languages.erlang.syntax.file_syntax import Syntax, parse
from adebug_lsp.languages.erlang.syntax.line_offsets import Lines
from adebug_lsp.model.source import Position, Range

_FUN = re.compile(r"\bfun\b")
_FUNS = ("fun", "named_fun")


@define(eq=False, slots=False)
class Source:
    """A source file as it was when it ran."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """Lines with their ends; only `\
        ` ends a line, as in `epp`.
        """
        return re.findall(r"[^\n]*\n|[^\n]+", self.text)

    @cached_property
    def syntax(self) -> Syntax:
        """Its syntax."""
        return parse(self.text)

    def range(self, kind: str, place: tuple[int, int]) -> Range:
        """Range of the code of a kind at a place; the rest of the line if the syntax has none."""
        line, column = place
        exact = self.syntax.range_at(kind, line, column)
        if exact is not None:
            return exact
        row = max(line - 1, 0)
        written = self.lines[row].rstrip() if row < len(self.lines) else ""
        start = min(max(column - 1, 0), len(written))
        if not column:
            start = len(written) - len(written.lstrip())
        return Range(Position(row, start), Position(row, max(start, len(written))))

    @cached_property
    def _definitions(self) -> Definitions:
        return Definitions(self.text)

    @cached_property
    def _lines(self) -> Lines:
        return Lines.of(self.text)

    def definitions(self, where: Range) -> list[Range]:
        """Ranges of the macros and record defaults that the code of a range uses."""
        spans = self._definitions.executed_by(self._offset(where.start), self._offset(where.end))
        return [self._lines.range(0, span) for span in spans]

    def _offset(self, position: Position) -> int:
        starts = self._lines.starts
        return starts[min(position.line, len(starts) - 1)] + position.column

    def head(self, place: tuple[int, int]) -> Range:
        """Patterns and guard of a clause, up to its arrow."""
        parts = self.syntax.clause_at(*place)
        if parts is None:
            return self.range("clause", place)
        first = parts.head or parts.guard
        if first is None:
            return Range(parts.range.start, parts.body.start)
        return Range(self._opening(first, parts.guard), (parts.guard or first).end)

    def _opening(self, head: Range, guard: Range | None) -> Position:
        """Start of the patterns, including their parenthesis if a guard follows it."""
        before = self.lines[head.start.line][: head.start.column].rstrip() if head.start.line < len(self.lines) else ""
        closed = guard is not None and self.text_of(Range(head.end, max(guard.start, head.end))).lstrip()[:1] == ")"
        return Position(head.start.line, len(before) - 1) if closed and before.endswith("(") else head.start

    def text_of(self, where: Range) -> str:
        """Text of a range."""
        start, end = where.start, where.end
        if start.line >= len(self.lines):
            return ""
        if start.line == end.line:
            return self.lines[start.line][start.column : end.column]
        inner = self.lines[start.line + 1 : end.line]
        last = self.lines[end.line][: end.column] if end.line < len(self.lines) else ""
        return "".join([self.lines[start.line][start.column :], *inner, last])


def funs_in(expression: str) -> dict[tuple[object, ...], str]:
    """Texts of the funs in an expression, by line and column."""
    source = Source("", f"call() ->\n{expression.rstrip().removesuffix('.')}.\n")
    lines, texts = Lines.of(expression), dict[tuple[object, ...], str]()
    for word in _FUN.finditer(expression):
        position = lines.position(word.start())
        place = position.line + 1, position.column + 1
        where = next(
            (candidate for kind in _FUNS if (candidate := source.syntax.range_at(kind, place[0] + 1, place[1]))), None
        )
        if where is not None:
            texts[place] = " ".join(source.text_of(where).split())
    return texts
