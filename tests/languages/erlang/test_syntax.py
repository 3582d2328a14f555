"""Erlang syntax: compared with the compiler's positions over the whole OTP library."""

import os
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.languages.erlang.syntax.file_syntax import Syntax, parse
from adebug_lsp.model.source import Position, Range
from tests.languages.erlang.beam import LATER, needs_erlang, otp_release, run_erlang
from tests.support import ROOT

NODES = Path(__file__).with_name("nodes.erl")
PROGRAMS = ROOT / "tests" / "programs_erlang"
CONSTRUCTS = Path(__file__).with_name("constructs.erl")
NO_EXPRESSIONS = frozenset(
    [
        *("clause", "function", "bin_element", "map_field_assoc", "map_field_exact", "else", "maybe_match"),
        *("generate", "b_generate", "m_generate", "generate_strict", "b_generate_strict", "m_generate_strict"),
    ]
)
EVERY = 2
"""Only every n-th node is parsed again from its text."""


class Node(NamedTuple):
    """A node as Erlang's parser reports it, and its text by our parser."""

    parent: int
    tag: str
    how: str
    """`rest` for the rest of a list, which has no text of its own."""
    in_macro: bool
    at: int
    span: tuple[int, int] | None


@frozen
class Read:
    """A file as both read it."""

    path: Path
    text: str
    syntax: Syntax
    nodes: list[Node]

    def show(self, node: Node) -> str:
        return f"{self.path.name} {node} {self.text[slice(*node.span or (0, 0))][:80]!r}"


def read_nodes(files: list[Path], folder: Path) -> list[Read]:
    run_erlang(NODES.read_text(encoding="utf-8"), "nodes", ".", *map(str, files), folder=folder)
    return [_read(file, (folder / str(number)).read_text(encoding="utf-8")) for number, file in enumerate(files)]


def _read(file: Path, dump: str) -> Read:
    encoding, *lines = dump.split("\n")
    text = file.read_bytes().decode({"utf8": "utf-8", "latin1": "latin-1"}[encoding])
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    syntax, nodes = parse(text), list[Node]()
    for line in lines:
        parent, tag, how, where, row, column = line.split()
        start = starts[int(row) - 1] + int(column) - 1
        nested = _above(nodes, int(parent), tag, start) if tag in ("call", "match") else 0
        range_ = syntax.range_at(tag, int(row), int(column), nested)
        span = (
            None
            if range_ is None
            else (starts[range_.start.line] + range_.start.column, starts[range_.end.line] + range_.end.column)
        )
        nodes.append(Node(int(parent), tag, how, where == "macro", start, span))
    return Read(file, text, syntax, nodes)


def _above(nodes: list[Node], number: int, tag: str, offset: int) -> int:
    """How many nodes around one have its tag and place."""
    count = 0
    while number >= 0:
        count += nodes[number].tag == tag and nodes[number].at == offset
        number = nodes[number].parent
    return count


def same_nodes(read: list[Read], every: int, folder: Path) -> list[str]:
    """The result of parsing the texts of nodes: `same`, `macro` (not parsed), or `other` and `error` with the node."""
    for number, file in enumerate(read):
        spans = [
            f"{{{index},{node.span[0]},{node.span[1]}}}.\n"
            for index, node in enumerate(file.nodes)
            if index % every == 0 and node.span and _is_expression(node) and not _is_in_sigil(node.span, file.text)
        ]
        (folder / f"{number}.spans").write_text("".join(spans), encoding="utf-8")
    files = [str(file.path) for file in read]
    run_erlang(NODES.read_text(encoding="utf-8"), "same", ".", *files, folder=folder)
    results = []
    for number, file in enumerate(read):
        for result in (folder / f"{number}.results").read_text(encoding="utf-8").split("\n"):
            what, _, index = result.partition(" ")
            results.append(f"{what} {file.show(file.nodes[int(index)])}" if index else what)
    return [result for result in results if result]


def _is_expression(node: Node) -> bool:
    if node.in_macro or node.how == "rest" or node.tag in NO_EXPRESSIONS or not node.span:
        return False
    start, end = node.span
    is_end_of_list = node.tag == "nil" and end - start == 1
    is_field_of_record = node.tag == "record_field" and start == node.at
    return not is_end_of_list and not is_field_of_record


