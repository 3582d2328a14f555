"""Browses trails on a terminal: one key moves to a row, opens an argument, or goes back."""

from attrs import define, evolve, field

from adebug_lsp.frontends.cli.modes.terminal import DOWN, END, ESCAPE, UP, Terminal
from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.cli.render.trail_view import trail_lines
from adebug_lsp.languages.redex_trail import Tracer, Trail, TrailRow

KEYS = "up, down: row  1-9: open argument  b: back  f: forward  r: reverse  q: quit"


def browse(tracer: Tracer, trail: Trail, style: Style, backwards: bool) -> None:
    """Show trails until the user quits."""
    terminal, view = Terminal(), TrailScreen(tracer, [trail], backwards)
    with terminal.taken():
        while True:
            width, height = terminal.size()
            terminal.show(view.lines(style, width, height - 1))
            if not view.press(terminal.key()):
                return


@define(eq=False)
class TrailScreen:
    """The state of the screen, separate from the terminal."""

    tracer: Tracer
    trails: list[Trail]
    """The opened trails, in order."""
    backwards: bool = False
    _at: int = 0
    _row: int = 0
    _rows: dict[int, int] = field(factory=dict)
    """The chosen row of each trail."""

    @property
    def trail(self) -> Trail:
        """The current trail, in the order shown."""
        trail = self.trails[self._at]
        return evolve(trail, rows=trail.rows[::-1]) if self.backwards else trail

    @property
    def row(self) -> TrailRow | None:
        """The chosen row."""
        rows = self.trail.rows
        return rows[min(self._row, len(rows) - 1)] if rows else None

    def press(self, key: str) -> bool:
        """Handle a key; returns False if the user quits."""
        last = max(len(self.trail.rows) - 1, 0)
        match key:
            case _ if key in ("q", "\x03", END):
                return False
            case _ if key in (UP, "k"):
                self._row = max(self._row - 1, 0)
            case _ if key in (DOWN, "j"):
                self._row = min(self._row + 1, last)
            case _ if key in ("b", ESCAPE):
                self._go(self._at - 1)
            case "f":
                self._go(self._at + 1)
            case "r":
                self.backwards, self._row = not self.backwards, last - self._row
            case _ if key.isdecimal():
                self._open(int(key))
        return True

    def _go(self, at: int) -> None:
        if 0 <= at < len(self.trails):
            self._rows[self._at] = self._row
            self._at, self._row = at, self._rows.get(at, 0)

    def _open(self, number: int) -> None:
        arguments = self.row.arguments if self.row is not None else ()
        if 1 <= number <= len(arguments) and arguments[number - 1].address:
            opened = self.tracer.argument(arguments[number - 1].address)
            del self.trails[self._at + 1 :]
            self.trails.append(opened)
            self._rows.pop(self._at + 1, None)
            self._go(self._at + 1)

    def lines(self, style: Style, width: int, height: int) -> list[str]:
        """The screen: the rows around the chosen one, its arguments, and the keys."""
        title, blank, *rows = trail_lines(evolve(self.trail, has_more=False), Style(colour=False))
        below = self._arguments(style, width)
        room = max(height - len(below) - 4, 1)
        first = max(0, min(self._row - room // 2, len(rows) - room))
        shown = [title[:width], blank]
        for number, text in list(enumerate(rows))[first : first + room]:
            is_chosen = number == self._row
            line = f"{'>' if is_chosen else ' '} {text}"[:width]
            shown.append(style.strong(line) if is_chosen else line)
        return [*shown, "", *below, style.faint(KEYS[:width])]

    def _arguments(self, style: Style, width: int) -> list[str]:
        lines = []
        for number, argument in enumerate(self.row.arguments[:9] if self.row is not None else (), 1):
            text = f"{number if argument.address else ' '} {escape(argument.name)} = {escape(argument.text)}"[:width]
            lines.append(text if argument.address else style.faint(text))
        return lines
