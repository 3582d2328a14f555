"""The screen: what it shows, without a terminal; and a whole session key by key, in a real one."""

import os
import re
import select
import signal
import sys
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.frontends.cli.modes.screen import question, verdict
from adebug_lsp.frontends.cli.render.mark_picker import rows, window
from adebug_lsp.frontends.cli.render.question_rows import question_rows
from adebug_lsp.frontends.cli.render.source_excerpt import Excerpt
from adebug_lsp.frontends.cli.render.style import Style, rows_of, style_of
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.presentation import present
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.values import Binding, Environment, Part, Role, Value
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.support import EXAMPLES, ROOT, example

PLAIN, COLOUR = Style(colour=False), Style(colour=True)
CODE = "def f(x):\n\ty = x\n    if y < 3:\n        return y\n    return 4\n\n\n# end\n"


def place(*numbers: int) -> Location:
    first_line, first_column, last_line, last_column = numbers
    return Location("f.py", Range(Position(first_line, first_column), Position(last_line, last_column)))


def excerpt(where: Location, *ran: Location, style: Style = PLAIN) -> Excerpt:
    return Excerpt(Sources({"f.py": CODE}), where, [part.range for part in ran], style)


def test_the_executed_code_is_underlined() -> None:
    lines = excerpt(place(0, 0, 4, 12), place(1, 1, 1, 6), place(2, 7, 2, 12)).lines(20, 60)
    assert lines == [
        "      1 | def f(x):",
        ">     2 |     y = x",
        ">     3 |     if y < 3:",
        "        |        ^^^^^",
        "      4 |         return y",
        "      5 |     return 4",
        "      6 | ",
        "      7 | ",
    ]


def test_in_colour_the_rest_is_faint() -> None:
    (line,) = excerpt(place(2, 7, 2, 12), place(2, 7, 2, 12), style=COLOUR).lines(1, 60)
    assert line.endswith("\x1b[2m    if \x1b[0m\x1b[1;36my < 3\x1b[0m\x1b[2m:\x1b[0m")


def test_long_code_keeps_its_first_line_and_what_ran() -> None:
    lines = excerpt(place(0, 0, 7, 5), place(4, 4, 4, 12)).lines(3, 60)
    assert [line.split("|")[-1].strip() for line in lines if "|" in line] == ["def f(x):", "return 4"]
    assert any("⋮" in line for line in lines)


def test_code_that_is_not_known_is_not_shown() -> None:
    assert Excerpt(Sources({}), place(0, 0, 0, 3), [], PLAIN).lines(10, 60) == []


@given(st.text(alphabet="ab \té𝒂\x1b\u202e", max_size=80), st.integers(0, 80), st.integers(0, 80), st.integers(20, 60))
def test_no_line_of_code_leaves_its_column_or_is_obeyed(text: str, start: int, end: int, width: int) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    where = place(0, start, 0, end)
    shown = Excerpt(Sources({"f.py": text}), where, [where.range], PLAIN).lines(5, width)
    assert all(line.isprintable() and len(line) <= width + 10 for line in shown)


def value(text: str, *parts: tuple[str | int, Value]) -> Value:
    return Value(text, parts=tuple(Part(key, part) for key, part in parts))


def behaviour() -> Behaviour:
    items = value("[1, 2]", (0, value("1")), (1, value("2")))
    return Behaviour(
        "push([1, 2], 9) = 3",
        before=Environment((Binding("items", items, Role.ARGUMENT), Binding("new", value("9"), Role.ARGUMENT))),
        after=Environment((Binding("items", value("[1, 9, 2]")), Binding("count", value("1")))),
        result=value("3"),
    )


def test_values_stand_under_what_they_are() -> None:
    assert question_rows(present(behaviour()), PLAIN) == [
        "  given     new = 9",
        "  changed   items: [1, 2] → [1, 9, 2]",
        "            count = 1",
        "  gave      3",
    ]
    assert question_rows(present(behaviour()), COLOUR)[1].startswith("\x1b[32m")


