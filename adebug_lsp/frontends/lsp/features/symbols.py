"""Document symbols and folding, for the languages that have no other server in editors."""

from lsprotocol import types

from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.languages import registry

_KINDS = {"routine": types.SymbolKind.Function, "class": types.SymbolKind.Class, "main": types.SymbolKind.Module}


def register(server: Server) -> None:
    """Offer both, if there is a language that needs them."""
    if all(descriptor.has_other_servers for descriptor in registry.descriptors().values()):
        return

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return symbols_of(server.documents.at(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return folding_of(server.documents.at(params.text_document.uri))


def symbols_of(document: Document | None) -> list[types.DocumentSymbol]:
    """The pieces of a document by name."""
    if document is None or document.outline is None or document.language.descriptor.has_other_servers:
        return []
    return [
        types.DocumentSymbol(
            piece.name, _KINDS[piece.kind], document.to_client(piece.range), document.to_client(piece.head)
        )
        for piece in document.outline.pieces
        if piece.name
    ]


def folding_of(document: Document | None) -> list[types.FoldingRange]:
    """The pieces of a document that have more than one line."""
    if document is None or document.outline is None or document.language.descriptor.has_other_servers:
        return []
    places = [piece.range for piece in document.outline.pieces]
    return [types.FoldingRange(p.start.line, p.end.line) for p in places if p.end.line > p.start.line]