def _is_in_sigil(span: tuple[int, int], text: str) -> bool:
    """Whether it is the string of a sigil, `"b"` of `~b"b"`: alone it is another one."""
    before = text[: span[0]][-2:]
    return before[-1:] == "~" or before in ("~b", "~B")


def problems(file: Read) -> Iterator[str]:
    """Nodes whose texts are wrong."""
    siblings = defaultdict[int, list[tuple[int, int]]](list)
    for node in file.nodes:
        if node.span is None:
            yield f"no text: {file.show(node)}"
            continue
        start, end = node.span
        if not start <= node.at < end:
            yield f"elsewhere: {file.show(node)}"
        parent = file.nodes[node.parent] if node.parent >= 0 else None
        if parent and parent.span and not parent.in_macro and not parent.span[0] <= start <= end <= parent.span[1]:
            yield f"outside of its parent: {file.show(node)}, {file.show(parent)}"
        if node.how != "rest" and not node.in_macro:
            siblings[node.parent].append(node.span)
    for spans in siblings.values():
        for left, other in pairwise(sorted(spans)):
            if left[1] > other[0]:
                yield f"overlap: {file.path.name} {file.text[slice(*left)]!r} {file.text[slice(*other)]!r}"


# All of Erlang's library


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("erlang")


@pytest.fixture(scope="module")
def library(folder: Path) -> list[Read]:
    code = "-module(program).\n-export([main/1]).\nmain(_) -> io:put_chars(code:lib_dir(stdlib)).\n"
    sources = sorted(Path(run_erlang(code, folder=folder), "src").glob("*.erl"))
    if not sources and not os.environ.get("CI"):
        pytest.skip("the sources of Erlang's library are not installed")
    assert len(sources) > 50, "the sources of Erlang's library are missing: apt-get install erlang-src"
    return read_nodes(sources, folder)


@needs_erlang
def test_every_node_of_the_library_has_a_range_within_its_parent_and_beside_its_siblings(library: list[Read]) -> None:
    assert sum(len(file.nodes) for file in library) > 400_000
    assert [problem for file in library for problem in problems(file)] == []
    assert [file.path.name for file in library if file.syntax.broken_forms] == []


@needs_erlang
def test_the_text_of_a_range_is_the_node_when_erlang_parses_it(library: list[Read], folder: Path) -> None:
    results = same_nodes(library, EVERY, folder)
    wrong = [result for result in results if result not in ("same", "macro")]
    assert wrong == []
    assert results.count("same") > 100_000
    assert results.count("macro") < len(results) / 50


@needs_erlang
def test_functions_of_the_library_are_those_that_it_exports(library: list[Read], folder: Path) -> None:
    code = """-module(program).
-export([main/1]).
main(Modules) ->
    [io:format("~s ~s/~w~n", [M, F, A]) || Module <- Modules, M <- [list_to_atom(Module)],
        {F, A} <- M:module_info(exports), F =/= module_info].
"""
    elsewhere = ("otp_internal", "erl_parse", "io_ansi", "graph")  # some functions stand in other files, macros, `-if`
    by_name = {file.syntax.module: file.syntax for file in library if file.path.stem not in elsewhere}
    shown = run_erlang(code, *map(str, by_name), folder=folder)
    exported = {tuple(line.split()) for line in shown.splitlines() if "behaviour_info" not in line}
    ranges = {
        (name, f"{function.name.strip(chr(39))}/{function.arity}")
        for name, syntax in by_name.items()
        for function in syntax.functions
        if function.exported
    }
    assert len(exported) > 1500
    assert exported ^ ranges == set()


# Every construct


@needs_erlang
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_construct_has_its_text(line_end: str, tmp_path: Path) -> None:
    file = tmp_path / "constructs.erl"
    file.write_text(CONSTRUCTS.read_text(encoding="utf-8"), encoding="utf-8", newline=line_end)
    read = read_nodes([file], tmp_path)
    assert list(problems(read[0])) == []
    results = same_nodes(read, 1, tmp_path)
    assert [result for result in results if result not in ("same", "macro")] == []
    assert results.count("same") > 400


