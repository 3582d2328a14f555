"""Renders a slice with exact places: source with the rest greyed out, in the terminal, as HTML or as LaTeX."""

import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from attrs import frozen

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.slicing.slicer import Slice

_GAP = "⋮"
_MISSING = "?"
_PAGE = """\
<!doctype html>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 14px/1.5 system-ui, sans-serif; margin: 2em }}
pre {{ font: 13px/1.4 ui-monospace, monospace }}
.out {{ color: #aaa }}
</style>
<h1>{title}</h1>
{body}
"""
_DOCUMENT = r"""\documentclass{{article}}
\usepackage[T1]{{fontenc}}
\usepackage[utf8]{{inputenc}}
\usepackage{{xcolor}}
\definecolor{{notinslice}}{{gray}}{{0.7}}
\newcommand{{\notinslice}}[1]{{\textcolor{{notinslice}}{{#1}}}}
\setlength{{\parindent}}{{0pt}}
\begin{{document}}
\section*{{{title}}}
{body}
\end{{document}}
"""
_LATEX = {
    **{character: f"\\{character}" for character in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    " ": "~",
    "-": "{-}",
    "<": "{<}",
    ">": "{>}",
    "`": "\\textasciigrave{}",
    "'": "\\textquotesingle{}",
    '"': "\\textquotedbl{}",
}
Mark = Callable[[str, bool], str]
"""Writes a piece of text, given whether it is in the slice."""


@frozen
class ExactSliceView:
    """A slice with the sources of its run."""

    slice: Slice
    sources: Sources

    def size(self) -> tuple[int, int]:
        """The bytes of the slice and of its files, without spaces and empty lines."""
        kept = whole = 0
        for path, columns in self._columns().items():
            for number, text in enumerate(self.sources.lines(path)):
                whole += len("".join(text.split()).encode())
                inside = columns.get(number, [])
                kept += sum(len("".join(text[start:end].split()).encode()) for start, end in inside)
        return kept, whole

    def source(self, style: Style) -> list[str]:
        """The source by file. Without colour only lines of the slice, with `?` for the parts left out."""
        lines: list[str] = []
        for path, columns in sorted(self._columns().items()):
            lines += [*([""] if lines else []), style.strong(escape(path))]
            previous = -1
            for number, text in enumerate(self.sources.lines(path)):
                inside = columns.get(number, [])
                if not inside and not style.colour:
                    continue
                if number > previous + 1:
                    lines.append(f"  {'':5} {_GAP}")
                previous = number
                shown = "".join(self._marked(text, inside, lambda piece, kept: _shown(piece, kept, style)))
                lines.append(f"  {number + 1:5} {style.faint('|')} {shown}".rstrip())
        return lines

    def steps(self, style: Style) -> list[str]:
        """One line for each piece of code, in the order in which it was first needed."""
        lines = []
        for step in self.slice.steps:
            line, start = step.place.range.start.line, step.place.range.start.column
            text = self.sources.lines(step.place.path)[line][start : step.place.range.end.column]
            lines.append(
                f"{escape(step.place.path)}:{line + 1}:{start + 1}".ljust(24) + f" {style.strong(escape(text))}"
            )
        return lines

    def page(self, title: str) -> str:
        """An HTML page without scripts and links."""

        def mark(piece: str, kept: bool) -> str:
            text = html.escape(piece)
            return text if kept or not piece.strip() else f'<span class="out">{text}</span>'

        body = [
            f"<h2>{html.escape(path)}</h2>\n<pre>{chr(10).join(self._lines(path, columns, mark))}</pre>"
            for path, columns in sorted(self._columns().items())
        ]
        return _PAGE.format(title=html.escape(title), body="\n".join(body))

    def latex(self, title: str) -> str:
        """A LaTeX document that needs only standard packages."""

        def mark(piece: str, kept: bool) -> str:
            text = "".join(_LATEX.get(character, character) for character in piece)
            return text if kept or not piece.strip() else f"\\notinslice{{{text}}}"

        body = [
            f"\\subsection*{{{_latex(path)}}}\n\\ttfamily\\small\n"
            + "\\\\\n".join(f"\\mbox{{}}{line}" for line in self._lines(path, columns, mark))
            for path, columns in sorted(self._columns().items())
        ]
        return _DOCUMENT.format(title=_latex(title).replace("~", " "), body="\n".join(body))

    def _lines(self, path: str, columns: dict[int, list[tuple[int, int]]], mark: Mark) -> list[str]:
        texts = enumerate(self.sources.lines(path))
        return ["".join(self._marked(text.expandtabs(4), columns.get(n, []), mark)) for n, text in texts]

    def _marked(self, text: str, inside: list[tuple[int, int]], mark: Mark) -> Iterator[str]:
        at = 0
        for start, end in inside:
            if start > at:
                yield mark(text[at:start], False)
            yield mark(text[max(at, start) : end], True)
            at = max(at, end)
        if at < len(text):
            yield mark(text[at:], False)

    def _columns(self) -> dict[str, dict[int, list[tuple[int, int]]]]:
        """The columns of the slice by file and line."""
        columns: dict[str, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
        for place in self.slice.places:
            for line in range(place.range.start.line, place.range.end.line + 1):
                start = place.range.start.column if line == place.range.start.line else 0
                is_last = line == place.range.end.line
                end = place.range.end.column if is_last else len(self.sources.lines(place.path)[line])
                columns[place.path][line].append((start, end))
        return {path: {n: sorted(pieces) for n, pieces in lines.items()} for path, lines in columns.items()}


def _shown(piece: str, kept: bool, style: Style) -> str:
    if kept:
        return escape(piece)
    if style.colour:
        return style.faint(escape(piece))
    return re.sub(r"\S(.*\S)?", _MISSING, piece)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
