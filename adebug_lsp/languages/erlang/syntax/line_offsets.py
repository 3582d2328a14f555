"""Offsets into a text as lines and columns, and back. A line ends at `\\n` and nothing else, as it does for Erlang."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.model.source import Position, Range


@frozen(eq=False)
class Lines:
    """The lines of one text."""

    starts: Sequence[int]

    @classmethod
    def of(cls, text: str) -> "Lines":
        """The lines of a text."""
        return cls([0, *(match.end() for match in re.finditer("\n", text))])

    def offset(self, line: int, column: int) -> int | None:
        """Where a line and column are, both counted from 1; None where there is no such place."""
        if not 0 < line <= len(self.starts) or column < 1:
            return None
        offset = self.starts[line - 1] + column - 1
        return offset if line == len(self.starts) or offset < self.starts[line] else None

    def position(self, offset: int) -> Position:
        """Where an offset is."""
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def range(self, start: int, span: tuple[int, int]) -> Range:
        """Where a part of a text is that has a start of its own."""
        return Range(self.position(start + span[0]), self.position(start + span[1]))
