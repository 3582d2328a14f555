"""Renders a slice as source with the rest greyed out (text, HTML, LaTeX), or as its steps."""

import html
from collections.abc import Iterator

from attrs import frozen

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.slicing.provenance import Certainty
from adebug_lsp.slicing.slicer import Slice

_GAP = "⋮"
_SURE = {Certainty.EXACT: "", Certainty.DERIVED: "  (most likely)", Certainty.UNKNOWN: "  (perhaps)"}
_PAGE = """\
<!doctype html>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 14px/1.5 system-ui, sans-serif; margin: 2em }}
pre {{ font: 13px/1.4 ui-monospace, monospace }}
.out {{ opacity: 0.35 }}
.in {{ background: #fff3b0; color: #000 }}
</style>
<h1>{title}</h1>
{body}"""
_DOCUMENT = """\
\\documentclass{{article}}
\\usepackage[T1]{{fontenc}}
\\usepackage{{alltt,xcolor}}
\\begin{{document}}
\\section*{{{title}}}
{body}
\\end{{document}}
"""
_VERBATIM = {character: f"\\{character}" for character in "{}"} | {"\\": r"\textbackslash{}"}
_TEX = _VERBATIM | {character: f"\\{character}" for character in "#$%&_"} | {"~": r"\~{}", "^": r"\^{}"}


@frozen
class SliceView:
    """A slice with the sources of its run."""

    slice_: Slice
    sources: Sources

    def source(self, style: Style) -> list[str]:
        """The source by file. Without colour only the lines of the slice, and the heads of the blocks around them."""
        lines: list[str] = []
        for path, inside, around in self._files():
            lines += [*([""] if lines else []), style.strong(escape(path))]
            previous = -1
            for number, text in enumerate(self.sources.lines(path)):
                shown = escape(text.expandtabs(4))
                if number in inside:
                    line = f"> {number + 1:5} {style.faint('|')} {shown}"
                elif style.colour or number in around:
                    line = f"  {number + 1:5} {style.faint('|')} {shown if number in around else style.faint(shown)}"
                else:
                    continue
                if number > previous + 1:
                    lines.append(f"  {'':5} {_GAP}")
                lines.append(line.rstrip())
                previous = number
        return lines

    def steps(self, style: Style) -> list[str]:
        """One line for each step, in order of execution."""
        lines = []
        for step in self.slice_.steps:
            line = step.place.range.start.line
            source = self.sources.lines(step.place.path)
            text = source[line].strip() if line < len(source) else ""
            where = f"{escape(step.place.path)}:{line + 1}"
            lines.append(f"{where:24} {escape(text)}{style.faint(_SURE[step.certainty])}".rstrip())
        return lines

    def page(self, title: str) -> str:
        """An HTML page without scripts and links."""
        body = []
        for path, inside, around in self._files():
            body.append(f"<h2>{html.escape(path)}</h2>\n<pre>")
            for number, text in enumerate(self.sources.lines(path)):
                kind = "in" if number in inside else "around" if number in around else "out"
                body.append(f'<span class="{kind}">{number + 1:5}  {html.escape(text)}</span>')
            body.append("</pre>")
        return _PAGE.format(title=html.escape(title), body="\n".join(body)) + "\n"

    def document(self, title: str) -> str:
        """A LaTeX document, with a macro for every line, so that parts can be copied into other documents."""
        body = []
        for path, inside, around in self._files():
            body += [f"\\subsection*{{{_tex(path, _TEX)}}}", "\\begin{alltt}"]
            for number, text in enumerate(self.sources.lines(path)):
                line = _tex(f"{number + 1:5}  {text.expandtabs(4)}", _VERBATIM)
                colour = None if number in inside else "gray" if number in around else "lightgray"
                body.append(line if colour is None else f"\\textcolor{{{colour}}}{{{line}}}")
            body.append("\\end{alltt}")
        return _DOCUMENT.format(title=_tex(title, _TEX), body="\n".join(body))

    def _files(self) -> Iterator[tuple[str, set[int], set[int]]]:
        lines, around = self.slice_.lines(), self.slice_.lines_around()
        for path in sorted(lines):
            yield path, lines[path], around.get(path, set())


def _tex(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
