"""Lines of source, and the width of text on a terminal."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.frontends.cli.render.source_excerpt import Excerpt
from adebug_lsp.frontends.cli.render.style import Style, rows_of
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.text import cells, lines_of, whole_lines
from tests.support import ROOT

SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters that end a line for `str.splitlines`, but not for Python, Erlang and LSP."""
NOT_SOURCE = {
    "oracles/external_command.py": "what a command printed",
    "frontends/shared/open_session.py": "the help text",
    "languages/haskell/testing/test_run.py": "what a program printed",
    "languages/python/diagnosis.py": "what an interpreter printed",
    "languages/python/recorder/run/pytest_events.py": "the message of a failed test",
}
"""Modules that may use `splitlines`, with the reason."""


@given(st.text(st.sampled_from("ab\n\r" + SEPARATORS)))
def test_lines_and_whole_lines_are_the_same_text(text: str) -> None:
    assert "".join(whole_lines(text)) == text
    ends = [line.rstrip("\r\n") for line in whole_lines(text)]
    assert lines_of(text) == (ends if text and text[-1] not in "\r\n" else [*ends, ""])


@given(st.text(st.sampled_from("ab " + SEPARATORS)), st.sampled_from(["\n", "\r\n", "\r"]))
def test_a_line_is_what_the_compiler_counts(text: str, end: str) -> None:
    source = f"# {text}{end}{end}here"
    (statement,) = ast.parse(source).body
    assert lines_of(source)[statement.lineno - 1] == "here"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("e\u0301", 1),
        ("ｆ", 2),
        ("🙂!", 3),
        ("한", 2),
        ("ᄒ\u1161\u11ab", 2),
        ("é", 1),
        ("", 0),
    ],
)
def test_a_text_takes_cells(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("line", "wrong", "under"),
    [
        ("x = '日本' + y", "y", "             ^"),
        ("x = '🙂' + yy", "yy", "           ^^"),
        ("x = 'e\u0301' + y", "y", "          ^"),
        ("\tx = y", "y", "        ^"),
        ("x = '日本'", "'日本'", "    ^^^^^^"),
    ],
)
def test_carets_are_under_the_right_code(line: str, wrong: str, under: str) -> None:
    start = line.rindex(wrong)
    where = Range(Position(0, start), Position(0, start + len(wrong)))
    excerpt = Excerpt(Sources({"a.py": line}), Location("a.py", where), [where], Style(colour=False))
    _, carets = excerpt.lines(10, 80)
    assert carets.partition("| ")[2] == under


def test_a_long_line_of_wide_characters_is_cut_where_the_screen_ends() -> None:
    line = f"x = '{'日' * 60}' + y"
    where = Range(Position(0, len(line) - 1), Position(0, len(line)))
    excerpt = Excerpt(Sources({"a.py": line}), Location("a.py", where), [where], Style(colour=False))
    shown, carets = (line.partition("| ")[2] for line in excerpt.lines(10, 40))
    assert shown.endswith("' + y")
    assert cells(shown) == cells(carets) <= 40


def test_rows_of_a_screen_are_counted_in_cells() -> None:
    assert rows_of("日" * 10, 10) == 2


def test_sources_are_not_cut_by_splitlines() -> None:
    package = ROOT / "adebug_lsp"
    files = {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in package.rglob("*.py")}
    assert {name for name, text in files.items() if ".splitlines(" in text} == set(NOT_SOURCE)
