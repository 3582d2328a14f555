"""The executed code in question: as document highlights, and as `adebug/projection` for clients that want it."""

from lsprotocol import types

from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.model.source import Location, Range

PROJECTION = "adebug/projection"


def register(server: Server) -> None:
    """Offer highlights, and send notifications if the setting is on."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, types.DocumentHighlightOptions())
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        document = server.documents.at(params.text_document.uri)
        if document is None:
            return None
        position = document.position(params.position)
        ranges = _in_question(server, document)
        lines = [r.start.line for r in ranges] + [r.end.line for r in ranges]
        if not lines or not min(lines) - 1 <= position.line <= max(lines):
            return None
        kind = types.DocumentHighlightKind.Text
        return [types.DocumentHighlight(document.to_client(place), kind) for place in ranges]

    def notify() -> None:
        if server.settings.projection:
            server.protocol.notify(PROJECTION, _projection(server))

    def follow_edits() -> None:
        if server.view is not None:
            notify()

    server.changed.append(notify)
    server.edited.append(follow_edits)


def _in_question(server: Server, document: Document) -> list[Range]:
    view = server.view
    if view is None or not view.asks:
        return []
    return _ranges(server, document, view.projection)


def _ranges(server: Server, document: Document, places: tuple[Location, ...]) -> list[Range]:
    path, ranges = server.documents.path(document), []
    for place in places:
        if server.view is not None and place.path == path:
            now = server.documents.place(place, server.view.sources)
            if now is not None and not now[2]:
                ranges.append(now[1])
    return ranges


def _projection(server: Server) -> dict[str, object]:
    """The file of the question with its ranges; no URI if there is no question."""
    view = server.view
    document = None if view is None or view.place is None else server.documents.of(view.place.path)
    if view is None or view.place is None or document is None:
        return {"uri": None, "question": None, "inQuestion": [], "ran": [], "didNotRun": []}
    return {
        "uri": document.uri,
        "question": view.line,
        "inQuestion": [document.to_client(place) for place in _ranges(server, document, (view.place,))],
        "ran": [document.to_client(place) for place in _ranges(server, document, view.projection)],
        "didNotRun": [document.to_client(place) for place in _ranges(server, document, view.unexecuted)],
    }
