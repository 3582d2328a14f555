"""Code actions: everything that applies at the cursor, for clients without code lenses."""

from collections.abc import Iterator

from lsprotocol import types

from adebug_lsp.frontends.lsp.choices import Choice, after, answers, runnable, slices
from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.frontends.lsp.view import View
from adebug_lsp.model.source import Range

_KINDS = [types.CodeActionKind.QuickFix]


def register(server: Server) -> None:
    """Offer code actions."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=_KINDS))
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.documents.at(params.text_document.uri)
        only = params.context.only
        if document is None or (only and not any(_wanted(kind) for kind in only)):
            return []
        choices = dict.fromkeys(_choices(server, document, document.range(params.range)))
        return [_action(choice) for choice in choices]


def _wanted(kind: str) -> bool:
    return kind in ("", types.CodeActionKind.QuickFix)


def _choices(server: Server, document: Document, selected: Range) -> Iterator[Choice]:
    """The choices for a selection: about verdicts, the open question, and runnable code."""
    for shown in server.shown:
        place = shown.saved.location and server.documents.place(shown.saved.location, shown.sources)
        if place and place[0] is document and _share_a_line(place[1], selected):
            yield from after(shown, server.view)
    if server.view is not None and _is_asked_in(server, server.view, document):
        yield from answers(server.view)
        yield from slices(server.view)
    for piece, choice in runnable(server, document):
        if _touch(piece.range, selected):
            yield choice


def _is_asked_in(server: Server, view: View, document: Document) -> bool:
    """Whether answers are offered in a document: that of the question, or any if the client cannot be sent there."""
    if view.place is None:
        return False
    return view.place.path == server.documents.path(document) or not server.shows_documents


def _share_a_line(first: Range, second: Range) -> bool:
    """Whether two ranges share a line; the cursor need only be on the line of a verdict."""
    return first.start.line <= second.end.line and second.start.line <= first.end.line


def _touch(first: Range, second: Range) -> bool:
    return first.start <= second.end and second.start <= first.end


def _action(choice: Choice) -> types.CodeAction:
    title = f"adebug: {choice.title}"
    command = types.Command(title, choice.command, arguments=list(choice.arguments))
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, command=command)
