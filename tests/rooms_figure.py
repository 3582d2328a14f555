"""Draws docs/images/rooms.svg, the rooms of the package and their imports: `python -m tests.rooms_figure`.

Levels are the longest chain of imports below a room. An arrow that follows from others is left out.
"""

from functools import cache
from html import escape

from adebug_lsp.model.plural import counted
from tests.support import ROOT
from tests.test_layers import MAY_IMPORT, MODULES, imported_rooms, room

PICTURE = ROOT / "docs" / "images" / "rooms.svg"
WIDTH, BOX_WIDTH, BOX_HEIGHT, LEVEL = 1900, 128, 38, 84
COLUMNS = {
    "frontends": (0.0, 0.17),
    "haskell": (0.17, 0.32),
    "erlang": (0.32, 0.48),
    "languages": (0.48, 0.56),
    "python": (0.56, 0.72),
    "": (0.72, 1.0),
}
"""Left and right edge of each group of rooms, as fractions of the width."""
COLOURS = {"frontends": "#dbe9ff", "languages": "#e2f5e5"}
OTHER = "#fff3d6"


def group_of(name: str) -> str:
    """The column of a room."""
    parts = name.split("/")
    if parts[0] == "languages" and len(parts) > 1:
        return parts[1]
    return parts[0] if parts[0] in COLUMNS else ""


def imports_of_rooms() -> dict[str, set[str]]:
    """The rooms that each room imports, as the modules have it."""
    arrows: dict[str, set[str]] = {name: set() for name in MAY_IMPORT}
    for path in MODULES:
        own = room(path)
        if own in arrows:
            arrows[own] |= imported_rooms(path) & set(MAY_IMPORT) - {own}
    return arrows


def levels(arrows: dict[str, set[str]]) -> dict[str, int]:
    """The level of each room: the longest chain of imports below it; raises `ValueError` for a cycle."""
    known: dict[str, int] = {}

    def level(name: str, way: tuple[str, ...]) -> int:
        if name in way:
            raise ValueError(f"rooms import each other: {' -> '.join([*way[way.index(name) :], name])}")
        if name not in known:
            known[name] = max((level(other, (*way, name)) + 1 for other in sorted(arrows[name])), default=0)
        return known[name]

    for name in arrows:
        level(name, ())
    return known


def reduced(arrows: dict[str, set[str]]) -> set[tuple[str, str]]:
    """The arrows that do not follow from others (transitive reduction)."""

    @cache  # there are thousands of ways through the graph
    def reached(name: str) -> set[str]:
        return arrows[name].union(*(reached(other) for other in arrows[name]))

    indirect: dict[str, set[str]] = {name: set().union(*(reached(other) for other in arrows[name])) for name in arrows}
    return {(name, other) for name in arrows for other in arrows[name] - indirect[name]}


def svg() -> str:
    """Draw the picture: a room is above those that it imports."""
    arrows = imports_of_rooms()
    level_of = levels(arrows)
    count = {name: sum(room(path) == name and path.name != "__init__.py" for path in MODULES) for name in arrows}
    top = max(level_of.values())
    places: dict[str, tuple[float, float]] = {}
    for level in range(top + 1):
        for group, (left, right) in COLUMNS.items():
            row = sorted(name for name in arrows if level_of[name] == level and group_of(name) == group)
            for index, name in enumerate(row):
                x = left + (right - left) * (index + 0.5) / len(row)
                places[name] = (WIDTH * x, 40 + (top - level) * LEVEL)
    height = 40 + top * LEVEL + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">'
        '<path d="M0,0 L7,3 L0,6 z" fill="#8a8f98"/></marker></defs>',
    ]
    for name, other in sorted(reduced(arrows)):
        (x, y), (to_x, to_y) = places[name], places[other]
        y, to_y = y + BOX_HEIGHT / 2, to_y - BOX_HEIGHT / 2
        bend = (to_y - y) / 2
        parts.append(
            f'<path d="M{x:.0f},{y:.0f} C{x:.0f},{y + bend:.0f} {to_x:.0f},{to_y - bend:.0f} {to_x:.0f},{to_y:.0f}"'
            ' fill="none" stroke="#b4b9c2" marker-end="url(#tip)"/>'
        )
    for name, (x, y) in sorted(places.items()):
        top_name, _, rest = name.partition("/")
        label = rest or top_name
        parts.append(
            f'<rect x="{x - BOX_WIDTH / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"'
            f' rx="6" fill="{COLOURS.get(top_name, OTHER)}" stroke="#5b6270"/>'
            f'<text x="{x:.0f}" y="{y - 2:.0f}" text-anchor="middle" font-size="13">{escape(label)}</text>'
            f'<text x="{x:.0f}" y="{y + 13:.0f}" text-anchor="middle" font-size="10" fill="#5b6270">'
            f"{counted(count[name] or 1, 'module')}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(svg(), encoding="utf-8")