@needs_erlang
def test_constructs_of_later_releases_have_their_texts(tmp_path: Path) -> None:
    files = [PROGRAMS / f"constructs_{release}.erl" for release in LATER if release <= otp_release()]
    read = read_nodes(files, tmp_path)
    assert [problem for file in read for problem in problems(file)] == []
    assert [result for result in same_nodes(read, 1, tmp_path) if result not in ("same", "macro")] == []


@pytest.mark.parametrize("release", LATER)
def test_constructs_of_later_releases_are_read_without_that_release(release: int) -> None:
    syntax = parse((PROGRAMS / f"constructs_{release}.erl").read_text(encoding="utf-8"))
    assert not syntax.broken_forms
    assert (syntax.module, syntax.functions[0].name) == (f"constructs_{release}", "main")


@needs_erlang
def test_maybe_is_an_expression_where_it_is_one(tmp_path: Path) -> None:
    file = tmp_path / "feature.erl"
    file.write_text(
        "-module(feature).\n-feature(maybe_expr, enable).\n"
        "f(X) -> maybe {ok, Y} ?= g(X), 1 ?= Y, {Y} else {error, _} = E when X -> E; _ -> maybe (X) ?= 1 end end.\n",
        encoding="utf-8",
    )
    (read,) = read_nodes([file], tmp_path)
    assert list(problems(read)) == []
    texts = [read.text[slice(*node.span)] for node in read.nodes if node.span and node.tag in ("maybe", "else")]
    assert texts == [
        read.text[read.text.index("maybe {") : -2],
        read.text[read.text.index("else") : -len(" end.\n")],
        "maybe (X) ?= 1 end",
    ]


def text_of(source: str, kind: str, place: str, nested: int = 0) -> str | None:
    """The text of a node that the compiler places where a word stands."""
    start = source.index(place)
    line_start = source.rfind("\n", 0, start) + 1
    range_ = parse(source).range_at(kind, source.count("\n", 0, start) + 1, start - line_start + 1, nested)
    return _cut(source, range_) if range_ else None


def _cut(source: str, place: Range) -> str:
    lines = source.split("\n")[place.start.line : place.end.line + 1]
    lines[-1] = lines[-1][: place.end.column]
    lines[0] = lines[0][place.start.column :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("source", "kind", "place", "text"),
    [
        ("f() -> a + b * c - d.", "op", "+", "a + b * c"),
        ("f() -> a + b * c - d.", "op", "- d", "a + b * c - d"),
        ("f() -> a + b.", "op", "->", None),
        ("f() -> a ++ b ++ c.", "op", "++", "a ++ b ++ c"),
        ("f() -> (a - b) - c.", "op", "- b", "a - b"),
        ("f() -> (a - b) - c.", "op", "- c", "(a - b) - c"),
        ("f() -> {A, B} = g().", "match", "{A", "{A, B} = g()"),
        ("f() -> X = catch g() + 1.", "catch", "catch", "catch g() + 1"),
        ("f() -> a:g(X, [1]).", "call", "a:", "a:g(X, [1])"),
        ("f() -> a:g(X).", "remote", ":", "a:g"),
        ("f() -> case g(X) of\n  1 -> a\nend.", "case", "case", "case g(X) of\n  1 -> a\nend"),
        ("f() -> case X of {1} when Y -> a, b; _ -> c end.", "clause", "{1}", "{1} when Y -> a, b"),
        ("f() -> if A; B -> c end.", "clause", "A", "A; B -> c"),
        ("f() -> fun (X) -> X end.", "clause", "(X)", "(X) -> X"),
        ("f() -> try g() catch error:R:S -> S end.", "clause", "error", "error:R:S -> S"),
        ("f() -> [a, [b], c | D].", "cons", "[a", "[a, [b], c | D]"),
        ("f() -> [a, [b], c | D].", "cons", "[b", "[b]"),
        ("f() -> [a, b, c].", "cons", "b", "b, c]"),
        ("f() -> [X || X <- Y, Z].", "lc", "[", "[X || X <- Y, Z]"),
        ("f() -> [X || X <- Y, Z].", "generate", "<-", "X <- Y"),
        ("f() -> << <<X>> || X <- Y >>.", "bc", "<< <<", "<< <<X>> || X <- Y >>"),
        ("f() -> #{K => V || K := V <- M}.", "mc", "#", "#{K => V || K := V <- M}"),
        ("f() -> #{K => V || K := V <- M}.", "m_generate", "<-", "K := V <- M"),
        ("f() -> <<X:8/integer-unit:4, Y>>.", "bin_element", "X", "X:8/integer-unit:4"),
        ("f() -> X#r.a#r{b = 1}.", "record_field", "#r.a", "X#r.a"),
        ("f() -> X#r.a#r{b = 1}.", "record", "#r{", "X#r.a#r{b = 1}"),
        ("f() -> M#{a := 1}.", "map", "#", "M#{a := 1}"),
        ('f() -> "a"\n "b" "c".', "string", '"a"', '"a"\n "b" "c"'),
        ('f() -> """\n a "b"\n. c\n """.', "string", '"""', '"""\n a "b"\n. c\n """'),
        ('f() -> "😀" ++ g(X).', "op", "++", '"😀" ++ g(X)'),
        ("f() ->\n\t\tg(\t1\t).", "call", "g", "g(\t1\t)"),
        ("f() -> ?M(a, g(b)) + 1.", "tuple", "M", "?M(a, g(b))"),
        ("f() -> ?M(a, g(b)) + 1.", "call", "g", "g(b)"),
        ("f() -> ?M(a, g(b)) + 1.", "tuple", "b", "?M(a, g(b))"),
        ("f() -> ?M(a) = 1.", "match", "a) =", "?M(a) = 1"),
        ("f() -> ?M(X when Y -> Z).", "case", "Z", "?M(X when Y -> Z)"),
        ("f(X) -> X;\nf(_) -> b.", "function", "f", "f(X) -> X;\nf(_) -> b"),
        ("-record(r, {a = g(1) :: fun((b) -> c), d}).", "call", "g", "g(1)"),
        ("f() -> a.", "call", "a", None),
        ("f() -> a.", "atom", ".", None),
    ],
)
def test_a_node_has_its_text(source: str, kind: str, place: str, text: str | None) -> None:
    assert text_of(source, kind, place) == text


