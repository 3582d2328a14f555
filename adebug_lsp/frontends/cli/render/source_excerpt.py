"""Renders source code: the code that ran is highlighted, the rest of its lines is faint, and long gaps are left out."""

from collections.abc import Callable, Sequence

from attrs import frozen

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.source import Location, Range
from adebug_lsp.model.text import cells

_AROUND = 2
"""Lines of context above and below a short fragment."""
_TAB = 4
_GAP = "⋮"


@frozen
class Excerpt:
    """A piece of a file, and the ranges in it to highlight."""

    sources: Sources
    place: Location
    matters: Sequence[Range]
    style: Style

    def lines(self, height: int, width: int, highlight: Callable[[str], str] | None = None) -> list[str]:
        """Numbered lines, at most about `height` of them; none if the source is not known."""
        text = self.sources.lines(self.place.path)
        first = max(self.place.range.start.line - _AROUND, 0)
        last = min(self.place.range.end.line + _AROUND, len(text) - 1)
        shown = self._chosen(first, last, height)
        lines: list[str] = []
        previous = shown[0] - 1 if shown else 0
        for number in shown:
            if number > previous + 1:
                lines.append(self.style.faint(f"  {'':5} {_GAP}"))
            lines += self._line(number, text[number], width, highlight or self.style.ran)
            previous = number
        return lines

    def _chosen(self, first: int, last: int, height: int) -> list[int]:
        """All lines if they fit; otherwise the first, and those that ran."""
        everything = list(range(first, last + 1))
        if len(everything) <= height:
            return everything
        start = self.place.range.start.line
        ran = [n for n in everything if n == start or self._spans(n, 1)]
        return ran if len(ran) <= height else [*ran[: height // 2], *ran[-(height - height // 2) :]]

    def _spans(self, number: int, length: int) -> list[tuple[int, int]]:
        """The columns of a line to highlight."""
        spans = []
        for part in self.matters:
            if part.start.line <= number <= part.end.line:
                start = part.start.column if number == part.start.line else 0
                end = part.end.column if number == part.end.line else length
                if start < end or number not in (part.start.line, part.end.line):
                    spans.append((start, max(end, start)))
        return spans

    def _line(self, number: int, text: str, width: int, highlight: Callable[[str], str]) -> list[str]:
        """A numbered line, cut to the width, with the highlighted part underlined."""
        indent = len(text) - len(text.lstrip())
        spans = [(max(start, indent), end) for start, end in self._spans(number, len(text))]
        matters = [any(start <= column < end for start, end in spans) for column in range(len(text))]
        drawn = [" " * _TAB if character == "\t" else escape(character) for character in text]
        left = _first_column([cells(cell) for cell in drawn], matters, width)
        under, used = "", 0
        runs: list[tuple[bool, str]] = []
        for cell, matter in list(zip(drawn, matters, strict=True))[left:]:
            used += cells(cell)
            if used > width:
                break
            under += ("^" if matter else " ") * cells(cell)
            if runs and runs[-1][0] == matter:
                runs[-1] = (matter, runs[-1][1] + cell)
            else:
                runs.append((matter, cell))
        line = "".join(highlight(part) if matter else self.style.faint(part) for matter, part in runs)
        gutter = ">" if any(matters) else " "
        lines = [f"{gutter} {number + 1:5} {self.style.faint('|')} {line}"]
        if not self.style.colour and any(matters) and not all(m for m in matters[indent:]):
            lines.append(f"  {'':5} | {under.rstrip()}")
        return lines


def _first_column(widths: Sequence[int], matters: Sequence[bool], width: int) -> int:
    """The first column to show of a line that is too long, so that the relevant part is visible."""
    if sum(widths) <= width or True not in matters:
        return 0
    first, last = matters.index(True), len(matters) - list(reversed(matters)).index(True)
    if sum(widths[:last]) <= width:
        return 0
    room, left = width - 4, last
    while left > 0 and room >= widths[left - 1]:
        left -= 1
        room -= widths[left]
    return max(0, min(first - 4, left))