def test_output_is_shown_line_by_line_as_it_was() -> None:
    printed = Binding("printed", value("a\n  b\x1b"), Role.OUTPUT)
    wrote = Binding("wrote to 'out.txt'", value("c"), Role.OUTPUT)
    assert question_rows(present(Behaviour("f", after=Environment((printed, wrote)))), PLAIN) == [
        "  printed:",
        "    | a",
        "    |   b\\x1b",
        "  wrote to 'out.txt': c",
    ]


def test_exceptions_are_shown() -> None:
    raised = present(Behaviour("f", raised=value("KeyError('\x1b')")))
    assert question_rows(raised, PLAIN) == ["  raised    KeyError('\\x1b')"]


def test_rows_are_counted_without_colours() -> None:
    assert [rows_of(text, 10) for text in ("", "x" * 10, "x" * 11, "\x1b[31m" + "x" * 20 + "\x1b[0m")] == [1, 1, 2, 2]


def test_every_part_of_a_value_can_be_picked() -> None:
    marks = [row.mark for row in rows(behaviour())]
    assert marks == [
        Mark(MarkOf.RESULT),
        Mark(MarkOf.AFTER, ("items",)),
        Mark(MarkOf.AFTER, ("count",)),
        Mark(MarkOf.ARGUMENT, ("items",)),
        Mark(MarkOf.ARGUMENT, ("items", 0)),
        Mark(MarkOf.ARGUMENT, ("items", 1)),
        Mark(MarkOf.ARGUMENT, ("new",)),
        Mark(MarkOf.CALL),
    ]


@given(st.integers(1, 50), st.integers(0, 49), st.integers(1, 30))
def test_the_chosen_row_is_always_seen(length: int, chosen: int, height: int) -> None:
    shown = window(length, min(chosen, length - 1), height)
    assert min(chosen, length - 1) in shown
    assert len(shown) == min(height, length)


