"""Symbols and folding are for languages that have no other server."""

from pathlib import Path

from attrs import evolve
from lsprotocol import types

from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.features.symbols import folding_of, symbols_of
from adebug_lsp.frontends.lsp.start import make_server
from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.python.language import Python

TEXT = "class A:\n    x = 1\n\n    def f(self):\n        return '𝒳'\n\n\ndef g(): return 2\n"


class Alone(Python):
    """A language like Python for which editors have nothing else."""

    descriptor = evolve(Python.descriptor, has_other_servers=False)


def document(language: Python) -> Document:
    document = Document("file:///a.py", Path("/a.py"), language)
    document.update(TEXT)
    return document


def test_a_language_without_other_servers_has_symbols_and_folding() -> None:
    symbols = symbols_of(document(Alone()))
    assert [(symbol.name, symbol.kind) for symbol in symbols] == [
        ("A", types.SymbolKind.Class), ("A.f", types.SymbolKind.Function), ("g", types.SymbolKind.Function),
    ]  # fmt: skip
    assert symbols[1].range.end == types.Position(4, 19)  # the wide character counts twice
    assert [(fold.start_line, fold.end_line) for fold in folding_of(document(Alone()))] == [(0, 4), (3, 4)]


def test_python_has_others() -> None:
    assert symbols_of(document(Python())) == []
    assert folding_of(document(Python())) == []


def test_erlang_has_symbols_and_folding() -> None:
    source = Document("file:///a.erl", Path("/a.erl"), Erlang())
    source.update("-module(a).\nf(1) ->\n    a;\nf(_) ->\n    b.\n")
    assert [symbol.name for symbol in symbols_of(source)] == ["f/1"]
    assert [(fold.start_line, fold.end_line) for fold in folding_of(source)] == [(1, 4)]
    server = make_server()
    try:
        assert types.TEXT_DOCUMENT_DOCUMENT_SYMBOL in server.protocol.fm.features
        assert types.TEXT_DOCUMENT_CODE_LENS in server.protocol.fm.features
    finally:
        server.close()
