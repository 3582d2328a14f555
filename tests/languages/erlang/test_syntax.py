"""The syntax of Erlang: its own compiler says where nodes are and what a text is, over all of its library."""

from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from attrs import define, frozen

from adebug_lsp.languages.erlang.syntax import Syntax, parse
from adebug_lsp.model.source import Position, Range
from tests.languages.erlang.beam import needs_erlang, run_erlang

NODES = Path(__file__).with_name("nodes.erl")
NO_EXPRESSIONS = frozenset(
    ["clause", "function", "bin_element", "generate", "b_generate", "map_field_assoc", "map_field_exact", "else"]
)
EVERY = 3
"""One node in so many is parsed again from its text."""


@frozen
class Node:
    """What Erlang says of a node, and the range that the syntax gives it."""

    parent: int
    tag: str
    how: str
    """`rest` for the rest of a list, which has no text of its own."""
    in_macro: bool
    line: int
    column: int
    range: Range | None


@define
class Read:
    """A file as both read it."""

    path: Path
    text: str
    syntax: Syntax
    nodes: list[Node]

    starts: list[int]
    """Where its lines start."""

    def offsets(self, place: Range) -> tuple[int, int]:
        start, end = place.start, place.end
        return self.starts[start.line] + start.column, self.starts[end.line] + end.column

    def show(self, place: Range | None) -> str:
        return repr(self.text[slice(*self.offsets(place))][:80]) if place else "nothing"


def read_nodes(files: list[Path], folder: Path) -> list[Read]:
    run_erlang(NODES.read_text(encoding="utf-8"), "nodes", ".", *map(str, files), folder=folder)
    return [_read(file, (folder / str(number)).read_text(encoding="utf-8")) for number, file in enumerate(files)]


def _read(file: Path, dump: str) -> Read:
    encoding, *lines = dump.split("\n")
    text = file.read_bytes().decode({"utf8": "utf-8", "latin1": "latin-1"}[encoding])
    syntax, nodes = parse(text), list[Node]()
    for line in lines:
        parent, tag, how, where, row, column = line.split()
        place = (tag, int(row), int(column))
        nested = sum(place == other for other in _above(nodes, int(parent))) if tag in ("call", "match") else 0
        found = syntax.range_at(*place, nested)
        nodes.append(Node(int(parent), tag, how, where == "macro", int(row), int(column), found))
    lengths = [len(line) + 1 for line in text.split("\n")]
    return Read(file, text, syntax, nodes, [0, *accumulate(lengths)])


def _above(nodes: list[Node], number: int) -> Iterator[tuple[str, int, int]]:
    while number >= 0:
        node = nodes[number]
        yield node.tag, node.line, node.column
        number = node.parent


def same_nodes(read: list[Read], every: int, folder: Path) -> list[str]:
    """What parsing the texts of nodes gives: `same`, `macro` (not parsed), or `other` and `error` with the node."""
    for number, file in enumerate(read):
        spans = [
            f"{{{index},{start},{end}}}.\n"
            for index, node in enumerate(file.nodes)
            if index % every == 0 and node.range and _is_expression(node, file)
            for start, end in [file.offsets(node.range)]
        ]
        (folder / f"{number}.spans").write_text("".join(spans), encoding="utf-8")
    files = [str(file.path) for file in read]
    run_erlang(NODES.read_text(encoding="utf-8"), "same", ".", *files, folder=folder)
    results = []
    for number, file in enumerate(read):
        for result in (folder / f"{number}.results").read_text(encoding="utf-8").split("\n"):
            what, _, index = result.partition(" ")
            node = file.nodes[int(index)] if index else None
            results.append(f"{what} {file.path.name} {node} {file.show(node.range)}" if node else what)
    return [result for result in results if result]


def _is_expression(node: Node, file: Read) -> bool:
    if node.in_macro or node.how == "rest" or node.tag in NO_EXPRESSIONS or not node.range:
        return False
    is_end = node.tag == "nil" and node.range.end.column - node.range.start.column == 1
    is_field_name = node.tag == "record_field" and node.range.start == Position(node.line - 1, node.column - 1)
    return not is_end and not is_field_name


def problems(file: Read) -> Iterator[str]:
    """What is wrong with the ranges of a file."""
    children: dict[int, list[Range]] = {}
    for node in file.nodes:
        here = f"{file.path.name} {node}"
        place, parent = node.range, file.nodes[node.parent] if node.parent >= 0 else None
        if place is None:
            yield f"no range: {here}"
            continue
        if not place.start <= Position(node.line - 1, node.column - 1) < place.end:
            yield f"elsewhere: {here}"
        if parent and parent.range and not parent.in_macro and not parent.range.covers(place):
            yield f"outside of its parent: {here} {file.show(place)}"
        if node.how != "rest" and not node.in_macro:
            children.setdefault(node.parent, []).append(place)
    for places in children.values():
        for one, other in pairwise(sorted(places)):
            if one.end > other.start:
                yield f"overlap: {file.path.name} {one} {other} {file.show(one)} {file.show(other)}"


# All of Erlang's library


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("erlang")


@pytest.fixture(scope="module")
def library(folder: Path) -> list[Read]:
    code = "-module(program).\n-export([main/1]).\nmain(_) -> io:put_chars(code:lib_dir(stdlib)).\n"
    sources = sorted(Path(run_erlang(code, folder=folder), "src").glob("*.erl"))
    assert len(sources) > 50, "the sources of stdlib are missing: apt-get install erlang-src"
    return read_nodes(sources, folder)


@needs_erlang
def test_every_node_of_the_library_has_a_range_within_its_parent_and_beside_its_siblings(library: list[Read]) -> None:
    assert sum(len(file.nodes) for file in library) > 400_000
    assert [problem for file in library for problem in problems(file)] == []
    assert [file.path.name for file in library if file.syntax.lost] == []


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
    elsewhere = ("otp_internal", "erl_parse")  # some of their functions stand in other files
    by_name = {file.syntax.module: file.syntax for file in library if file.path.stem not in elsewhere}
    shown = run_erlang(code, *map(str, by_name), folder=folder)
    exported = {tuple(line.split()) for line in shown.splitlines() if "behaviour_info" not in line}
    found = {
        (name, f"{function.name.strip(chr(39))}/{function.arity}")
        for name, syntax in by_name.items()
        for function in syntax.functions
        if function.exported
    }
    assert len(exported) > 1500
    assert exported ^ found == set()
