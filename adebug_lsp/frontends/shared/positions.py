"""Positions in source for people and for editors. Columns become UTF-16 (LSP ranges) here and nowhere else."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, define

from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.text import lines_of


@define
class Sources:
    """The texts of a run's files, as lines."""

    texts: Mapping[str, str]
    _lines: dict[str, list[str]] = Factory(dict)

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file without their ends; empty if the text is not known."""
        if path not in self._lines:
            text = self.texts.get(path)
            self._lines[path] = [] if text is None else lines_of(text)
        return self._lines[path]

    def text(self, place: Location) -> str:
        """The source text of a place; empty if it is not known."""
        lines = self.lines(place.path)
        start, end = place.range.start, place.range.end
        if end.line >= len(lines):
            return ""
        if start.line == end.line:
            return lines[start.line][start.column : end.column]
        first, last = lines[start.line][start.column :], lines[end.line][: end.column]
        return "\n".join([first, *lines[start.line + 1 : end.line], last])

    def lsp_range(self, place: Location) -> dict[str, Any]:
        """An LSP range: 0-based line and UTF-16 character, end exclusive."""
        return {"start": self._position(place, place.range.start), "end": self._position(place, place.range.end)}

    def position(self, path: str, line: int, character: int) -> Position:
        """Convert an LSP position; one past the end of a line becomes its end."""
        lines = self.lines(path)
        text = lines[line] if line < len(lines) else ""
        before = text.encode("utf-16-le", "surrogatepass")[: 2 * character]
        return Position(line, len(before.decode("utf-16-le", "ignore")))

    def lsp_place(self, place: Location) -> dict[str, Any]:
        """A path with its LSP range."""
        return {"path": place.path, "range": self.lsp_range(place)}

    def _position(self, place: Location, position: Position) -> dict[str, int]:
        lines = self.lines(place.path)
        before = lines[position.line][: position.column] if position.line < len(lines) else ""
        wide = sum(ord(character) > 0xFFFF for character in before)
        return {"line": position.line, "character": position.column + wide}


def shown(place: Location) -> str:
    """`path:line:column`, counted from 1 as people and compilers do."""
    start: Position = place.range.start
    return f"{place.path}:{start.line + 1}:{start.column + 1}"


def covering(places: Sequence[Location], path: str) -> list[Range]:
    """The ranges of the places in one file, in order."""
    return sorted(place.range for place in places if place.path == path)