def test_calls_at_one_place_are_counted_inwards() -> None:
    source = "f() -> ((g(X))(Y))(Z)."
    assert [text_of(source, "call", "g", nested) for nested in range(3)] == ["((g(X))(Y))(Z)", "(g(X))(Y)", "g(X)"]


def test_places_outside_of_the_text_have_no_node() -> None:
    syntax = parse("f() -> a.\ng() -> b.\n")
    assert syntax.range_at("atom", 2, 8) == Range(Position(1, 7), Position(1, 8))
    assert [syntax.range_at("atom", *place) for place in [(0, 1), (1, 0), (9, 1), (1, 18)]] == [None] * 4


@pytest.mark.parametrize(
    ("source", "place", "parts"),
    [
        ("f(A, {B}) when A, B; C -> x, y.", "f", ("A, {B}", "A, B; C", "x, y")),
        ("f() -> x.", "f", (None, None, "x")),
        ("f() -> case X of {1} when Y -> a; _ -> b end.", "{1}", ("{1}", "Y", "a")),
        ("f() -> if A, B -> c end.", "A", (None, "A, B", "c")),
        ("f() -> fun N(X) when X -> y end.", "N", ("X", "X", "y")),
        ("f() -> try x catch error:{a}:S when S -> y end.", "error", ("error:{a}:S", "S", "y")),
        ("f() -> receive ?P(X) when X -> y end.", "P", ("?P(X)", "X", "y")),
        ("f() -> receive ?P(X) when X -> y end.", "X", ("?P(X)", "X", "y")),
    ],
)
def test_a_clause_has_its_parts(source: str, place: str, parts: tuple[str | None, ...]) -> None:
    clause = parse(source).clause_at(1, source.index(place) + 1)
    assert clause
    assert tuple(part and _cut(source, part) for part in (clause.head, clause.guard, clause.body)) == parts


