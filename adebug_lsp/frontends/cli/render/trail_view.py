"""Renders a trail: rows `value = call`, with the addresses that open the trails of their arguments."""

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.languages.redex_trail import Trail, TrailRow

_WIDEST = 40


def trail_lines(trail: Trail, style: Style, backwards: bool = False) -> list[str]:
    """The rows as text."""
    rows = trail.rows[::-1] if backwards else trail.rows
    width = min(_WIDEST, max((len(escape(row.value)) for row in rows), default=0))
    lines = [style.strong(escape(trail.title)), ""]
    lines += [row_line(row, width, style) for row in rows]
    if trail.has_more:
        lines.insert(2 if backwards else len(lines), "... (and more steps)")
    return lines if rows else [*lines, "nothing of how it was made is recorded"]


def row_line(row: TrailRow, width: int, style: Style) -> str:
    """A row as text; of a value that no call computed, only the value."""
    line = f"{escape(row.value):{width}} = {escape(row.call)}"
    where = f"{row.place.path}:{row.place.range.start.line + 1}" if row.place is not None else ""
    known = [argument.address for argument in row.arguments if argument.address]
    notes = "  ".join(filter(None, [where, f"[{' '.join(known)}]" if known else ""]))
    return f"{line}    {style.faint(escape(notes))}".rstrip()