def test_a_question_and_a_verdict_as_screens() -> None:
    session = Session(HandmadeSubject(example("sqrtest")), Options("top-down"))
    first = session.outcome
    assert isinstance(first, Ask)
    lines = question(first.question, session, PLAIN, 80, 10)
    assert lines[0] == "adebug   0 answers   about 5 left"
    assert "sqrtest [1,2] = False?" in lines
    for word in ("no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "no", "yes"):
        session.answer(Judgement(word))
    assert not isinstance(session.outcome, Ask)
    lines = verdict(session.outcome, session, PLAIN, 80, 20)
    assert "Bug found in the rule sum2" in lines
    assert "  no           sum2 3 = 2" in lines
    assert lines[-1].startswith("n not the bug")


def test_no_color_disables_colours() -> None:
    assert not style_of({"NO_COLOR": "1"}).colour
    assert style_of({}).colour


# In a terminal


class Seat:
    """A person at a terminal: sees text, presses keys."""

    def __init__(self, cwd: Path, *arguments: str) -> None:
        import pty  # noqa: PLC0415 (there is none on Windows)

        with (
            warnings.catch_warnings()
        ):  # since 3.12: the test runner has threads, and the child only executes another program
            warnings.filterwarnings("ignore", ".*forkpty", DeprecationWarning)
            self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(cwd)
            os.environ.update(PYTHONPATH=str(ROOT), TERM="xterm", COLUMNS="90", LINES="40")
            os.execv(sys.executable, [sys.executable, "-m", *arguments])
        self.seen = ""

    def sees(self, text: str) -> str:
        """Wait for a screen with this text; gives the screen without its colours."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            screen = re.sub(r"\x1b\[[0-9;]*m", "", self.seen.rpartition("\x1b[2J")[2])
            if text in screen:
                return screen
            self._read()
        raise AssertionError(f"{text!r} is not on the screen:\n{self.seen}")

    def presses(self, keys: str) -> None:
        self.seen = ""
        os.write(self.terminal, keys.encode())

    def ends(self) -> int:
        while self._read():
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])

    def _read(self) -> bool:
        try:
            if select.select([self.terminal], [], [], 0.2)[0]:
                data = os.read(self.terminal, 65536)
                self.seen += data.decode("utf-8", "replace")
                return bool(data)
        except OSError:  # the other side is gone
            return False
        return True


needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")


@needs_terminal
def test_a_session_key_by_key(tmp_path: Path) -> None:
    (tmp_path / "shop.calc").write_text("area(w, h) = w * h + 1\nmain() = area(2, 3) - 1\n", encoding="utf-8")
    seat = Seat(tmp_path, "tests.frontends.cli.calc", "run", "shop.calc")
    seat.presses("\x04")  # the program reads its input to the end
    seat.sees("area(2, 3) = 7?")
    seat.presses("w")
    seat.sees("Asked because it narrows the search most")
    seat.presses("?")
    assert "untrust NAME" in seat.sees("any key: go on")
    seat.presses("x")
    seat.sees("is this")
    seat.presses("e")
    seat.sees("It should have returned: ")
    seat.presses("6\n")
    seat.sees("inside area(2, 3) = 7")
    seat.presses("yu")
    seat.sees("w * h = 6?")
    seat.presses("rn")
    seat.sees("Bug found in calc.area")
    screen = seat.sees("q done")
    assert ">     1 | area(w, h) = w * h + 1" in screen
    assert "with      w = 2, h = 3" in screen
    assert "no           area(2, 3) = 7   should be 6" in screen
    seat.presses("n")
    seat.sees("Enter repeats that answer.")
    seat.presses("\n\n")
    seat.sees("Bug found in calc.area")
    seat.presses("q")
    assert seat.ends() == 0


@needs_terminal
def test_marks_words_strategies_and_dead_ends(tmp_path: Path) -> None:
    (tmp_path / "shop.calc").write_text("area(w, h) = w * h + 1\nmain() = area(2, 3) - 1\n", encoding="utf-8")
    seat = Seat(tmp_path, "tests.frontends.cli.calc", "run", "shop.calc")
    seat.presses("\x04")
    seat.sees("is this")
    seat.presses("m")
    seat.sees("> result = 7")
    seat.presses("\x1b[B")
    seat.sees("> w = 2")
    seat.presses("\x1b")
    seat.sees("area(2, 3) = 7?")
    seat.presses("mjjj\n")
    seat.sees("Couldn't trace that value")
    seat.presses("u")
    seat.sees("area(2, 3) = 7?")
    seat.presses("s")
    seat.sees("Strategy (")
    seat.presses("guess\n")
    seat.sees("adebug: unknown strategy 'guess'")
    seat.presses(":")
    seat.sees("> ")
    seat.presses("zoom routine\n")
    seat.sees("is this")
    seat.presses("d")
    seat.sees("Dead end: one of these is the bug.")
    seat.presses("s")
    seat.sees("is this")
    seat.presses("yz")
    seat.sees("inside main() = 6")
    seat.sees("Bug found in calc.main")  # statements are asked about now, and there is none
    seat.presses("\x04")
    assert seat.ends() == 0


@needs_terminal
def test_an_interrupt_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    import termios  # noqa: PLC0415

    seat = Seat(tmp_path, "adebug_lsp", "open", str(EXAMPLES / "sqrtest.json"))
    before = termios.tcgetattr(seat.terminal)
    seat.sees("Is this what it should have done?")
    assert termios.tcgetattr(seat.terminal)[3] != before[3]
    os.kill(seat.child, signal.SIGINT)
    seat.sees("adebug: interrupted")
    assert termios.tcgetattr(seat.terminal)[3] == before[3]
    assert seat.ends() == 130
