"""Characters that end no line, in comments and strings, shift nothing: questions, verdicts, ranges for editors."""

from pathlib import Path

import pytest

from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.source import Location
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record as record_erlang
from tests.languages.python.recorded import node_of
from tests.languages.python.recorded import record as record_python

SEPARATORS = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
ALL = "".join(SEPARATORS)

PYTHON = """
# a comment@with it
TEXT = "a string@with it"
@FF@
def add(a, b):
    total = a - b  # é@日
    return total


print(add(3, 1))
"""

ERLANG = """-export([main/0]).
%% a comment@with it
main() -> {add(3, 1), text()}.
text() -> "a string@with it".
add(A, B) ->
    Total = A - B,  % é@日
    Total.
"""


def lsp_text(sources: dict[str, str], place: Location) -> str:
    """The text at the LSP range of a place, with lines as LSP counts them."""
    sources_ = Sources(sources)
    where = sources_.lsp_range(place)
    lines = sources[place.path].replace("\r\n", "\n").split("\n")
    assert where["start"]["line"] == where["end"]["line"]
    line: str = lines[where["start"]["line"]]
    return line[where["start"]["character"] : where["end"]["character"]]


@pytest.mark.parametrize("separator", [*SEPARATORS, ALL], ids=ascii)
def test_a_python_source_keeps_its_lines(separator: str, tmp_path: Path) -> None:
    program = PYTHON.replace("@FF@", "\x0c").replace("@", separator)
    subject = record_python(tmp_path, program).subject()
    inner = subject.inside(node_of(subject, "add(3, 1)"))
    assert inner is not None
    texts = {inner.behaviour(node).text: node for node in range(len(inner.tree))}
    assert "a - b = 2" in texts, texts
    (place,) = inner.code(texts["a - b = 2"])
    assert lsp_text(subject.sources(), place) == "a - b"
    location = subject.tree.site_of(node_of(subject, "add(3, 1)")).location
    assert location is not None
    assert Sources(subject.sources()).text(location).startswith("def add(a, b):")


@needs_erlang
@pytest.mark.parametrize("separator", ["\x0c", "\x85", ALL], ids=ascii)
def test_an_erlang_source_keeps_its_lines(separator: str, tmp_path: Path) -> None:
    subject = record_erlang(tmp_path, ERLANG.replace("@", separator)).subject
    nodes = {subject.behaviour(node).text: node for node in range(len(subject.tree))}
    node = nodes["add(3, 1) = 2"]
    (place,) = subject.code(node)
    assert Sources(subject.sources()).text(place).startswith("add(A, B) ->")
    inner = subject.inside(node)
    assert inner is not None
    texts = {inner.behaviour(part).text: part for part in range(len(inner.tree))}
    assert "A - B = 2" in texts, texts
    (place,) = inner.code(texts["A - B = 2"])
    assert lsp_text(subject.sources(), place) == "A - B"
