"""Outline of an Erlang text: runnable calls, expressions, and the same result after incremental edits."""

import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.erlang.editor.outline import ErlangOutline, outline
from adebug_lsp.languages.language import Outline
from adebug_lsp.model.source import Position, Range

FILE = Path("/work/shop.erl")
TEXT = """\
-module(shop).
-export([start/0, price/1]).
-include_lib("eunit/include/eunit.hrl").
-define(VAT, 19).

%% Begins.
start() -> price({book, 2}).

price({Item, Count}) when Count > 0 ->
    cost(Item) * Count * ?VAT;
price(_) -> "ä😀" ++ 'none'.

cost(_) -> 3.
helper() -> 4.

price_test() -> ?assertEqual(6, price({book, 2})).
all_test_() -> [fun start/0].
"""


def read(text: str, last: ErlangOutline | None = None) -> ErlangOutline:
    result = outline(FILE, text, last)
    assert result is not None
    return result


def shown(outline: Outline) -> list[object]:
    return [outline.expression_at(Position(line, 14)) for line in range(20)] + [(p.name, p) for p in outline.pieces]


def test_exported_functions_without_arguments_and_tests_can_be_run() -> None:
    pieces = [(p.kind, p.name, p.tests, p.call) for p in read(TEXT).pieces]
    assert pieces == [
        ("routine", "start/0", None, "shop:start()"),
        ("routine", "price/1", None, None),
        ("routine", "cost/1", None, None),
        ("routine", "helper/0", None, None),
        ("routine", "price_test/0", ("shop:price_test",), None),
        ("routine", "all_test_/0", ("shop:all_test_",), None),
    ]


def test_without_eunit_nothing_is_a_test() -> None:
    source = read(TEXT.replace("eunit.hrl", "other.hrl"))
    assert [p.name for p in source.pieces if p.runnable] == ["start/0"]


def test_a_file_can_export_all_and_go_without_a_module_name() -> None:
    source = read("-compile([debug_info, export_all]).\nhelper() -> 1.\n")
    assert [p.call for p in source.pieces] == ["shop:helper()"]


def test_a_piece_is_the_whole_function_and_its_head_is_the_name() -> None:
    price = read(TEXT).pieces[1]
    assert price.range == Range(Position(8, 0), Position(10, 26))
    assert price.head == Range(Position(8, 0), Position(8, 5))


def test_the_smallest_expression_around_a_position_is_found() -> None:
    source = read(TEXT)
    assert source.expression_at(Position(9, 10)) == Range(Position(9, 9), Position(9, 13))  # Item
    assert source.expression_at(Position(9, 14)) == Range(Position(9, 4), Position(9, 14))  # cost(Item)
    assert source.expression_at(Position(9, 26)) == Range(Position(9, 25), Position(9, 29))  # ?VAT
    assert source.expression_at(Position(10, 17)) == Range(Position(10, 12), Position(10, 26))  # ++
    assert source.expression_at(Position(0, 3)) is None


def test_a_function_with_an_error_is_missing_until_it_is_repaired() -> None:
    whole = read(TEXT)
    broken = read(TEXT.replace("cost(_) -> 3.", "cost(_) -> 3 +."), whole)
    assert {p.name for p in whole.pieces} - {p.name for p in broken.pieces} == {"cost/1"}
    assert shown(read(TEXT, broken)) == shown(whole)


def test_a_quote_closed_later_turns_the_code_in_between_into_text() -> None:
    first = 'a() -> """\n x".\nb() -> 1.\n'
    last = read(first)
    assert [p.name for p in last.pieces] == ["a/0", "b/0"]
    assert [p.name for p in read(first + '""".\n', last).pieces] == ["a/0"]


EDITS = st.lists(
    st.tuples(
        st.integers(0, len(TEXT)),
        st.integers(0, 12),
        st.sampled_from(
            ["", "x", ".", ".\n", '"', "'", "$", "%", "\n", "(", "-", "?", "-define(VAT(X), X).\n", "f() -> 1.\n"]
        ),
    ),
    min_size=1,
    max_size=4,
)


@given(EDITS)
@settings(deadline=None)
def test_the_outline_follows_edits(edits: list[tuple[int, int, str]]) -> None:
    text, source = TEXT, read(TEXT)
    for offset, removed, added in edits:
        text = text[:offset] + added + text[offset + removed :]
        source = read(text, source)
        assert shown(source) == shown(read(text))
        assert source.syntax.broken_forms == read(text).syntax.broken_forms


def test_a_keystroke_in_a_large_file_takes_less_than_50_milliseconds() -> None:
    function = (
        "f{0}(X, [H | T]) when X > {0} ->\n    Y = g(X, H),\n    case h(Y) of\n"
        "        {{ok, Z}} -> f{0}(Z, T);\n        error -> []\n    end;\nf{0}(_, []) ->\n    [].\n\n"
    )
    text = "-module(large).\n" + "".join(function.format(number) for number in range(560))
    assert text.count("\n") > 5_000
    source = read(text)
    assert len(source.pieces) == 560
    took = []
    for part in range(1, 10):
        offset = len(text) * part // 10
        start = time.process_time()
        changed = read(text[:offset] + "x" + text[offset:], source)
        assert len(changed.pieces) > 550
        took.append(time.process_time() - start)
    assert sorted(took)[4] < 0.05
