"""Code that uses a macro or makes a record executes their definitions, too."""

import pytest

from adebug_lsp.languages.erlang.syntax.definitions import Definitions

TEXT = """-module(m).
%% -define(COMMENT, 0).
-define(LIMIT, 10).
-define(DOUBLE(X), (2 * X + ?LIMIT)).
-define(SELF, ?SELF).
-define(EMPTY, ).
-record(point, {x = 0 :: integer(), y = {1, [2, 3]}, name, 'odd one' = ?LIMIT}).
-record(none, {}).
-record #native{x = 7 :: integer(), y = [8]}.
-define(LIMIT, 20).
f(X) -> ?DOUBLE(X).
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("X + 1", []),
        ("?LIMIT + ?LIMIT", ["20"]),
        ("?DOUBLE(3)", ["(2 * X + ?LIMIT)", "10"]),
        ("?SELF", ["?SELF"]),
        ("?UNKNOWN", []),
        ("?EMPTY", []),
        ('"?LIMIT"', []),
        ("#point{}", ["0", "{1, [2, 3]}", "?LIMIT", "10"]),
        ("#point{x = 5, name = #none{}}", ["{1, [2, 3]}", "?LIMIT", "10"]),
        ("#point{_ = 1}", []),
        ("P#point{x = 5}", []),
        ("g(P)#point{x = 5}", []),
        ("P#point.x", []),
        ("#native{y = #none{}}", ["7"]),
        ("{#point{x = {x, 1}, y = 2, 'odd one' = 3}}", []),
    ],
)
def test_executed_code_includes_the_definitions_that_it_uses(code: str, expected: list[str]) -> None:
    text = f"{TEXT}g() -> {code}."
    spans = Definitions(text).executed_by(text.rindex("g() ->") + 7, len(text) - 1)
    assert [text[start:end] for start, end in spans] == expected


@pytest.mark.parametrize(
    "text", ["", "-", "-define", "-define(", "-define(A", "-define(A,", "-define(A, 'b", "-record(", "-record(r, {a = "]
)
def test_an_incomplete_text_defines_nothing(text: str) -> None:
    definitions = Definitions(text)
    assert not definitions.macros
    assert not any(definitions.records.values())
