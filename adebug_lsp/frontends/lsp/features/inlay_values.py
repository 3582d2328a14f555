"""Recorded values of the call in question, at the ends of lines and on hover."""

from collections.abc import Iterator

from lsprotocol import types

from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.languages.language import TraceValue
from adebug_lsp.model.source import Position, Range

_LONGEST = 80


def register(server: Server) -> None:
    """Offer hovers, inlay hints and inline values."""

    @server.feature(types.TEXT_DOCUMENT_HOVER, types.HoverOptions())
    def hover(params: types.HoverParams) -> types.Hover | None:
        document = server.documents.at(params.text_document.uri)
        return None if document is None else _hover(server, document, document.position(params.position))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions())
    def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        document = server.documents.at(params.text_document.uri)
        if document is None or not server.settings.inlayHints:
            return []
        return [
            types.InlayHint(document.to_client(Range(end, end)).start, text, padding_left=True)
            for end, text in _lines(server, document, document.range(params.range))
        ]

    @server.feature(types.TEXT_DOCUMENT_INLINE_VALUE, types.InlineValueOptions())
    def inline(params: types.InlineValueParams) -> list[types.InlineValueText]:
        document = server.documents.at(params.text_document.uri)
        if document is None:
            return []
        return [
            types.InlineValueText(document.to_client(Range(end, end)), text)
            for end, text in _lines(server, document, document.range(params.range))
        ]

    def refresh() -> None:
        workspace = server.client_capabilities.workspace
        if workspace is None:
            return
        if workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            server.workspace_inlay_hint_refresh(None)
        if workspace.inline_value is not None and workspace.inline_value.refresh_support:
            server.workspace_inline_value_refresh(None)

    server.changed.append(refresh)


def _hover(server: Server, document: Document, position: Position) -> types.Hover | None:
    """The type of the name at a position, and the values of the smallest expression around it that has any."""
    checked = server.checked(document)
    described = None if checked is None else checked.described(position)
    values = _values_at(server, document, position)
    if described is None and values is None:
        return None
    places = [part[0] for part in (values, described) if part is not None]
    text = "\n".join(part[1] for part in (described, values) if part is not None)
    content = types.MarkupContent(types.MarkupKind.PlainText, text)
    return types.Hover(content, range=document.to_client(places[0]))


def _values_at(server: Server, document: Document, position: Position) -> tuple[Range, str] | None:
    """The range and the values of the smallest expression at a position."""
    view = server.view
    moved = None if view is None else server.documents.moved(document, view.sources)
    pointed = None if document.outline is None else document.outline.expression_at(position)
    recorded = None if moved is None else moved.back(pointed or Range(position, position))
    if view is None or moved is None or recorded is None:
        return None
    around = [seen for seen in view.trace_values if seen.place.range.covers(recorded)]
    if not around or view.trace_values[0].place.path != server.documents.path(document):
        return None
    smallest = min(around, key=lambda seen: _extent(seen.place.range))
    text = "\n".join(f"{document_text(view.sources.text(smallest.place))} = {value}" for value in smallest.values)
    if smallest.count > len(smallest.values):
        text += f"\n... {smallest.count} values in all"
    return moved.range(smallest.place.range)[0], text


def document_text(text: str) -> str:
    """Source code on one line."""
    return _short(" ".join(text.split()))


def _lines(server: Server, document: Document, within: Range) -> Iterator[tuple[Position, str]]:
    """The end of each line that has values, and their text: variables bound there, or else the outermost expression."""
    view = server.view
    moved = None if view is None else server.documents.moved(document, view.sources)
    if view is None or moved is None:
        return
    path = server.documents.path(document)
    by_line: dict[int, list[TraceValue]] = {}
    for seen in view.trace_values:
        if seen.place.path == path:
            by_line.setdefault(seen.place.range.end.line, []).append(seen)
    for line, values in sorted(by_line.items()):
        now, changed = moved.range(Range(Position(line, 0), Position(line, 0)))
        if not changed and within.start.line <= now.start.line <= within.end.line:
            yield Position(now.start.line, len(document.lines[now.start.line])), _text(values)


def _text(values: list[TraceValue]) -> str:
    bound = [seen for seen in values if seen.bound]
    if bound:
        return _short(", ".join(f"{seen.name} = {_values(seen)}" for seen in bound))
    outermost = max(values, key=lambda seen: _extent(seen.place.range))
    return _short(f"= {_values(outermost)}")


def _values(seen: TraceValue) -> str:
    more = ["..."] if seen.count > len(seen.values) else []
    return ", ".join([*seen.values, *more])


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _extent(place: Range) -> tuple[int, int]:
    return place.end.line - place.start.line, place.end.column - place.start.column
