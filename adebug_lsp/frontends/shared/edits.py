"""Maps ranges from the recorded text of a file to its text now, and back.

The two texts are compared by lines, so no edit has to be observed.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from adebug_lsp.model.source import Position, Range

_MOST_COMPARED = 1500
"""With more differing lines on a side, everything between the common start and end counts as changed."""

Block = tuple[int, int, int, int]
"""Old lines from, to; new lines from, to."""


class LineMap:
    """Maps the lines of an old text to those of a new one."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old, self._new = old, new
        self._same = list(_same(old, new))

    def range(self, place: Range) -> tuple[Range, bool]:
        """The range in the new text, and whether any of its lines changed."""
        first, last = self._line(place.start.line), self._line(place.end.line)
        if first is not None and last is not None and first <= last:
            known = [self._line(line) for line in range(place.start.line, place.end.line + 1)]
            changed = known != list(range(first, last + 1))
            return Range(Position(first, place.start.column), Position(last, place.end.column)), changed
        return self._whole(self._near(place.start.line) if first is None else first), True

    def back(self, place: Range) -> Range | None:
        """The range in the old text of a range in the new one; None if its lines have changed."""
        for low, high, start, end in self._same:
            if start <= place.start.line and place.end.line < end and high > low:
                by = low - start
                return Range(
                    Position(place.start.line + by, place.start.column), Position(place.end.line + by, place.end.column)
                )
        return None

    def _line(self, line: int) -> int | None:
        for low, high, start, _end in self._same:
            if low <= line < high:
                return start + line - low
        return None

    def _near(self, line: int) -> int:
        """The new line nearest to a changed one."""
        before = [block for block in self._same if block[1] <= line]
        low, start = (before[-1][1], before[-1][3]) if before else (0, 0)
        return min(start + line - low, max(len(self._new) - 1, 0))

    def _whole(self, line: int) -> Range:
        text = self._new[line] if self._new else ""
        return Range(Position(line, len(text) - len(text.lstrip())), Position(line, len(text)))


def _same(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Blocks of equal lines, in order."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    old_end, new_end = len(old) - tail, len(new) - tail
    blocks = [(0, head, 0, head)]
    if max(old_end, new_end) - head <= _MOST_COMPARED:
        matcher = SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=False)
        blocks += [
            (head + m.a, head + m.a + m.size, head + m.b, head + m.b + m.size) for m in matcher.get_matching_blocks()
        ]
    return [*blocks, (old_end, len(old), new_end, len(new))]