def test_functions_know_their_clauses_and_whether_they_are_exported() -> None:
    syntax = parse(CONSTRUCTS.read_text(encoding="utf-8"))
    functions = [
        (f.name, f.arity, f.exported, len(f.clauses), _cut(syntax.text, f.name_range)) for f in syntax.functions
    ]
    assert functions == [
        ("all", 1, True, 4, "all"),
        ("'quoted name'", 0, True, 1, "'quoted name'"),
        ("plain", 0, True, 1, "plain"),
        ("zero", 0, True, 1, "zero"),
        ("one", 0, False, 1, "one"),
    ]
    assert (syntax.module, syntax.behaviours, syntax.has_eunit) == ("constructs", ["gen_server"], False)


# Size


def test_long_and_deep_terms_are_read() -> None:
    many, deep = 20_000, 5_000
    texts = [
        "[" + ", ".join("x" * many) + "]",
        " ++ ".join("x" * many),
        " - ".join("x" * many),
        "[" * deep + "]" * deep,
        "(" * deep + "x" + ")" * deep,
        "g(" * deep + ")" * deep,
        "fun() -> {" * deep + "} end" * deep,
        "?M(" * deep + ")" * deep,
        "- " * deep + "1",
    ]
    for text in texts:
        syntax = parse(f"f() ->\n{text}.")
        assert [f.name for f in syntax.functions] == ["f"], text[:20]
        (clause,) = syntax.functions[0].clauses
        assert clause.body == Range(Position(1, 0), Position(1, len(text)))


# Errors


GOOD = ['a() ->\n    "x. y".\n', "b(0) -> 1;\nb(N) -> N.\n", "-record(r, {x = 1}).\n", 'c() ->\n    "z".\n']


def names(source: str) -> list[str]:
    return [f"{function.name}/{function.arity}" for function in parse(source).functions]


@pytest.mark.parametrize(
    ("bad", "lost"),
    [
        ("bad() -> x +.\n", 1),
        ("bad() -> (.\n", 1),
        ("bad() -> case x of end.\n", 1),
        ("bad() -> case x of\n", 1),
        ('bad() -> "open.\n', 1),
        ("bad() -> 'open.\n", 1),
        ("bad() -> x..\n", 1),
        ("bad() -> x;\nbad(Y) -> y;\nbad(.\n", 1),
        ("bad() -> x;\nother() -> y.\n", 1),
        ("bad() -> \\ .\n", 1),
        ("-record(bad, {x = .\n", 1),
        ("-export([bad/1).\n", 1),
        ("-export([bad/1])\n", 0),
    ],
)
@pytest.mark.parametrize("where", range(len(GOOD)))
def test_an_error_takes_away_its_form_and_no_other(bad: str, lost: int, where: int) -> None:
    source = "".join([*GOOD[:where], bad, *GOOD[where:]])
    syntax = parse(source)
    assert [name for name in names(source) if name not in ("bad/0", "other/0")] == ["a/0", "b/1", "c/0"]
    assert "bad/0" not in names(source)
    assert len(syntax.broken_forms) == lost


def test_a_missing_dot_loses_only_its_own_form() -> None:
    assert names("bad() -> x\ngood() -> y.\n") == ["good/0"]
    assert names("bad() -> x\n-spec good() -> y.\ngood() -> y.\n") == ["good/0"]
    assert parse("-module(m)\n-behaviour(b).\ngood() -> y.\n").behaviours == ["b"]


def test_a_multi_line_string_may_look_like_code() -> None:
    source = 'a() -> "\nb() -> 1.\n-module(x).\n".\nc() -> 2.\n'
    assert names(source) == ["a/0", "c/0"]


WORDS = [
    "f",
    "X",
    "1",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    "->",
    ";",
    ",",
    ".\n",
    "\n",
    " ",
    '"',
    "'",
    "$",
    "%",
    "case",
    "of",
    "end",
    "fun",
    "try",
    "catch",
    "when",
    "?M",
    "#",
    "=",
    ":",
    "/",
    "|",
    "||",
    "-",
    "-record",
    "maybe",
]


@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_any_text_has_a_syntax(text: str) -> None:
    syntax = parse(text)
    whole = [*syntax.broken_forms, *(function.range for function in syntax.functions)]
    assert all(left.end <= other.start for left, other in pairwise(sorted(whole)))
    lines = text.split("\n")
    for line, column in [(line, column) for line, word in enumerate(lines) for column in range(len(word))]:
        expression = syntax.expression_at(Position(line, column))
        assert expression is None or expression.start <= Position(line, column) <= expression.end
