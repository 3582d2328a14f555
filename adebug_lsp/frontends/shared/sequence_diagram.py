"""A diagram of processes as text and as an SVG picture: the creation tree, and below it the sequence of events."""

from collections.abc import Sequence
from html import escape

from adebug_lsp.languages.diagram import Arrow, ArrowKind, Diagram, Lane

_LANE, _ROW, _LEFT, _TOP, _STEP = 180, 26, 100, 46, 14
_THIN = 'fill="none" stroke="currentColor" opacity="0.6"'
MOST, MOST_LANES = 2000, 200
"""Maximum numbers of events and processes in a picture; editors do not show larger ones."""
_DEEP = 20
"""Maximum indentation, in levels."""
_NARROW = 60
"""Number of processes beyond which the text has no lanes, because they would be too wide."""

_DASHES = {
    ArrowKind.START: ' stroke-dasharray="6 3"',
    ArrowKind.LINK: ' stroke-dasharray="1 5"',
    ArrowKind.SIGNAL: ' stroke-dasharray="2 3"',
    ArrowKind.EXIT: ' stroke-dasharray="2 3"',
}


def as_text(diagram: Diagram, most: int | None = None) -> list[str]:
    """The diagram as lines, with the first events. The number in front is a node of the tree, for `restart`."""
    nodes = [lane.node for lane in diagram.lanes] + [arrow.node for arrow in diagram.arrows]
    width = len(str(max(nodes, default=0)))
    lines = ["processes, each below the one that started it", *_creation(diagram, width), ""]
    lines.append("events between processes")
    lanes = len(diagram.lanes) if len(diagram.lanes) <= _NARROW else 0
    lines.append(" ".join([" " * width, *(f"{lane % 10}" for lane in range(1, lanes + 1))]))
    shown = diagram.arrows[:most]
    lines += [f"{arrow.node:{width}} {_drawn(arrow, lanes)}  {_arrow_text(arrow)}" for arrow in shown]
    return lines + _rest(diagram, len(shown))


def _rest(diagram: Diagram, shown: int) -> list[str]:
    return [f"... and {len(diagram.arrows) - shown} events more"] if shown < len(diagram.arrows) else []


def _creation(diagram: Diagram, width: int) -> list[str]:
    """One line per process; not recursive, because chains of processes may be longer than Python's stack."""
    below: dict[int, list[int]] = {}
    for lane, process in enumerate(diagram.lanes):
        below.setdefault(process.parent, []).append(lane)
    lines = []
    waiting = [(lane, 1) for lane in reversed(below.get(-1, []))]
    while waiting:
        lane, depth = waiting.pop()
        process = diagram.lanes[lane]
        lines.append(f"{process.node:{width}} {'  ' * min(depth, _DEEP)}{lane + 1} {process.name} {process.text}")
        waiting += [(child, depth + 1) for child in reversed(below.get(lane, []))]
    return lines


def _drawn(arrow: Arrow, lanes: int) -> str:
    """One row of the lanes, with an arrow from its start to its end."""
    cells = list(" ".join("|" * lanes))
    if not cells:
        return ""
    start, end = 2 * arrow.source, 2 * arrow.target
    if arrow.target >= 0 and start != end:
        step = 1 if end > start else -1
        for column in range(start + step, end, step):
            cells[column] = "-"
        cells[end] = ">" if step > 0 else "<"
    cells[start] = "x" if arrow.kind is ArrowKind.END else "o"
    return "".join(cells)


def _arrow_text(arrow: Arrow) -> str:
    """An arrow as a line of text."""
    if arrow.kind is ArrowKind.END:
        return f"{arrow.source + 1} ends with {arrow.text}"
    to = "" if arrow.target < 0 or arrow.kind is ArrowKind.START else f" to {arrow.target + 1}"
    if arrow.kind is ArrowKind.SIGNAL:
        return f"{arrow.target + 1} is notified of the end of {arrow.source + 1}: {arrow.text}"
    if arrow.kind is ArrowKind.EXIT:
        return f"the end of {arrow.source + 1} ends {arrow.target + 1}, which is linked with it: {arrow.text}"
    if arrow.kind is ArrowKind.LINK:
        return f"{arrow.source + 1} {arrow.kind.value} {arrow.target + 1}"
    return f"{arrow.source + 1} {arrow.kind.value} {arrow.text}{to}"


def as_svg(diagram: Diagram) -> str:
    """The picture of the first processes and events; every arrow has the number of its node as `data-node`."""
    lanes = diagram.lanes[:MOST_LANES]
    arrows = [arrow for arrow in diagram.arrows if max(arrow.source, arrow.target) < MOST_LANES][:MOST]
    depths = _depths(lanes)
    above = _STEP * (max(depths, default=0) + 1)
    width = _LEFT + _LANE * max(1, len(lanes)) + 240
    height = _TOP + _ROW * (len(arrows) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + above}"'
        f' viewBox="0 {-above} {width} {height + above}" font-family="sans-serif" font-size="12" fill="currentColor">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z"/></marker></defs>',
    ]
    for lane, process in enumerate(lanes):
        x = _LEFT + _LANE * lane
        if depths[lane]:
            started = f"{process.parent + 1} starts {lane + 1}"
            line = f"M{_LEFT + _LANE * process.parent},0 V{_STEP * depths[process.parent] - above + _STEP // 2} H{x} V0"
            parts.append(f'<path d="{line}" class="creation" {_THIN}><title>{started}</title></path>')
        parts.append(
            f'<g data-node="{process.node}" tabindex="0" role="button">'
            f"<title>{escape(f'{process.name} {process.text}')}</title>"
            f'<text x="{x}" y="16" text-anchor="middle">{escape(process.name)}</text>'
            f'<text x="{x}" y="32" text-anchor="middle" opacity="0.7">{escape(_short(process.text, 26))}</text></g>'
            f'<line x1="{x}" y1="{_TOP - 6}" x2="{x}" y2="{height - _ROW}" stroke="currentColor" opacity="0.4"/>'
        )
    parts += [_svg_arrow(arrow, _TOP + _ROW * row) for row, arrow in enumerate(arrows, 1)]
    parts += [f'<text x="10" y="{height - 6}">{line}</text>' for line in _rest(diagram, len(arrows))]
    return "\n".join([*parts, "</svg>", ""])


def _depths(lanes: Sequence[Lane]) -> list[int]:
    """The depth of every process in the creation tree, limited so that very deep ones are drawn side by side."""
    depths: list[int] = []
    for lane, process in enumerate(lanes):
        depths.append(min(depths[process.parent] + 1, _DEEP) if 0 <= process.parent < lane else 0)
    return depths


def _svg_arrow(arrow: Arrow, y: int) -> str:
    start = _LEFT + _LANE * arrow.source
    end = start + 30 if arrow.target in (-1, arrow.source) else _LEFT + _LANE * arrow.target
    dash = _DASHES.get(arrow.kind, "")
    line = (
        f'<circle cx="{start}" cy="{y}" r="4"/>'
        if arrow.kind is ArrowKind.END
        else f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="currentColor"{dash} marker-end="url(#head)"/>'
    )
    title = escape(_arrow_text(arrow))
    x = min(start, end) + 6
    return (
        f'<g data-node="{arrow.node}" tabindex="0" role="button"><title>{title}</title>{line}'
        f'<text x="{x}" y="{y - 4}">{escape(_short(arrow.text, 60))}</text></g>'
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
